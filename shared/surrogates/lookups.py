"""Whether a word, a run of digits or a date of a record is authentic, or holds what is.

What is looked up is found without a look at everything that is authentic of a patient; the same
words stand in the records again and again, so each is looked up once.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from shared.language.date_mentions import DateMention, Day
from shared.language.languages import Language
from shared.model import PhiType, Span
from shared.surrogates.drawing import MIN_LETTERS_FOR_TYPOS
from shared.surrogates.original_phi import MIN_DIGITS_ANYWHERE, OriginalPhi
from shared.text.spelling import match_key, typo_between

_GLUED_NAME = re.compile(r"(?<=[a-zß-ÿ])[^\W\d_a-zß-ÿ][^\W\d_]+$")
_DIGIT_RUN = re.compile(r"\d(?:[\s().\-/_:·*]{0,2}\d){3,}")
_LEAST_CUT = 7
_LEAST_WITHIN = 4
"""So many letters a name has at least that is looked for within a word."""


class AlikeWords:
    """Words, folded, to be asked for those that are one slip from another, in their order."""

    def __init__(self, words: Iterable[str]) -> None:
        self._alike: dict[tuple[str, int], list[tuple[int, str]]] = defaultdict(list)
        for number, word in enumerate(words):
            self._alike[word[0], len(word)].append((number, word))

    def near(self, word: str) -> list[str]:
        """All that begin with the same letter and are as long, or one letter more or less."""
        lengths = range(len(word) - 1, len(word) + 2)
        found = [each for length in lengths for each in self._alike.get((word[0], length), ())]
        return [other for _, other in sorted(found)]


class NameLookup:
    """Looks words up among the parts of a patient's names, and names that are run together."""

    def __init__(
        self,
        parts: Mapping[str, PhiType],
        joined: Mapping[str, PhiType],
        titles: Iterable[str] = (),
    ) -> None:
        self._parts, self._joined = parts, joined
        self._titles = tuple(match_key(each) for each in titles if len(each) > 1)
        self._alike = AlikeWords(part for part in parts if len(part) >= MIN_LETTERS_FOR_TYPOS)
        self._cut: dict[str, PhiType] = {}
        for part, phi_type in parts.items():
            for length in range(_LEAST_CUT, len(part) + 1):
                self._cut.setdefault(part[:length], phi_type)
        self._apart: dict[str, PhiType | None] = {}
        self._held: dict[str, PhiType | None] = {}
        self._misspelt: dict[str, PhiType | None] = {}

    def held_by(self, text: str, key: str) -> PhiType | None:
        """The type of the name that a word is or holds; `key` is it folded."""
        if text not in self._held:
            joined = self._joined.get(key.rstrip("0123456789")) or self._with_ending(text, key)
            self._held[text] = self._parts.get(key) or joined
        return self._held[text]

    def misspelt(self, word: str) -> PhiType | None:
        """The type of the name that a word, folded, is one slip from; a part itself is none."""
        if word not in self._misspelt:
            is_long = len(word) >= MIN_LETTERS_FOR_TYPOS and word not in self._parts
            near = self._alike.near(word) if is_long else ()
            found = [self._parts[part] for part in near if _is_slip(part, word)]
            self._misspelt[word] = found[-1] if found else None
        return self._misspelt[word]

    def within(self, word: str) -> PhiType | None:
        """The type of the first name that stands anywhere in a word, folded."""
        if word not in self._apart:
            long = (part for part in self._parts if len(part) >= _LEAST_WITHIN)
            first = next((part for part in long if part in word), "")
            self._apart[word] = self._parts.get(first)
        return self._apart[word]

    def _with_ending(self, text: str, key: str) -> PhiType | None:
        """The type of a name in `Amors`, of one with a title: `drtran`, of one cut: `MICHELAN`."""
        name = key.removesuffix("s")
        names = [name] if text[0].isupper() and not name.endswith("s") else []
        if found := _GLUED_NAME.search(text):
            names.append(match_key(found[0]))
        names += (key.removeprefix(each) for each in self._titles if key.startswith(each))
        for each in names:
            if len(each) >= _LEAST_WITHIN and each in self._parts:
                return self._parts[each]
        return self._cut.get(key) if text.isupper() else None


def _is_slip(part: str, word: str) -> bool:
    typo = typo_between(part, word)
    return typo is not None and (typo.kind != "change" or len(part) > MIN_LETTERS_FOR_TYPOS + 1)


class NumberLookup:
    """Looks for authentic numbers in runs of digits."""

    def __init__(self, digits: Mapping[str, PhiType]) -> None:
        self._by_start: dict[str, list[tuple[int, str, PhiType]]] = defaultdict(list)
        for place, (number, phi_type) in enumerate(digits.items()):
            self._by_start[number[:MIN_DIGITS_ANYWHERE]].append((place, number, phi_type))

    def in_text(self, text: str) -> Iterator[tuple[Span, PhiType]]:
        """Yield the authentic numbers of a text, whatever signs part their digits."""
        for found in _DIGIT_RUN.finditer(text) if self._by_start else ():
            places = [at for at in range(*found.span()) if text[at].isdigit()]
            for at, number, phi_type in self.within("".join(text[each] for each in places)):
                yield Span(places[at], places[at + len(number) - 1] + 1), phi_type

    def within(self, run: str) -> Iterator[tuple[int, str, PhiType]]:
        """Yield where each number that stands in a run does so first, in the order of numbers."""
        found: dict[int, tuple[int, str, PhiType]] = {}
        for at in range(len(run) - MIN_DIGITS_ANYWHERE + 1):
            for place, number, phi_type in self._by_start.get(
                run[at : at + MIN_DIGITS_ANYWHERE], ()
            ):
                if run.startswith(number, at):
                    found.setdefault(place, (at, number, phi_type))
        yield from (found[place] for place in sorted(found))


class DayLookup:
    """Looks for days of the calendar among authentic ones."""

    def __init__(self, days: Mapping[Day, PhiType]) -> None:
        self.of_month = {day.day: phi_type for day, phi_type in days.items() if day.day}
        """The types by day of the month alone."""
        self._by_day: dict[tuple[int, int | None], list[tuple[int, Day, PhiType]]] = (
            defaultdict(list)
        )  # fmt: skip
        for place, (day, phi_type) in enumerate(days.items()):
            self._by_day[day.month, day.day].append((place, day, phi_type))

    def same(self, date: DateMention) -> PhiType | None:
        """The type of the first day that a date may mean."""
        found = [
            (place, phi_type)
            for read in date.readings
            for place, day, phi_type in self._by_day.get((read.month, read.day), ())
            if _is_same(day, read)
        ]
        return min(found, key=lambda each: each[0])[1] if found else None


def _is_same(day: Day, read: Day) -> bool:
    return day.agrees(read) and not (day.day is None and None in (day.year, read.year))


class Lookups:
    """All lookups of what is authentic of a patient."""

    def __init__(self, original: OriginalPhi, language: Language) -> None:
        self.original = original
        self.names = NameLookup(original.parts, original.joined, language.titles)
        self.numbers = NumberLookup(original.digits)
        self.days = DayLookup(original.days)

    def group(self, digits: str) -> PhiType | None:
        """The type of a number, or a day, that has few digits or those at its end."""
        return self.original.groups.get(digits) or self.original.day_digits.get(digits)
