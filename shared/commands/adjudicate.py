"""`tandem adjudicate`: opens the adjudication window, or writes what was decided in it."""

import argparse
import json
import sys
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import print_problems, progress, write_text
from shared.errors import FileError
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.project.project import Project


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Opens the adjudication window: what the annotators of a patient disagree "
        "about is decided, and the gold standard written. With an export, no window is opened."
    )
    parser.add_argument(
        "project",
        type=Path,
        nargs="?",
        default=Path(),
        help="project folder (default: the current one)",
    )
    parser.add_argument(
        "--patient", metavar="ID", help="patient to open first, or the only one to export"
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="open patients whose annotators have not finished",
    )
    parser.add_argument(
        "--review-agreements",
        action="store_true",
        help="also ask about what the annotators agree on, instead of taking it over",
    )
    parser.add_argument(
        "--blind",
        action="store_true",
        help="hide the annotators' names, and show them in an order drawn for each patient",
    )
    exports = parser.add_mutually_exclusive_group()
    exports.add_argument(
        "--export-discuss",
        metavar="FILE",
        help="write what is flagged for discussion, as Markdown, or as JSON lines to a .jsonl "
        "file; - is the terminal",
    )
    exports.add_argument(
        "--export-log",
        metavar="FILE",
        help="write all decisions (who, when, about what, which, why) as JSON lines, each compared "
        "with the gold standard; status 1 where one did not follow a later edit",
    )
    parser.add_argument(
        "--with-text",
        action="store_true",
        help="export the text of the records too, and what was noted and asked: it holds PHI",
    )


def run(arguments: argparse.Namespace) -> int:
    from shared.project.project import Project

    project = Project.open(arguments.project)
    if arguments.export_discuss or arguments.export_log:
        return _export(project, arguments)
    if arguments.patient:
        project.record_ids(arguments.patient)  # says so where there is no such patient
    from adjudicator import app
    from adjudicator.worklist import OpenOptions
    from shared.commands.display import require_display

    require_display()
    options = OpenOptions(arguments.force, arguments.review_agreements, arguments.blind)
    return app.run(project, arguments.patient, options)


def _export(project: "Project", arguments: argparse.Namespace) -> int:
    from adjudicator.decision_log import notes_to_markdown, read_log, to_markdown
    from shared.project.notes import NoteBook
    from shared.project.project_log import note_export
    from shared.project.settings import GOLD

    problems: list[FileError] = []
    patients = [arguments.patient] if arguments.patient else project.patient_ids
    shown = progress(patients, "reading decisions")
    entries = list(read_log(project, shown, problems, with_text=arguments.with_text, checked=True))
    target = arguments.export_discuss or arguments.export_log
    if arguments.export_discuss:
        entries = [each for each in entries if each.wants_discussion]
    if arguments.export_log or target.endswith(".jsonl"):
        lines: Iterable[str] = (json.dumps(each.as_json()) for each in entries)
    else:
        lines = to_markdown(entries)
        if arguments.with_text:  # what people write may be PHI as well
            notes = NoteBook(project, GOLD)
            notes.refresh()
            problems += notes.problems
            lines = chain(lines, notes_to_markdown(notes, patients))
    text = "".join(f"{line}\n" for line in lines)
    if problem := note_export(project.root, "decisions", target):  # first, so that the log knows
        print(f"tandem: {problem}", file=sys.stderr)
    write_text(text, target)
    after = sum(each.is_edited_after for each in entries)
    if after:
        print(
            f"{counted(after, 'decision')} did not follow a later edit; what is written is what "
            "the gold standard has now, marked as edited after",
            file=sys.stderr,
        )
    print_problems(problems)
    return 2 if problems else int(after > 0)
