"""Released records searched for the identifiers of Safe Harbor, 45 CFR 164.514(b)(2)(i), A to R.

It reads the released text and its tags, and knows nothing of how they were made: what may stand is
said here once more. Names of people are told by the gold standard, all else by its form: by the
patterns of the language, by the labels before numbers, and by how long a number or a code is.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from shared.language.dates_in_text import dates_in
from shared.language.labelled_numbers import is_years, labelled_numbers
from shared.language.languages import Language
from shared.language.patterns import folded, patterns_of
from shared.model import Span
from shared.model.phi_traits import EntityKind
from shared.surrogates.ordinary_words import is_eponym
from shared.surrogates.other_writings import dates_written_otherwise
from shared.surrogates.surrogate_kinds import SurrogateKind
from shared.text.spelling import match_key

NAME = "a name (A)"
PLACE = "a place smaller than a state (B)"
POSTAL_CODE = "more of a postal code than may be kept (B)"
DATE = "more of a date than the year (C)"
AGE = "an age above 89, or a year that tells one (C)"
PHONE = "a telephone number (D)"
FAX = "a fax number (E)"
MAIL = "an e-mail address (F)"
SSN = "a social security number (G)"
RECORD = "a medical record number (H)"
PLAN = "a health plan number (I)"
ACCOUNT = "an account number (J)"
LICENSE = "a certificate or license number (K)"
VEHICLE = "a vehicle identifier (L)"
DEVICE = "a device identifier (M)"
WEB = "a web address (N)"
MACHINE = "an IP address (O)"
BIOMETRIC = "a biometric identifier (P)"
PICTURE = "a file of a picture (Q)"
CODE = "another identifying number or code (R)"

_OF_PATTERNS: Mapping[EntityKind, str] = {
    EntityKind.PERSON: NAME,
    EntityKind.CITY: PLACE,
    EntityKind.STREET: PLACE,
    EntityKind.PLACE: PLACE,
    EntityKind.POSTAL_CODE: POSTAL_CODE,
    EntityKind.TERRITORY: POSTAL_CODE,
    EntityKind.DATE: DATE,
    EntityKind.AGE: AGE,
    EntityKind.PHONE: PHONE,
    EntityKind.FAX: FAX,
    EntityKind.EMAIL: MAIL,
    EntityKind.SSN: SSN,
    EntityKind.RECORD_NUMBER: RECORD,
    EntityKind.HEALTH_PLAN: PLAN,
    EntityKind.ACCOUNT: ACCOUNT,
    EntityKind.LICENSE: LICENSE,
    EntityKind.VEHICLE: VEHICLE,
    EntityKind.DEVICE: DEVICE,
    EntityKind.URL: WEB,
    EntityKind.IP_ADDRESS: MACHINE,
    EntityKind.BIOMETRIC: BIOMETRIC,
    EntityKind.NUMBER: CODE,
    EntityKind.USERNAME: CODE,
}
_MAY_STAND = frozenset(
    {
        *(SurrogateKind.STATE, SurrogateKind.COUNTRY, SurrogateKind.PROFESSION),
        *(SurrogateKind.RELATIVE, SurrogateKind.KEEP),
    }
)
"""Kinds that the rule does not name; no digit stands in them."""

_NUMBER = r"-(?:\d+|[A-Z]{10})"
_PLACEHOLDER = re.compile(rf"\[[^\W\d][\w.:-]*{_NUMBER}\]")
_MASK = "\x00"
_MONTH_YEAR = re.compile(r"(?<![\d/.-])(?:0?[1-9]|1[0-2])[/.-](?:19|20|21)\d\d(?![\d/-]|\.\d)")
_SHARE = re.compile(r"\d{1,2}[/.-]\d{1,2}")
_REACH = 20
_DIGITS = re.compile(r"\d+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})*")
_OLDEST_NAMED, _OLDEST = 89, 125
_LEAST_LETTERS = 3
_LEAST_YEAR = 1800
_LEAST_DIGITS = 3
_ALWAYS = (
    (MAIL, re.compile(r"[^\s@<>\x00]+@[^\s@<>\x00]+\.[^\W\d_]{2,}")),
    (WEB, re.compile(r"(?i)\b(?:(?:https?|ftp)://|www\.)\S+|\b[\w-]+\.(?:com|org|net|edu|gov)\b")),
    (MACHINE, re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.]\d)")),
    (MACHINE, re.compile(r"(?i)(?<![\w:])(?:[0-9a-f]{1,4}:){4,7}[0-9a-f]{1,4}(?![\w:])")),
    (SSN, re.compile(r"(?<![\w-])\d{3}-\d{2}-\d{4}(?![\w-])")),
    (VEHICLE, re.compile(r"\b(?=[A-HJ-NPR-Z]*\d)(?=\d*[A-HJ-NPR-Z])[A-HJ-NPR-Z\d]{17}\b")),
    (PICTURE, re.compile(r"(?i)[\w-]+\.(?:jpe?g|png|gif|tiff?|bmp|heic|webp|dcm)\b")),
    (PHONE, re.compile(r"(?<![\w.])\+\d(?:[ ./()-]{0,2}\d){7,14}(?!\d)")),
    (CODE, re.compile(r"(?<![\w.,])\d{7,}(?![.,]?\d)")),
    (CODE, re.compile(r"(?<![\w.,/-])\(?\d{2,}\)?(?:[-/. ]\(?\d{2,}\)?){2,}(?![\w/-]|[.,]\d)")),
    (CODE, re.compile(r"(?<![\w-])(?=[\w-]*[A-Z])(?=[A-Z-]*\d[\d-]{4})[A-Z\d][A-Z\d-]{5,}(?!\w)")),
)  # fmt: skip


class ReleasedTag(NamedTuple):
    """A tag of a released record: where, of which kind, and the name of its type."""

    span: Span
    kind: SurrogateKind
    name: str

    def has_placeholder(self, text: str) -> bool:
        """Whether nothing but a placeholder of its own type stands there: `[DATE-3]`, `[DATE]`."""
        name = re.escape(self.name)
        return re.fullmatch(rf"\[{name}(?:{_NUMBER})?\]", self.span.text_in(text)) is not None


@dataclass(frozen=True, slots=True)
class FoundIdentifier:
    """What stands at a place of a released record, by the letter of the rule."""

    span: Span
    what: str


def find_identifiers(
    text: str,
    tags: Sequence[ReleasedTag],
    names: Collection[str],
    language: Language,
) -> list[FoundIdentifier]:
    """Return what a released record has that Safe Harbor names, in order, one for each place.

    `tags` are those of the release, `names` the names of people in the gold standard.
    """
    masked = _PLACEHOLDER.sub(lambda found: _MASK * len(found[0]), text)
    for each in tags:
        if each.has_placeholder(text):
            span = each.span
            masked = masked[: span.start] + _MASK * len(span) + masked[span.end :]
    found = [*_in_tags(text, tags, language), *_in_text(masked, names, language)]
    told: list[FoundIdentifier] = []
    for each in sorted(found, key=lambda one: (one.span.start, -one.span.end, one.what == CODE)):
        if not told or not each.span.overlaps(told[-1].span):
            told.append(each)
    return told


def _in_tags(
    text: str, tags: Iterable[ReleasedTag], language: Language
) -> Iterator[FoundIdentifier]:
    """Tags that hold more than a placeholder, and more than their kind may."""
    dated: list[tuple[Span, list[int]]] = []
    for each in tags:
        tagged = each.span.text_in(text)
        what = _wrong(tagged, each.kind, language)
        if what and not each.has_placeholder(text):
            yield FoundIdentifier(each.span, what)
        elif each.kind is SurrogateKind.DATE:
            years = re.findall(r"\d{4}", tagged)
            dated.append((each.span, [int(year) for year in years]))
    latest = max((year for _, years in dated for year in years), default=0)
    for span, years in dated:
        if any(year < latest - _OLDEST_NAMED for year in years):
            yield FoundIdentifier(span, AGE)


def _wrong(tagged: str, kind: SurrogateKind, language: Language) -> str:
    """What a tag's text is that it must not be; "" where it may stand."""
    if kind is SurrogateKind.DATE:
        return "" if is_years(tagged) else DATE
    if kind is SurrogateKind.AGE:
        return AGE if _is_over_89(tagged, language) or len(_DIGITS.findall(tagged)) > 2 else ""
    if kind in (SurrogateKind.ZIP, SurrogateKind.TERRITORY) and _DIGITS.search(tagged):
        sparse = language.places.sparse_postal_codes
        kept = sparse and re.fullmatch(rf"\d{{{len(sparse[0])}}}", tagged)
        return "" if kept and tagged not in sparse else POSTAL_CODE
    if kind is SurrogateKind.TERRITORY or kind in _MAY_STAND:
        return CODE if _DIGITS.search(tagged) else ""
    return _OF_KINDS.get(kind, CODE)


