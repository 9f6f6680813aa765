"""`tandem status`: how far a project is."""

import argparse
from dataclasses import asdict
from pathlib import Path

from shared.commands.output import (
    add_json,
    print_blocks,
    print_problems,
    progress,
    report,
    write_text,
)
from shared.garbage import collection_put_off
from shared.text.blocks import page_of


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = (
        "Show how many patients each annotator has to do, begun and done, how many "
        "tags they made, how many patients are adjudicated, and the decisions by kind."
    )
    parser.add_argument("project", type=Path, metavar="PROJECT")
    parser.add_argument("--patients", action="store_true", help="show every patient too")
    parser.add_argument(
        "--time",
        action="store_true",
        help="show hours of work (pauses of a minute or more left out), PHI per hour, tags by how "
        "they were made, from the fifth finished patient on what is left and until when, and how "
        "long suggestions were looked at before they were accepted",
    )
    parser.add_argument(
        "--drift",
        action="store_true",
        help="show whether agreement falls as the work goes on, in windows of patients in the "
        "order in which they were done",
    )
    parser.add_argument(
        "--suggestions",
        action="store_true",
        help="show what became of imported suggestions: offered, accepted, tagged otherwise, "
        "rejected, still waiting",
    )
    parser.add_argument(
        "--known-answers",
        action="store_true",
        help="show what came of known-answer patients, for you alone: which share of the PHI each "
        "annotator finds, what it is at most with 99.9 %% confidence, and whom that flags",
    )
    parser.add_argument(
        "--html", metavar="FILE", help="also write it to FILE as a page, which loads nothing"
    )
    add_json(parser)


@collection_put_off()  # thousands of files are a lot to go through for what little there is
def run(arguments: argparse.Namespace) -> int:
    """Print or write how far a project is; 0 done, 2 where something could not be read."""
    from adjudicator.project_status import ProjectStatus
    from annotator.placed_imports import import_outcomes
    from shared.project.project import Project

    project = Project.open(arguments.project)
    status = ProjectStatus.of(
        project, timed=arguments.time, known_answers=arguments.known_answers, watch=progress
    )
    if arguments.suggestions:
        status.outcomes = [asdict(each) for each in import_outcomes(status.project)]
    if arguments.drift:
        status.look_back()
    blocks = [*status.blocks(patients=arguments.patients)]
    if arguments.html:
        problems = [" ".join(str(each).split()) for each in status.problems]
        title = f"{status.project.title}: how far it is"
        page = page_of(title, f"As of {status.today.isoformat()}.", problems, blocks)
        write_text(page, arguments.html)
    report(status.as_json(), arguments, lambda: print_blocks(blocks))
    print_problems(status.problems)
    return 2 if status.problems else 0
