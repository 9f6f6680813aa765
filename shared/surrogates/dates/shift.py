"""A patient's dates moved by one number of days, each written anew in its own form."""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from random import Random

from dateutil.relativedelta import relativedelta

from shared.language.calendar_words import CalendarWord, nearest_holiday, season_of
from shared.language.date_grammar import DateExpression, DatePart
from shared.language.languages import Language
from shared.language.ordinals import ordinal_ending
from shared.surrogates.dates.interpretation import (
    DateInterpretation,
    InterpretedDate,
    has_full_year,
    read_dates,
)
from shared.surrogates.dates.meaning import digits_of
from shared.surrogates.mentions import PhiMention, Surrogate
from shared.text.spelling import match_case

UNREAD = "the date could not be read"
SCHEDULED = "date of every week"
OLDEST = 90
"""A date tells no age above this: it is moved nearer by whole years, as ages are lowered."""
NEAREST, FARTHEST = 15, 95
"""A patient's dates move by this many years, and up to a year more in months and days."""

_LATEST = 2140
_EARLIEST = 1860
_DRAWS = 24
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+")
_BETWEEN_DAYS = re.compile(r"([A-Za-z])[/,-][ ]?(?=[A-Z])")
_DOT_OF_SHORT = re.compile(r"\.(?=[\s,])")
_YEAR = re.compile(r"(?:18|19|20|21)\d\d")
_NUMBERED: Mapping[str, Callable[[date], int]] = {
    "day": lambda day: day.day,
    "week": lambda day: day.isocalendar().week,
    "month": lambda day: day.month,
}
"""What numbers of a date count."""


@dataclass(slots=True)
class DateStyle:
    """How a patient's dates are written where a single one does not tell, in which language.

    `padded` counts, by form, dates with leading zeros (True) and without (False); `short` counts
    months that are cut (`Apr`) and those that are not, but for `May`, which is both.
    """

    language: Language
    padded: dict[str, Counter[bool]] = field(default_factory=dict[str, Counter[bool]])
    short: Counter[bool] = field(default_factory=Counter[bool])


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
    by += max((_too_early(each, latest) for each in text.readings), default=timedelta())
    new = write(text, by, style)
    reasons = [reason for reading in text.readings for reason in reading.reasons]
    day = text.readings[0].day + by
    return Surrogate(new, f"date {day.isoformat()}", tuple(dict.fromkeys(reasons)))


def _too_early(reading: DateInterpretation, latest: date) -> timedelta:
    """By how much a date lies before the year in which somebody of 90 was born."""
    years = relativedelta(latest, reading.day).years - OLDEST
    tells_year = reading.expression.roles & {"year", "decade"}
    if years <= 0 or not tells_year:
        return timedelta()
    return reading.day + relativedelta(years=years) - reading.day


def schedule(text: str, language: Language) -> list[int]:
    """The days of the week of `MWF`, `M/W/F` or `TuThSa`, 0 for Monday; fewer than two are none.

    On such days something is done again and again, as dialysis is.
    """
    found = _schedule_pattern(language).fullmatch(_BETWEEN_DAYS.sub(r"\1", text))
    days = [number for number, day in enumerate(found.groups()) if day] if found else []
    return days if len(days) > 1 else []


@cache
def _schedule_pattern(language: Language) -> re.Pattern[str]:
    days = (f"({day[0].upper()}(?:{day[1]})?)?" for day in language.dates.weekdays)
    return re.compile("".join(days) or "(?!)")


def _moved_schedule(text: str, days: list[int], by: timedelta, language: Language) -> str:
    """Return `TTS` for `MWF`: the days of a week, moved as the dates are."""
    between = _BETWEEN_DAYS.search(text)
    length = 2 if len(_BETWEEN_DAYS.sub(r"\1", text)) == 2 * len(days) else 1
    letters = [day[:length].capitalize() for day in language.dates.weekdays]

    def written(moved: int) -> str:
        return (between[0][1:] if between else "").join(
            letters[day] for day in sorted((each + moved) % 7 for each in days)
        )

    new = written(by.days)
    return written(by.days + 1) if new == text and by.days % 7 else new


def _scrambled(text: str, by: timedelta, randomness: Random) -> str:
    """Return other digits in the places of the digits, "" where there are none.

    A year of four digits moves as all dates do.
    """
    if any(char.isalpha() for char in text) or not _DIGIT.search(text):
        return ""
    years = round(by.days / 365.25)
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
            return new
    return ""


def _shift(
    texts: Iterable[InterpretedDate],
    style: DateStyle,
    randomness: Random,
    elsewhere: Collection[str],
    *,
    keep_weekdays: bool,
) -> timedelta:
    distinct = {text.text.text: text for text in texts if text.read}
    weak = {  # no shift of a lifetime brings back a text that names a year in full
        text: each
        for text, each in distinct.items()
        if not any(has_full_year(reading.expression) for reading in each.readings)
    }
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


def _latest(texts: Iterable[InterpretedDate]) -> date:
    days = [each.day for text in texts for each in text.readings]
    full = [each.day for text in texts for each in text.readings if each.full]
    return max(full or days, default=date(2010, 7, 1))


def style_of(texts: Iterable[InterpretedDate], language: Language) -> DateStyle:
    style = DateStyle(language)
    for text in texts:
        for reading in text.readings:
            form = reading.expression.form
            for part in reading.expression.parts:
                if part.role in {"day", "month"} and (shown := _shows_padding(part)) is not None:
                    style.padded.setdefault(form, Counter())[shown] += 1
                if part.letter == "m" and part.word and not _is_both(part.word):
                    style.short[part.word.is_short] += 1
    return style


