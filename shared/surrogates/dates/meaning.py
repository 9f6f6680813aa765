"""What a date means once nothing in it is open, and what a patient's dates say about each other."""

import calendar
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import cache
from statistics import median_low

from shared.language.date_grammar import DateExpression, DatePart, DateText, parse
from shared.language.languages import Language, alternatives
from shared.language.record_headings import birth_label
from shared.language.sections import Holiday
from shared.surrogates.mentions import PhiMention

IMPOSSIBLE = "no such day"


def meaning(
    expression: DateExpression, anchor: date, before: date | None, reasons: list[str]
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
        return _day(year, month, int(digits_of(days[0])), anchor, before, reasons)
    if month > 0:
        return _near_or(year, month, 15, anchor), "month"
    return _named(expression, year, anchor)


def digits_of(part: DatePart) -> str:
    return "".join(filter(str.isdigit, part.text))


def as_order(expression: DateExpression, *, day_first: bool) -> DateExpression:
    """Close `first` and `second` as day and month; what cannot be a month is the day."""
    sure = sure_order(expression)
    if sure:
        day_first = sure == "day"
    roles = {"first": "day", "second": "month"} if day_first else {
        "first": "month", "second": "day"
    }  # fmt: skip
    return with_roles(expression, roles)


def with_roles(expression: DateExpression, roles: Mapping[str, str]) -> DateExpression:
    parts = tuple(replace(each, role=roles.get(each.role, each.role)) for each in expression.parts)
    return replace(expression, parts=parts)


def sure_order(expression: DateExpression) -> str:
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
    return _nearest((_clamped(anchor.year + step, month, day) for step in (-1, 0, 1)), anchor)


def _nearest(days: Iterable[date], anchor: date) -> date:
    return min(days, key=lambda each: (anchor - each).days * (1 if each <= anchor else -5))


def _named(expression: DateExpression, year: int | None, anchor: date) -> tuple[date, str] | None:
    for part in expression.parts:
        if part.role == "season" and part.word:
            month = 3 * part.word.number + 2
            return _near_or(year, month, 15, anchor), "season"
        if part.word and part.word.holiday:
            return _holiday(part.word.holiday, year, anchor), "holiday"
        if part.role == "decade":
            return date(_decade(part, anchor) + 5, 1, 1), "decade"
        if part.role == "week":
            return _week(int(digits_of(part)), year, anchor), "week"
        if part.role == "weekday" and part.word:
            back = (anchor.weekday() - part.word.number) % 7
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


def _year(expression: DateExpression, anchor: date) -> int | None:
    part = expression.part("year")
    if part is None:
        return None
    digits = digits_of(part)
    return int(digits) if len(digits) == 4 else year_of(int(digits), anchor)


def _month(expression: DateExpression) -> int:
    """1 to 12, more where it is none, -1 where the date names no month."""
    part = expression.part("month")
    if part is None:
        return -1
    return part.word.number + 1 if part.word else int(part.text)


def _near_or(year: int | None, month: int, day: int, anchor: date) -> date:
    return near(month, day, anchor) if year is None else _clamped(year, month, day)


def _clamped(year: int, month: int, day: int) -> date:
    return date(year, month, min(day, _last_day(year, month)))


def _last_day(year: int, month: int) -> int:
    return calendar.monthrange(year, month)[1]


def _week(number: int, year: int | None, anchor: date) -> date:
    """The Thursday of a week by ISO 8601, which lies in its year; 52 are in every year."""
    number = min(max(number, 1), 52)
    if year is not None:
        return date.fromisocalendar(year, number, 4)
    years = (anchor.year + step for step in (-1, 0, 1))
    return _nearest((date.fromisocalendar(each, number, 4) for each in years), anchor)


def _holiday(holiday: Holiday, year: int | None, anchor: date) -> date:
    if year is not None:
        return holiday.day(year)
    return _nearest((holiday.day(anchor.year + step) for step in (-1, 0, 1)), anchor)


def _decade(part: DatePart, anchor: date) -> int:
    digits = digits_of(part)
    if len(digits) == 4:
        return int(digits)
    latest = anchor.year + 2
    return (latest - (latest - int(digits)) % 100) // 10 * 10


_DEFAULT_ANCHOR = date(2010, 7, 1)
_AHEAD, _SOON, _NEAR = 12, 4, 400
"""Records may go on so many years after the last year written in full; from the fifth year on,
only where other dates are so many days near."""


class DateEvidence:
    """What a patient's dates say about each other, as they come: nothing before is told anew.

    `anchors` are about the days of the records, `anchor` stands for those of which no date tells.
    `day_first` is the order of day and month, `mixed` where dates have both. `days` and `months`
    count what is written without doubt, `tails` how the `3` of `02/3` is meant (day, year).
    """

    def __init__(self, language: Language) -> None:
        self.language = language
        self.anchors: dict[str, date] = {}
        self.anchor = _DEFAULT_ANCHOR
        self.days: Counter[tuple[int, int]] = Counter()
        self.months: Counter[tuple[int, int]] = Counter()
        self.tails: Counter[str] = Counter()
        self._orders: set[str] = set()
        self._written = _DaysWritten()

    @property
    def day_first(self) -> bool:
        return "day" in self._orders if len(self._orders) == 1 else self.language.dates.day_first

    @property
    def mixed(self) -> bool:
        return len(self._orders) > 1

    def add(self, mentions: Sequence[PhiMention], parsed: Mapping[int, DateText]) -> None:
        """Take in what the dates of one or many records say, in the light of those before.

        For records of which no date tells, the first day of these records stands, else that of
        those before.
        """
        texts = [parsed[each.number] for each in mentions]
        anchors = _record_days(mentions, parsed, self.language, self._written)
        untold = self.anchor if self.anchors else self._written.century
        self.anchor = min(anchors.values(), default=untold)
        self.anchors |= anchors
        every = (each for text in texts for each in text.expressions)
        self._orders |= {order for each in every if (order := sure_order(each))}
        for mention in mentions:
            for each in parsed[mention.number].expressions:
                _note(each, self.anchors.get(mention.record_id, self.anchor), self)


class _DaysWritten:
    """The days that dates with a year name, to be asked whether another lies near."""

    def __init__(self) -> None:
        self._year = 0
        self._near: dict[int, set[date]] = defaultdict(set)

    @property
    def century(self) -> date:
        """About when the records were written, from years of four digits alone."""
        return date(self._year, 12, 1) if self._year else _DEFAULT_ANCHOR

    def add_years(self, texts: Iterable[DateText]) -> None:
        parts = (each.part("year") for text in texts for each in text.expressions)
        years = (int(part.text) for part in parts if part and len(part.text) == 4)
        self._year = max((self._year, *years))

    def add(self, days: Iterable[date]) -> None:
        for day in days:
            self._near[day.toordinal() // _NEAR].add(day)

    def is_likely(self, day: date) -> bool:
        """False for a day far ahead that no other lies near: a lone `18` may be a birth."""
        place = day.toordinal() // _NEAR
        return day.year <= self.century.year + _SOON or any(
            0 < abs((day - other).days) <= _NEAR
            for near in (place - 1, place, place + 1)
            for other in self._near.get(near, ())
        )


def record_days(mentions: Sequence[PhiMention], language: Language) -> dict[str, date]:
    """Return about when each record was written; records of which no date tells are left out."""
    parsed = {each.number: parse(each.text, language) for each in mentions}
    return _record_days(mentions, parsed, language, _DaysWritten())


def _note(expression: DateExpression, anchor: date, evidence: DateEvidence) -> None:
    """Count the days and months that are written without doubt, and how tails are meant."""
    first, tail = expression.part("first"), expression.part("tail")
    if first and tail:
        number = int(tail.text)
        if number > 31 or number == 0:
            evidence.tails["year"] += 1
        elif len(tail.text) == 1 or number > 12 + (anchor.year % 100):
            evidence.tails["day"] += 1
    closed = expression
    if first and expression.part("second"):
        closed = as_order(expression, day_first=evidence.day_first)
    meant = meaning(closed, anchor, None, []) if not tail else None
    if meant is None:
        return
    day, precision = meant
    if precision == "day":
        evidence.days[day.month, day.day] += 1
    if precision in {"day", "month"} and "year" in closed.roles:
        evidence.months[day.year, day.month] += 1


def is_birth(mention: PhiMention, language: Language) -> bool:
    """True where the words before say that this is a day of birth, which lies behind."""
    return bool(birth_label(language).search(mention.before))


@cache
def _record_date_before(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?i){alternatives(language.dates.record_labels)}.{{0,3}}$", re.DOTALL)


def _record_days(
    mentions: Sequence[PhiMention],
    parsed: Mapping[int, DateText],
    language: Language,
    written: _DaysWritten,
) -> dict[str, date]:
    """The day of each record: that after "Record date", else the middle of its latest dates."""
    found: dict[str, list[date]] = defaultdict(list)
    said: dict[str, date] = {}
    written.add_years(parsed[each.number] for each in mentions)
    rough = written.century
    for mention in mentions:
        for each in parsed[mention.number].expressions:
            if not each.part("year") or each.part("tail") or is_birth(mention, language):
                continue
            closed = as_order(each, day_first=language.dates.day_first)
            meant = meaning(closed, rough.replace(year=rough.year + _AHEAD), None, [])
            if meant is not None and meant[1] == "day":
                found[mention.record_id].append(meant[0])
                if _record_date_before(language).search(mention.before):
                    said.setdefault(mention.record_id, meant[0])
    written.add(day for days in found.values() for day in days)
    return {
        record: said.get(record) or _latest_cluster(days)
        for record, every in found.items()
        if (days := [day for day in every if written.is_likely(day)])
    }


def _latest_cluster(days: list[date]) -> date:
    latest = max(days)
    return median_low([day for day in days if (latest - day).days < 730])
