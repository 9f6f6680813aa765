"""Which days a date means, in the light of the patient's other dates.

A date may leave things open: the century of `92`, the year of `5/9`, whether `02/03` is a day or a
month of 2003, which of `02/03/04` is the month. What the patient's other dates say decides; where
they are silent the reading says so.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from shared.language.date_grammar import DateExpression, DatePart, DateText, parse
from shared.language.languages import Language
from shared.surrogates.dates.meaning import (
    DateEvidence,
    as_order,
    century_before,
    is_birth,
    meaning,
    near,
    sure_order,
    with_roles,
    year_of,
)
from shared.surrogates.mentions import PhiMention

AMBIGUOUS = "could be a day or a month and year"
ORDER = "day and month could be the other way round"

_MONTH_DAY = {"first": "month", "tail": "day"}
_DAY_MONTH = {"first": "day", "tail": "month"}
_MONTH_YEAR = {"first": "month", "tail": "year"}


@dataclass(frozen=True, slots=True)
class DateInterpretation:
    """A date and the day it means, or the middle of what it means.

    `precision` is day, week, weekday, month, season, year, decade or holiday.
    """

    expression: DateExpression
    day: date
    precision: str
    reasons: tuple[str, ...] = ()

    @property
    def full(self) -> bool:
        """True where it names day, month and year."""
        return self.precision == "day" and "year" in self.expression.roles


@dataclass(frozen=True, slots=True)
class InterpretedDate:
    """A mention's dates; `read` is False where something in it could not be read."""

    text: DateText
    readings: tuple[DateInterpretation, ...]
    read: bool


def read_dates(
    mentions: Sequence[PhiMention], language: Language, before: DateEvidence | None = None
) -> dict[int, InterpretedDate]:
    """Return what the dates of one patient mean, by number of the mention.

    The language says whether the day is first where the patient's own dates do not tell. What
    dates of records `before` say counts too, and these are added to it.
    """
    parsed = {each.number: parse(each.text, language) for each in mentions}
    evidence = before or DateEvidence(language)
    evidence.add(mentions, parsed)
    return {each.number: _read(each, parsed[each.number], evidence) for each in mentions}


def _read(mention: PhiMention, text: DateText, evidence: DateEvidence) -> InterpretedDate:
    readings: list[DateInterpretation] = []
    read = text.read
    for expression in text.expressions:
        reading = _Reader(mention, evidence, readings[-1] if readings else None).read(expression)
        if reading is None:
            read = False
        else:
            readings.append(reading)
    return InterpretedDate(text, tuple(_days_of_week_joined(readings)), read and bool(readings))


def has_full_year(expression: DateExpression) -> bool:
    return any(each.role == "year" and len(each.text) == 4 for each in expression.parts)


class _Reader:
    """Reads one date of a mention; `before` is the date that stands before it there."""

    def __init__(
        self, mention: PhiMention, evidence: DateEvidence, before: DateInterpretation | None
    ) -> None:
        self._mention = mention
        self._evidence = evidence
        self._before = before
        self._anchor = evidence.anchors.get(mention.record_id, evidence.anchor)
        self._reasons: list[str] = []

    def read(self, expression: DateExpression) -> DateInterpretation | None:
        tail = expression.part("tail")
        if expression.part("first") and expression.part("second"):
            expression = self._ordered(expression)
        elif tail:
            expression = with_roles(expression, self._tail_roles(expression, tail))
        before = self._before.day if self._before else None
        meant = meaning(expression, self._anchor, before, self._reasons)
        if meant is None:
            return None
        day, precision = meant
        is_past = is_birth(self._mention, self._evidence.language)
        if day > self._anchor and is_past and not has_full_year(expression):
            day = century_before(day)
        return DateInterpretation(expression, day, precision, tuple(self._reasons))

    def _ordered(self, expression: DateExpression) -> DateExpression:
        if sure_order(expression) or not self._evidence.mixed:
            return as_order(expression, day_first=self._evidence.day_first)
        first, second = expression.part("first"), expression.part("second")
        if first and second and int(first.text) == int(second.text):
            return as_order(expression, day_first=False)
        self._reasons.append(ORDER)
        readings = [as_order(expression, day_first=day_first) for day_first in (False, True)]
        return min(readings, key=self._distance)

    def _distance(self, expression: DateExpression) -> int:
        meant = meaning(expression, self._anchor, None, [])
        return 10**6 if meant is None else abs((meant[0] - self._anchor).days)

    def _tail_roles(self, expression: DateExpression, tail: DatePart) -> Mapping[str, str]:
        """What closes `tail` in `5/9`, `02/98`, `May-07` or a lone `12` after another date."""
        if first := expression.part("first"):
            return self._roles_of_two(int(first.text), tail)
        if expression.part("month"):
            is_year = int(tail.text) > 31 or (len(tail.text) == 2 and tail.text[0] == "0")
        else:
            is_year = self._is_year_alone(tail)
        return {"tail": "year" if is_year else "day"}

    def _is_year_alone(self, tail: DatePart) -> bool:
        precision = self._before.precision if self._before else ""
        if precision == "year" or int(tail.text) > 31 or tail.text == "00":
            return True
        if precision != "day":
            self._reasons.append("could be a day or a year")
        return False

    def _roles_of_two(self, first: int, tail: DatePart) -> Mapping[str, str]:
        last = int(tail.text)
        as_year = year_of(last, self._anchor)
        by_day = _DAY_MONTH if self._evidence.day_first else _MONTH_DAY
        if first > 12:
            return _DAY_MONTH
        if last > 31 or last == 0:
            return _MONTH_YEAR
        if last > 12 and (by_day is _DAY_MONTH or as_year < self._anchor.year - 15):
            by_day = _MONTH_DAY
        if len(tail.text) == 1 or first == 0:
            return by_day
        score = self._day_score(first, last, as_year)
        if score == 0:
            self._reasons.append(AMBIGUOUS)
        return by_day if score >= 0 else _MONTH_YEAR

    def _day_score(self, first: int, last: int, as_year: int) -> int:
        """Above 0 where `02/03` is a day, below for a month of 2003, 0 where nothing tells."""
        evidence, anchor = self._evidence, self._anchor
        month, day = (last, first) if evidence.day_first else (first, last)
        score = 2 * (evidence.days[month, day] > 0) - 2 * (evidence.months[as_year, first] > 0)
        before = " ".join(self._mention.before.lower().split()[-1:])
        dates = evidence.language.dates
        score += 2 * (before in dates.before_day) - 2 * (before in dates.since)
        score += anchor.year - as_year > 12
        score += 4 * ((as_year, first) > (anchor.year, anchor.month))
        if score == 0:
            tails = evidence.tails["day"] - 3 * evidence.tails["year"]
            score = (tails > 0) - (tails < 0)
        if score or not (1 <= month <= 12 and 1 <= day <= 31):
            return score
        # most days lie within the weeks around the record
        return int(abs((near(month, day, anchor) - anchor).days) <= 45)


def _days_of_week_joined(readings: list[DateInterpretation]) -> list[DateInterpretation]:
    """Let `Monday` in `Monday, May 9` mean that day."""
    days = [each for each in readings if each.precision == "day"]
    if len(days) != 1:
        return readings
    return [
        replace(each, day=days[0].day) if each.precision == "weekday" else each for each in readings
    ]
