"""Authentic names, numbers and days where they are written as no tag has them.

`H A W K I N S`, `J. S.`, `Baehr` for Bähr, `M&uuml;ller` and `MÃ¼ller` for Müller, `9O33856` of a
machine that read it, a number over a line end, `on the 5th`, `140371` for a day. What
is found is authentic by the letters or digits alone, whatever stands around it.
"""

import html
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cache
from urllib.parse import unquote_to_bytes

from shared.language.ambiguity import words_of_notes
from shared.language.date_mentions import DateMention, Day, dates_of
from shared.language.languages import Language
from shared.model import PhiType, Span
from shared.text.spelling import is_without_capitals, match_key

_LETTERS_APART = re.compile(r"(?<![^\W_])(?:[^\W\d_][ .·_*-]){3,}[^\W\d_](?![^\W_])")
_INITIALS = re.compile(r"(?<![\w.])[^\W\d_]\.(?: ?[^\W\d_]\.){1,2}(?!\w)")
_PARTED = re.compile(
    r"(?<![\d.,/-])\d{1,4}(?P<sign> ?[-/.–] ?)\d{1,2}(?P=sign)\d{1,4}(?![\d/-]|[.,]\d)"
)
_ROMAN_MONTHS: tuple[str, ...] = tuple("I II III IV V VI VII VIII IX X XI XII".split())
_WITH_ROMAN = re.compile(
    r"(?<![\w.,/-])(?P<day>\d{1,2})(?P<sign>[-/.]|[.]?[ ])"
    rf"(?P<month>{'|'.join(_ROMAN_MONTHS)})(?P=sign)(?P<year>\d{{4}}|\d\d)(?![\w/-]|[.,]\d)"
)
_BEFORE_DEGREE = re.compile(r"(?:,|(?<!\w)[^\W\d_a-zß-ÿ][\w.'’-]*)[ ]{0,2}$")
_DIGITS_OF_LETTERS = str.maketrans("OoDQlIi|ZzASsGbTBgq", "0000111122455667899")
_IN_WORD = r"(?:[^\s<>()\[\]{},]|[\x85\xa0])"
"""Bytes of letters that are read as Latin may be blanks there."""
_READ_BYTE = r"(?:[^\sa-zA-Z]|[\x85\xa0])"
_CODE = (
    r"(?:&#?\w{2,8};|%[0-9A-Fa-f]{2}|=[0-9A-F]{2}|"
    rf"[Â-ß]{_READ_BYTE}|[à-ï]{_READ_BYTE}{{2}})"
)
_SIGN_OF_CODE = re.compile(_CODE)
"""Quicker to look for than words with it."""
_ENCODED = re.compile(rf"{_IN_WORD}{{0,40}}{_CODE}{_IN_WORD}{{0,40}}")
_OF_WINDOWS = {chr(byte): byte for byte in range(256)} | {
    bytes([byte]).decode("cp1252"): byte
    for byte in range(0x80, 0xA0)
    if byte not in (0x81, 0x8D, 0x8F, 0x90, 0x9D)
}
"""The byte as which a program wrote a character, by Latin-1 or Windows-1252."""
_BYTE_OF_MAIL = re.compile(r"=(?=[0-9A-F]{2})")
_NO_LETTER = "\N{REPLACEMENT CHARACTER}"
_LOST = re.compile(f"[?{_NO_LETTER}]+")
_LETTER_LOST = re.compile(rf"(?<![^\W_])[^\W\d_]*(?:[?{_NO_LETTER}][^\W\d_]*)+(?![^\W_])")
_LOST_TWICE = re.compile(f"[?{_NO_LETTER}]{{2}}")
_HALF_READ = re.compile(r"(?:[Â-ß]|[à-ï](?=[^\x00-\x7f]))[^\x00-\x7f]*")
"""What is left of the bytes of a letter that were read as Latin, where signs were left out."""
_LEAST_LEFT, _LEAST_OF_TWO_LOST = 3, 2
"""So many letters of a name are left, and where two or more were lost in a row."""
_LEAST_OF_MARKED = 2
_FIRST_OF_SHEETS = date(1899, 12, 30).toordinal()
"""The day before the first one by which the programs of spreadsheets count."""
_OVER_LINE_END = re.compile(r"(?<![\d.,])\d+(?P<hyphen>-?)[ \t]*\n[ \t]*\d+(?!\d|[.,]\d)")
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
_OF_TWO_LETTERS = re.compile(r"([aou])e", re.IGNORECASE)
"""Without accents `Bähr` is `bahr`."""
_LEAST_OF_SHEETS = 9999
"""Shorter numbers are others by chance."""
_REACH = 40
_LEAST_APART = 4
_LEAST_JOINED = 5
_LEAST_OVER_LINE_END = 5
"""So many digits a number has that goes on in the next line without a hyphen."""

