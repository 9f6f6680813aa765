"""The one reader of dates: what they say as written, with the places of their parts.

A text is cut into pieces, each of which has a letter, so that a form is a regular expression over
letters: `05/09/07` is `n/n/n`, `May 20th` is `m o`, `Fall '02` is `s q`.

n  one or two digits       Y  a year of four digits    q  '02          o  20th
C  eight or six digits     D  1980s, '80's             m  month        w  day of the week
s  season                  h  holiday                  f  of, de, the, año, early ...
ytd  the signs behind year, month and day: 2070年5月1日
k  KW, for a week of the calendar
x  anything else with a letter or a digit, which no form holds

The forms here are those of what somebody tagged as a date, where `92`, `fall` or `5 9` is one.
Those that are dates wherever they stand in a record are in `dates_in_text`, of the same pieces.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from shared.language.calendar_words import CalendarWord, DatePiece, calendar_words
from shared.language.languages import Language

_YEAR_MONTH = ("year", "month")


@dataclass(frozen=True, slots=True)
class DatePart:
    """A part of a date as written, of the form `letter`.

    `role` is year, month, day, week, weekday, season, holiday or decade; first and second where it
    is open which of day and month, tail where it may also be the year.
    """

    role: str
    letter: str
    text: str
    start: int
    end: int
    word: CalendarWord | None = None
    """What its word means where it is one."""

    @property
    def number(self) -> int:
        """Its number, of a month that is a word from 1 on."""
        if self.word:
            return self.word.number + 1
        return int(
            self.text if self.text.isdecimal() else "".join(filter(str.isdecimal, self.text))
        )

    @classmethod
    def of(cls, text: str, role: str, piece: DatePiece) -> "DatePart":
        start, end = piece.start, piece.end
        return cls(role, piece.letter, text[start:end], start, end, piece.word)


@dataclass(frozen=True, slots=True)
class DateExpression:
    """One date in a text: its form (`n/n/n`) and its parts in order."""

    form: str
    parts: tuple[DatePart, ...]

    def part(self, *roles: str) -> DatePart | None:
        for each in self.parts:
            if each.role in roles:
                return each
        return None

    @property
    def roles(self) -> frozenset[str]:
        return frozenset(each.role for each in self.parts)

    @property
    def end(self) -> int:
        return max(each.end for each in self.parts)


@dataclass(frozen=True, slots=True)
class DateText:
    """The dates in a text; `read` is False where something in it is no part of a date."""

    text: str
    expressions: tuple[DateExpression, ...]
    read: bool


_FORMS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), tuple(roles.split()))
    for pattern, roles in (
        # year, month, day
        (r"(Y) ?y ?(n) ?t ?(n) ?d?", "year month day"),
        (r"(Y) ?([-/.]) ?(n) ?\2 ?(n)", "year . month day"),
        (r"(Y) ?([-/. ]) ?(m)\.? ?\2 ?([no])", "year . month day"),
        (r"(n) ?([-/.]) ?(n) ?\2{1,2} ?([Ynq])", "first . second year"),
        (r"(n)([-/])(n)[-/](Y)", "first . second year"),
        (r"(m)\.?,? ?([no])(?![-/:])\.?,? ?(?:f ?)?([Yq])", "month day year"),
        (r"([no])[-/ .]{0,2}(?:f )?(m)\.?,?[-/ ]{0,2}(?:f ){0,3}([Yqn])", "day month year"),
        (r"(C)", "compact"),
        # day and month, days of one month
        (r"(n) ?t ?(n) ?d?", "month day"),
        (r"([no])\.? ?- ?([no])\.? (?:f )?(m)\.?,?(?: f){0,3} ?([Yq])", "day day month year"),
        (r"([no])\.? ?- ?([no])\.? (?:f )?(m)", "day day month"),
        (r"(m)\.? ?([no]) ?- ?([no])(?:,? ?([Yq]))", "month day day year"),
        (r"(m)\.? ?([no]) ?- ?([no])(?![/-])", "month day day"),
        (r"(m)-(n)(?![-/])", "month tail"),
        (r"(m)\.? ([no])(?![-/:])", "month day"),
        (r"(m)(n)(?![-/:])", "month day"),
        (r"([no])\.?(?:,? f)? ?[- ]?(m)", "day month"),
        # month and year
        (r"(Y) ?y ?(n) ?t", "year month"),
        (r"(m)\.?[-/, ]{0,2}(?:f ){0,3}([Yq])", "month year"),
        (r"(n) ?[-/.] ?(Y)", "month year"),
        (r"(Y) ?[-/.] ?(n)(?![-/])", " ".join(_YEAR_MONTH)),
        (r"(n) ?([-/]) ?(n)(?!\2\w)", "first . tail"),
        (r"(n)\. ?(n)\.(?! ?[nYm])", "first second"),
        (r"(n)/(q)", "month year"),
        # week, season and holiday
        (r"(n)\.? ?k,? ?[-/]? ?([Yq])", "week year"),
        (r"k\.? ?(n)[-/., ]{0,2}([Yq])", "week year"),
        (r"(n)\.? ?k", "week"),
        (r"k\.? ?(n)", "week"),
        (r"(s),?(?: f){0,3} ?([Yq])", "season year"),
        (r"(h),?(?: f){0,3} ?([Yq])", "holiday year"),
        (r"(D)", "decade"),
        (r"(Y) ?y", "year"),
        (r"(n) ?t", "month"),
        (r"(n) ?d", "day"),
        (r"(Y)", "year"),
        (r"(q)", "year"),
        (r"(m)", "month"),
        (r"(o)", "day"),
        (r"(w)", "weekday"),
        (r"(s)", "season"),
        (r"(h)", "holiday"),
        (r"(n)", "tail"),
    )
)


@lru_cache(maxsize=10_000)
def parse(text: str, language: Language) -> DateText:
    """Return the dates that a text in a language says."""
    pieces = calendar_words(language).pieces(text, 0, len(text))
    letters = "".join(piece.letter for piece in pieces)
    expressions: list[DateExpression] = []
    read, at = True, 0
    while at < len(letters):
        found = _match(text, pieces, letters, at)
        if found is None:
            read &= letters[at] != "x"
            at += 1
            continue
        expression, at = _expression(text, pieces, *found)
        if expression is None:
            read = False
        else:
            expressions.append(expression)
    return DateText(text, tuple(expressions), read and bool(expressions))


def _match(
    text: str, pieces: list[DatePiece], letters: str, at: int
) -> tuple[re.Match[str], tuple[str, ...]] | None:
    if letters[at] not in "nYqoCDmwshk":
        return None
    for pattern, roles in _FORMS:
        found = pattern.match(letters, at)
        if found and not (roles == _YEAR_MONTH and _no_month(text, pieces[found.start(2)])):
            return found, roles
    return None


def _no_month(text: str, piece: DatePiece) -> bool:
    """True for the `15` of `2014-15`, two years."""
    return not 1 <= int(text[piece.start : piece.end]) <= 12


def _expression(
    text: str, pieces: list[DatePiece], found: re.Match[str], roles: tuple[str, ...]
) -> tuple[DateExpression | None, int]:
    parts = [
        DatePart.of(text, role, pieces[found.start(group)])
        for group, role in enumerate(roles, start=1)
        if role != "."
    ]
    if roles == ("compact",):
        parts = _compact_parts(parts[0])
    form = re.sub(r"[ f]+", " ", found[0])
    return (DateExpression(form, tuple(parts)) if parts else None), found.end()


def _compact_parts(part: DatePart) -> list[DatePart]:
    """`20070509`, `05092007` or `050907` as year, month and day; nothing where it is none."""
    text = part.text
    layouts = (
        (("year", 4), ("month", 2), ("day", 2)),
        (("month", 2), ("day", 2), ("year", 4)),
        (("month", 2), ("day", 2), ("year", 2)),
    )
    for layout in layouts:
        if sum(length for _, length in layout) != len(text):
            continue
        parts: list[DatePart] = []
        at = part.start
        for role, length in layout:
            piece = text[at - part.start : at - part.start + length]
            parts.append(DatePart(role, "Y" if length == 4 else "n", piece, at, at + length))
            at += length
        numbers = {each.role: int(each.text) for each in parts}
        year_fits = len(text) == 6 or 1850 <= numbers["year"] <= 2299
        if year_fits and 1 <= numbers["month"] <= 12 and 1 <= numbers["day"] <= 31:
            return parts
    return []
