"""The shift of a patient's dates: drawn once, the same number of days for every date."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from random import Random

from dateutil.relativedelta import relativedelta

from shared.language.languages import Language
from shared.surrogates.dates.formatting import DateStyle, style_of, write
from shared.surrogates.dates.interpretation import InterpretedDate, read_dates
from shared.surrogates.mentions import PhiMention, Surrogate

UNREAD = "the date could not be read"
SCHEDULED = "date of every week"
OVER_90 = "lies 90 years or more before the record: it tells an age"
NEAREST, FARTHEST = 15, 95
"""A patient's dates move by this many years, and up to a year more in months and days."""

_LATEST = 2140
_EARLIEST = 1860
_DRAWS = 24
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
_YEAR = re.compile(r"(?:18|19|20|21)\d\d")


def replace_dates(
    mentions: Sequence[PhiMention],
    randomness: Random,
    language: Language,
    *,
    keep_weekdays: bool = False,
    elsewhere: Collection[str] = frozenset(),
) -> dict[int, Surrogate]:
    """Return the surrogate of every date of one patient, by number of the mention.

    Years, months and days of the shift are drawn apart, as in Stubbs and Uzuner (2015), and then
    counted in days from the patient's latest date, so that all intervals stay exact. Of some
    shifts that are drawn, the first is taken by which no date becomes one that the patient has,
    nor a text of `elsewhere`, what stands in the records beside the dates.
    """
    texts = read_dates(mentions, language)
    style = style_of(texts.values(), language)
    by = _shift(texts.values(), style, randomness, elsewhere, keep_weekdays=keep_weekdays)
    latest = _latest(texts.values())
    return {
        each.number: _surrogate(each, texts[each.number], by, style, randomness, latest)
        for each in mentions
    }


def _surrogate(
    mention: PhiMention,
    text: InterpretedDate,
    by: timedelta,
    style: DateStyle,
    randomness: Random,
    latest: date,
) -> Surrogate:
    if days := schedule(mention.text, style.language):
        return Surrogate(_moved_schedule(mention.text, days, by, style.language), SCHEDULED)
    if not text.read:
        new = _scrambled(mention.text, by, randomness) or mention.placeholder
        return Surrogate(new, "date unread", (UNREAD,))
    new = write(text, by, style)
    reasons = [reason for reading in text.readings for reason in reading.reasons]
    if any(each.full and (latest - each.day).days >= 90 * 365.25 for each in text.readings):
        reasons.append(OVER_90)
    day = text.readings[0].day + by
    return Surrogate(new, f"date {day.isoformat()}", tuple(dict.fromkeys(reasons)))


def schedule(text: str, language: Language) -> list[int]:
    """The days of the week of `MWF` or `TuThSa`, 0 for Monday; fewer than two are none.

    On such days something is done again and again, as dialysis is.
    """
    found = _schedule_pattern(language).fullmatch(text)
    days = [number for number, day in enumerate(found.groups()) if day] if found else []
    return days if len(days) > 1 else []


@cache
def _schedule_pattern(language: Language) -> re.Pattern[str]:
    days = (f"({day[0].upper()}(?:{day[1]})?)?" for day in language.dates.weekdays)
    return re.compile("".join(days) or "(?!)")


def _moved_schedule(text: str, days: list[int], by: timedelta, language: Language) -> str:
    """Return `TTS` for `MWF`: the days of a week, moved as the dates are."""
    length = 2 if len(text) == 2 * len(days) else 1
    letters = [day[:length].capitalize() for day in language.dates.weekdays]

    def written(moved: int) -> str:
        return "".join(letters[day] for day in sorted((each + moved) % 7 for each in days))

    new = written(by.days)
    return written(by.days + 1) if new == text and by.days % 7 else new


def _scrambled(text: str, by: timedelta, randomness: Random) -> str:
    """Return other digits in the places of the digits, "" where there are none.

    A year of four digits moves as all dates do.
    """
    if any(char.isalpha() for char in text) or not _DIGIT.search(text):
        return ""
    years = round(by.days / 365.25)
    new = text
    for _ in range(_DRAWS):
        new = _NUMBER.sub(
            lambda found: (
                str(int(found[0]) + years)
                if _YEAR.fullmatch(found[0])
                else _DIGIT.sub(lambda _: str(randomness.randrange(10)), found[0])
            ),
            text,
        )
        if new != text:
            break
    return new if new != text else ""


def _shift(
    texts: Iterable[InterpretedDate],
    style: DateStyle,
    randomness: Random,
    elsewhere: Collection[str],
    *,
    keep_weekdays: bool,
) -> timedelta:
    distinct = {text.text.text: text for text in texts if text.read}
    weak = {text: each for text, each in distinct.items() if not _has_long_year(each)}
    anchor = _latest(distinct.values())
    earliest = min((each.day for text in distinct.values() for each in text.readings),
                   default=anchor)  # fmt: skip
    best: tuple[int, timedelta] | None = None
    for _ in range(_DRAWS):
        by = _draw(anchor, earliest, randomness, keep_weekdays=keep_weekdays)
        cost = _cost(weak, by, style, distinct.keys(), elsewhere)
        if best is None or cost < best[0]:
            best = cost, by
        if cost == 0:
            break
    return best[1] if best else timedelta()


def _draw(anchor: date, earliest: date, randomness: Random, *, keep_weekdays: bool) -> timedelta:
    """Forward where there is room for half of the years, else back; never a round century."""
    room = min(FARTHEST, _LATEST - anchor.year)
    back = min(FARTHEST, earliest.year - _EARLIEST)
    forward = room >= (NEAREST + FARTHEST) / 2 or room >= back
    years = randomness.randint(NEAREST, max(NEAREST + 20, room if forward else back))
    months, days = randomness.randint(0, 11), randomness.randint(0, 30)
    sign = 1 if forward else -1
    moved = anchor + relativedelta(years=sign * years, months=sign * months, days=sign * days)
    by = (moved - anchor).days
    if keep_weekdays:
        return timedelta(days=by - by % 7)
    return timedelta(days=by if by % 7 else by + randomness.randint(1, 6))


def _cost(
    weak: Mapping[str, InterpretedDate],
    by: timedelta,
    style: DateStyle,
    authentic: Collection[str],
    elsewhere: Collection[str],
) -> int:
    """How many dates would come out as one that the patient has; the same date counts tenfold."""
    cost = 0
    for text, each in weak.items():
        new = write(each, by, style)
        if new == text:
            cost += 10
        elif new in authentic or new in elsewhere:
            cost += 1
    return cost


def _has_long_year(text: InterpretedDate) -> bool:
    """True where no shift of a lifetime can bring the text back: it names a year in full."""
    return any(
        part.role == "year" and len(part.text) == 4
        for each in text.readings
        for part in each.expression.parts
    )


def _latest(texts: Iterable[InterpretedDate]) -> date:
    days = [each.day for text in texts for each in text.readings]
    full = [each.day for text in texts for each in text.readings if each.full]
    return max(full or days, default=date(2010, 7, 1))
