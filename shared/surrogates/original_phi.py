"""What must stand nowhere in a patient's new records: phrases, parts of names, numbers."""

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import NamedTuple

from shared.language.date_grammar import parse
from shared.language.date_mentions import Day, dates_of
from shared.language.languages import Language
from shared.model import PhiType
from shared.surrogates.mentions import Replacement, placeholder
from shared.surrogates.other_writings import (
    digits_of_day,
    initials_of,
    joined_forms,
    with_letters_lost,
    with_umlauts_changed,
)
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.surrogates.what_stays import may_stay
from shared.text.flat_text import FlatText, flattened, spelling
from shared.text.scripts import (
    is_han,
    is_unspaced,
    is_written_on_to,
    length_in_letters,
    letters_apart,
)
from shared.text.spelling import in_plain_forms, match_key

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]{2,})*")
_WRITTEN_ON_TO = re.compile("[\u05d0-\U0010ffff]")
"""No letter before these is written on to another word."""
_MIN_DIGITS = 4
MIN_DIGITS_ANYWHERE = 6
"""Fewer stand in other numbers by chance."""
_MIN_UNUSUAL = 5
_MIN_LETTERS = 3
_HAN_NAME = (3, 4)
"""So many characters have names with a given name of two."""
_WITHOUT_TEXT = frozenset(
    {
        SurrogateKind.KEEP,
        SurrogateKind.AGE,
        SurrogateKind.RELATIVE,
        SurrogateKind.DEPARTMENT,
        SurrogateKind.ROOM,
    }
)
"""Kinds whose texts say nothing by themselves: they are only to be replaced, ages from 90 on."""

_NUMBERS = frozenset(
    {SurrogateKind.NUMBER, SurrogateKind.SSN, SurrogateKind.PHONE, SurrogateKind.ZIP}
)


Phrase = tuple[tuple[str, ...], PhiType]


@dataclass(slots=True)
class OriginalPhi:
    """What must stand nowhere, with its type: phrases by first word, parts of names, numbers, days.

    `days` are the readings of dates, as many as `03/04` has.
    """

    phrases: dict[str, dict[Phrase, None]] = field(default_factory=lambda: defaultdict(dict))
    parts: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    own: set[str] = field(default_factory=set[str])
    """The parts of names of those who do not work in the clinic."""
    joined: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    """Names of several words as mail boxes and files have them."""
    lost: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    """Parts of names as programs have them that know no letters beyond ASCII: `P?rez`."""
    initials: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    digits: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    groups: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    """The last four digits of numbers, their groups of four and more, and the years of dates."""
    day_digits: dict[str, PhiType] = field(default_factory=dict[str, PhiType])
    """The days of dates as programs write them, without signs."""
    days: dict[Day, PhiType] = field(default_factory=dict[Day, PhiType])


class Token(NamedTuple):
    """A word of a record; `key` is it in small letters without accents."""

    key: str
    text: str
    start: int
    end: int


def original_phi_of(
    replacements: Iterable[Replacement], language: Language, *, years_stay: bool = False
) -> OriginalPhi:
    """Return what must stand nowhere; with `years_stay` no year that its surrogate shows, too."""
    found = OriginalPhi()
    for each in replacements:
        phi_type = each.tag.phi_type
        if each.kind is SurrogateKind.DATE:
            _add_date(found, each, language, years_stay=years_stay)
        if not _tells_by_itself(each, language):
            continue
        is_person = each.kind is SurrogateKind.PERSON
        other_form = with_umlauts_changed(each.original) if is_person else ""
        for words in dict.fromkeys((*_ways_to_read(each.original), *_ways_to_read(other_form))):
            _add_words(found, each, words, language)
        if each.kind in _NUMBERS:
            _add_number(found, each.original, phi_type)
        if is_person:
            found.lost |= dict.fromkeys(with_letters_lost(each.original), phi_type)
            for part in _unspaced_parts(each.original):
                found.phrases[part[0]][part, phi_type] = None
    return found


def _add_date(
    found: OriginalPhi, each: Replacement, language: Language, *, years_stay: bool
) -> None:
    phi_type = each.tag.phi_type
    years = _years(each.original, language)
    shown = each.surrogate if years_stay else ""
    found.groups |= {year: phi_type for year in years if year not in shown}
    days, written = _days(each.original, language)
    found.days |= dict.fromkeys(days, phi_type)
    found.day_digits |= dict.fromkeys(written, phi_type)


@lru_cache(maxsize=10_000)
def _ways_to_read(text: str) -> tuple[tuple[str, ...], ...]:
    """The words of a text, and those where its hyphens are only those of line ends."""
    ways = (tokens_of(flattened(text)), tokens_of(spelling(text)))
    return tuple(dict.fromkeys(tuple(token.key for token in way) for way in ways if way))


def _add_words(
    found: OriginalPhi, each: Replacement, words: tuple[str, ...], language: Language
) -> None:
    phi_type = each.tag.phi_type
    # other numbers of the record may be the same as `4563` by chance
    is_short_code = each.kind in _NUMBERS and sum(map(len, words)) < _MIN_DIGITS
    if _letters(words) > _MIN_LETTERS and not is_short_code:
        found.phrases[words[0]][words, phi_type] = None
    if each.kind is SurrogateKind.PERSON:
        named = _words_of_name(each.original, words, language)
        parts = [word for word in named if len(word) >= _MIN_LETTERS]
        found.parts |= dict.fromkeys(parts, phi_type)
        found.joined |= dict.fromkeys(joined_forms(named) if parts else (), phi_type)
        found.initials |= dict.fromkeys(initials_of(named) if parts else (), phi_type)
        if not each.is_staff:
            found.own.update(parts)


