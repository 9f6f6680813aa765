"""The words of the calendar by language: that of the records first, then every other known one.

A date tells by its own words which language it is in, and is written in that again.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache, cached_property
from typing import NamedTuple

from shared.language.known_languages import UNDETERMINED, known_languages
from shared.language.languages import Language, alternatives, language
from shared.language.sections import Holiday
from shared.text.spelling import match_key

SEPARATORS = frozenset("/-.,")


@dataclass(frozen=True, slots=True)
class CalendarWord:
    """A word of the calendar: 0 for January, Monday and winter; `is_short` where it is cut."""

    language: Language
    number: int = 0
    is_short: bool = False
    is_plural: bool = False
    holiday: Holiday | None = None


class DatePiece(NamedTuple):
    """A piece of a text that may be part of a date, by the letter that forms of dates have."""

    letter: str
    start: int
    end: int
    word: CalendarWord | None = None


Words = dict[str, CalendarWord]


@dataclass
class CalendarWords:
    """Words in small letters, blanks single, and the pieces that a text has by them."""

    keeps_lines: bool = False
    """Whether the end of a line and a gap between columns are other pieces than a blank."""
    months: Words = field(default_factory=Words)
    weekdays: Words = field(default_factory=Words)
    seasons: Words = field(default_factory=Words)
    holidays: Words = field(default_factory=Words)
    weeks: set[str] = field(default_factory=set[str])
    """Words for a week of the calendar: `KW`."""
    fillers: set[str] = field(default_factory=set[str])
    """Words within a date or around it that are no part of its day."""
    ordinal_suffixes: set[str] = field(default_factory=set[str])
    marks: dict[str, str] = field(default_factory=dict[str, str])
    """The letter of a sign right behind a number: `y` for that of a year, `t` month, `d` day."""

    def pieces(self, text: str, start: int, end: int) -> list[DatePiece]:
        """Cut `[start, end)` into pieces; a month that a hyphen cuts at a line end is one."""
        found = list(self._cut(text, start, end))
        return self._with_broken_months(text, found) if "-\n" in text[start:end] else found

    def _cut(self, text: str, start: int, end: int) -> Iterator[DatePiece]:
        for found in self._pattern.finditer(text, start, end):
            kind, word = found.lastgroup or "other", None
            if kind == "word":
                letter, word = self._word(folded_name(found[0]))
            elif kind == "h":
                letter, word = kind, self.holidays[folded_name(found[0])]
            elif kind == "mark":
                letter = self.marks[found[0]]
            else:
                letter = self._letter(kind, found[0])
            yield DatePiece(letter, found.start(), found.end(), word)

    def _word(self, word: str) -> tuple[str, CalendarWord | None]:
        for known, letter in ((self.months, "m"), (self.weekdays, "w"), (self.seasons, "s")):
            if word in known:
                return letter, known[word]
        return ("k" if word in self.weeks else "f" if word in self.fillers else "x"), None

    def _letter(self, kind: str, text: str) -> str:
        if kind == "blank":
            return _blank_letter(text) if self.keeps_lines else " "
        if kind == "t":
            return "_"
        if kind == "digits":
            return _digits_letter(text)
        if kind == "other":
            return "-" if text in "–—" else text if text in SEPARATORS else "_"
        return kind

    def _with_broken_months(self, text: str, pieces: list[DatePiece]) -> list[DatePiece]:
        found: list[DatePiece] = []
        for each in pieces:
            found.append(each)
            if len(found) < 4 or text[found[-3].start : found[-2].start + 1] != "-\n":
                continue
            first = found[-4]
            word = self.months.get(
                (text[first.start : first.end] + text[each.start : each.end]).lower()
            )
            if word and text[first.start].isalpha():
                found[-4:] = [DatePiece("m", first.start, each.end, word)]
        return found

    @property
    def _long_months(self) -> set[str]:
        """The months of two words."""
        return {each for each in self.months if " " in each}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        endings = alternatives(self.ordinal_suffixes - SEPARATORS)  # a full stop stands alone
        return re.compile(
            rf"(?P<h>(?<!\w){alternatives(self.holidays)}(?!\w))"
            r"|(?P<D>(?:['’‘`]\d0|(?<!\d)\d{1,3}0)['’]?s\b)"
            r"|(?P<q>['’‘`]\d\d(?!\d))"
            r"|(?P<t>T?(?<!\d)[012]?\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?: ?[AaPp]\.?[Mm]\.?\b|Z\b)?)"
            rf"|(?P<o>(?<!\d)\d{{1,2}} ?{endings}(?![^\W\d_]))"
            r"|(?P<digits>\d+)"
            rf"|(?P<mark>(?:(?<=\d)|(?<=\d\s)){alternatives(self.marks)})"
            rf"|(?P<word>(?<!\w){alternatives(self._long_months)}(?!\w)|[^\W\d_]+)"
            r"|(?P<blank>\s+)"
            r"|(?P<other>.)",
            re.IGNORECASE | re.DOTALL,
        )


@cache
def calendar_words(own: Language) -> CalendarWords:
    """The words that what is known to be a date in records of a language may have."""
    found = CalendarWords()
    others = [language(code) for code in known_languages() if code != own.code]
    for each in (*reversed(others), own):
        dates = each.dates
        _add(found.months, each, each.month_numbers, dates.months)
        _add(found.weekdays, each, each.weekday_numbers, dates.weekdays)
        for number, word in enumerate(dates.weekdays_plural):
            found.weekdays[word.lower()] = CalendarWord(each, number, is_plural=True)
        _add(found.seasons, each, each.season_numbers, dates.seasons)
        for holiday in dates.holiday:
            for name in (*holiday.others, holiday.name):
                found.holidays[folded_name(name)] = CalendarWord(each, holiday=holiday)
        found.weeks.update(dates.week_words)
        found.fillers.update((*dates.between, *dates.around, *dates.since, *dates.before_day))
        found.ordinal_suffixes.update(dates.ordinal_suffixes)
    _add_common(found, own)
    return found


@cache
def words_of_dates(own: Language) -> CalendarWords:
    """The words that make a date wherever they stand in records of a language, and no others."""
    dates = own.dates
    months = {word: at for word, at in own.month_numbers.items() if word not in dates.rare_months}
    found = CalendarWords(keeps_lines=True)
    _add(found.months, own, months, dates.months)
    found.fillers.update(dates.between)
    found.ordinal_suffixes.update(dates.ordinal_suffixes)
    _add_common(found, own)
    return found


def _add_common(found: CalendarWords, own: Language) -> None:
    """Add what is so in every language."""
    common = language(UNDETERMINED)
    _add(found.months, common, other := common.dates.other_months, tuple(other))
    for each in (own.dates, common.dates):
        found.marks |= dict.fromkeys(each.year_marks, "y")
        found.marks |= dict.fromkeys(each.month_marks, "t")
        found.marks |= dict.fromkeys(each.day_marks, "d")


def _add(words: Words, spoken: Language, numbers: Mapping[str, int], full: tuple[str, ...]) -> None:
    long = {match_key(word) for word in full}
    for word, number in numbers.items():
        words[word] = CalendarWord(spoken, number, is_short=match_key(word) not in long)


def folded_name(text: str) -> str:
    """Return a holiday as `CalendarWords` has it: small letters, every run of blanks as one."""
    return " ".join(text.lower().split())


def _blank_letter(text: str) -> str:
    """A blank, the end of one line, or what parts paragraphs and columns."""
    if (lines := text.count("\n")) == 1:
        return "\n"
    return "_" if lines or len(text) > _WIDEST_BLANK else " "


_WIDEST_BLANK = 3


def _digits_letter(text: str) -> str:
    if len(text) <= 2:
        return "n"
    if len(text) == 4 and 1850 <= int(text) <= 2299:
        return "Y"
    return "C" if len(text) in (6, 8) else "x"


def season_of(day: date) -> int:
    return (day.month - 1) // 3


def nearest_holiday(day: date, word: CalendarWord) -> str:
    """Return the holiday of the word's language that is nearest to a day, other than itself."""
    years = [year for year in (day.year - 1, day.year, day.year + 1) if 1583 <= year <= 4099]
    return min(
        (abs((each.day(year) - day).days), each.name)
        for each in word.language.dates.holiday
        if each != word.holiday and not each.seldom
        for year in years
    )[1]
