"""`tandem check`: what does not fit together in the tags of a patient's records."""

import argparse
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING

from shared.commands.output import add_json, print_problems, progress, report
from shared.commands.records import STANDARD_INPUT, add_reading, read_records, reading_of
from shared.commands.tables import add_tables, refuse_options, run_tables
from shared.consistency.findings import ALL_KINDS, LIKELY, Finding, FindingKind
from shared.errors import RequestError
from shared.garbage import collection_put_off
from shared.project.file_names import ASSIGNMENTS, GOLD, SETTINGS
from shared.text.blocks import counted

if TYPE_CHECKING:
    from adjudicator.checked_tags import CheckedTags
    from shared.project.files import FileSignature

_LOOK_AGAIN = 1.0
_PLACE = re.compile(r"(?P<record>.+):(?P<start>\d+)-(?P<end>\d+)")

_NOT_IN_TABLES = (
    *("from_", "encoding", "kinds", "across_patients", "csv", "html", "with_text"),
    *("until_clean", "dismiss"),
)
_DESCRIPTION = """
Lists what does not fit together in the tags of each patient: text that is tagged in one place and
not in another, as it stands, in other case, in part, misspelt or in another format; text tagged as
two types or to two extents; tags that overlap, that have faulty edges or are against the
guidelines; and what looks like PHI and is not tagged. Shows what is likely; --all shows every
finding. WHERE is a project, or a folder of records named <patient>-<record>. Of a project, patients
are left out that have no gold standard yet, or that the annotator named has not begun. Ends with
status 1 where something was found. The text itself is shown only where you ask for it, and in JSON.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument(
        "where", type=Path, metavar="WHERE", help="a project, records, or - for standard input"
    )
    add_reading(parser)
    parser.add_argument(
        "--layer", default="gold", metavar="NAME", help="gold (the default) or an annotator's name"
    )
    parser.add_argument(
        "--kinds",
        type=_kinds,
        metavar="KIND,…",
        help=f"only findings of these kinds: {', '.join(FindingKind)}",
    )
    parser.add_argument("--all", action="store_true", help="show unlikely findings too")
    parser.add_argument(
        "--across-patients",
        action="store_true",
        help="also doctors, hospitals and places that are tagged in other patients only",
    )
    add_json(parser)
    parser.add_argument("--csv", metavar="FILE", help="write a table to FILE, or -")
    parser.add_argument("--html", metavar="FILE", help="write a page to FILE, or -")
    parser.add_argument(
        "--with-text", action="store_true", help="show the text too, and in HTML what is around it"
    )
    _add_following(parser)
    parser.add_argument(
        "--tags", type=Path, metavar="TABLE",
        help="of a table of records: the table of their tags; with --out",
    )  # fmt: skip
    parser.add_argument("--out", type=Path, metavar="TABLE", help="where its findings are written")
    add_tables(parser, cores_too=True)


def _add_following(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--until-clean",
        action="store_true",
        help="check again whenever the files change, and end with status 0 once nothing is found",
    )
    parser.add_argument(
        "--patience",
        type=float,
        metavar="SECONDS",
        help="with --until-clean: give up, with status 1, when nothing has changed for so long",
    )
    parser.add_argument(
        "--dismiss",
        metavar="RECORD:START-END",
        help="in a project: dismiss the findings at this place until the text there changes",
    )
    parser.add_argument("--reason", default="", metavar="TEXT", help="why they are dismissed")


def run(arguments: argparse.Namespace) -> int:
    """Print or write the findings; 0 none, 1 some, 2 where a file could not be read."""
    if arguments.tags is None:
        refuse_options(arguments, "out", "engine", given="--tags")
    else:
        refuse_options(arguments, *_NOT_IN_TABLES)
        certainty = 0.0 if arguments.all else LIKELY
        tables = {"notes": arguments.where, "tags": arguments.tags}
        return run_tables(arguments, "check", tables, {"certainty": certainty})
    if arguments.dismiss:
        return _dismiss(arguments)
    if arguments.until_clean and arguments.where == STANDARD_INPUT:
        raise RequestError("--until-clean waits for files that change; give a file, not -")
    from shared.commands.check_report import show

    while True:
        state = _state_of(arguments.where)
        with collection_put_off():
            checked = _read(arguments)
            every = _check(checked, arguments)
        findings = checked.open_findings(every)
        not_shown = _not_shown(checked, len(every) - len(findings), arguments.layer)
        show(findings, checked.documents, arguments, not_shown)
        status = 2 if checked.problems else int(bool(findings))
        if not status or not arguments.until_clean:
            return status
        if not _changed(arguments.where, state, arguments.patience):
            return status


def _kinds(names: str) -> frozenset[FindingKind]:
    """Raises RequestError where a kind is named that there is not."""
    listed = [name for name in re.split(r"[,\s]+", names) if name]
    for name in listed:
        if name not in [*FindingKind]:
            known = ", ".join(FindingKind)
            raise RequestError(f"--kinds: there is no kind {name}; choose from {known}")
    return frozenset(map(FindingKind, listed))


def _check(checked: "CheckedTags", arguments: argparse.Namespace) -> list[Finding]:
    kinds: frozenset[FindingKind] = ALL_KINDS if arguments.kinds is None else arguments.kinds
    across = bool(arguments.kinds) and FindingKind.ACROSS_PATIENTS in kinds
    from shared.processes import available_cores

    return checked.findings(
        kinds,
        0.0 if arguments.all else LIKELY,
        across_patients=arguments.across_patients or across,
        cores=arguments.cores or available_cores(),
        watch=lambda patients: progress(patients, "checking patients"),
    )


def _read(arguments: argparse.Namespace) -> "CheckedTags":
    """Read what there is, and say on standard error what could not be."""
    from adjudicator.checked_tags import CheckedTags

    if _is_project(arguments.where):
        from shared.project.project import Project

        if arguments.from_ or arguments.option or arguments.encoding:
            raise RequestError("--from, --option and --encoding are for records, not for a project")
        checked = CheckedTags.of_project(Project.open(arguments.where), arguments.layer)
        print_problems(checked.problems)
        return checked
    found = read_records(arguments.where, reading=reading_of(arguments))  # says what it left
    checked = CheckedTags.of_records(found.records)
    checked.problems += found.problems
    return checked


def _is_project(where: Path) -> bool:
    return (where / SETTINGS).exists()


def _not_shown(checked: "CheckedTags", dismissed: int, layer: str) -> str:
    """In words, how many findings are not listed and how many patients were not checked."""
    why = "without a gold standard yet" if layer == GOLD else f"not begun by {layer}"
    patients = checked.left_out
    parts = [f"{counted(dismissed, 'finding')} dismissed"] if dismissed else []
    parts += [f"{counted(patients, 'patient')} {why}"] if patients else []
    return "; ".join(parts)


def _dismiss(arguments: argparse.Namespace) -> int:
    """Dismiss the findings at a place. Raises RequestError where there are none."""
    place = _PLACE.fullmatch(arguments.dismiss)
    if place is None:
        raise RequestError(f"--dismiss {arguments.dismiss}: give the place as RECORD:START-END")
    if not _is_project(arguments.where):
        raise RequestError(f"{arguments.where}: findings can be dismissed in a project only")
    from shared.consistency.dismissals import Dismissal, dismissal_key, dismissals_path
    from shared.model import Span
    from shared.project.current_user import current_user
    from shared.project.journal import append_to_journal

    checked = _read(arguments)
    wanted = place["record"], Span(int(place["start"]), int(place["end"]))
    found = checked.open_findings(_check(checked, arguments))
    there = [each for each in found if (each.record_id, each.span) == wanted]
    if not there:
        raise RequestError(f"there is no finding at {arguments.dismiss}; run tandem check again")
    documents = checked.documents
    who = current_user()
    keys = [dismissal_key(each, documents[each.record_id]) for each in there]
    made = (Dismissal.now(key, arguments.layer, who, arguments.reason) for key in keys)
    path = dismissals_path(arguments.where, arguments.layer)
    append_to_journal(path, [each.as_entry() for each in made], who)
    report({"dismissed": len(there)}, arguments, lambda: print(f"{len(there)} dismissed"))
    return 0


def _state_of(where: Path) -> "dict[Path, FileSignature | None]":
    """The signature of every file that a check reads and people change."""
    from shared.consistency.dismissals import DISMISSED
    from shared.project.files import signature_of

    patterns = ["*"]
    if _is_project(where):
        patterns = ["gold/*", "layers/*/*", f"{DISMISSED}/*", "journal/gold/*.jsonl", ASSIGNMENTS]
    return {path: signature_of(path) for each in patterns for path in where.glob(each)}


def _changed(
    where: Path, state: "dict[Path, FileSignature | None]", patience: float | None
) -> bool:
    """Wait until a file has changed; False where none has for as long as there is patience."""
    begun = time.monotonic()
    while _state_of(where) == state:
        if patience is not None and time.monotonic() - begun >= patience:
            return False
        time.sleep(_LOOK_AGAIN if patience is None else min(_LOOK_AGAIN, patience / 40))
    return True
