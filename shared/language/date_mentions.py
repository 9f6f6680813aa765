"""Dates in text and which of them mean the same day.

`02/03/07` can be read in two ways. Both are kept, unless other dates beside it (`05/20/07`) tell
whether these records write the month or the day first.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from shared.language.date_grammar import DateExpression
from shared.language.dates_in_text import DateInText, dates_in
from shared.language.languages import Language, default_language
from shared.language.variant_rules import Rule


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
    """Yield every date of at least a day and a month, or a month and a year."""
    for found in dates_in(text, spoken or default_language()):
        if readings := _readings(found.expression):
            yield _mention(found, readings)


@lru_cache(maxsize=4096)
def dates_of(text: str, spoken: Language) -> tuple[DateMention, ...]:
    """Return what `find_dates` yields; it is kept, for records are read again after each edit."""
    return tuple(find_dates(text, spoken))


@lru_cache(maxsize=4096)
def read_date(text: str, spoken: Language | None = None) -> DateMention | None:
    """Return the date that the whole of `text` is, a day of the week before it left aside."""
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


def _mention(found: DateInText, readings: tuple[Day, ...]) -> DateMention:
    """What the numbers alone tell of the order of day and month, they tell by being too large."""
    written = found.expression
    first, second = written.part("first"), written.part("second")
    is_dotted = written.form.startswith(("n.n", "n. n")) and not first
    order = DayOrder.DAY_FIRST if is_dotted else None
    if first and second and len(readings) == 1 and first.number != second.number:
        is_month_first = readings[0].month == first.number
        order = DayOrder.MONTH_FIRST if is_month_first else DayOrder.DAY_FIRST
    return DateMention(found.start, found.end, readings, not (first or is_dotted), order)


def _readings(written: DateExpression) -> tuple[Day, ...]:
    """The days that a date may mean; none where it names no month, or only that."""
    numbers = {each.role: each.number for each in written.parts}
    year, month, day = map(numbers.get, ("year", "month", "day"))
    if month:
        return (Day(month, day, year),) if day or year is not None else ()
    first, second = numbers["first"], numbers["second"]
    both = Day(first, second, year), Day(second, first, year)
    return tuple(each for each in dict.fromkeys(both) if each.month <= 12)


def _same_year(one: int, other: int) -> bool:
    return one == other if one >= 100 and other >= 100 else one % 100 == other % 100
