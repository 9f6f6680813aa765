"""Dates in text and which of them mean the same day.

`02/03/07` can be read in two ways. Both are kept, unless other dates beside it (`05/20/07`) tell
whether these records write the month or the day first.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import NamedTuple

from shared.language.languages import Language, default_language
from shared.language.variant_rules import Rule

_NUMBERED = re.compile(
    r"\d(?<!\d\d)(?<![\d/][/.-]\d)\d{0,3}(?:([/.-])\d{1,2}\1\d{1,4}|/\d{4}|/\d{1,2})(?![\d/]|[.-]\d)"
)
_DAY_MONTH_DOT = re.compile(r"\d(?<!\d\d)(?<![\d/][/.-]\d)\d?\. ?\d{1,2}\.(?![\d/]|[.-]\d)")
_SHORT_YEAR = re.compile(r"-(\d\d)(?![\w/-]|[.:]\d)")
_REACH = 12


@dataclass(frozen=True, slots=True)
class DatePatterns:
    """How a language writes dates in words, as expressions."""

    months: Mapping[str, int]
    """1 for January by every way to write it, in small letters."""
    month: re.Pattern[str]
    day_before: re.Pattern[str]
    day_after: re.Pattern[str] | None
    """None where the day never stands behind its month."""
    year_after: re.Pattern[str]
    has_dots: bool
    """Whether a day is written with a full stop: `3.3.71`, `3. März`."""


@cache
def date_patterns(spoken: Language) -> DatePatterns:
    dates = spoken.dates
    names = {
        word: number + 1
        for word, number in spoken.month_numbers.items()
        if word not in dates.rare_months
    }
    ordinals = "|".join(map(re.escape, dates.ordinal_suffixes)) or "(?!)"
    between = "|".join(map(re.escape, dates.between)) or "(?!)"
    is_month_first = any(form.startswith("{month} {day}") for form in dates.forms)
    return DatePatterns(
        names,
        re.compile(_month_pattern(names)),
        re.compile(rf"(?<![\d/.-])(\d{{1,2}})(?:{ordinals})?(?:\s|-|\s+(?:{between})\s+)$", re.I),
        re.compile(rf"\s?-?(\d{{1,2}})(?:{ordinals})?(?![\w/]|[.:]\d)", re.I)
        if is_month_first
        else None,
        re.compile(rf"(?:,?\s{{1,3}}|,|\s+(?:{between})\s+|-)(?:(\d{{4}})|['’](\d\d))(?!\w)", re.I),
        "." in dates.ordinal_suffixes,
    )


def _any_case(text: str) -> str:
    return "".join(f"[{char}{char.upper()}]" for char in text)


def _month_pattern(names: Iterable[str]) -> str:
    """Any of the first letters, then any of the rests: quick to search, checked afterwards."""
    letters = "".join(sorted({each for name in names for each in (name[0], name[0].upper())}))
    rests = sorted({name[1:] for name in names}, key=lambda rest: (-len(rest), rest))
    branches = "|".join(map(_any_case, rests))
    return rf"[{letters}](?<![^\W\d_].)(?:{branches})(?![^\W\d_])\.?" if rests else "(?!)"


class DayOrder(Enum):
    """Which of day and month stands first in `02/03/07`."""

    MONTH_FIRST = "month first"
    DAY_FIRST = "day first"


class Day(NamedTuple):
    """A day of the calendar as far as it is told; a year below 100 has no century."""

    month: int
    day: int | None
    year: int | None

    def agrees(self, other: "Day") -> bool:
        """True where both name a day and a month, the same, and no two different years."""
        return (self.month, self.day) == (other.month, other.day) and (
            self.year is None or other.year is None or _same_year(self.year, other.year)
        )


class DateMention(NamedTuple):
    """A date at `[start, end)`: the ways to read it, the month first before the day first.

    `named` says that the month is a word, or stands where only a month can (2007-05-09); `order`
    what the date alone tells of the order of day and month.
    """

    start: int
    end: int
    readings: tuple[Day, ...]
    named: bool = False
    order: DayOrder | None = None

    @property
    def has_year(self) -> bool:
        return self.readings[0].year is not None

    @property
    def has_day(self) -> bool:
        return self.readings[0].day is not None

    def read(self, order: DayOrder | None) -> tuple[Day, ...]:
        """The readings that are left once it is known which of day and month stands first."""
        if order is None or len(self.readings) == 1:
            return self.readings
        return self.readings[:1] if order is DayOrder.MONTH_FIRST else self.readings[1:]


def find_dates(text: str, spoken: Language | None = None) -> Iterator[DateMention]:
    """Yield every date of at least a day and a month, or a named month and a year."""
    patterns = date_patterns(spoken or default_language())
    for found in _NUMBERED.finditer(text):
        if mention := _numbered(found, patterns):
            yield mention
    for found in _DAY_MONTH_DOT.finditer(text) if patterns.has_dots else ():
        if mention := _day_month(found):
            yield mention
    for found in patterns.month.finditer(text):
        if mention := _named(text, found, patterns):
            yield mention


def read_date(text: str, spoken: Language | None = None) -> DateMention | None:
    """Return the date that the whole of `text` is, a day of the week before it left aside."""
    numbered = _NUMBERED.fullmatch(text)
    if numbered and (whole := _numbered(numbered, date_patterns(spoken or default_language()))):
        return whole
    found = [each for each in find_dates(text, spoken) if each.end == len(text)]
    longest = min(found, key=lambda each: each.start, default=None)
    if longest is None or any(char.isdigit() for char in text[: longest.start]):
        return None
    return longest if longest.start == 0 or text[: longest.start].strip(" ,").isalpha() else None


def day_order(mentions: Iterable[DateMention]) -> DayOrder | None:
    """Return which of day and month stands first in these dates; None where they do not tell."""
    orders = {each.order for each in mentions} - {None}
    return orders.pop() if len(orders) == 1 else None


def same_day(one: DateMention, other: DateMention, order: DayOrder | None) -> Rule | None:
    """Say by which rule two dates mean the same day; None where they do not.

    It is sure only where no other reading is left and both tell the year or name the month.
    """
    mine, yours = one.read(order), other.read(order)
    if not any(a.agrees(b) for a in mine for b in yours):
        return None
    alike = not (one.named or other.named)  # 02/03/07 and 2/3/2007: the same in either reading
    sure = len(mine) == len(yours) == 1 or (alike and mine[0].agrees(yours[0]))
    told = other.has_year or other.named
    return Rule.DATE if sure and told else Rule.OPEN_DATE


def _numbered(found: re.Match[str], patterns: DatePatterns) -> DateMention | None:
    start, end = found.span()
    parts = found[0].split(found[1] or "/")
    first, second, *rest = map(int, parts)
    year = rest[0] if rest else None
    if len(parts[1]) == 4:
        month = Day(first, None, second)
        valid = 1 <= first <= 12 and _is_year(second)
        return DateMention(start, end, (month,), named=True) if valid else None
    if len(parts[0]) > 2:
        day = Day(second, year, first)
        valid = len(parts[0]) == 4 and len(parts[-1]) <= 2 and year is not None and _is_day(day)
        return DateMention(start, end, (day,), named=True) if valid else None
    if rest and (len(parts[2]) not in (2, 4) or _is_version(found[1], parts[2], patterns)):
        return None
    month_first, day_first = Day(first, second, year), Day(second, first, year)
    readings = tuple(each for each in dict.fromkeys((month_first, day_first)) if _is_day(each))
    if not readings:
        return None
    if len(readings) == 2 or first == second:  # 05/05/07 tells nothing of the order
        return DateMention(start, end, readings)
    order = DayOrder.MONTH_FIRST if readings[0] is month_first else DayOrder.DAY_FIRST
    return DateMention(start, end, readings, order=order)


def _is_version(joint: str, year: str, patterns: DatePatterns) -> bool:
    """True for `1.4.12`, which is a date only where dates have full stops."""
    return joint == "." and len(year) == 2 and not patterns.has_dots


def _day_month(found: re.Match[str]) -> DateMention | None:
    """`27.02.`: a day and a month without a year, where dates have full stops."""
    day, month = (int(number) for number in found[0].split(".")[:2])
    told = Day(month, day, None)
    return DateMention(*found.span(), (told,), order=DayOrder.DAY_FIRST) if _is_day(told) else None


def _named(text: str, found: re.Match[str], patterns: DatePatterns) -> DateMention | None:
    month = patterns.months.get(found[0].rstrip(".").lower())
    if month is None:
        return None
    start = max(0, found.start() - _REACH)
    before = patterns.day_before.search(text[start : found.start()])
    if before and 1 <= int(before[1]) <= 31:
        end, year = _year(text, found.end(), patterns)
        if year is None and (short := _SHORT_YEAR.match(text, end)):
            end, year = short.end(), int(short[1])
        day = Day(month, int(before[1]), year)
        return DateMention(start + before.start(), end, (day,), named=True)
    after = patterns.day_after.match(text, found.end()) if patterns.day_after else None
    if after and 1 <= int(after[1]) <= 31:
        end, year = _year(text, after.end(), patterns)
        return DateMention(found.start(), end, (Day(month, int(after[1]), year),), named=True)
    end, year = _year(text, found.end(), patterns)
    if year is None:
        return None
    return DateMention(found.start(), end, (Day(month, None, year),), named=True)


def _year(text: str, at: int, patterns: DatePatterns) -> tuple[int, int | None]:
    found = patterns.year_after.match(text, at)
    return (found.end(), int(found[1] or found[2])) if found else (_without_dot(text, at), None)


def _without_dot(text: str, end: int) -> int:
    return end - 1 if text[end - 1] == "." else end


def _is_day(day: Day) -> bool:
    year_fits = day.year is None or day.year < 100 or _is_year(day.year)
    return 1 <= day.month <= 12 and day.day is not None and 1 <= day.day <= 31 and year_fits


def _is_year(number: int) -> bool:
    return 1850 <= number <= 2299


def _same_year(one: int, other: int) -> bool:
    return one == other if one >= 100 and other >= 100 else one % 100 == other % 100