_OF_KINDS: Mapping[SurrogateKind, str] = {
    SurrogateKind.PERSON: NAME,
    SurrogateKind.PHONE: PHONE,
    SurrogateKind.EMAIL: MAIL,
    SurrogateKind.URL: WEB,
    SurrogateKind.IP: MACHINE,
    SurrogateKind.SSN: SSN,
    **dict.fromkeys(
        (
            *(SurrogateKind.HOSPITAL, SurrogateKind.ORGANIZATION, SurrogateKind.DEPARTMENT),
            *(SurrogateKind.ROOM, SurrogateKind.STREET, SurrogateKind.CITY, SurrogateKind.PLACE),
        ),
        PLACE,
    ),
    SurrogateKind.ZIP: POSTAL_CODE,
}


def _in_text(text: str, names: Collection[str], language: Language) -> Iterator[FoundIdentifier]:
    for start, end, what in (
        *_names(text, names, language),
        *_dates(text, language),
        *_of_patterns(text, language),
        *_labelled(text, language),
        *((*found.span(), what) for what, find in _ALWAYS for found in find.finditer(text)),
    ):
        if _MASK not in text[start:end]:
            yield FoundIdentifier(Span(start, end), what)


_Place = tuple[int, int, str]


def _names(text: str, names: Collection[str], language: Language) -> Iterator[_Place]:
    """Words of names that are written as names are; whole names in any case."""
    generic = {match_key(word) for word in (*language.titles, *language.names.degrees)}
    generic |= {match_key(word) for word in (*language.particles, *language.names.suffixes)}
    parts, whole = set[str](), set[tuple[str, ...]]()
    for name in names:
        words = tuple(_WORD.findall(match_key(name)))
        whole |= {words} if len(words) > 1 else set()
        parts |= {word for word in words if len(word) >= _LEAST_LETTERS} - generic
    tokens = [(found.start(), found.end(), match_key(found[0])) for found in _WORD.finditer(text)]
    for at, (start, end, key) in enumerate(tokens):
        if key in parts and _is_written_as_name(text, start, end, language):
            yield start, end, NAME
        for words in whole:
            after = tokens[at : at + len(words)]
            if words[0] == key and tuple(each[2] for each in after) == words:
                yield start, after[-1][1], NAME


