"""The words of the calendar by language: that of the records first, then every other known one.

A date tells by its own words which language it is in, and is written in that again.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache

from shared.language.languages import Language, known_languages, language
from shared.language.sections import Holiday
from shared.text.spelling import match_key


@dataclass(frozen=True, slots=True)
class CalendarWord:
    """A word of the calendar: 0 for January, Monday and winter; `is_short` where it is cut."""

    language: Language
    number: int = 0
    is_short: bool = False
    holiday: Holiday | None = None


Words = dict[str, CalendarWord]


@dataclass(slots=True)
class CalendarWords:
    """Words in small letters, blanks single."""

    months: Words = field(default_factory=Words)
    weekdays: Words = field(default_factory=Words)
    seasons: Words = field(default_factory=Words)
    holidays: Words = field(default_factory=Words)
    fillers: set[str] = field(default_factory=set[str])
    """Words within a date or around it that are no part of its day."""
    ordinal_suffixes: set[str] = field(default_factory=set[str])


@cache
def calendar_words(own: Language) -> CalendarWords:
    """The words that dates in records of a language may have."""
    found = CalendarWords()
    others = [language(code) for code in known_languages() if code != own.code]
    for each in (*reversed(others), own):
        dates = each.dates
        _add(found.months, each, each.month_numbers, dates.months)
        _add(found.weekdays, each, each.weekday_numbers, dates.weekdays)
        _add(found.seasons, each, each.season_numbers, dates.seasons)
        for holiday in dates.holiday:
            for name in (*holiday.others, holiday.name):
                found.holidays[folded_name(name)] = CalendarWord(each, holiday=holiday)
        found.fillers.update((*dates.between, *dates.around, *dates.since, *dates.before_day))
        found.ordinal_suffixes.update(dates.ordinal_suffixes)
    return found


def _add(words: Words, spoken: Language, numbers: Mapping[str, int], full: tuple[str, ...]) -> None:
    long = {match_key(word) for word in full}
    for word, number in numbers.items():
        words[word] = CalendarWord(spoken, number, is_short=match_key(word) not in long)


def folded_name(text: str) -> str:
    """Return a holiday as `CalendarWords` has it: small letters, every run of blanks as one."""
    return " ".join(text.lower().split())


def season_of(day: date) -> int:
    return (day.month - 1) // 3


def nearest_holiday(day: date, word: CalendarWord) -> str:
    """Return the holiday of the word's language that is nearest to a day, other than itself."""
    years = [year for year in (day.year - 1, day.year, day.year + 1) if 1583 <= year <= 4099]
    return min(
        (abs((each.day(year) - day).days), each.name)
        for each in word.language.dates.holiday
        if each != word.holiday
        for year in years
    )[1]
