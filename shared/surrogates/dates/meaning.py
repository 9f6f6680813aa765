"""What a date means once nothing in it is open but its century or its year."""

import calendar
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, timedelta

from shared.surrogates.dates.grammar import Expression, Part
from shared.surrogates.dates.names import (
    HOLIDAYS,
    MONTHS,
    SEASONS,
    WEEKDAYS,
    folded_name,
    holiday_date,
)

IMPOSSIBLE = "no such day"


def meaning(
    expression: Expression, anchor: date, before: date | None, reasons: list[str]
) -> tuple[date, str] | None:
    """Return the day, or middle day, that a date means, and its precision; None where it has none.

    `anchor` is about when the record was written, `before` the day of the date before in the same
    text. What is odd about the date is added to `reasons`.
    """
    year = _year(expression, anchor)
    month = _month(expression)
    days = [each for each in expression.parts if each.role == "day"]
    if month == 0 or month > 12:
        return None
    if days:
        number = int("".join(char for char in days[0].text if char.isdigit()))
        return _day(year, month, number, anchor, before, reasons)
    if month > 0:
        return _near_or(year, month, 15, anchor), "month"
    return _named(expression, year, anchor)


def as_order(expression: Expression, *, day_first: bool) -> Expression:
    """Close `first` and `second` as day and month; what cannot be a month is the day."""
    sure = sure_order(expression)
    if sure:
        day_first = sure == "day"
    roles = {"first": "day", "second": "month"} if day_first else {
        "first": "month", "second": "day"
    }  # fmt: skip
    return with_roles(expression, roles)


def with_roles(expression: Expression, roles: Mapping[str, str]) -> Expression:
    parts = tuple(replace(each, role=roles.get(each.role, each.role)) for each in expression.parts)
    return replace(expression, parts=parts)


def sure_order(expression: Expression) -> str:
    """Return which of day and month comes first in `13/2/07`, "" where that is open."""
    first, second = expression.part("first"), expression.part("second")
    if first is None or second is None:
        return ""
    one, two = int(first.text), int(second.text)
    if one > 12 >= two:
        return "day"
    return "month" if two > 12 >= one else ""


def year_of(two_digits: int, anchor: date) -> int:
    """The latest year that ends so and does not lie more than two years ahead."""
    latest = anchor.year + 2
    return latest - (latest - two_digits) % 100


def century_before(day: date) -> date:
    """Return the day a hundred years before."""
    return _clamped(day.year - 100, day.month, day.day)


def near(month: int, day: int, anchor: date) -> date:
    """The day of some year nearest to the record, rather before than after it."""
    days = [_clamped(anchor.year + step, month, day) for step in (-1, 0, 1)]
    return min(days, key=lambda each: (anchor - each).days if each <= anchor else
               5 * (each - anchor).days)  # fmt: skip


def _named(expression: Expression, year: int | None, anchor: date) -> tuple[date, str] | None:
    for part in expression.parts:
        if part.role == "season":
            month = 3 * SEASONS[part.text.lower()].number + 2
            return _near_or(year, month, 15, anchor), "season"
        if part.role == "holiday":
            return _holiday(part, year, anchor), "holiday"
        if part.role == "decade":
            return date(_decade(part, anchor) + 5, 1, 1), "decade"
        if part.role == "weekday":
            back = (anchor.weekday() - WEEKDAYS[part.text.lower()].number) % 7
            return anchor - timedelta(days=back), "weekday"
    return (date(year, 7, 2), "year") if year is not None else None


def _day(
    year: int | None,
    month: int,
    number: int,
    anchor: date,
    before: date | None,
    reasons: list[str],
) -> tuple[date, str] | None:
    if not 1 <= number <= 31:
        return None
    if month < 0:
        base = before or anchor
        return _clamped(base.year, base.month, number), "day"
    if number > _last_day(year or 2000, month):
        reasons.append(IMPOSSIBLE)
    return _near_or(year, month, number, anchor), "day"


def _year(expression: Expression, anchor: date) -> int | None:
    part = expression.part("year")
    if part is None:
        return None
    digits = "".join(char for char in part.text if char.isdigit())
    return int(digits) if len(digits) == 4 else year_of(int(digits), anchor)


def _month(expression: Expression) -> int:
    """1 to 12, more where it is none, -1 where the date names no month."""
    part = expression.part("month")
    if part is None:
        return -1
    if part.text.isdigit():
        return int(part.text)
    return MONTHS[part.text.lower()].number + 1


def _near_or(year: int | None, month: int, day: int, anchor: date) -> date:
    return near(month, day, anchor) if year is None else _clamped(year, month, day)


def _clamped(year: int, month: int, day: int) -> date:
    return date(year, month, min(day, _last_day(year, month)))


def _last_day(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def _holiday(part: Part, year: int | None, anchor: date) -> date:
    language, name = HOLIDAYS[folded_name(part.text)]
    if year is not None:
        return holiday_date(language, name, year)
    days = [holiday_date(language, name, anchor.year + step) for step in (-1, 0, 1)]
    return min(days, key=lambda each: (anchor - each).days if each <= anchor else
               5 * (each - anchor).days)  # fmt: skip


def _decade(part: Part, anchor: date) -> int:
    digits = "".join(char for char in part.text if char.isdigit())
    if len(digits) == 4:
        return int(digits)
    latest = anchor.year + 2
    return (latest - (latest - int(digits)) % 100) // 10 * 10
