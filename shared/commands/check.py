"""`tandem check`: what does not fit together in the tags of a patient's records."""

import argparse
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from shared.commands.check_report import show
from shared.commands.output import add_json, counted, print_problems, progress
from shared.consistency.across_patients import check_across, joined
from shared.consistency.check import check_patient
from shared.consistency.dismissals import (
    DISMISSED,
    Dismissal,
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
from shared.model import Document, Layer, Schema, Span
from shared.project.assignments import State
from shared.project.creation import ASSIGNMENTS, SETTINGS
from shared.project.current_user import current_user
from shared.project.files import FileSignature, signature_of
from shared.project.journal import Journal, read_journal
from shared.project.project import Project
from shared.project.settings import GOLD

_PatientTags = tuple[list[Document], list[Layer]]
_LOOK_AGAIN = 1.0
_PLACE = re.compile(r"(?P<record>.+):(?P<start>\d+)-(?P<end>\d+)")

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
    parser.add_argument("where", type=Path, metavar="WHERE", help="a project or records")
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


@dataclass(slots=True)
class _Material:
    """What is checked: documents and layers by patient; what could not be, and is not yet to be."""

    schema: Schema
    language: str = AUTO
    problems: list[FileError] = field(default_factory=list[FileError])
    patients: dict[str, _PatientTags] = field(default_factory=dict[str, _PatientTags])
    left_out: int = 0
    dismissed: int = 0

    @property
    def documents(self) -> dict[str, Document]:
        return {each.record_id: each for some, _ in self.patients.values() for each in some}

    def records(self, tags: _PatientTags) -> PatientRecords:
        return PatientRecords(*tags, self.schema, self.language)


def run(arguments: argparse.Namespace) -> int:
    """Print or write the findings; 0 none, 1 some, 2 where a file could not be read."""
    if arguments.dismiss:
        return _dismiss(arguments)
    while True:
        state = _state_of(arguments.where)
        material = _read(arguments)
        findings = _check(material, arguments)
        show(findings, material.documents, arguments, _left_out(material, arguments.layer))
        status = 2 if material.problems else int(bool(findings))
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


def _check(material: _Material, arguments: argparse.Namespace) -> list[Finding]:
    kinds: frozenset[FindingKind] = ALL_KINDS if arguments.kinds is None else arguments.kinds
    certainty = 0.0 if arguments.all else LIKELY
    documents = material.documents.values()
    near = FindingKind.NEAR_SPELLING in kinds
    common = small_words(each.text for each in documents) if near else None
    findings = [
        finding
        for tags in progress(material.patients.values(), "checking patients")
        for finding in check_patient(
            material.records(tags), kinds, certainty=certainty, common=common
        )
    ]
    if arguments.across_patients or (arguments.kinds and FindingKind.ACROSS_PATIENTS in kinds):
        found = check_across([material.records(each) for each in material.patients.values()])
        findings = list(joined(findings, (one for one in found if one.certainty >= certainty)))
    dismissed = {each.key for each in _dismissals(arguments.where, arguments.layer)}
    left = list(without_dismissed(findings, documents, dismissed))
    material.dismissed = len(findings) - len(left)
    return left


def _read(arguments: argparse.Namespace) -> _Material:
    """Read what there is, and say on standard error what could not be."""
    if _is_project(arguments.where):
        material = _in_project(Project.open(arguments.where), arguments.layer)
    else:
        material = _in_folder(arguments.where)
    print_problems(material.problems)
    return material


def _is_project(where: Path) -> bool:
    return (where / SETTINGS).exists()


def _in_folder(folder: Path) -> _Material:
    found = read_corpus(folder)
    print_problems(found.unread)
    schema = schema_with(tag.phi_type for record in found.records for tag in record.tags)
    material = _Material(schema, problems=list(found.problems))
    for record in found.records:
        documents, layers = material.patients.setdefault(record.document.patient_id, ([], []))
        documents.append(record.document)
        layers.append(Layer.of(record.document.record_id, "", record.tags))
    return material


def _in_project(project: Project, annotator: str) -> _Material:
    material = _Material(project.schema, project.language)
    for patient_id in project.patient_ids:
        try:
            if not _is_tagged(project, annotator, patient_id):
                material.left_out += 1
                continue
            documents = list(project.patient(patient_id).documents)
            layers = [project.read_layer(annotator, each).layer for each in documents]
        except FileError as problem:
            material.problems.append(problem)
        else:
            material.patients[patient_id] = documents, layers
    return material


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


def _left_out(material: _Material, layer: str) -> str:
    """In words, how many findings are not listed and how many patients were not checked."""
    why = "without a gold standard yet" if layer == GOLD else f"not begun by {layer}"
    patients, dismissed = material.left_out, material.dismissed
    parts = [f"{counted(dismissed, 'finding')} dismissed"] if dismissed else []
    parts += [f"{counted(patients, 'patient')} {why}"] if patients else []
    return "; ".join(parts)


def _dismissals(where: Path, layer: str) -> Iterator[Dismissal]:
    if _is_project(where):
        yield from read_dismissals(read_journal(dismissals_path(where, layer)), layer)


def _dismiss(arguments: argparse.Namespace) -> int:
    """Dismiss the findings at a place. Raises RequestError where there are none."""
    place = _PLACE.fullmatch(arguments.dismiss)
    if place is None:
        raise RequestError(f"--dismiss {arguments.dismiss}: give the place as RECORD:START-END")
    if not _is_project(arguments.where):
        raise RequestError(f"{arguments.where}: findings can be dismissed in a project only")
    material = _read(arguments)
    wanted = place["record"], Span(int(place["start"]), int(place["end"]))
    there = [each for each in _check(material, arguments) if (each.record_id, each.span) == wanted]
    if not there:
        raise RequestError(f"there is no finding at {arguments.dismiss}; run tandem check again")
    documents = material.documents
    with Journal(dismissals_path(arguments.where, arguments.layer)) as journal:
        for each in there:
            key = dismissal_key(each, documents[each.record_id])
            made = Dismissal.now(key, arguments.layer, current_user(), arguments.reason)
            journal.append(made.as_entry())
    print(f"{len(there)} dismissed")
    return 0


def _state_of(where: Path) -> dict[Path, FileSignature | None]:
    """The signature of every file that a check reads and people change."""
    patterns = ["*"]
    if _is_project(where):
        patterns = ["gold/*", "layers/*/*", f"{DISMISSED}/*", "journal/gold/*.jsonl", ASSIGNMENTS]
    return {path: signature_of(path) for each in patterns for path in where.glob(each)}


def _changed(where: Path, state: dict[Path, FileSignature | None], patience: float | None) -> bool:
    """Wait until a file has changed; False where none has for as long as there is patience."""
    begun = time.monotonic()
    while _state_of(where) == state:
        if patience is not None and time.monotonic() - begun >= patience:
            return False
        time.sleep(_LOOK_AGAIN if patience is None else min(_LOOK_AGAIN, patience / 40))
    return True
