"""Untagged occurrences of tagged text, kept up to date while somebody tags.

Finds what `exact` finds, in the merged view, at the cost of each change instead of the whole.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol

from shared.consistency.flat_text import FlatText, flattened
from shared.consistency.phrases import PhraseFinder, find_phrase
from shared.model import MergedView, PhiType, Span
from shared.text.span_index import SpanIndex


class TaggedPlace(Protocol):
    """A tag in the merged view."""

    @property
    def span(self) -> Span: ...
    @property
    def phi_type(self) -> PhiType: ...


@dataclass(frozen=True, slots=True)
class Untagged:
    """A place `[start, end)` of the merged view where the flat text `phrase` stands."""

    start: int
    end: int
    phrase: str


@dataclass(frozen=True, slots=True)
class UntaggedChange:
    """Which untagged places went and which came."""

    removed: tuple[Untagged, ...]
    added: tuple[Untagged, ...]


class LiveUntagged:
    """The untagged places of one patient while tags come and go.

    A place that a tag touches is not untagged; of places that lie in each other, the longest
    counts. `places` holds them in order.
    """

    def __init__(self, view: MergedView, tags: Iterable[TaggedPlace]) -> None:
        self._view = view
        self._flats = [
            (section.start, FlatText(document.text))
            for section, document in zip(view.sections, view.patient.documents, strict=True)
        ]
        self._types: dict[str, Counter[PhiType]] = defaultdict(Counter)
        self._searched: set[str] = set()
        self._tagged: SpanIndex[_Tagged] = SpanIndex()
        self._occurrences: SpanIndex[Untagged] = SpanIndex()
        self.places: SpanIndex[Untagged] = SpanIndex()
        self._build(list(tags))

    def phi_type(self, place: Untagged) -> PhiType | None:
        """The type that the text of a place is tagged with most often."""
        common = self._types[place.phrase].most_common(1)
        return common[0][0] if common else None

    def types(self, span: Span) -> Mapping[PhiType, int]:
        """How often the text at a span of the merged view is tagged as what."""
        types = self._types.get(
            flattened(span.text_in(self._view.text)).strip(), Counter[PhiType]()
        )
        return {phi_type: times for phi_type, times in types.items() if times}

    def change(
        self, removed: Iterable[TaggedPlace], added: Iterable[TaggedPlace]
    ) -> UntaggedChange:
        """Take note of tags that went and came."""
        gone, come = [_Tagged.of(each) for each in removed], [_Tagged.of(each) for each in added]
        self._tagged.change(gone, come)
        dropped = self._count(gone, come)
        spans = [(each.start, each.end) for each in (*gone, *come, *dropped)]
        spans.extend(self._discover(come))
        near = self._around(spans)
        was = {each for each in near if each in self.places}
        now = {each for each in near if self._counts(each)}
        change = UntaggedChange(
            tuple((was - now) | {each for each in dropped if each in self.places}),
            tuple(now - was),
        )
        self.places.change(change.removed, change.added)
        return change

    def _build(self, tags: list[TaggedPlace]) -> None:
        tagged = [_Tagged.of(each) for each in tags]
        for each in tagged:
            self._types[self._phrase(each)][each.phi_type] += 1
        self._tagged.replace(tagged)
        self._searched = {phrase for phrase in self._types if _is_text(phrase)}
        finder = PhraseFinder(self._searched)
        self._occurrences.replace(
            self._place(offset, flat, start, end, phrase)
            for offset, flat in self._flats
            for start, end, phrase in finder.find(flat.text)
        )
        self.places.replace([each for each in self._occurrences if self._counts(each)])

    def _count(self, gone: Iterable["_Tagged"], come: Iterable["_Tagged"]) -> list[Untagged]:
        """Count the types of each phrase anew; returns the occurrences of those that are gone."""
        for each in come:
            self._types[self._phrase(each)][each.phi_type] += 1
        for each in gone:
            self._types[self._phrase(each)][each.phi_type] -= 1
        lost = {phrase for each in gone if not self._types[phrase := self._phrase(each)].total()}
        dropped = [each for each in self._occurrences if each.phrase in lost] if lost else []
        self._occurrences.change(removed=dropped)
        for phrase in lost:
            del self._types[phrase]
        self._searched -= lost
        return dropped

    def _discover(self, come: Iterable["_Tagged"]) -> list[tuple[int, int]]:
        """Look for the phrases that are tagged for the first time; returns where they stand."""
        spans: list[tuple[int, int]] = []
        new = {self._phrase(each) for each in come} & self._types.keys() - self._searched
        for phrase in filter(_is_text, new):
            self._searched.add(phrase)
            found = self._find(phrase)
            self._occurrences.change(added=found)
            spans.extend((each.start, each.end) for each in found)
        return spans

    def _find(self, phrase: str) -> list[Untagged]:
        return [
            self._place(offset, flat, start, end, phrase)
            for offset, flat in self._flats
            for start, end in find_phrase(phrase, flat.text)
        ]

    def _place(self, offset: int, flat: FlatText, start: int, end: int, phrase: str) -> Untagged:
        span = flat.original_span(start, end).shifted(offset)
        return Untagged(span.start, span.end, phrase)

    def _counts(self, place: Untagged) -> bool:
        if self._tagged.query(place.start, place.end):
            return False
        length = place.end - place.start
        return not any(
            each.end - each.start > length
            and each.start <= place.start
            and place.end <= each.end
            and not self._tagged.query(each.start, each.end)
            for each in self._occurrences.query(place.start, place.end)
        )

    def _around(self, spans: Iterable[tuple[int, int]]) -> set[Untagged]:
        """The occurrences whose case a change of these spans may alter.

        Those that it touches, and those inside of them, which count once the longer do not.
        """
        touched = {each for start, end in spans for each in self._occurrences.query(start, end)}
        return {each for long in touched for each in self._occurrences.query(long.start, long.end)}

    def _phrase(self, tagged: "_Tagged") -> str:
        return flattened(self._view.text[tagged.start : tagged.end]).strip()


@dataclass(frozen=True, slots=True)
class _Tagged:
    start: int
    end: int
    phi_type: PhiType

    @classmethod
    def of(cls, placed: TaggedPlace) -> "_Tagged":
        return cls(placed.span.start, placed.span.end, placed.phi_type)


def _is_text(phrase: str) -> bool:
    return any(char.isalnum() for char in phrase)
