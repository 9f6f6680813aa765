"""A date written anew in the form of another: every part in the style of the part it replaces."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from shared.language.calendar_words import CalendarWord, nearest_holiday, season_of
from shared.language.date_grammar import DateExpression, DatePart
from shared.language.languages import Language
from shared.surrogates.dates.interpretation import DateInterpretation, InterpretedDate
from shared.text.spelling import match_case

_TWO_DIGITS = 10


@dataclass(slots=True)
class DateStyle:
    """How a patient's dates are written where a single one does not tell, in which language.

    `padded` counts, by form, dates with leading zeros (True) and without (False); `short` counts
    months that are cut (`Apr`) and those that are not, but for `May`, which is both.
    """

    language: Language
    padded: dict[str, Counter[bool]] = field(default_factory=dict[str, Counter[bool]])
    short: Counter[bool] = field(default_factory=Counter[bool])


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
        for start, end, new in _rewritten(reading, by, style):
            pieces += (whole[at:start], new)
            at = end
    return "".join((*pieces, whole[at:]))


def _rewritten(
    reading: DateInterpretation, by: timedelta, style: DateStyle
) -> list[tuple[int, int, str]]:
    expression, day = reading.expression, reading.day + by
    days = [each for each in expression.parts if each.role == "day"]
    if len(days) == 2:
        return _range(reading, by, style)
    return [
        (each.start, each.end, _part(each, expression, day, style)) for each in expression.parts
    ]


def _range(
    reading: DateInterpretation, by: timedelta, style: DateStyle
) -> list[tuple[int, int, str]]:
    """`May 9-12`: two days with one month; the month is written twice where they part."""
    expression = reading.expression
    first, second = (each for each in expression.parts if each.role == "day")
    month = expression.part("month")
    start = reading.day + by
    end = start + timedelta(days=_number(second) - _number(first))
    found: list[tuple[int, int, str]] = []
    for each in expression.parts:
        day = end if each is second or each.start > second.start else start
        new = _part(each, expression, day, style)
        if month is not None and start.month != end.month:
            if month.start < first.start and each is second:
                new = f"{_part(month, expression, end, style)} {new}"
            if month.start > second.start and each is first:
                new = f"{new} {_part(month, expression, start, style)}"
        found.append((each.start, each.end, new))
    return found


def _part(part: DatePart, expression: DateExpression, day: date, style: DateStyle) -> str:
    if part.role == "year":
        return _year(part.text, day.year)
    if part.role == "decade":
        return _decade(part.text, day.year)
    if part.role in {"month", "day"} and part.letter != "m":
        number = day.month if part.role == "month" else day.day
        return _digits(part, expression, number, style)
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
        return _like_first((names or dates.months)[day.month - 1], part.text)
    if part.role == "weekday":
        names = dates.weekdays_short if word.is_short else ()
        return _like_first((names or dates.weekdays)[day.weekday()], part.text)
    return _like_first(dates.seasons[season_of(day)], part.text)


def _like_first(new: str, old: str) -> str:
    return new[0].upper() + new[1:] if old[:1].isupper() else new[0].lower() + new[1:]


def _is_both(word: CalendarWord) -> bool:
    """True for `May`, which is the whole name and the cut one."""
    dates = word.language.dates
    short = dates.months_short or dates.months
    return dates.months[word.number].lower() == short[word.number].lower()


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
    if number >= _TWO_DIGITS:
        return str(number)
    return f"{number:02}" if _is_padded(part, expression, style) else str(number)


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
    """Four endings of letters are those of 1, 2, 3 and all others; any other one stays."""
    ending = old.lstrip("0123456789")
    endings = [each for each in style.language.dates.ordinal_suffixes if each.isascii()]
    if len(endings) != 4 or ending.strip().lower() not in endings:
        return f"{number}{ending}"
    new = endings[number % 10 - 1 if number // 10 != 1 and 1 <= number % 10 <= 3 else 3]
    blank = ending[: len(ending) - len(ending.lstrip())]
    return f"{number}{blank}{new.upper() if ending.strip().isupper() else new}"


def _year(old: str, year: int) -> str:
    digits = old.lstrip("'’‘`")
    quote = old[: len(old) - len(digits)]
    return quote + (f"{year:04}" if len(digits) == 4 else f"{year % 100:02}")


def _decade(old: str, year: int) -> str:
    """Return `2040's` for `1980's`, `'40s` for `'80s`."""
    digits = "".join(char for char in old if char.isdigit())
    decade = year // 10 * 10
    new = f"{decade:04}" if len(digits) == 4 else f"{decade % 100:02}"
    return old.replace(digits, new)


def _number(part: DatePart) -> int:
    return int("".join(char for char in part.text if char.isdigit()))
