"""Where dates stand in a record: only what can hardly be anything else is one.

The pieces of a text, their letters and the parts of a date are those of `date_grammar`; a blank may
be the end of a line, but none that ends a paragraph or parts two columns.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from shared.language.calendar_words import CalendarWords, DatePiece, words_of_dates
from shared.language.date_grammar import DateExpression, DatePart
from shared.language.known_languages import UNDETERMINED
from shared.language.languages import Language, alternatives

_REACH = 18
"""No date goes on for more characters before its month or behind it."""
_NUMBERED = re.compile(
    r"\d(?<!\d\d)(?<![\d/][/.-]\d)\d{0,3}"
    r"(?:([/.-])(?:\n[ \t]*)?\d{1,2}\1(?:\n[ \t]*)?\d{1,4}|/(?:\n[ \t]*)?(?:\d{4}|\d{1,2}))"
    r"(?![\d/]|[.-]\d)"
)
_DOTTED = re.compile(
    r"\d(?<!\d\d)(?<![\d/][/.-]\d)\d?\.[ \n]?\d{1,2}\.(?:[ \n]\d{4})?(?![\d/]|[.-]\d)"
)
_SCORES = re.compile(r"(?:10|\d)([/-])(?:10|\d)\1(?:10|\d)")
_OF_SCORES = re.compile(
    r"(?i)\bapgars?(?:[ -](?:scores?|werte?|index|test))?(?: ?:)?[ \n](?:(?:of|von|de)[ \n])?\Z"
)
"""What stands right before the points of a newborn after one, five and ten minutes: `8/9/10`."""
_LONGEST_BEFORE_SCORES = 24
_BROKEN_WORD = re.compile(r"\b[^\W\d_]+-\n[ \t]*[^\W\d_]+")
_DIGIT = re.compile(r"\d")  # quicker to look for than a month
_BLANK = r"[ \n]"
_TO_MONTH = rf"(?:{_BLANK}|-|{_BLANK}f{_BLANK}(?:f{_BLANK})?)"
_MONTH, _MONTH_MARK = "(?P<seed>(?P<month>m))", rf"{_BLANK}?(?P<seed>t)"
_YEAR = rf"(?:,?{_BLANK}|,|-|,?{_BLANK}f{_BLANK}(?:f{_BLANK})?)(?P<year>[Yq])"
_MONTH_FIRST = (
    rf"{_MONTH}\.?{_BLANK}?-?(?P<day>[no]){_YEAR}",
    rf"{_MONTH}\.?{_BLANK}?-?(?P<day>[no])",
)
_OF_NUMBERS = (
    r"(?P<year>Y)([-/.])(?P<month>n)\2(?P<day>n)",
    r"(?P<first>n)([-/])\n?(?P<second>n)\2\n?(?P<year>[Yn])",
    r"(?P<first>n)\.\n?(?P<second>n)\.\n?(?P<year>Y)",  # 1.4.12 is no date but a version
    r"(?P<month>n)/\n?(?P<year>Y)",
    r"(?P<first>n)/\n?(?P<second>n)",
)
_BLANKS = re.compile(r"[ \nf]+")
_YEAR_ENDS, _NUMBER_ENDS = re.compile(r"\w"), re.compile(r"[\w/-]|[.:]\d")
_BEHIND = {
    "Y": _YEAR_ENDS,
    "q": _YEAR_ENDS,
    "year": _NUMBER_ENDS,
    "tail": _NUMBER_ENDS,
    "day": re.compile(r"[\w/]|[.:]\d"),
}
"""By the letter or role of what a date ends with: what cannot stand behind it."""


class DateInText(NamedTuple):
    """A date at `[start, end)` of a record; its parts have their places in the record too."""

    start: int
    end: int
    expression: DateExpression

    @property
    def is_sure(self) -> bool:
        """False for `3/4` and `11/2084`, which may be shares, and `mar-04`, which may be a code."""
        written = self.expression
        is_of_two = len(written.parts) == 2 and written.form[0] == "n" and "/" in written.form
        return not (is_of_two or written.part("tail"))

    def shifted(self, by: int) -> "DateInText":
        """Return the same date so many characters further on."""
        parts = tuple(
            DatePart(each.role, each.letter, each.text, each.start + by, each.end + by, each.word)
            for each in self.expression.parts
        )
        expression = DateExpression(self.expression.form, parts)
        return DateInText(self.start + by, self.end + by, expression)


@dataclass(frozen=True, slots=True)
class _FormsInText:
    """What is looked for in records of a language, and the forms of a date around it.

    Where one of the `months` stands, or the sign behind its number, the date is of the first of the
    forms `worded` that fits; what is all of numbers is of one of the forms `numbered`. Beside each
    expression for months are texts of which there is one wherever it finds any, if there are such.
    """

    words: CalendarWords
    months: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...]
    worded: tuple[re.Pattern[str], ...]
    numbered: tuple[re.Pattern[str], ...]
    has_dots: bool
    """Whether a day is written with a full stop: `3.3.71`, `3. März`."""


@lru_cache(maxsize=512)
def dates_in(text: str, language: Language) -> tuple[DateInText, ...]:
    """Return what is a date wherever it stands: at least a day and a month, or a month and a year.

    All that is of numbers comes first. A date may go on in the next line, not in a new paragraph.
    It is kept, for rules and what makes their dates whole read the same records.
    """
    return tuple(_read(text, language))


def _read(text: str, language: Language) -> Iterator[DateInText]:
    if not _DIGIT.search(text):
        return
    forms = _forms_in_text(language)
    for pattern in (_NUMBERED, _DOTTED) if forms.has_dots else (_NUMBERED,):
        for found in pattern.finditer(text):
            if (date := _of_numbers(found[0], language)) and not _is_scores(text, found):
                yield date.shifted(found.start())
    for start, end in _months(text, forms):
        if date := _around(text, start, end, forms):
            yield date


def _is_scores(text: str, found: re.Match[str]) -> bool:
    """Whether three numbers up to ten stand right behind the name of the score that has three."""
    if not _SCORES.fullmatch(found[0]):
        return False
    before = text[max(0, found.start() - _LONGEST_BEFORE_SCORES) : found.start()]
    return _OF_SCORES.search(before) is not None


def _months(text: str, forms: _FormsInText) -> Iterator[tuple[int, int]]:
    """Where the months stand, or the numbers of months with their sign."""
    for pattern, needs in forms.months:
        if not needs or any(need in text for need in needs):
            for found in pattern.finditer(text):
                yield found.span("seed")
    for found in _BROKEN_WORD.finditer(text) if "-\n" in text else ():
        first, _, second = found[0].partition("-\n")
        months = forms.words.months
        if first.lower() not in months and (first + second.lstrip(" \t")).lower() in months:
            yield found.span()


@lru_cache(maxsize=5_000)
def _of_numbers(written: str, language: Language) -> DateInText | None:
    """Return the date that a text of numbers is; most stand in a record more than once."""
    forms = _forms_in_text(language)
    pieces = forms.words.pieces(written, 0, len(written))
    letters = "".join(piece.letter for piece in pieces)
    for pattern in forms.numbered:
        if (found := pattern.fullmatch(letters)) and (made := _made(written, pieces, found)):
            return made
    return None


def _around(text: str, start: int, end: int, forms: _FormsInText) -> DateInText | None:
    low, high = max(0, start - _REACH), min(len(text), end + _REACH)
    if not _DIGIT.search(text, low, high):
        return None
    pieces = forms.words.pieces(text, low, high)
    letters = "".join(
        "x" if low == piece.start > 0 or piece.end == high < len(text) else piece.letter
        for piece in pieces
    )  # a piece may have been cut at either end
    at = next((n for n, piece in enumerate(pieces) if piece.start == start), -1)
    for pattern in forms.worded:
        for found in pattern.finditer(letters):
            if found.start("seed") == at and (made := _made(text, pieces, found)):
                return made
    return None


def _made(text: str, pieces: list[DatePiece], found: re.Match[str]) -> DateInText | None:
    """The date of a form; None where its numbers are none of a date, or go on beside it."""
    roles = sorted((found.start(role), role) for role in found.re.groupindex if role != "seed")
    parts = tuple(DatePart.of(text, role, pieces[at]) for at, role in roles if at >= 0)
    start, end = pieces[found.start()].start, pieces[found.end() - 1].end
    expression = DateExpression(_BLANKS.sub(" ", found[0]), parts)
    if "seed" in found.re.groupindex and _goes_on(text, start, end, parts[-1]):
        return None
    return DateInText(start, end, expression) if _is_possible(expression) else None


def _goes_on(text: str, start: int, end: int, last: DatePart) -> bool:
    """True where a longer number begins before a date or behind it."""
    if text[start].isdigit() and start and text[start - 1] in "0123456789/.-":
        return True
    behind = _BEHIND.get(last.letter) or _BEHIND.get(last.role)
    return last.end == end and behind is not None and behind.match(text, end) is not None


def _is_possible(date: DateExpression) -> bool:
    """True where the numbers are those of a month, a day and a year."""
    months = [each.number for each in date.parts if each.role in ("month", "first", "second")]
    days = [each.number for each in date.parts if each.role in ("day", "first", "second")]
    years = [each for each in date.parts if each.role in ("year", "tail")]
    return (
        1 <= min(months) <= 12
        and all(1 <= day <= 31 for day in days)
        and not any(len(year.text) == 1 for year in years)
    )


@cache
def _forms_in_text(language: Language) -> _FormsInText:
    dates, words = language.dates, words_of_dates(language)
    has_dots = "." in dates.ordinal_suffixes
    month_first = any(form.startswith("{month} {day}") for form in dates.forms)
    common = {month for month, word in words.months.items() if word.language.code == UNDETERMINED}
    marks = tuple(mark for mark, letter in words.marks.items() if letter == "t")
    to_month = rf"(?:{_TO_MONTH}|\.{_BLANK}?)" if has_dots else _TO_MONTH
    dotted = (
        rf"(?P<day>n)\.{_BLANK}?(?P<month>n)\.{_BLANK}?(?P<year>[Yn])",
        rf"(?P<day>n)\.{_BLANK}?(?P<month>n)\.",
    )
    worded = (
        rf"(?P<year>Y){_BLANK}?y{_BLANK}?(?P<month>n){_MONTH_MARK}{_BLANK}?(?P<day>n){_BLANK}?d",
        rf"(?P<month>n){_MONTH_MARK}{_BLANK}?(?P<day>n){_BLANK}?d",
        rf"(?P<year>Y){_BLANK}?y{_BLANK}?(?P<month>n){_MONTH_MARK}",
        rf"(?P<day>[no]){to_month}{_MONTH}\.?{_YEAR}",
        rf"(?P<day>[no])([-/]){_MONTH}\2(?P<year>[Yn])",
        rf"(?P<day>[no]){to_month}{_MONTH}-(?P<year>n)",
        rf"(?P<day>[no]){to_month}{_MONTH}",
        *(_MONTH_FIRST if month_first else ()),
        rf"{_MONTH}\.?{_YEAR}",
        rf"{_MONTH}-(?P<tail>n)",
    )
    return _FormsInText(
        words,
        (
            (re.compile(_month_pattern(words.months.keys() - common)), ()),
            (re.compile(_month_pattern(common)), tuple({month[0] for month in common})),
            (re.compile(rf"\d\s?(?P<seed>{alternatives(marks)})"), marks),
        ),
        tuple(map(re.compile, worded)),
        tuple(map(re.compile, (*(dotted if has_dots else ()), *_OF_NUMBERS))),
        has_dots,
    )


def _month_pattern(names: Iterable[str]) -> str:
    """Any of the first letters, then any of the rests: quick to search, checked afterwards."""
    letters = "".join(sorted({each for name in names for each in (name[0], name[0].upper())}))
    rests = sorted({name[1:] for name in names}, key=lambda rest: (-len(rest), rest))
    branches = "|".join(map(_any_case, rests))
    return rf"(?P<seed>[{letters}](?<![^\W\d_].)(?:{branches}))(?![^\W\d_])" if rests else "(?!)"


def _any_case(text: str) -> str:
    return "".join(f"[{char}{char.upper()}]" for char in text)
