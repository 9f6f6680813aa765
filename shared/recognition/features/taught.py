"""What the gold standard taught: which words and phrases were PHI, and of which type.

In training a record's own patient is left out of the count, or the CRF would learn to trust a
gazetteer that on new patients knows less.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from shared.model import Tag
from shared.recognition.features.sheet import Sheet
from shared.recognition.labels import runs_of
from shared.recognition.phrases import phrase_starts

LONGEST_PHRASE = 10

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
        self._starts = phrase_starts(lesson.phrases)

    def attributes(self, sheet: Sheet, own: Lesson | None = None) -> list[list[str]]:
        """Types under which each token, and the phrase that it belongs to, were tagged elsewhere.

        `own` is what the document's own patient taught, which does not count.
        """
        own = own or Lesson()
        words = self._words(sheet, own)
        told = [[*words[word]] if word in words else [] for word in sheet.lowers]
        for first, last in sheet.lines:
            self._tell_phrases(sheet.lowers, told, (first, last), own)
        return told

    def _words(self, sheet: Sheet, own: Lesson) -> dict[str, tuple[str, ...]]:
        known, seen = self._lesson.words, self._lesson.seen
        told: dict[str, tuple[str, ...]] = {}
        for word in set(sheet.lowers):
            counts = known.get(word)
            if counts and (left := _left(counts, own.words.get(word, {}))):
                told[word] = _word_attributes(left, seen.get(word, 0) - own.seen.get(word, 0))
        return told

    def _tell_phrases(
        self, words: list[str], told: list[list[str]], line: tuple[int, int], own: Lesson
    ) -> None:
        free, last = line
        for at in range(free, last):
            if at >= free and words[at] in self._starts:
                free, types = self._longest(words, at, last, own)
                for inside in range(at, free if types else at):
                    place = "GB=" if inside == at else "GI="
                    told[inside].extend(place + phi_type for phi_type in types)
                    told[inside].append(f"GL={min(free - at, 4)}")

    def _longest(self, words: list[str], at: int, last: int, own: Lesson) -> tuple[int, list[str]]:
        longest = min(self._starts[words[at]], LONGEST_PHRASE)
        for end in range(min(last, at + longest), at, -1):
            phrase = " ".join(words[at:end])
            counts = self._lesson.phrases.get(phrase)
            if counts and (left := _left(counts, own.phrases.get(phrase, {}))):
                return end, list(left)
        return at + 1, []


def near(told: list[list[str]]) -> list[list[str]]:
    """Return, for each token, what its neighbours were told."""
    left, right = ([_prefixed(sign, each) for each in told] for sign in "-+")
    before, after = [[], *left][:-1], [*right, []][1:]
    return [[*one, *other] for one, other in zip(before, after, strict=True)]


def _prefixed(sign: str, told: list[str]) -> list[str]:
    return [sign + name for name in told if name.startswith(("G=", "GB=", "GI="))] if told else []


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


def _word_attributes(counts: Mapping[str, int], seen: int) -> tuple[str, ...]:
    tagged = sum(counts.values())
    share = min(4, 5 * tagged // max(seen, tagged))
    often = (f"G2={phi_type}" for phi_type, count in counts.items() if count > 2)
    return (*(f"G={phi_type}" for phi_type in counts), *often, f"GR={share}")
