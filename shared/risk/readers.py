"""What each reader of a patient's records covered of the PHI that the gold standard has."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

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


Cells = Counter[tuple[bool, ...]]
"""How many tags each set of readers covered, the readers of a patient in their order."""


@dataclass(frozen=True, slots=True)
class ReaderCounts:
    """What readers covered of the records of some patients, as numbers that add up.

    `cells` are by type; `whole` counts patients by reader, kind of identifier, and whether the
    reader covered every one that the patient has; `sizes` counts them by how many tags they have.
    `outside` counts, by type, what a recognizer suggests where the gold standard has nothing.
    """

    cells: Mapping[PhiType, Cells]
    whole: Counter[tuple[str, Identifier, bool]]
    sizes: Counter[int]
    outside: Counter[PhiType] = field(default_factory=Counter[PhiType])

    @property
    def patients(self) -> int:
        return self.sizes.total()

    @classmethod
    def of(cls, patient: ReadPatient, schema: Schema) -> "ReaderCounts":
        cells: dict[PhiType, Cells] = {}
        for phi_type, *said in zip(patient.types, *patient.covered.values(), strict=True):
            cells.setdefault(phi_type, Counter())[tuple(said)] += 1
        whole = Counter[tuple[str, Identifier, bool]]()
        for reader, covered in patient.covered.items():
            for identifier in (Identifier.DIRECT, Identifier.QUASI):
                own = [
                    each
                    for phi_type, each in zip(patient.types, covered, strict=True)
                    if schema.traits_of(phi_type).identifier is identifier
                ]
                whole[reader, identifier, all(own)] += bool(own)
        return cls(cells, whole, Counter([len(patient.types)]))

    @classmethod
    def added(cls, parts: Iterable["ReaderCounts"]) -> "ReaderCounts":
        cells: dict[PhiType, Cells] = {}
        whole = Counter[tuple[str, Identifier, bool]]()
        sizes, outside = Counter[int](), Counter[PhiType]()
        for each in parts:
            for phi_type, own in each.cells.items():
                cells.setdefault(phi_type, Counter()).update(own)
            whole.update(each.whole)
            sizes.update(each.sizes)
            outside.update(each.outside)
        return cls(cells, whole, sizes, outside)


@dataclass(frozen=True, slots=True)
class WholePatients:
    """Of how many patients a reader covered every identifier of a kind.

    All-or-nothing recall: patients of whom nothing was left (Scaiano and others, 2016), of those
    who have any such identifier.
    """

    reader: str
    identifier: Identifier
    whole: int
    patients: int


def whole_patients(counts: ReaderCounts) -> list[WholePatients]:
    """For each reader one of direct identifiers, and one of quasi-identifiers."""
    readers = sorted({reader for reader, _, _ in counts.whole})
    return [
        WholePatients(
            reader,
            identifier,
            counts.whole[reader, identifier, True],
            sum(counts.whole[reader, identifier, each] for each in (True, False)),
        )
        for reader in readers
        for identifier in (Identifier.DIRECT, Identifier.QUASI)
    ]