@lru_cache(maxsize=10_000)
def _words_of_name(text: str, words: tuple[str, ...], language: Language) -> tuple[str, ...]:
    """The words of a name without titles, particles and words for relatives."""
    known = _generic_words(language) | _kin_in(text, language)
    known -= _families_in(text, language)
    return tuple(word for word in words if word.isalpha() and word not in known)


def _families_in(text: str, language: Language) -> frozenset[str]:
    """The family names that are particles elsewhere: `Anna Graf`, `Graf, Anna`."""
    ends = (part.split()[-1] for part in text.split(",") if part.split())
    return frozenset(map(match_key, ends)) & frozenset(map(match_key, language.names.particles))


def _kin_in(text: str, language: Language) -> frozenset[str]:
    """The words for a relative beside a name, in small letters: `su madre Ana`."""
    return frozenset(match_key(word) for word in text.split() if word in language.kinship)


def _add_number(found: OriginalPhi, text: str, phi_type: PhiType) -> None:
    text = in_plain_forms(text)
    digits = "".join(filter(str.isdigit, text))
    if len(digits) >= MIN_DIGITS_ANYWHERE:
        found.digits[digits] = phi_type
    if len(digits) >= _MIN_DIGITS:
        groups = [*re.findall(r"\d{4,}", text), digits[-_MIN_DIGITS:]]
        found.groups |= dict.fromkeys(groups, phi_type)


@lru_cache(maxsize=10_000)
def _years(text: str, language: Language) -> tuple[str, ...]:
    """The years of four digits of a date."""
    parts = (part for each in parse(text, language).expressions for part in each.parts)
    years = (re.match(r"\d{4}", part.text) for part in parts if part.role in {"year", "decade"})
    return tuple(year[0] for year in years if year)


@lru_cache(maxsize=10_000)
def _days(text: str, language: Language) -> tuple[tuple[Day, ...], tuple[str, ...]]:
    """The days that a date may mean, and how programs write them in digits."""
    days = tuple(day for date in dates_of(text, language) for day in date.readings)
    return days, tuple(itertools.chain.from_iterable(map(digits_of_day, days)))


def _letters(words: Iterable[str]) -> int:
    return length_in_letters("".join(words))


def _unspaced_parts(name: str) -> Iterator[tuple[str, ...]]:
    """The parts of a name in a script without blanks: between blanks, and the given name alone."""
    pieces = name.split()
    for piece in pieces:
        letters = tuple(token.key for token in tokens_of(piece) if is_unspaced(token.key))
        if len(pieces) > 1 and _letters(letters) > _MIN_LETTERS:
            yield letters
        if len(letters) in _HAN_NAME and all(map(is_han, letters)):
            yield letters[-2:]


def _tells_by_itself(each: Replacement, language: Language) -> bool:
    """True unless the text says nothing without its record, or what may stay."""
    if each.original == placeholder(each.tag.phi_type) or each.kind in _WITHOUT_TEXT:
        return False
    if each.kind is SurrogateKind.DATE:
        roles = (found.roles for found in parse(each.original, language).expressions)
        return any("year" in found and found & {"day", "second"} for found in roles)
    return not may_stay(each.kind, each.original, language)


@cache
def _generic_words(language: Language) -> frozenset[str]:
    """Words in names that tell nothing: titles, degrees, particles, small words; folded."""
    names = language.names
    words = (*language.titles, *names.degrees, *names.suffixes, *names.particles)
    return frozenset(map(match_key, (*words, *language.places.small_words)))


_key = lru_cache(maxsize=10_000)(match_key)
"""Most words stand in a record again and again."""


def tokens_of(text: str) -> list[Token]:
    """The words of a text in order; in scripts without blanks between words, every letter."""
    found: list[Token] = []
    for word in _WORD.finditer(text):
        written, (start, end) = word[0], word.span()
        if written.isascii():
            found.append(Token(_key(written), written, start, end))
        else:
            letters = letters_apart(text, start, end)
            found += (Token(_key(text[a:b]), text[a:b], a, b) for a, b in letters)
    return found


Places = Callable[[int, int], tuple[int, int]]
"""Where a stretch of a form of a text stands in the text."""


def tokens_as_read(text: str) -> Iterator[tuple[list[Token], Places]]:
    """Yield the words of a text where it reads otherwise than written: over line ends, as accented.

    Then yield them without words of one letter that are written on to them, if there are any. The
    places of the words are those in the form of the text; where that is in the text stands beside.
    """
    flat = FlatText(text)
    if flat.reads_as_written and text.isascii():
        return

    def places(start: int, end: int) -> tuple[int, int]:
        return flat.original(*flat.in_text(start, end))

    words = tokens_of(flat.spelling)
    if not flat.reads_as_written:
        yield words, places
    if not _WRITTEN_ON_TO.search(flat.spelling):
        return
    behind = [_behind_letters(each, flat.spelling) for each in words]
    if behind != words:
        yield behind, places


def _behind_letters(token: Token, text: str) -> Token:
    for start in (token.start + 2, token.start + 1):
        if token.end - start >= _MIN_LETTERS and is_written_on_to(text, start):
            written = text[start : token.end]
            return Token(match_key(written), written, start, token.end)
    return token
