"""`tandem check`: what does not fit together in the tags of a patient's records."""

import argparse
import contextlib
import datetime as dt
import re
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from adjudicator.app import current_user
from shared.commands.check_report import show
from shared.commands.output import add_json, counted, print_problems, progress
from shared.consistency.across_patients import check_across, joined
from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    DISMISSED,
    Dismissal,
    DismissalKey,
    dismissal_key,
    dismissals_path,
    read_dismissals,
    without_dismissed,
)
from shared.consistency.findings import ALL_KINDS, LIKELY, Finding, FindingKind
from shared.consistency.misspellings import small_words
from shared.consistency.patient_records import PatientRecords
from shared.errors import FileError, RequestError
from shared.formats.corpus import read_corpus
from shared.formats.schema_auto import schema_with
from shared.language.detection import AUTO
from shared.model import Document, Layer, Schema
from shared.project.assignments import State
from shared.project.journal import Journal, read_journal
from shared.project.project import Project
from shared.project.settings import GOLD

_PatientTags = tuple[list[Document], list[Layer]]
_Conventions = tuple[Schema, str]
"""What the types are, and which language the records are in."""

_LOOK_AGAIN = 1.0
_PLACE = re.compile(r"(?P<record>.+):(?P<start>\d+)-(?P<end>\d+)")

