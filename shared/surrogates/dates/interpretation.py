"""Which days a date means, in the light of the patient's other dates.

A date may leave things open: the century of `92`, the year of `5/9`, whether `02/03` is a day or a
month of 2003, which of `02/03/04` is the month. What the patient's other dates say decides; where
they are silent the reading says so.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from shared.language.date_grammar import DateExpression, DatePart, DateText, parse
from shared.language.languages import Language
from shared.surrogates.dates.meaning import (
    DateEvidence,
    as_order,
    century_before,
    gather_evidence,
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


@dataclass(frozen=True, slots=True)
class DateInterpretation:
    """A date and the day it means, or the middle of what it means.

    `precision` is day, weekday, month, season, year, decade or holiday.
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


def read_dates(mentions: Sequence[PhiMention], language: Language) -> dict[int, InterpretedDate]:
    """Return what the dates of one patient mean, by number of the mention.

    The language says whether the day is first where the patient's own dates do not tell.
    """
    parsed = {each.number: parse(each.text, language) for each in mentions}
    evidence = gather_evidence(mentions, parsed, language)
    return {each.number: _read(each, parsed[each.number], evidence) for each in mentions}


def _read(mention: PhiMention, text: DateText, evidence: DateEvidence) -> InterpretedDate:
    anchor = evidence.anchors.get(mention.record_id, evidence.anchor)
    readings: list[DateInterpretation] = []
    read = text.read
    for expression in text.expressions:
        before = readings[-1] if readings else None
        reading = _reading(expression, mention, anchor, evidence, before)
        if reading is None:
            read = False
        else:
            readings.append(reading)
    return InterpretedDate(text, tuple(_days_of_week_joined(readings)), read and bool(readings))


def _reading(
    expression: DateExpression,
    mention: PhiMention,
    anchor: date,
    evidence: DateEvidence,
    before: DateInterpretation | None,
) -> DateInterpretation | None:
    reasons: list[str] = []
    if expression.part("first") and expression.part("second"):
        expression = _ordered(expression, evidence, anchor, reasons)
    elif expression.part("tail"):
        expression = _tailed(expression, mention, anchor, evidence, before, reasons)
    meant = meaning(expression, anchor, before.day if before else None, reasons)
    if meant is None:
        return None
    day, precision = meant
    if day > anchor and is_birth(mention, evidence.language) and not has_full_year(expression):
        day = century_before(day)
    return DateInterpretation(expression, day, precision, tuple(reasons))


def has_full_year(expression: DateExpression) -> bool:
    return any(each.role == "year" and len(each.text) == 4 for each in expression.parts)


def _ordered(
    expression: DateExpression, evidence: DateEvidence, anchor: date, reasons: list[str]
) -> DateExpression:
    sure = sure_order(expression)
    if sure or not evidence.mixed:
        return as_order(expression, day_first=sure == "day" if sure else evidence.day_first)
    first, second = expression.part("first"), expression.part("second")
    if first and second and int(first.text) == int(second.text):
        return as_order(expression, day_first=False)
    reasons.append(ORDER)
    readings = [as_order(expression, day_first=day_first) for day_first in (False, True)]
    return min(readings, key=lambda each: _distance(each, anchor))


def _distance(expression: DateExpression, anchor: date) -> int:
    meant = meaning(expression, anchor, None, [])
    return 10**6 if meant is None else abs((meant[0] - anchor).days)


def _tailed(
    expression: DateExpression,
    mention: PhiMention,
    anchor: date,
    evidence: DateEvidence,
    before: DateInterpretation | None,
    reasons: list[str],
) -> DateExpression:
    """Close `tail` in `5/9`, `02/98`, `May-07` or a lone `12` after another date."""
    tail = expression.part("tail")
    if tail is None:
        return expression
    first = expression.part("first")
    if first is None and expression.part("month") is None:
        return with_roles(expression, {"tail": _lone_tail(tail, before, reasons)})
    if first is None:
        is_year = int(tail.text) > 31 or (len(tail.text) == 2 and tail.text[0] == "0")
        return with_roles(expression, {"tail": "year" if is_year else "day"})
    role = _tail_role(int(first.text), tail, mention, anchor, evidence, reasons)
    return with_roles(expression, role)


def _lone_tail(tail: DatePart, before: DateInterpretation | None, reasons: list[str]) -> str:
    if before is not None and before.precision == "year":
        return "year"
    if int(tail.text) > 31 or tail.text == "00":
        return "year"
    if before is None or before.precision != "day":
        reasons.append("could be a day or a year")
    return "day"


def _tail_role(
    first: int,
    tail: DatePart,
    mention: PhiMention,
    anchor: date,
    evidence: DateEvidence,
    reasons: list[str],
) -> dict[str, str]:
    last = int(tail.text)
    month_day = {"first": "month", "tail": "day"}
    day_month = {"first": "day", "tail": "month"}
    month_year = {"first": "month", "tail": "year"}
    by_day = day_month if evidence.day_first else month_day
    if first > 12:
        return day_month
    if last > 31 or last == 0:
        return month_year
    if last > 12 and (by_day is day_month or year_of(last, anchor) < anchor.year - 15):
        by_day = month_day
    if len(tail.text) == 1 or first == 0:
        return by_day
    as_year = year_of(last, anchor)
    score = _day_score(first, last, as_year, mention, anchor, evidence)
    if score == 0:
        reasons.append(AMBIGUOUS)
    return by_day if score >= 0 else month_year


def _day_score(
    first: int, last: int, as_year: int, mention: PhiMention, anchor: date, evidence: DateEvidence
) -> int:
    """Above 0 where `02/03` is a day, below where it is a month of 2003, 0 where nothing tells."""
    day = (last, first) if evidence.day_first else (first, last)
    score = 2 * (evidence.days[day] > 0) - 2 * (evidence.months[as_year, first] > 0)
    words = mention.before.lower().split()
    dates = evidence.language.dates
    if words and words[-1] in dates.before_day:
        score += 2
    if words and words[-1] in dates.since:
        score -= 2
    if anchor.year - as_year > 12:
        score += 1
    if (as_year, first) > (anchor.year, anchor.month):
        score += 4
    if score == 0:
        tails = evidence.tails["day"] - 3 * evidence.tails["year"]
        score = (tails > 0) - (tails < 0)
    return score or _recent_score(first, last, anchor, evidence)


def _recent_score(first: int, last: int, anchor: date, evidence: DateEvidence) -> int:
    """1 where the day would lie within the weeks around the record, as most days do."""
    month, day = (last, first) if evidence.day_first else (first, last)
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return 0
    close = abs((near(month, day, anchor) - anchor).days) <= 45
    return int(close)


def _days_of_week_joined(readings: list[DateInterpretation]) -> list[DateInterpretation]:
    """Let `Monday` in `Monday, May 9` mean that day."""
    days = [each for each in readings if each.precision == "day"]
    if len(days) != 1:
        return readings
    return [
        replace(each, day=days[0].day) if each.precision == "weekday" else each for each in readings
    ]