Found = tuple[Span, PhiType]
"""Where something authentic stands, and of which type it is."""


def letters_apart(text: str, name_within: Callable[[str], PhiType | None]) -> Iterator[Found]:
    """Parts of names whose letters stand one by one."""
    for found in _LETTERS_APART.finditer(text):
        phi_type = name_within(match_key("".join(filter(str.isalpha, found[0]))))
        if phi_type:
            yield Span(*found.span()), phi_type


def initials_alone(
    text: str, initials: Mapping[str, PhiType], language: Language
) -> Iterator[Found]:
    """The initials of people who are named in full, with full stops: no `M.D.` behind a name.

    Small ones count where a text has no capitals, but for what notes abbreviate so, as `b.i.d.`,
    and for what stands behind a number, as `8 p.m.`
    """
    for found in _INITIALS.finditer(text) if initials else ():
        letters = "".join(filter(str.isalpha, found[0]))
        key = match_key(letters)
        phi_type = initials.get(key) or initials.get(key[0] + key[-1])
        before = text[max(0, found.start() - _REACH) : found.start()]
        is_degree = key in language.names.degrees and _BEFORE_DEGREE.search(before)
        if phi_type and not is_degree:
            is_usual = before.rstrip()[-1:].isdigit() or key in words_of_notes(language)
            is_meant = letters.isupper() or (not is_usual and is_without_capitals(text.split()))
            if is_meant:
                yield Span(*found.span()), phi_type


def misread_digits(text: str) -> str:
    """The text with all letters that look like digits as such, as long as it was."""
    return text.translate(_DIGITS_OF_LETTERS)


def letters_encoded(
    text: str, parts: Mapping[str, PhiType], lost: Mapping[str, PhiType]
) -> Iterator[Found]:
    """Parts of names with letters that a program wrote, read or lost in its own way."""
    if not parts:
        return
    told: list[Span] = []
    for found in _ENCODED.finditer(text) if _SIGN_OF_CODE.search(text) else ():
        words = re.findall(r"[^\W\d_]+", _decoded(found[0]))
        keys = [match_key(each) for each in words if len(each) >= _least_decoded(each)]
        for phi_type in (parts[key] for key in keys if key in parts):
            told.append(Span(*found.span()))
            yield told[-1], phi_type
            break
    with_signs = _HALF_READ.sub(lambda run: "?" * len(run[0]), text)
    for found in _LETTER_LOST.finditer(with_signs) if lost else ():
        phi_type = lost.get(_LOST.sub("?", found[0]).lower())
        is_question = text[found.end() - 1] == "?" and found[0].islower()
        has_enough = _left(found[0]) >= _LEAST_LEFT or _LOST_TWICE.search(found[0])
        span = Span(*found.span())
        if phi_type and has_enough and not is_question and not any(map(span.overlaps, told)):
            yield span, phi_type


def _least_decoded(word: str) -> int:
    """How long a decoded part of a name is at least; letters that were decoded are no chance."""
    return _LEAST_APART if word.isascii() else _LEAST_OF_MARKED


def _left(word: str) -> int:
    return sum(each.isascii() and each.isalpha() for each in word)


def with_letters_lost(name: str) -> Iterator[str]:
    """The words of a name with letters beyond ASCII, in small letters with a sign for them."""
    for word in re.findall(r"[^\W\d_]+", name):
        is_long = _left(word) >= _LEAST_LEFT or len(word) - 2 >= _left(word) == _LEAST_OF_TWO_LOST
        if not word.isascii() and is_long:
            yield re.sub(r"[^\x00-\x7f]+", "?", word).lower()