_DESCRIPTION = """
Lists what does not fit together in the tags of each patient: text that is tagged in one place and
not in another, as it stands, in other case, in part, misspelt or in another format; text tagged as
two types or to two extents; tags with faulty edges or against the guidelines; and what looks like
PHI and is not tagged. Shows what is likely; --all shows every finding. WHERE is a project, or a
folder of records named <patient>-<record>. Of a project, patients are left out that have
no gold standard yet, or that the annotator named has not begun. Ends with status 1 where something
was found. The text itself is shown only where you ask for it, and in JSON.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.description = _DESCRIPTION
    parser.add_argument("where", type=Path, metavar="WHERE", help="a project or records")
    parser.add_argument(
        "--layer", default="gold", metavar="NAME", help="gold (the default) or an annotator's name"
    )
    parser.add_argument(
        "--kinds",
        metavar="KIND,…",
        help=f"only findings of these kinds: {', '.join(kind.value for kind in FindingKind)}",
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


@dataclass(frozen=True, slots=True)
class _CheckOptions:
    """Which findings are wanted."""

    kinds: frozenset[FindingKind]
    certainty: float
    across: bool


def run(arguments: argparse.Namespace) -> int:
    """Print or write the findings; 0 none, 1 some, 2 where a file could not be read."""
    options = _options(arguments)
    if arguments.dismiss:
        return _dismiss(arguments, options)
    while True:
        state = _state_of(arguments.where)
        findings, documents, problems = _check(arguments, options)
        print_problems(problems)
        show(findings, documents, arguments, _left_out(arguments))
        status = 2 if problems else int(bool(findings))
        if not status or not arguments.until_clean:
            return status
        if not _changed(arguments.where, state, arguments.patience):
            return status


def _options(arguments: argparse.Namespace) -> _CheckOptions:
    """Raises RequestError where a kind is named that there is not."""
    kinds = ALL_KINDS if arguments.kinds is None else frozenset(_kinds(arguments.kinds))
    across = arguments.across_patients or (
        arguments.kinds is not None and FindingKind.ACROSS_PATIENTS in kinds
    )
    return _CheckOptions(kinds, 0.0 if arguments.all else LIKELY, across)


def _kinds(names: str) -> Iterator[FindingKind]:
    for name in filter(None, re.split(r"[,\s]+", names)):
        try:
            yield FindingKind(name)
        except ValueError:
            known = ", ".join(kind.value for kind in FindingKind)
            raise RequestError(f"--kinds: there is no kind {name}; choose from {known}") from None


def _check(
    arguments: argparse.Namespace, options: _CheckOptions
) -> tuple[list[Finding], dict[str, Document], list[FileError]]:
    problems: list[FileError] = []
    patients, conventions = _patients(arguments, problems)
    documents = {each.record_id: each for some, _ in patients for each in some}
    near = FindingKind.NEAR_SPELLING in options.kinds
    common = small_words(each.text for each in documents.values()) if near else None
    findings = [
        finding
        for some, layers in progress(patients, "checking patients")
        for finding in check_patient(
            PatientRecords(some, layers, *conventions),
            options.kinds,
            certainty=options.certainty,
            common=common,
        )
    ]
    if options.across:
        found = check_across([PatientRecords(*each, *conventions) for each in patients])
        likely = (each for each in found if each.certainty >= options.certainty)
        findings = list(joined(findings, likely))
    dismissed = {each.key for each in _dismissals(arguments.where, arguments.layer)}
    kept = without_dismissed(findings, documents.values(), dismissed)
    return list(kept), documents, problems


def _patients(
    arguments: argparse.Namespace, problems: list[FileError]
) -> tuple[list[_PatientTags], _Conventions]:
    if _is_project(arguments.where):
        return _in_project(arguments.where, arguments.layer, problems)
    return _in_folder(arguments.where, problems)


def _is_project(where: Path) -> bool:
    return (where / "tandem.toml").exists()


def _in_folder(folder: Path, problems: list[FileError]) -> tuple[list[_PatientTags], _Conventions]:
    found = read_corpus(folder)
    print_problems(found.unread)
    problems.extend(found.problems)
    patients: dict[str, _PatientTags] = defaultdict(lambda: ([], []))
    for record in found.records:
        documents, layers = patients[record.document.patient_id]
        documents.append(record.document)
        layers.append(Layer.of(record.document.record_id, "", record.tags))
    schema = schema_with(tag.phi_type for record in found.records for tag in record.tags)
    return list(patients.values()), (schema, AUTO)


def _in_project(
    root: Path, annotator: str, problems: list[FileError]
) -> tuple[list[_PatientTags], _Conventions]:
    project = Project.open(root)
    patients: list[_PatientTags] = []
    for patient_id in project.patient_ids:
        try:
            if not _is_tagged(project, annotator, patient_id):
                continue
            documents = list(project.patient(patient_id).documents)
            layers = [project.read_layer(annotator, each).layer for each in documents]
        except FileError as problem:
            problems.append(problem)
        else:
            patients.append((documents, layers))
    return patients, (project.schema, project.language)


def _is_tagged(project: Project, annotator: str, patient_id: str) -> bool:
    """Whether there is something to check: a gold standard, or what an annotator has begun.

    Raises FileError, and RequestError where there is no such annotator.
    """
    if annotator == GOLD:
        return project.is_adjudicated(patient_id)
    record_ids = project.record_ids(patient_id)
    return any(project.has_layer(annotator, each) for each in record_ids) or any(
        (each.patient_id, each.annotator) == (patient_id, annotator)
        for each in project.assignments()
        if each.state is not State.TO_DO
    )


def _left_out(arguments: argparse.Namespace) -> str:
    """In words, how many patients there was nothing to check of."""
    if not _is_project(arguments.where):
        return ""
    project, count = Project.open(arguments.where), 0
    for patient_id in project.patient_ids:
        with contextlib.suppress(FileError):  # said already
            count += not _is_tagged(project, arguments.layer, patient_id)
    patients = counted(count, "patient")
    if arguments.layer != GOLD:
        return f"{patients} not begun by {arguments.layer}" if count else ""
    return f"{patients} without a gold standard yet" if count else ""


def _dismissals(where: Path, layer: str) -> Iterator[Dismissal]:
    if _is_project(where):
        yield from read_dismissals(read_journal(dismissals_path(where, layer)), layer)


def _dismiss(arguments: argparse.Namespace, options: _CheckOptions) -> int:
    """Dismiss the findings at a place. Raises RequestError where there are none."""
    place = _PLACE.fullmatch(arguments.dismiss)
    if place is None:
        raise RequestError(f"--dismiss {arguments.dismiss}: give the place as RECORD:START-END")
    if not _is_project(arguments.where):
        raise RequestError(f"{arguments.where}: findings can be dismissed in a project only")
    findings, documents, problems = _check(arguments, options)
    print_problems(problems)
    wanted = place["record"], int(place["start"]), int(place["end"])
    there = [
        each for each in findings if (each.record_id, each.span.start, each.span.end) == wanted
    ]
    if not there:
        raise RequestError(f"there is no finding at {arguments.dismiss}; run tandem check again")
    with Journal(dismissals_path(arguments.where, arguments.layer)) as journal:
        for each in there:
            key = dismissal_key(each, documents[each.record_id])
            journal.append(_dismissal(key, arguments).as_entry())
    print(f"{len(there)} dismissed")
    return 0


def _dismissal(key: DismissalKey, arguments: argparse.Namespace) -> Dismissal:
    now = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    return Dismissal(key, arguments.layer, current_user(), now, arguments.reason)


def _state_of(where: Path) -> dict[Path, tuple[int, int]]:
    """Size and time of change of every file that a check reads and people change."""
    if _is_project(where):
        read = "gold/*", "layers/*/*", f"{DISMISSED}/*", "journal/gold/*.jsonl", "assignments.csv"
        found = [path for pattern in read for path in where.glob(pattern)]
    else:
        found = list(where.glob("*"))
    state: dict[Path, tuple[int, int]] = {}
    for path in found:
        with contextlib.suppress(FileNotFoundError):  # replaced this very moment
            told = path.stat()
            state[path] = told.st_size, told.st_mtime_ns
    return state


def _changed(where: Path, state: dict[Path, tuple[int, int]], patience: float | None) -> bool:
    """Wait until a file has changed; False where none has for as long as there is patience."""
    begun = time.monotonic()
    while _state_of(where) == state:
        if patience is not None and time.monotonic() - begun >= patience:
            return False
        time.sleep(_LOOK_AGAIN if patience is None else min(_LOOK_AGAIN, patience / 40))
    return True
