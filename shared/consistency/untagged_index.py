"""Untagged occurrences of tagged text, kept up to date while somebody tags.

Finds what the check finds of `EXACT_KINDS` and in other case, and where accents are lost, in the
merged view, at the cost of each change instead of the whole.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from typing import Protocol, TypeVar

from shared.consistency.phrases import automaton_of, ends_within
from shared.language.occurrences import whole_place
from shared.model import MergedView, PhiType, Span
from shared.text.flat_text import FlatText, is_small_word, spelling, text_key
from shared.text.span_index import SpanIndex

Item = TypeVar("Item")

_PORTION = 40
"""So many tags or places at a time take less than a millisecond."""
_FEW = 20
"""More phrases than this are looked for together."""
_PIECE = 200_000
"""Characters that are looked through in a millisecond."""


class TaggedPlace(Protocol):
    """A tag in the merged view."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def phi_type(self) -> PhiType: ...


@dataclass(frozen=True, slots=True)
class Untagged:
    """A place `[start, end)` of the merged view where a text stands whose key is `phrase`."""

    start: int
    end: int
    phrase: str


@dataclass(frozen=True, slots=True)
class UntaggedChange:
    """Which untagged places went and which came."""

    removed: tuple[Untagged, ...]
    added: tuple[Untagged, ...]

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)


