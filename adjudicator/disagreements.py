"""What the annotators of a patient disagree about, in the order in which it is worth deciding.

A disagreement knows its place, how its sides differ, and what it is about: a key of record and
marks, by which a decision about it is found again however much else changes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from shared.errors import RequestError
from shared.metrics.alignment import AlignedTags, DifferenceKind, TagMark, align_layers, unique
from shared.model import Layer, MergedView, PhiType, Schema, Span, Tag
from shared.project.gold_remarks import MarkedSides, marked_span

_RANKS = {
    DifferenceKind.ONE_SIDED: 0,
    DifferenceKind.TYPE: 1,
    DifferenceKind.TYPE_AND_EXTENT: 1,
    DifferenceKind.SPLIT_OR_MERGE: 2,
    DifferenceKind.EXTENT: 3,
    DifferenceKind.AGREEMENT: 4,
}


@dataclass(frozen=True, slots=True)
class DisagreementKey:
    """What a disagreement is about: the record, and what each annotator marked in it."""

    record_id: str
    sides: MarkedSides
    _hash: int = field(init=False, repr=False, compare=False)
    """Computed once, of places alone: keys are looked up far more often than made."""

    def __post_init__(self) -> None:
        starts = [span.start for side in self.sides for span, _ in side]
        object.__setattr__(self, "_hash", hash((self.record_id, *starts)))

    def __hash__(self) -> int:
        return self._hash

    @property
    def span(self) -> Span:
        """From the start of the first mark to the end of the last, in the record."""
        return marked_span(self.sides)


TaggedTexts = tuple[tuple[str, PhiType], ...]
"""What one side says, wherever it says it: the words of each tag and its type."""


@dataclass(frozen=True, slots=True, eq=False)
class Disagreement:
    """Tags of the annotators about one stretch of a record, in order of offset.

    `sides` holds the tags of each annotator, in the order of the session's annotators; `span` is
    that of the merged view, `shift` how far the record lies from its start. `types` are those that
    a side gives it, in the order of the sides. With kind AGREEMENT the sides say the same. Two are
    equal only where they are one; what they are about is compared by `key`.
    """

    key: DisagreementKey
    span: Span
    shift: int
    kind: DifferenceKind
    sides: AlignedTags
    types: tuple[PhiType, ...]
    high_risk: bool
    """Whether one of the types names, by itself, who somebody is."""

    @property
    def record_id(self) -> str:
        return self.key.record_id

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end

    @property
    def tags(self) -> tuple[Tag, ...]:
        return tuple(tag for side in self.sides for tag in side)

    def order(self) -> tuple[int, bool, int, int]:
        """One-sided tags first, names, contacts and ids before others, edges last; by place."""
        return _RANKS[self.kind], not self.high_risk, self.span.start, self.span.end

    def tagged_texts(self, text: str) -> tuple[TaggedTexts, ...]:
        """What each side says, in words of the merged `text`: equal where they say it elsewhere."""
        return tuple(tagged_texts(side, text, self.shift) for side in self.key.sides)


def tagged_texts(marks: Iterable[TagMark], text: str, shift: int) -> TaggedTexts:
    """Return the words and type of each mark, blanks and line ends counting as one blank."""
    return tuple(
        [
            (" ".join(text[span.start + shift : span.end + shift].split()), phi_type)
            for span, phi_type in marks
        ]
    )


def find_disagreements(
    view: MergedView, layers: Sequence[Sequence[Layer]], schema: Schema
) -> list[Disagreement]:
    """Return everything the annotators marked, what they agree on too, in order of deciding.

    `layers` holds, for each record that can be compared, the layers of the annotators.
    Raises RequestError for fewer than two annotators.
    """
    found = [each for of_record in layers for each in _in_record(view, of_record, schema)]
    return sorted(found, key=Disagreement.order)


def _in_record(view: MergedView, layers: Sequence[Layer], schema: Schema) -> Iterator[Disagreement]:
    if len(layers) < 2:
        raise RequestError(f"adjudication needs the layers of two annotators, got {len(layers)}")
    record_id = layers[0].record_id
    shift = view.section(record_id).start
    for group in align_layers(layers):
        key = DisagreementKey(record_id, group.marks)
        types = tuple(unique(phi_type for side in group.marks for _, phi_type in side))
        risk = any(schema.traits_of(each).high_risk for each in types)
        yield Disagreement(
            key, key.span.shifted(shift), shift, group.kind, group.sides, types, risk
        )
