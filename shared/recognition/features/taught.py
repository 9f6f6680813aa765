"""What the gold standard taught: which words and phrases were PHI, and of which type.

In training a record's own patient is left out of the count, or the CRF would learn to trust a
gazetteer that on new patients knows less.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from shared.model import Tag
from shared.recognition.features.layout import Columns
from shared.recognition.features.sheet import Sheet
from shared.recognition.labels import runs_of

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


def taught(sheet: Sheet, columns: Columns, known: Lesson, own: Lesson | None = None) -> None:
    """Types under which the token and the phrase that it belongs to were tagged elsewhere.

    `own` is what the document's own patient taught, which does not count.
    """
    own = own or Lesson()
    _tell_words(sheet, columns, known, own)
    for first, last in sheet.lines:
        _tell_phrases(sheet, columns, (first, last), known.phrases, own.phrases)


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


def _tell_words(sheet: Sheet, columns: Columns, known: Lesson, own: Lesson) -> None:
    told: dict[str, tuple[str, ...]] = {}
    for word in set(sheet.lowers):
        counts = known.words.get(word)
        if counts and (left := _left(counts, own.words.get(word, {}))):
            told[word] = _word_attributes(left, known.seen.get(word, 0) - own.seen.get(word, 0))
    for column, word in zip(columns, sheet.lowers, strict=True):
        if word in told:
            column.extend(told[word])


def _word_attributes(counts: Mapping[str, int], seen: int) -> tuple[str, ...]:
    tagged = sum(counts.values())
    share = min(4, 5 * tagged // max(seen, tagged))
    often = (f"G2={phi_type}" for phi_type, count in counts.items() if count > 2)
    return (*(f"G={phi_type}" for phi_type in counts), *often, f"GR={share}")


def _tell_phrases(
    sheet: Sheet, columns: Columns, line: tuple[int, int], known: Counts, own: Counts
) -> None:
    at, last = line
    while at < last:
        end, types = _longest(sheet.lowers, at, last, known, own)
        for inside in range(at, end if types else at):
            place = "GB=" if inside == at else "GI="
            columns[inside] += (*(place + phi_type for phi_type in types), f"GL={min(end - at, 4)}")
        at = end


def _longest(
    words: list[str], at: int, last: int, known: Counts, own: Counts
) -> tuple[int, list[str]]:
    for end in range(min(last, at + LONGEST_PHRASE), at, -1):
        phrase = " ".join(words[at:end])
        counts = known.get(phrase)
        if counts and (left := _left(counts, own.get(phrase, {}))):
            return end, list(left)
    return at + 1, []
