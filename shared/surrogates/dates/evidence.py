"""What a patient's dates say about how they are written, and about when the records were."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median_low

from shared.surrogates.dates.grammar import DateText, Expression, parse
from shared.surrogates.dates.meaning import as_order, meaning, sure_order
from shared.surrogates.mentions import Mention

_DEFAULT_ANCHOR = date(2010, 7, 1)
_AHEAD, _SOON, _NEAR = 12, 4, 400
"""Records may go on so many years after the last year written in full; from the fifth year on,
only where other dates are so many days near."""

_BIRTH = re.compile(r"(?i)(?:birth|dob|d\.o\.b\.|born|nacimiento|naci[oó]|nacid[oa])[^\n\d]{0,20}$")


@dataclass(slots=True)
class Evidence:
    """What the patient's other dates say.

    `anchors` are about the days of the records, `anchor` stands for those of which no date tells.
    `day_first` is the order of day and month, `mixed` where dates have both. `days` and `months`
    count what is written without doubt, `tails` how the `3` of `02/3` is meant (day, year).
    """

    anchors: dict[str, date]
    anchor: date
    day_first: bool
    mixed: bool
    days: Counter[tuple[int, int]]
    months: Counter[tuple[int, int]]
    tails: Counter[str]


def gather_evidence(
    mentions: Sequence[Mention], parsed: Mapping[int, DateText], day_first: bool
) -> Evidence:
    anchors = _record_days(mentions, parsed, day_first)
    anchor = min(anchors.values(), default=_century_anchor(parsed.values()))
    orders = Counter(
        order
        for text in parsed.values()
        for each in text.expressions
        if (order := sure_order(each))
    )
    evidence = Evidence(
        anchors, anchor, day_first, len(orders) == 2, Counter(), Counter(), Counter()
    )
    if len(orders) == 1:
        evidence.day_first = "day" in orders
    for mention in mentions:
        for each in parsed[mention.number].expressions:
            _note(each, anchors.get(mention.record_id, anchor), evidence)
    return evidence


def record_days(mentions: Sequence[Mention], *, day_first: bool) -> dict[str, date]:
    """Return about when each record was written; records of which no date tells are left out."""
    parsed = {each.number: parse(each.text) for each in mentions}
    return _record_days(mentions, parsed, day_first)


def _note(expression: Expression, anchor: date, evidence: Evidence) -> None:
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


def is_birth(mention: Mention) -> bool:
    """True where the words before say that this is a day of birth, which lies behind."""
    return bool(_BIRTH.search(mention.before))


def _record_days(
    mentions: Iterable[Mention], parsed: Mapping[int, DateText], day_first: bool
) -> dict[str, date]:
    """The day of each record: that after "Record date", else the middle of its latest dates."""
    found: dict[str, list[date]] = defaultdict(list)
    said: dict[str, date] = {}
    rough = _century_anchor(parsed.values())
    for mention in mentions:
        for each in parsed[mention.number].expressions:
            if not each.part("year") or each.part("tail") or is_birth(mention):
                continue
            closed = as_order(each, day_first=day_first)
            meant = meaning(closed, rough.replace(year=rough.year + _AHEAD), None, [])
            if meant is not None and meant[1] == "day":
                found[mention.record_id].append(meant[0])
                if "record date" in mention.before[-15:].lower():
                    said.setdefault(mention.record_id, meant[0])
    distinct = {day for days in found.values() for day in days}
    likely = {
        day for day in distinct if day.year <= rough.year + _SOON or _has_company(day, distinct)
    }
    return {
        record: said.get(record) or _latest_cluster(days)
        for record, every in found.items()
        if (days := [day for day in every if day in likely])
    }


def _has_company(day: date, others: Iterable[date]) -> bool:
    """True where another day lies near: a lone `18` far ahead is a birth a century before."""
    return any(0 < abs((day - other).days) <= _NEAR for other in others)


def _latest_cluster(days: list[date]) -> date:
    latest = max(days)
    return median_low([day for day in days if (latest - day).days < 730])


def _century_anchor(texts: Iterable[DateText]) -> date:
    """About when the records were written, from years of four digits alone."""
    years = [
        int(part.text)
        for text in texts
        for each in text.expressions
        if (part := each.part("year")) and len(part.text) == 4
    ]
    return date(max(years), 12, 1) if years else _DEFAULT_ANCHOR
