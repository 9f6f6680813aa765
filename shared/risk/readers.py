"""What each reader of a patient's records covered of the PHI that the gold standard has."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from shared.model import Document, Layer, PhiType, Schema, Span, Tag
from shared.model.phi_traits import Identifier


@dataclass(frozen=True, slots=True)
class ReadPatient:
    """A patient's PHI: the type of each tag, and by reader which of them are covered."""

    patient_id: str
    types: tuple[PhiType, ...]
    covered: Mapping[str, tuple[bool, ...]]


def read_patient(
    patient_id: str,
    documents: Iterable[Document],
    gold: Mapping[str, Layer],
    readers: Mapping[str, Mapping[str, Layer]],
) -> ReadPatient:
    """Return what the readers (layers by record id, by name) covered of a patient's gold standard.

    A tag counts as covered where every letter and digit of it lies in a tag of the reader, of
    whatever type: what is not covered would be left in clear.
    """
    types: list[PhiType] = []
    covered: dict[str, list[bool]] = {name: [] for name in readers}
    for document in documents:
        places = {
            name: _offsets(layers[document.record_id].tags) for name, layers in readers.items()
        }
        for tag in gold[document.record_id].tags:
            types.append(tag.phi_type)
            letters = [at for at in range(tag.start, tag.end) if document.text[at].isalnum()]
            for name, inside in places.items():
                covered[name].append(all(at in inside for at in letters))
    return ReadPatient(
        patient_id, tuple(types), {name: tuple(each) for name, each in covered.items()}
    )


def is_covered(span: Span, document: Document, spans: Iterable[Span]) -> bool:
    """Whether every letter and digit of a span lies in one of these."""
    inside = {at for each in spans for at in range(each.start, each.end)}
    return all(at in inside for at in range(span.start, span.end) if document.text[at].isalnum())


def _offsets(tags: Iterable[Tag]) -> set[int]:
    return {at for tag in tags for at in range(tag.start, tag.end)}


def cells_by_type(
    patients: Iterable[ReadPatient], readers: Sequence[str]
) -> dict[PhiType, Counter[tuple[bool, ...]]]:
    """How many tags of each type each set of the readers covered."""
    found: dict[PhiType, Counter[tuple[bool, ...]]] = {}
    for patient in patients:
        by_reader = (patient.covered[name] for name in readers)
        for phi_type, said in zip(patient.types, zip(*by_reader, strict=True), strict=True):
            cells = found.setdefault(phi_type, Counter())
            cells[said] += 1
    return found


@dataclass(frozen=True, slots=True)
class WholePatients:
    """Of how many patients a reader covered every identifier of a kind."""

    reader: str
    identifier: Identifier
    whole: int
    patients: int


def whole_patients(
    patients: Sequence[ReadPatient], schema: Schema, reader: str
) -> list[WholePatients]:
    """All-or-nothing recall: patients of whom nothing was left (Scaiano and others, 2016).

    One for direct identifiers and one for quasi-identifiers, each of the patients who have any.
    """
    found: list[WholePatients] = []
    for identifier in (Identifier.DIRECT, Identifier.QUASI):
        own = [
            [
                covered
                for phi_type, covered in zip(each.types, each.covered[reader], strict=True)
                if schema.traits_of(phi_type).identifier is identifier
            ]
            for each in patients
            if reader in each.covered
        ]
        there = [each for each in own if each]
        found.append(WholePatients(reader, identifier, sum(map(all, there)), len(there)))
    return found
