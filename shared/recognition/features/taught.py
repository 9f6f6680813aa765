"""What the gold standard taught: which words and phrases were PHI, and of which type.

In training a record's own patient is left out of the count, or the CRF would learn to trust a
gazetteer that on new patients knows less.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from shared.model import Tag
from shared.recognition.features.sheet import Sheet
from shared.recognition.features.told import NOTHING, Attributes, Facts
from shared.recognition.labels import runs_of
from shared.recognition.phrases import Phrases

LONGEST_PHRASE = 10
LARGEST_CACHE = 50_000

Counts = dict[str, dict[str, int]]


@dataclass(slots=True)
class Lesson:
    """In how many records each word and phrase was tagged as what, and each word seen at all."""

    words: Counts = field(default_factory=dict[str, dict[str, int]])
    phrases: Counts = field(default_factory=dict[str, dict[str, int]])
    seen: dict[str, int] = field(default_factory=dict[str, int])

    def add(self, other: "Lesson", times: int = 1) -> None:
        """Count what `other` counted, `times` over; -1 takes it away again."""
        _add_counts(self.words, other.words, times)
        _add_counts(self.phrases, other.phrases, times)
        for word, count in other.seen.items():
            self.seen[word] = self.seen.get(word, 0) + times * count


def lesson_of(sheet: Sheet, tags: Iterable[Tag]) -> Lesson:
    """Return what one record teaches; everything counts once per record."""
    lesson = Lesson(seen=dict.fromkeys(sheet.lowers, 1))
    for run in runs_of(tags, sheet.tokens.starts, sheet.tokens.ends):
        words = sheet.lowers[run.first : run.last + 1]
        lesson.phrases.setdefault(" ".join(words), {})[run.phi_type] = 1
        for word in words:
            if _teaches(word):
                lesson.words.setdefault(word, {})[run.phi_type] = 1
    return lesson


def lesson_of_all(lessons: Iterable[Lesson]) -> Lesson:
    total = Lesson()
    for lesson in lessons:
        total.add(lesson)
    return total


class Teaching:
    """A lesson made ready for looking up."""

    def __init__(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._phrases = Phrases(lesson.phrases)
        self._words = _Words(lesson, Lesson())

    def attributes(self, sheet: Sheet, own: Lesson | None = None) -> list[Attributes]:
        """Types under which each token, and the phrase that it belongs to, were tagged elsewhere.

        `own` is what the document's own patient taught, which does not count.
        """
        words = self._words if own is None else _Words(self._lesson, own)
        told = list(map(words.__getitem__, sheet.lowers))
        self._tell_phrases(sheet, told, own or Lesson())
        return told

    def _tell_phrases(self, sheet: Sheet, told: list[Attributes], own: Lesson) -> None:
        words, line_ends = sheet.lowers, sheet.line_ends
        free = 0
        for at in self._phrases.begun(words):
            if at >= free:
                free, types = self._longest(words, at, line_ends[at], own)
                if types:
                    first, inner = _phrase_attributes(types, min(free - at, 4))
                    told[at] += first
                    for inside in range(at + 1, free):
                        told[inside] += inner

    def _longest(self, words: list[str], at: int, last: int, own: Lesson) -> tuple[int, Attributes]:
        for end, phrase in self._phrases.at(words, at, min(last, at + LONGEST_PHRASE)):
            counts = self._lesson.phrases.get(phrase)
            if counts and (left := _left(counts, own.phrases.get(phrase, {}))):
                return end, tuple(left)
        return at + 1, NOTHING


class _Words(dict[str, Attributes]):
    """What is told of each word, found out when it is asked for the first time."""

    def __init__(self, lesson: Lesson, own: Lesson) -> None:
        super().__init__()
        self._lesson, self._own = lesson, own

    def __missing__(self, word: str) -> Attributes:
        if len(self) >= LARGEST_CACHE:
            self.clear()
        self[word] = told = self._told(word)
        return told

    def _told(self, word: str) -> Attributes:
        counts = self._lesson.words.get(word)
        if counts and (left := _left(counts, self._own.words.get(word, {}))):
            seen = self._lesson.seen.get(word, 0) - self._own.seen.get(word, 0)
            return _word_attributes(left, seen)
        return NOTHING


def near(told: Sequence[Attributes]) -> Iterator[Facts]:
    """Yield, for each token, what its neighbours to the left and right were told."""
    left, right = ([_signed(sign, each) for each in told] for sign in "-+")
    yield Facts([NOTHING, *left][: len(told)])
    yield Facts([*right, NOTHING][1:])


@lru_cache(maxsize=20_000)
def _signed(sign: str, told: Attributes) -> Attributes:
    return tuple(sign + name for name in told if name.startswith(("G=", "GB=", "GI=")))


def _add_counts(counts: Counts, added: Counts, times: int) -> None:
    for text, types in added.items():
        entry = counts.setdefault(text, {})
        for phi_type, count in types.items():
            entry[phi_type] = entry.get(phi_type, 0) + times * count


def _teaches(word: str) -> bool:
    return (word[0].isalpha() and len(word) > 1) or (word.isdecimal() and len(word) == 5)


def _left(counts: Mapping[str, int], own: Mapping[str, int]) -> dict[str, int]:
    return {
        phi_type: count - own.get(phi_type, 0)
        for phi_type, count in counts.items()
        if count > own.get(phi_type, 0)
    }


@lru_cache(maxsize=2000)
def _phrase_attributes(types: tuple[str, ...], length: int) -> tuple[Attributes, Attributes]:
    """What is told of the first token of a phrase, and of the others."""
    first, inner = (
        (*(place + phi_type for phi_type in types), f"GL={length}") for place in ("GB=", "GI=")
    )
    return first, inner


def _word_attributes(counts: Mapping[str, int], seen: int) -> Attributes:
    tagged = sum(counts.values())
    share = min(4, 5 * tagged // max(seen, tagged))
    often = (f"G2={phi_type}" for phi_type, count in counts.items() if count > 2)
    return (*(f"G={phi_type}" for phi_type in counts), *often, f"GR={share}")