def _decoded(text: str) -> str:
    """`Müller` of `M&uuml;ller`, `M%C3%BCller`, `M=FCller` and `MÃ¼ller`."""
    written = unquote_to_bytes(html.unescape(_BYTE_OF_MAIL.sub("%", text)))
    try:
        read = written.decode()
    except UnicodeError:
        return written.decode("latin-1")
    with suppress(KeyError, UnicodeError):
        return bytes(map(_OF_WINDOWS.__getitem__, read)).decode()
    return read


def groups_over_line_ends(text: str, groups: Mapping[str, PhiType]) -> Iterator[Found]:
    """Numbers, or their last digits, of which a part stands in the next line."""
    for found in _OVER_LINE_END.finditer(text) if groups else ():
        digits = "".join(filter(str.isdigit, found[0]))
        phi_type = groups.get(digits)
        if phi_type and (found["hyphen"] or len(digits) >= _LEAST_OVER_LINE_END):
            yield Span(*found.span()), phi_type


def days_of_months(text: str, types: Mapping[int, PhiType], language: Language) -> Iterator[Found]:
    """The days of authentic dates without their month: `on the 5th`; `types` are by day."""
    for found in _day_of_month(language).finditer(text) if types else ():
        phi_type = types.get(int("".join(filter(str.isdigit, found[0]))))
        if phi_type:
            yield Span(*found.span()), phi_type


def dates_written_otherwise(text: str, language: Language) -> Iterator[tuple[Span, DateMention]]:
    """Dates with blanks round their signs: `2071 - 03 - 14`, or months in Roman: `14-III-2071`."""
    for found in _WITH_ROMAN.finditer(text):
        month = _ROMAN_MONTHS.index(found["month"]) + 1
        day, year = int(found["day"]), int(found["year"])
        yield Span(*found.span()), DateMention(*found.span(), (Day(month, day, year),), named=True)
    for found in _PARTED.finditer(text):
        sign = found["sign"].strip().replace("–", "-")
        if sign != found["sign"]:
            written = found[0].replace(found["sign"], sign)
            for date in dates_of(written, language):
                if (date.start, date.end) == (0, len(written)) and date.has_day and date.has_year:
                    yield Span(*found.span()), date


def digits_of_day(day: Day) -> Iterator[str]:
    """The digits of a day of the calendar as programs write it: `140371`, `03141971`, `26006`."""
    if day.day is None or day.year is None:
        return
    years = (day.year,) if day.year > 99 else (1900 + day.year, 2000 + day.year)
    for year in years:
        try:
            count = date(year, day.month, day.day).toordinal() - _FIRST_OF_SHEETS
        except ValueError:
            continue
        yield from (str(count),) * (count > _LEAST_OF_SHEETS)
        for written in (f"{year:04}", f"{year % 100:02}"):
            yield f"{day.day:02}{day.month:02}{written}"
            yield f"{day.month:02}{day.day:02}{written}"
            yield f"{written}{day.month:02}{day.day:02}"


@cache
def _day_of_month(language: Language) -> re.Pattern[str]:
    return re.compile(rf"(?i:\b{language.cue('day_of_month')})")


def with_umlauts_changed(name: str) -> str:
    """`Baehr` for Bähr and `Bähr` for Baehr; "" for a name that has nothing of it."""
    apart = name.translate(_UMLAUTS)
    if apart != name:
        return apart
    joined = _OF_TWO_LETTERS.sub(r"\1", name)
    return joined if joined != name else ""


def joined_forms(words: Sequence[str]) -> tuple[str, ...]:
    """How a name of several words is run together: `annlee`, `alee`, `leea`, `leeann`."""
    if len(words) < 2:
        return ()
    first = words[0]
    forms = ["".join(words)]
    for word in words[1:]:
        forms += (first + word, first[0] + word, word + first, word + first[0])
    return tuple(form for form in forms if len(form) >= _LEAST_JOINED)


def initials_of(words: Iterable[str]) -> tuple[str, ...]:
    """The initials of a name of several words, folded: those of the first and last, and of all."""
    letters = "".join(word[0] for word in words)
    return (letters, letters[0] + letters[-1]) if len(letters) > 1 else ()