class UntaggedIndex:
    """The untagged places of one patient while tags come and go.

    A place that a tag touches is not untagged; of places that lie in each other, the longest
    counts. One word in small letters is a place only where its text is tagged so too. `places`
    holds them in order.
    """

    def __init__(self, view: MergedView, tags: Iterable[TaggedPlace]) -> None:
        self._view = view
        self._flats = [
            (section.start, FlatText(document.text))
            for section, document in zip(view.sections, view.patient.documents, strict=True)
        ]
        self._types: dict[str, Counter[PhiType]] = defaultdict(Counter)
        self._spellings: dict[str, Counter[str]] = defaultdict(Counter)
        """How the texts of a key are spelt where they are tagged."""
        self._searched: set[str] = set()
        self._standing: dict[str, list[Untagged]] = defaultdict(list)
        """The occurrences of each phrase."""
        self._tagged: SpanIndex[TaggedPlace] = SpanIndex()
        self._occurrences: SpanIndex[Untagged] = SpanIndex()
        self.places: SpanIndex[Untagged] = SpanIndex()
        self._build(list(tags))

    def phi_type(self, place: Untagged) -> PhiType | None:
        """The type that the text of a place is tagged with most often.

        Of several the first by name, in whichever order they were tagged.
        """
        types = self._types[place.phrase]
        return min(types, key=lambda each: (-types[each], each), default=None)

    def tied_types(self, place: Untagged) -> list[PhiType]:
        """The types that the text of a place is tagged with equally often, if that is several."""
        types = self._types[place.phrase]
        most = [each for each, times in types.items() if times and times == max(types.values())]
        return sorted(most) if len(most) > 1 else []

    def alike(self, phrase: str) -> list[Untagged]:
        """The untagged places of a text, in no order."""
        return [each for each in self._standing.get(phrase, ()) if each in self.places]

    def partly_tagged(self) -> int:
        """How many occurrences of tagged texts a tag touches, though none covers all of them."""
        return sum(
            1
            for each in self._occurrences
            if (tags := self._tagged.query(each.start, each.end))
            and not any(tag.start <= each.start and each.end <= tag.end for tag in tags)
        )

    def types_of(self, phrase: str) -> Mapping[PhiType, int]:
        """How often the texts of a key are tagged as what."""
        types = self._types.get(phrase, Counter[PhiType]())
        return {phi_type: times for phi_type, times in types.items() if times}

    def types(self, span: Span) -> Mapping[PhiType, int]:
        """How often the text at a span of the merged view is tagged as what."""
        return self.types_of(text_key(span.text_in(self._view.text)))

    def spellings(self, phrase: str) -> frozenset[str]:
        """How the texts of a key are spelt where they are tagged."""
        return frozenset(self._spellings.get(phrase, ()))

    def change(
        self, removed: Iterable[TaggedPlace], added: Iterable[TaggedPlace]
    ) -> UntaggedChange:
        """Take note of tags that went and came."""
        portions = list(self.changing(removed, added))
        return UntaggedChange(
            tuple(chain.from_iterable(each.removed for each in portions)),
            tuple(chain.from_iterable(each.added for each in portions)),
        )

    def changing(
        self, removed: Iterable[TaggedPlace], added: Iterable[TaggedPlace]
    ) -> Iterator[UntaggedChange]:
        """Take note of tags that went and came, a portion each time the next change is asked for.

        Until the last one `places` are behind the tags; another change may begin only then.
        """
        changed: list[TaggedPlace | Untagged] = []
        lost, new = yield from self._count(removed, added, changed)
        yield UntaggedChange((), ())
        for dropped in _portions(
            each for phrase in lost for each in self._standing.pop(phrase, ())
        ):
            changed += dropped
            yield self._drop(dropped)
        for found in self._discover(new):
            changed += found
            yield UntaggedChange((), ())
        for spans in _portions(dict.fromkeys((each.start, each.end) for each in changed)):
            yield self._look_again(spans)

    def _drop(self, dropped: list[Untagged]) -> UntaggedChange:
        """Forget occurrences of a text that is tagged no more."""
        shown = tuple(each for each in dropped if each in self.places)
        self._occurrences.change(removed=dropped)
        self.places.change(shown)
        return UntaggedChange(shown, ())

    def _look_again(self, spans: Iterable[tuple[int, int]]) -> UntaggedChange:
        """Find what a change of these spans makes untagged, or not any more."""
        near = self._around(spans)
        was = {each for each in near if each in self.places}
        now = {each for each in near if self._counts(each)}
        change = UntaggedChange(tuple(was - now), tuple(now - was))
        self.places.change(change.removed, change.added)
        return change

    def _build(self, tags: list[TaggedPlace]) -> None:
        for each in tags:
            self._note(each, 1)
        self._tagged.replace(tags)
        self._searched = set(filter(_is_text, self._types))
        for each in chain.from_iterable(self._look_for_all(self._searched)):
            self._standing[each.phrase].append(each)
        self._occurrences.replace(chain.from_iterable(self._standing.values()))
        self.places.replace([each for each in self._occurrences if self._counts(each)])

    def _count(
        self,
        removed: Iterable[TaggedPlace],
        added: Iterable[TaggedPlace],
        changed: list[TaggedPlace | Untagged],
    ) -> Generator[UntaggedChange, None, tuple[set[str], set[str]]]:
        """Count the types of each phrase anew; returns the phrases that are gone, and new ones.

        What went and came is added to `changed`.
        """
        phrases: tuple[set[str], set[str]] = set(), set()
        small: dict[str, bool] = {}
        for places, by, touched in ((removed, -1, phrases[0]), (added, 1, phrases[1])):
            for some in _portions(places):
                if changed:
                    yield UntaggedChange((), ())
                changed += some
                self._tagged.change(*((some, ()) if by < 0 else ((), some)))
                for each in some:
                    phrase = self._phrase(each)
                    small.setdefault(phrase, self._is_small(phrase))
                    self._note(each, by)
                    touched.add(phrase)
        lost = {phrase for phrase in phrases[0] if not self._types[phrase].total()}
        for phrase in lost:
            del self._types[phrase], self._spellings[phrase]
        again = {phrase for phrase, was in small.items() if was != self._is_small(phrase)}
        self._searched -= lost | again
        return lost | again, (phrases[1] | again) - lost - self._searched

    def _note(self, tagged: TaggedPlace, by: int) -> None:
        """Count a tag that came (1) or went (-1)."""
        text = self._view.text[tagged.start : tagged.end]
        phrase, spelt = text_key(text), spelling(text)
        self._types[phrase][tagged.phi_type] += by
        self._spellings[phrase][spelt] += by
        if not self._spellings[phrase][spelt]:
            del self._spellings[phrase][spelt]

    def _is_small(self, phrase: str) -> bool:
        """True where a word is tagged in small letters somewhere."""
        return any(map(is_small_word, self._spellings.get(phrase, ())))

    def _discover(self, new: Iterable[str]) -> Iterator[list[Untagged]]:
        """Look for phrases that are tagged for the first time; yields where they stand."""
        phrases = list(filter(_is_text, new))
        self._searched.update(phrases)
        look = self._look_for_each if len(phrases) <= _FEW else self._look_for_all
        for found in look(phrases):
            for each in found:
                self._standing[each.phrase].append(each)
            self._occurrences.change(added=found)
            yield found

    def _look_for_each(self, phrases: Iterable[str]) -> Iterator[list[Untagged]]:
        for phrase in phrases:
            for offset, flat in self._flats:
                ends = ((last, phrase) for last in _ends(phrase, flat.key))
                yield from _portions(self._places(offset, flat, ends))

    def _look_for_all(self, phrases: Collection[str]) -> Iterator[list[Untagged]]:
        """Look for many phrases at once, in a piece of the text after the other.

        For a word that is no place in small letters, only what is not in small letters is read.
        """
        rare = {each for each in phrases if each.isalpha() and not self._is_small(each)}
        words = automaton_of({each: each for each in rare})
        others = automaton_of({each: each for each in phrases if each not in rare})
        longest = max(map(len, phrases), default=0)
        for offset, flat in self._flats:
            if words is not None:
                ends = ends_within(words, flat.key, flat.capitalised)
                yield from _portions(self._places(offset, flat, ends))
                yield []
            if others is None:
                continue
            for start in range(0, len(flat.key), _PIECE):
                piece = (max(0, start - longest), start + _PIECE)
                ends = (each for each in ends_within(others, flat.key, [piece]) if each[0] >= start)
                yield from _portions(self._places(offset, flat, ends))
                yield []

    def _places(
        self, offset: int, flat: FlatText, ends: Iterable[tuple[int, str]]
    ) -> Iterator[Untagged]:
        """Yield those places that stand alone; `ends` are last characters in a record's key."""
        spelt, amid = flat.spelling, flat.amid
        for last, phrase in ends:
            end = last + 1
            start = end - len(phrase)
            if amid[end] or amid[start]:
                continue  # as nearly all are that stand in a word
            place = whole_place(flat, start, end)
            if place and (self._is_small(phrase) or not is_small_word(spelt[start:end])):
                span = flat.original_span(*place).shifted(offset)
                yield Untagged(span.start, span.end, phrase)

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

    def _phrase(self, tagged: TaggedPlace) -> str:
        return text_key(self._view.text[tagged.start : tagged.end])


def _is_text(phrase: str) -> bool:
    return any(char.isalnum() for char in phrase)


def _ends(phrase: str, text: str) -> Iterator[int]:
    """Where a phrase stands, by its last characters; places may overlap."""
    start = text.find(phrase)
    while start >= 0:
        yield start + len(phrase) - 1
        start = text.find(phrase, start + 1)


def _portions(items: Iterable[Item]) -> Iterator[list[Item]]:
    waiting = iter(items)
    while portion := list(islice(waiting, _PORTION)):
        yield portion