def _is_written_as_name(text: str, start: int, end: int, language: Language) -> bool:
    """False in small letters, for `Will` where a sentence begins, and for `Bell's palsy`."""
    if not text[start].isupper() or is_eponym(text, start, end, language):
        return False
    return match_key(text[start:end]) not in language.common_words or not _begins(text, start)


def _begins(text: str, start: int) -> bool:
    """Whether a word stands where every word has a capital."""
    before = text[:start].rstrip(" \t\"'([-*•")
    return not before or before[-1] in ".!?:;\n"


def _dates(text: str, language: Language) -> Iterator[_Place]:
    for date in dates_in(text, language):
        if date.is_sure:
            yield date.start, date.end, DATE
    for span, date in dates_written_otherwise(text, language):
        if (date.readings[0].year or 0) >= _LEAST_YEAR:
            yield span.start, span.end, DATE
    for found in _MONTH_YEAR.finditer(text):
        yield *found.span(), DATE


def _of_patterns(text: str, language: Language) -> Iterator[_Place]:
    there = folded(text)
    for pattern in patterns_of(language):
        what = _OF_PATTERNS.get(pattern.kinds[0][0], "") if pattern.kinds else ""
        if not what or (pattern.needs and not any(each in there for each in pattern.needs)):
            continue
        for start, end in pattern.spans(text):
            if _is_named(text, start, end, what, language):
                yield start, end, what


def _is_named(text: str, start: int, end: int, what: str, language: Language) -> bool:
    """False for what a pattern finds and may stand: a year, `90+`, three digits, `3/3` words."""
    found = text[start:end]
    if what == NAME:
        return len(found) >= _LEAST_LETTERS
    if what == DATE:
        is_year = is_years(found.lstrip("'’"))
        return not is_year and (not _SHARE.fullmatch(found) or _day_before(text, start, language))
    if what == AGE:
        return _is_over_89(text[start : end + 1], language)
    if what == POSTAL_CODE:
        return _wrong(found, SurrogateKind.ZIP, language) != ""
    return not (what == PLACE and _is_year_in_words(found, language))


def _is_year_in_words(text: str, language: Language) -> bool:
    """True for `Im Jahr 2012`, which looks like a street."""
    words, _, year = " ".join(text.lower().split()).rpartition(" ")
    before = {each.partition("=")[2].lower() for each in language.dates.before_year}
    return words in before and is_years(year)


def _day_before(text: str, start: int, language: Language) -> bool:
    """Whether a word stands there that goes before a day: `on 3/4`."""
    words = _WORD.findall(text[max(0, start - _REACH) : start].lower())
    before = {each.partition("=")[0].split()[-1] for each in language.dates.before_year}
    return bool(words) and words[-1] in before.union(language.dates.since)


def _is_over_89(text: str, language: Language) -> bool:
    """Whether a number of more than 89 stands in an age, in digits or words, but for `90+`."""
    numbers = [int(found[0]) for found in re.finditer(r"\d+(?!\d*\+)", text)]
    words = {match_key(word): number for word, number in language.ages.words.items()}
    said = (match_key(word) for word in _WORD.findall(text))
    stems = (word.removesuffix("ies") + "y" if word.endswith("ies") else word for word in said)
    in_words = sum(words.get(stem, 0) for stem in stems)
    return any(_OLDEST_NAMED < each <= _OLDEST for each in (*numbers, in_words))


def _labelled(text: str, language: Language) -> Iterator[_Place]:
    """Numbers and codes behind a label that says what they are."""
    for start, end, kind in labelled_numbers(text, language, _LEAST_DIGITS):
        what = _OF_PATTERNS[kind]
        if what != POSTAL_CODE or _wrong(text[start:end], SurrogateKind.ZIP, language):
            yield start, end, what
