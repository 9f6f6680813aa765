"""Doctors, hospitals and places that are tagged in one patient's records and not in another's."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from shared.consistency.candidates import Candidate, best
from shared.consistency.context import is_titled
from shared.consistency.findings import EXACT_KINDS, Finding, Kind, Place
from shared.consistency.repeats import RepeatFinder
from shared.consistency.tagged import PatientRecords, Record, TaggedText
from shared.model import Document, Layer, Tag
from shared.text.variants import doubt

_OF_PATIENTS = frozenset({"ROOM", "ZIP", "STREET"})
_LEAST = 5


@dataclass(slots=True)
class _Shared:
    """A text with all patients in whose records it is tagged."""

    text: TaggedText
    patients: set[str]


def check_across(
    patients: Iterable[tuple[Sequence[Document], Sequence[Layer]]],
) -> Iterator[Finding]:
    """Yield the untagged places of texts that only other patients have as a tag.

    Of doctors, hospitals, and the places that patients share; texts that are likely to be something
    else too are left out. Surest are texts of several words, and texts that several patients have.
    """
    ready = [PatientRecords(documents, layers) for documents, layers in patients]
    shared = _shared_texts(ready)
    finder = RepeatFinder((each.text for each in shared.values()), EXACT_KINDS)
    for patient in ready:
        for record in patient.records:
            found = (
                _candidate(record, each, shared)
                for each in finder.candidates(record)
                if each.source and each.source.text not in patient.texts
            )
            for each in best(found):
                yield _finding(record, each)


def _shared_texts(patients: Iterable[PatientRecords]) -> dict[str, _Shared]:
    shared: dict[str, _Shared] = {}
    for patient in patients:
        for text, tagged in patient.texts.items():
            if not _is_shared(tagged):
                continue
            entry = shared.setdefault(text, _Shared(TaggedText(text), set()))
            entry.patients.add(patient.patient_id)
            for place, phi_type in tagged.marks:
                entry.text.add(place.record_id, Tag(place.span, phi_type))
    return shared


def _is_shared(tagged: TaggedText) -> bool:
    phi_type = tagged.phi_type
    if len(tagged.text) < _LEAST or doubt(tagged.text, phi_type):
        return False
    if phi_type.category == "LOCATION":
        return phi_type.name not in _OF_PATIENTS
    return phi_type.name == "DOCTOR"


def _candidate(record: Record, found: Candidate, shared: dict[str, _Shared]) -> Candidate:
    assert found.source is not None  # noqa: S101  a repeat has a source
    entry = shared[found.source.text]
    times = len(entry.patients)
    sure = " " in found.source.text or is_titled(record.text, found.span)
    certainty = 0.85 if sure else 0.6 if times > 1 else 0.4
    others = "another patient" if times == 1 else f"{times} other patients"
    why = f"this text is tagged as {found.phi_type.name} in the records of {others}"
    return Candidate(found.span, Kind.ACROSS_PATIENTS, found.phi_type, certainty, why, found.source)


def _finding(record: Record, found: Candidate) -> Finding:
    return Finding(
        record.document.patient_id,
        Place(record.record_id, found.span),
        found.span.text_in(record.text),
        found.phi_type,
        found.source.tagged_at if found.source else (),
        found.kind,
        found.why,
        found.certainty,
        ((found.span, found.phi_type),),
    )
