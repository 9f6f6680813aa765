"""Places in records that stand behind a number, and those that a measure makes of two layers."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from shared.agreement.comparison import Comparison
from shared.agreement.measures import (
    ANY_PHI,
    Grain,
    Label,
    Matcher,
    Measure,
    Thing,
    label_name,
)
from shared.agreement.study import Sides
from shared.model import PhiType, Span, Tag
from shared.text.tokens import token_starts

_LONGEST_TEXT = 80


class How(StrEnum):
    """What a measure says of a place; in this order they are listed."""

    FIRST_ONLY = "first only"
    SECOND_ONLY = "second only"
    MATCHED = "matched"


@dataclass(frozen=True, slots=True)
class Behind:
    """One place behind a number; `text` is for the screen alone.

    `first_types` and `second_types` say what the tags are that a side has there, be they matched
    or not; "" where it has none. `how` is a word of the table: matched, first only, missing ...
    """

    first: str
    second: str
    patient_id: str
    record_id: str
    span: Span
    how: str
    first_types: str
    second_types: str
    text: str


@dataclass(frozen=True, slots=True)
class Way:
    """How things are counted, of which types (None: all) and under which label ("": every)."""

    measure: Measure = Measure.STRICT
    grain: Grain = Grain.TYPE
    keep: Callable[[PhiType], bool] | None = None
    label: str = ""


_WANTED: Mapping[str, tuple[How, ...]] = {
    "tp": (How.MATCHED,),
    "matched": (How.MATCHED,),
    "fp": (How.FIRST_ONLY,),
    "fn": (How.SECOND_ONLY,),
    "precision": (How.FIRST_ONLY, How.MATCHED),
    "macro_precision": (How.FIRST_ONLY, How.MATCHED),
    "recall": (How.SECOND_ONLY, How.MATCHED),
    "macro_recall": (How.SECOND_ONLY, How.MATCHED),
}
"""The columns that are not about both sides."""


def matched(
    sides: Sides, comparisons: Iterable[Comparison], way: Way, column: str
) -> Iterator[Behind]:
    """Yield what is behind a ratio or count, called `column` in the report's tables."""
    wanted = _WANTED.get(column, tuple(How))
    for comparison in comparisons:
        place = _Places(sides, comparison, way)
        for label, each in Matcher(comparison).match(way.measure, way.grain, way.keep).items():
            if way.label and way.label != label_name(label):
                continue
            if How.FIRST_ONLY in wanted:
                yield from (place(How.FIRST_ONLY, label, thing) for thing in each.candidates)
            if How.SECOND_ONLY in wanted:
                yield from (place(How.SECOND_ONLY, label, thing) for thing in each.references)
            if How.MATCHED in wanted:
                yield from (place(How.MATCHED, label, *pair) for pair in each.pairs)


def behind(
    sides: Sides, comparison: Comparison, span: Span, how: str, types: tuple[str, str]
) -> Behind:
    """Return a place of a comparison, where the sides have these types."""
    text = " ".join(span.text_in(comparison.document.text).split())
    return Behind(
        *(sides.first, sides.second),
        *(comparison.document.patient_id, comparison.record_id),
        *(span, str(how), *types),
        text if len(text) <= _LONGEST_TEXT else f"{text[: _LONGEST_TEXT - 1]}…",
    )


class _Places:
    """Makes what is listed of the things that a measure matches in one document."""

    def __init__(self, sides: Sides, comparison: Comparison, way: Way) -> None:
        self._sides = sides
        self._comparison = comparison
        self._way = way
        self._ends = dict[int, int]()
        if way.measure is Measure.TOKEN:
            text = comparison.document.text
            starts = token_starts(text)
            self._ends = {start: _token_end(text, start) for start in starts}

    def __call__(self, how: How, label: Label, *things: Thing) -> Behind:
        spans = [self._span(thing) for thing in things]
        tags = self._comparison.candidate, self._comparison.reference
        ours, theirs = (
            self._meant(side, label, span)
            for side, span in zip(tags, (spans[0], spans[-1]), strict=True)
        )
        if how is How.FIRST_ONLY:
            theirs = [tag for tag in tags[1] if tag.span.overlaps(spans[0])]
        elif how is How.SECOND_ONLY:
            ours = [tag for tag in tags[0] if tag.span.overlaps(spans[0])]
        whole = Span(min(each.start for each in spans), max(each.end for each in spans))
        return behind(self._sides, self._comparison, whole, how, (_types(ours), _types(theirs)))

    def _span(self, thing: Thing) -> Span:
        start, end = thing
        return Span(start, self._ends.get(start, end))

    def _meant(self, tags: Iterable[Tag], label: Label, span: Span) -> list[Tag]:
        """The tags of a thing: those on it, of a token those that touch it."""
        is_token = self._way.measure is Measure.TOKEN
        return [
            tag
            for tag in tags
            if (tag.span.overlaps(span) if is_token else tag.span == span)
            and label in (ANY_PHI, tag.phi_type.category, tag.phi_type)
            and (self._way.keep is None or self._way.keep(tag.phi_type))
        ]


def _types(tags: Iterable[Tag]) -> str:
    return ", ".join(dict.fromkeys(str(tag.phi_type) for tag in tags))


def _token_end(text: str, start: int) -> int:
    end = start
    while end < len(text) and not text[end].isspace():
        end += 1
    return end
