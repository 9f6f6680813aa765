"""Dates as notes write them, each with the days that it means."""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from random import Random

from shared.language.calendar_words import season_of
from shared.language.languages import FABRICATED_LANGUAGE, language

DATE_FORMS = (
    "iso us us4 dash long ordinal short dmy mmm-dd month-day month-ordinal md month month-year "
    "my year yy decade season weekday wd holiday"
).split()

_ENGLISH = language(FABRICATED_LANGUAGE).dates
"""The notes are English."""

_FULL = frozenset("iso us us4 dash long ordinal short dmy".split())


@dataclass(frozen=True, slots=True)
class Days:
    """The days that a date means, `first` to `last`; `full` where it names day, month and year."""

    first: date
    last: date
    form: str

    @property
    def full(self) -> bool:
        return self.form in _FULL


@dataclass(frozen=True, slots=True)
class WrittenDate:
    """A date's text with the days that it means."""

    text: str
    days: Days


def write_date(day: date, form: str, rng: Random) -> WrittenDate:
    """Write `day` in one of DATE_FORMS. A holiday is the last one up to that day."""
    if form == "holiday":
        name, day = _last_holiday(day)
        return WrittenDate(name, Days(day, day, form))
    first, last = _reach(day, form)
    return WrittenDate(_WRITERS[form](day, rng), Days(first, last, form))


def _reach(day: date, form: str) -> tuple[date, date]:
    """The days that a form leaves open; a season is a quarter: winter counts to its January."""
    if form in {"month", "month-year", "my"}:
        return _months(day.year, day.month, day.month)
    if form in {"year", "yy"}:
        return _months(day.year, 1, 12)
    if form == "decade":
        decade = day.year - day.year % 10
        return date(decade, 1, 1), date(decade + 9, 12, 31)
    if form == "season":
        first = 3 * season_of(day) + 1
        return _months(day.year, first, first + 2)
    return day, day


def _months(year: int, first: int, last: int) -> tuple[date, date]:
    return date(year, first, 1), date(year, last, monthrange(year, last)[1])


def _season(day: date, rng: Random) -> str:
    name = _ENGLISH.seasons[season_of(day)]
    year = rng.choice((f"'{day:%y}", f"of {day.year}", f"{day.year}"))
    return f"{name.capitalize() if rng.random() < 0.5 else name} {year}"


def _last_holiday(day: date) -> tuple[str, date]:
    candidates = [
        (found, each.name)
        for year in (day.year - 1, day.year)
        for each in _ENGLISH.holiday
        if not (each.seldom or each.rule == "easter") and (found := each.day(year)) <= day
    ]
    found, name = max(candidates)
    return name, found


def _ordinal(number: int) -> str:
    last = number % 10 if number // 10 != 1 else 0
    return f"{number}{_ENGLISH.ordinal_suffixes[last - 1 if 1 <= last <= 3 else 3]}"


def _slashed(day: date, year: str, rng: Random, separator: str = "/") -> str:
    if rng.random() < 0.6:
        return f"{day.month:02}{separator}{day.day:02}{separator}{year}"
    return f"{day.month}{separator}{day.day:{rng.choice(('', '02'))}}{separator}{year}"


def _abbreviated(day: date) -> str:
    return _ENGLISH.months_short[day.month - 1]


_WRITERS: dict[str, Callable[[date, Random], str]] = {
    "iso": lambda day, _: day.isoformat(),
    "us": lambda day, rng: _slashed(day, f"{day:%y}", rng),
    "us4": lambda day, rng: _slashed(day, str(day.year), rng),
    "dash": lambda day, rng: _slashed(day, f"{day:%y}", rng, "-"),
    "long": lambda day, _: f"{_ENGLISH.months[day.month - 1]} {day.day}, {day.year}",
    "ordinal": lambda day, _: f"{_ENGLISH.months[day.month - 1]} {_ordinal(day.day)}, {day.year}",
    "short": lambda day, rng: f"{_abbreviated(day)}{rng.choice(('', '.'))} {day.day}, {day.year}",
    "dmy": lambda day, _: f"{day.day}-{_abbreviated(day)}-{day.year}",
    "mmm-dd": lambda day, _: f"{_abbreviated(day)} {day.day}",
    "month-day": lambda day, _: f"{_ENGLISH.months[day.month - 1]} {day.day}",
    "month-ordinal": lambda day, _: f"{_ENGLISH.months[day.month - 1]} {_ordinal(day.day)}",
    "md": lambda day, rng: f"{day.month}/{day.day:{rng.choice(('', '', '02'))}}",
    "month": lambda day, _: _ENGLISH.months[day.month - 1],
    "month-year": lambda day, rng: (
        f"{_ENGLISH.months[day.month - 1]} {rng.choice(('', '', 'of '))}{day.year}"
    ),
    "my": lambda day, rng: (
        f"{day.month}/{day.year}" if rng.random() < 0.6 else f"{day.month:02}/{day:%y}"
    ),
    "year": lambda day, _: str(day.year),
    "yy": lambda day, _: f"'{day:%y}",
    "decade": lambda day, rng: rng.choice(
        (f"'{day.year % 100 // 10}0's", f"{day.year // 10}0's", f"{day.year // 10}0s")
    ),
    "season": _season,
    "weekday": lambda day, _: _ENGLISH.weekdays[day.weekday()],
    "wd": lambda day, _: _ENGLISH.weekdays_short[day.weekday()],
}
