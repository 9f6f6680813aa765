"""What a date says, as written: its parts with their places, in every form that records have.

A text is cut into pieces, each of which has a letter, so that a form is a regular expression over
letters: `05/09/07` is `n/n/n`, `May 20th` is `m o`, `Fall '02` is `s q`.

n  one or two digits       Y  a year of four digits    q  '02          o  20th
C  eight or six digits     D  1980s, '80's             m  month        w  day of the week
s  season                  h  holiday                  f  of, de, the, año, early ...
x  anything else with a letter or a digit, which no form holds
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from shared.language.calendar_words import (
    CalendarWord,
    CalendarWords,
    calendar_words,
    folded_name,
)
from shared.language.languages import Language, alternatives

_SEPARATORS = frozenset("/-.,")
_YEAR_MONTH = ("year", "month")


@dataclass(frozen=True, slots=True)
class DatePart:
    """A part of a date as written, of the form `letter`.

    `role` is year, month, day, weekday, season, holiday or decade; first and second where it is
    open which of day and month, tail where it may also be the year.
    """

    role: str
    letter: str
    text: str
    start: int
    end: int
    word: CalendarWord | None = None
    """What its word means where it is one."""


@dataclass(frozen=True, slots=True)
class DateExpression:
    """One date in a text: its form (`n/n/n`) and its parts in order."""

    form: str
    parts: tuple[DatePart, ...]

    def part(self, *roles: str) -> DatePart | None:
        return next((each for each in self.parts if each.role in roles), None)

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


@dataclass(frozen=True, slots=True)
class _Piece:
    letter: str
    start: int
    end: int
    word: CalendarWord | None = None


_FORMS: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = tuple(
    (re.compile(pattern), tuple(roles.split()))
    for pattern, roles in (
        # year, month, day
        (r"(Y) ?([-/.]) ?(n) ?\2 ?(n)", "year . month day"),
        (r"(Y) ?([-/. ]) ?(m)\.? ?\2 ?([no])", "year . month day"),
        (r"(n) ?([-/.]) ?(n) ?\2{1,2} ?([Ynq])", "first . second year"),
        (r"(n)([-/])(n)[-/](Y)", "first . second year"),
        (r"(m)\.?,? ?([no])(?![-/:])\.?,? ?(?:f ?)?([Yq])", "month day year"),
        (r"([no])[-/ .]{0,2}(?:f )?(m)\.?,?[-/ ]{0,2}(?:f ){0,3}([Yqn])", "day month year"),
        (r"(C)", "compact"),
        # day and month, days of one month
        (r"([no])\.? ?- ?([no])\.? (?:f )?(m)\.?,?(?: f){0,3} ?([Yq])", "day day month year"),
        (r"([no])\.? ?- ?([no])\.? (?:f )?(m)", "day day month"),
        (r"(m)\.? ?([no]) ?- ?([no])(?:,? ?([Yq]))", "month day day year"),
        (r"(m)\.? ?([no]) ?- ?([no])(?![/-])", "month day day"),
        (r"(m)-(n)(?![-/])", "month tail"),
        (r"(m)\.? ([no])(?![-/:])", "month day"),
        (r"(m)(n)(?![-/:])", "month day"),
        (r"([no])\.?(?:,? f)? ?[- ]?(m)", "day month"),
        # month and year
        (r"(m)\.?[-/, ]{0,2}(?:f ){0,3}([Yq])", "month year"),
        (r"(n) ?[-/.] ?(Y)", "month year"),
        (r"(Y) ?[-/.] ?(n)(?![-/])", " ".join(_YEAR_MONTH)),
        (r"(n) ?([-/]) ?(n)(?!\2\w)", "first . tail"),
        (r"(n)\. ?(n)\.(?! ?[nYm])", "first second"),
        (r"(n)/(q)", "month year"),
        # season and holiday
        (r"(s),?(?: f){0,3} ?([Yq])", "season year"),
        (r"(h),?(?: f){0,3} ?([Yq])", "holiday year"),
        (r"(D)", "decade"),
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


@lru_cache(maxsize=100_000)
def parse(text: str, language: Language) -> DateText:
    """Return the dates that a text in a language says."""
    pieces = list(_pieces(text, calendar_words(language), _piece_pattern(language)))
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
    text: str, pieces: list[_Piece], letters: str, at: int
) -> tuple[re.Match[str], tuple[str, ...]] | None:
    if letters[at] not in "nYqoCDmwsh":
        return None
    for pattern, roles in _FORMS:
        found = pattern.match(letters, at)
        if found and not (roles == _YEAR_MONTH and _no_month(text, pieces[found.start(2)])):
            return found, roles
    return None


def _no_month(text: str, piece: _Piece) -> bool:
    """True for the `15` of `2014-15`, two years."""
    return not 1 <= int(text[piece.start : piece.end]) <= 12


def _expression(
    text: str, pieces: list[_Piece], found: re.Match[str], roles: tuple[str, ...]
) -> tuple[DateExpression | None, int]:
    parts = [
        DatePart(
            role, found[group], text[piece.start : piece.end], piece.start, piece.end, piece.word
        )
        for group, role in enumerate(roles, start=1)
        if role != "."
        for piece in [pieces[found.start(group)]]
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
        year_fits = len(layout) and (len(text) == 6 or 1850 <= numbers["year"] <= 2299)
        if year_fits and 1 <= numbers["month"] <= 12 and 1 <= numbers["day"] <= 31:
            return parts
    return []


@lru_cache(maxsize=16)
def _piece_pattern(language: Language) -> re.Pattern[str]:
    words = calendar_words(language)
    endings = alternatives(words.ordinal_suffixes - _SEPARATORS)  # a full stop stands alone
    return re.compile(
        rf"(?P<h>(?<!\w){alternatives(words.holidays)}(?!\w))"
        r"|(?P<D>(?:['’‘`]\d0|(?<!\d)\d{1,3}0)['’]?s\b)"
        r"|(?P<q>['’‘`]\d\d(?!\d))"
        r"|(?P<t>T?(?<!\d)[012]?\d:[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?: ?[AaPp]\.?[Mm]\.?\b|Z\b)?)"
        rf"|(?P<o>(?<!\d)\d{{1,2}} ?{endings}(?![^\W\d_]))"
        r"|(?P<digits>\d+)"
        r"|(?P<word>[^\W\d_]+)"
        r"|(?P<blank>\s+)"
        r"|(?P<other>.)",
        re.IGNORECASE | re.DOTALL,
    )


def _pieces(text: str, words: CalendarWords, pattern: re.Pattern[str]) -> Iterator[_Piece]:
    for found in pattern.finditer(text):
        kind, word = found.lastgroup or "other", None
        if kind == "word":
            letter, word = _word_letter(found[0].lower(), words)
        elif kind == "h":
            letter, word = kind, words.holidays[folded_name(found[0])]
        else:
            letter = _letter(kind, found[0])
        yield _Piece(letter, found.start(), found.end(), word)


def _letter(kind: str, text: str) -> str:
    if kind == "blank":
        return " "
    if kind == "t":
        return "_"
    if kind == "digits":
        return _digits_letter(text)
    if kind == "other":
        if text in "–—":
            return "-"
        return text if text in _SEPARATORS else "_"
    return kind


def _digits_letter(text: str) -> str:
    if len(text) <= 2:
        return "n"
    if len(text) == 4 and 1850 <= int(text) <= 2299:
        return "Y"
    return "C" if len(text) in (6, 8) else "x"


def _word_letter(word: str, words: CalendarWords) -> tuple[str, CalendarWord | None]:
    for known, letter in ((words.months, "m"), (words.weekdays, "w"), (words.seasons, "s")):
        if word in known:
            return letter, known[word]
    return ("f" if word in words.fillers else "x"), None