def write(text: InterpretedDate, by: timedelta, style: DateStyle) -> str:
    """Return the text with every date in it moved by `by`."""
    pieces: list[str] = []
    at = 0
    whole = text.text.text
    for reading in text.readings:
        days = [each for each in reading.expression.parts if each.role == "day"]
        moved = _range(reading, by, style) if len(days) == 2 else _single(reading, by, style)
        for part, new in zip(reading.expression.parts, moved, strict=True):
            pieces += (whole[at : part.start], new)
            at = part.end
            if _is_whole(new, part) and _DOT_OF_SHORT.match(whole, at):
                at += 1
    return "".join((*pieces, whole[at:]))


def _is_whole(new: str, part: DatePart) -> bool:
    """True for `May` in place of `Feb.`: the month has no shorter form, so it has no dot."""
    if part.role != "month" or part.word is None or not part.word.is_short:
        return False
    return new.lower() in (each.lower() for each in part.word.language.dates.month_names)


def _single(reading: DateInterpretation, by: timedelta, style: DateStyle) -> list[str]:
    expression, day = reading.expression, reading.day + by
    return [_part(each, expression, day, style) for each in expression.parts]


def _range(reading: DateInterpretation, by: timedelta, style: DateStyle) -> list[str]:
    """`May 9-12`: two days with one month; the month is written twice where they part."""
    expression = reading.expression
    first, second = (each for each in expression.parts if each.role == "day")
    month = expression.part("month")
    start = reading.day + by
    end = start + timedelta(days=int(digits_of(second)) - int(digits_of(first)))
    found: list[str] = []
    for each in expression.parts:
        day = end if each is second or each.start > second.start else start
        new = _part(each, expression, day, style)
        if month is not None and start.month != end.month:
            if month.start < first.start and each is second:
                new = f"{_part(month, expression, end, style)} {new}"
            if month.start > second.start and each is first:
                new = f"{new} {_part(month, expression, start, style)}"
        found.append(new)
    return found


def _part(part: DatePart, expression: DateExpression, day: date, style: DateStyle) -> str:
    if part.role == "year":
        return _year(part.text, day.isocalendar().year if expression.part("week") else day.year)
    if part.role == "decade":
        digits = digits_of(part)
        return part.text.replace(digits, f"{day.year // 10 * 10:04}"[-len(digits) :])
    if part.role in _NUMBERED and part.letter != "m":
        return _digits(part, expression, _NUMBERED[part.role](day), style)
    if part.word is None:
        return part.text
    return match_case(_name(part, part.word, day, expression, style), part.text)


def _name(
    part: DatePart, word: CalendarWord, day: date, expression: DateExpression, style: DateStyle
) -> str:
    dates = word.language.dates
    if word.holiday:
        return nearest_holiday(day, word)
    if part.role == "month":
        names = dates.months_short if _cut(word, expression, style) else ()
        return _like_first((names or dates.month_names)[day.month - 1], part.text)
    if part.role == "weekday":
        names = dates.weekdays_short if word.is_short else ()
        names = dates.weekdays_plural if word.is_plural else names
        return _like_first((names or dates.weekdays)[day.weekday()], part.text)
    return _like_first(dates.seasons[season_of(day)], part.text)


def _like_first(new: str, old: str) -> str:
    return new[0].upper() + new[1:] if old[:1].isupper() else new[0].lower() + new[1:]


def _is_both(word: CalendarWord) -> bool:
    """True for `May`, which is the whole name and the cut one."""
    names = word.language.dates.month_names
    short = word.language.dates.months_short or names
    return names[word.number].lower() == short[word.number].lower()


def _cut(word: CalendarWord, expression: DateExpression, style: DateStyle) -> bool:
    if not _is_both(word):
        return word.is_short
    form = expression.form
    if "m." in form or (len(expression.parts) > 1 and " " not in form):
        return True
    return style.short[True] > style.short[False]


def _digits(part: DatePart, expression: DateExpression, number: int, style: DateStyle) -> str:
    if part.letter == "o":
        return _ordinal(part.text, number, style)
    new = f"{number:02}" if _is_padded(part, expression, style) else str(number)
    return _in_digits_of(part.text, new)


def _is_padded(part: DatePart, expression: DateExpression, style: DateStyle) -> bool:
    """Whether a number below 10 gets a zero: as the part shows, else the date, else its like."""
    shown = _shows_padding(part)
    if shown is not None:
        return shown
    others = [_shows_padding(each) for each in expression.parts if each.role in {"day", "month"}]
    if any(each is not None for each in others):
        return True in others
    if part.letter == "n" and any(each.letter == "m" for each in expression.parts):
        return False
    seen = style.padded.get(expression.form, Counter())
    if seen:
        return seen[True] > seen[False]
    return len(others) == 2 and "year" in expression.roles


def _shows_padding(part: DatePart) -> bool | None:
    if not part.text.isdigit():
        return None
    if len(part.text) == 1:
        return False
    return True if part.text[0] == "0" else None


def _ordinal(old: str, number: int, style: DateStyle) -> str:
    ending = old.lstrip("0123456789")
    word = ending.strip()
    blank = ending[: len(ending) - len(ending.lstrip())]
    if not word.isalpha():
        return f"{number}{ending}"
    return f"{number}{blank}{ordinal_ending(number, word, style.language)}"


def _year(old: str, year: int) -> str:
    digits = old.lstrip("'’‘`")
    new = f"{year:04}"[-4 if len(digits) == 4 else -2 :]
    return old.removesuffix(digits) + _in_digits_of(old, new)


def _in_digits_of(old: str, new: str) -> str:
    """Write a number in the digits of another: Arabic ones, or those of full width."""
    if old.isascii():
        return new
    zero = next((ord(char) - int(char) for char in old if char.isdecimal()), ord("0"))
    return new if zero == ord("0") else "".join(chr(zero + int(char)) for char in new)
