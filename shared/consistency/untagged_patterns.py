"""Untagged places that look like PHI by their pattern alone: dates, phones, e-mails, ids, ages.

Each has a kind; the schema says which of its types, if any, is of that kind.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain

from shared.consistency.candidates import UntaggedCandidate, lookalike
from shared.consistency.context_cues import (
    CONTRADICTED,
    NEUTRAL,
    SUPPORTED,
    context_certainty,
)
from shared.consistency.named_patterns import WHAT_PATTERNS_FIND, NamedPlaceFinder
from shared.consistency.patient_records import CheckedRecord
from shared.language.ambiguity import is_common_word, words_of_notes
from shared.language.date_mentions import DateMention
from shared.language.known_words import known_words
from shared.language.labelled_numbers import labelled_numbers
from shared.language.languages import Language, alternatives
from shared.model import EntityKind, Schema, Span
from shared.text.spelling import match_key

_ID = re.compile(r"\d(?<![\d/.,-].)[\d-]{2,}\d(?![\w/-]|[.,]\d)")
_LEAST_DIGITS = 5
_LONG_ID = 7
_LABELLED = {**WHAT_PATTERNS_FIND, EntityKind.RECORD_NUMBER: "a record number"}
_GROUPS = re.compile(r"\d(?<![\w.,/:+-].)\d{0,9}(?:[ -]\d{1,10}){1,5}(?![\w/:%]|[.,]\d|[ -]\d)")
_CODE = re.compile(r"[A-Z\d](?<![\w./-].)(?:-?[A-Z\d]){6,24}(?![\w/]|[.,-]\d)")
_DIGITS_OF_GROUPS, _DIGITS_OF_CODE = 9, 5
_NINETY, _TEN = 90, 10
_SHORT = 3
"""Groups of so many digits are values beside each other."""
_YEAR = re.compile(r"[12](?<![\w.,/:+-].)(?:(?<=1)9|(?<=2)0)\d\d(?![\w/%:]|[.,-]\d)")
_SHORT_YEAR = re.compile(r"['‘’](?<![\w'‘’].)\d\d(?:s\b)?(?![\w'’]|[.,/-]\d)")
_DECADE = r"(?<![\w.,/:+-])(?:19|20)\d0['’]?{decade_endings}(?!\w)"
"""`'99`, `the '80s`; `1980s`, `1980er`."""
_COUNTED_AFTER = r"(?i)[\s-]{1,3}{counted_after}\b"
_OLD = re.compile(r"[91](?<![\w.,/:+-].)(?:(?<=9)\d|(?<=1)[01]\d)(?![\w/%:]|[.,-]\d)")
"""Ages above 89, which identify by themselves."""
_LONGEST_NAME = 40
_NAME_AND_COMMA = re.compile(
    r"(?<![\w.])(?P<name>[A-ZÀ-ÖØ-Þ][\w'’-]+(?: [A-ZÀ-ÖØ-Þ][\w'’.-]+)?),\s$"
)
_AFTER_AGE = re.compile(r"[,;)]|\.(?:\s|$)")
_YEAR_OR_TIME = re.compile(r"(?:19|20)\d\d|(?:[01]\d|2[0-3])[0-5]\d")

_Place = tuple[int, int, EntityKind, float, str]
"""A place that looks like PHI: start, end, its kind, how certain that is, and what it is."""


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What looks like a kind of PHI; the place is the group 1 where there is one.

    `hint` are texts one of which is in every record with such a place, with `digits` a digit is, so
    that others need not be searched.
    """

    what: str
    kind: EntityKind
    certainty: float
    pattern: re.Pattern[str]
    hint: tuple[str, ...] = ()
    digits: bool = False


@cache
def _patterns_of(language: Language) -> tuple[_Pattern, ...]:
    return (
        *_ages(language),
        *_labelled_years(language),
        *_weekdays(language),
        *_short_phones(language),
    )


def _ages(language: Language) -> Iterator[_Pattern]:
    """A number right behind a word for an age."""
    labels = language.cues.get("age_label", ())
    if labels:
        last = "".join(sorted({char for each in labels for char in (each[-1], each[-1].upper())}))
        before = "|".join(rf"(?<=\b{each}\s.)" for each in labels)
        pattern = rf"\d(?<=[{last}]\s.)(?:{before})\d{{0,2}}(?![\w/%]|[.:,-]\d)"
        yield _Pattern("an age", EntityKind.AGE, 0.6, re.compile(pattern), digits=True)


def _labelled_years(language: Language) -> Iterator[_Pattern]:
    """A year right behind a word for a time."""
    labels = language.cues.get("year_label", ())
    if labels:
        before = "|".join(rf"(?<=\b{each}\s\d{{4}})" for each in labels)
        pattern = rf"[12](?<=\s.)[901]\d\d(?![\w/%]|[.,-]\d)(?:{before})"
        yield _Pattern("a year", EntityKind.DATE, 0.7, re.compile(pattern), digits=True)


def _weekdays(language: Language) -> Iterator[_Pattern]:
    """A day of the week, where a capital tells it from other words."""
    days = [each for each in language.dates.weekdays if each.istitle()]
    if days:
        first, rest = "".join({each[0] for each in days}), "|".join(each[1:] for each in days)
        pattern = rf"[{first}](?<!\w.)(?:{rest})(?=s?\b)"
        hint = tuple({each[-3:] for each in days})
        yield _Pattern("a day of the week", EntityKind.DATE, 0.6, re.compile(pattern), hint)


def _short_phones(language: Language) -> Iterator[_Pattern]:
    """Numbers of telephones without an area code, where a form tells them."""
    if forms := "|".join(language.cues.get("short_phone_form", ())):
        pattern = re.compile(rf"(?<![\w/.-])(?:{forms})")
        what = "a telephone number without area code"
        yield _Pattern(what, EntityKind.PHONE, 0.55, pattern, digits=True)


class PatternFinder:
    """Looks for places that look like PHI; `schema` has the types to propose for them."""

    def __init__(self, schema: Schema, language: Language) -> None:
        self._type_for = cache(schema.type_for)
        self._patterns = _patterns_of(language)
        self._named = NamedPlaceFinder(schema, language)

    def candidates(self, record: CheckedRecord) -> Iterator[UntaggedCandidate]:
        """Yield every such place that no tag touches, overlapping ones included."""
        yield from self._named.candidates(record)
        for start, end, kind, certainty, what in self._places(record):
            if not record.is_tagged(start, end):
                yield lookalike(Span(start, end), what, self._type_for(kind), certainty)

    def _places(self, record: CheckedRecord) -> Iterator[_Place]:
        for each in self._patterns:
            if each.hint and not any(hint in record.apart for hint in each.hint):
                continue
            if each.digits and not record.has_digits:
                continue
            for found in each.pattern.finditer(record.apart):
                yield *found.span(), each.kind, each.certainty, each.what
        if record.has_digits:
            yield from _ids(record)
            yield from _labelled(record)
            yield from _codes(record)
            yield from _dates(record)
            yield from _years(record)
            yield from _old_ages(record)
        yield from _old_ages_in_words(record)


def _ids(record: CheckedRecord) -> Iterator[_Place]:
    """Numbers that are long."""
    for found in _ID.finditer(record.apart):
        start, end = found.start(), found.end()
        while start > found.start() - 4 and record.apart[start - 1 : start].isalpha():
            start -= 1
        digits = sum(map(str.isdigit, record.apart[start:end]))
        if digits < _LEAST_DIGITS or record.is_tagged(start, end):
            continue
        if digits >= _LONG_ID and record.apart[start:end].isalnum():
            yield start, end, EntityKind.NUMBER, 0.55, "an id"


def _labelled(record: CheckedRecord) -> Iterator[_Place]:
    """Numbers and codes behind a word that says what they are, up to a date."""
    dates = sorted(each.start for each in record.dates)
    for start, end, kind in labelled_numbers(record.apart, record.language, _LEAST_DIGITS):
        at = bisect_left(dates, start)
        until = min([end, *dates[at : at + 1]])
        code = record.apart[start:until].rstrip(" ./-")
        is_value = re.match(r"[A-Z]+ ", code)  # `record: ABG 7.40/41/88`
        if sum(map(str.isdigit, code)) >= _LEAST_DIGITS and not is_value:
            yield start, start + len(code), kind, 0.8, _LABELLED[kind]


def _codes(record: CheckedRecord) -> Iterator[_Place]:
    """Long numbers in groups, and codes of capitals and digits, which nothing explains."""
    for found in _GROUPS.finditer(record.apart):
        groups = re.split("[ -]", found[0])
        is_long = sum(map(len, groups)) >= _DIGITS_OF_GROUPS and max(map(len, groups)) > _SHORT
        if is_long and not all(map(_YEAR_OR_TIME.fullmatch, groups)):
            yield *found.span(), EntityKind.NUMBER, 0.55, "a long number"
    for found in _CODE.finditer(record.apart):
        digits = sum(map(str.isdigit, found[0]))
        letters = sum(map(str.isalpha, found[0]))
        if letters and digits >= _DIGITS_OF_CODE:
            yield *found.span(), EntityKind.NUMBER, 0.55, "an id"


def _dates(record: CheckedRecord) -> Iterator[_Place]:
    for mention in record.dates:
        if not record.is_tagged(mention.start, mention.end):
            certainty = _date_certainty(record, mention)
            yield mention.start, mention.end, EntityKind.DATE, certainty, "a date"


def _date_certainty(record: CheckedRecord, mention: DateMention) -> float:
    if mention.has_year:
        return 0.9 if mention.has_day else 0.8
    if mention.named and record.text[mention.start].isupper():
        return 0.8
    span = Span(mention.start, mention.end)
    certainty = context_certainty(record.text, span, EntityKind.DATE, record.language)
    return 0.6 if certainty >= SUPPORTED else min(0.45, certainty)


def _years(record: CheckedRecord) -> Iterator[_Place]:
    """Years that stand alone, unless what is beside them says what is counted."""
    for found in _YEAR.finditer(record.apart):
        certainty = context_certainty(
            record.apart, Span(*found.span()), EntityKind.DATE, record.language
        )
        if certainty >= NEUTRAL:
            yield *found.span(), EntityKind.DATE, certainty, "a year"
    counted, decade = map(record.language.expression, (_COUNTED_AFTER, _DECADE))
    for found in chain(_SHORT_YEAR.finditer(record.apart), decade.finditer(record.apart)):
        if counted.match(record.apart, found.end()):  # of speech: he slept '20 minutes'
            continue
        what = "years" if found[0].rstrip("'’")[-1].isalpha() else "a year"
        yield *found.span(), EntityKind.DATE, 0.8, what


def _old_ages(record: CheckedRecord) -> Iterator[_Place]:
    for found in _OLD.finditer(record.apart):
        span = Span(*found.span())
        certainty = context_certainty(record.apart, span, EntityKind.AGE, record.language)
        if certainty >= SUPPORTED or _is_behind_a_name(record, span):
            yield *found.span(), EntityKind.AGE, 0.8, "an age above 89"


def _is_behind_a_name(record: CheckedRecord, span: Span) -> bool:
    """Whether a number stands between commas behind what may be somebody's name.

    `Anastasia Snell, 90, next door`, but not `Anion Gap, 101, Chloride, 99, ...`.
    """
    before = record.apart[max(0, span.start - _LONGEST_NAME) : span.start]
    name = _NAME_AND_COMMA.search(before)
    if name is None or not _AFTER_AGE.match(record.apart, span.end):
        return False
    language = record.language
    words = name["name"].split()
    explained = words_of_notes(language)
    return words[0] in known_words(language, "given") or (
        len(words) > 1
        and not any(
            is_common_word(each, language) or match_key(each) in explained for each in words
        )
    )


def _old_ages_in_words(record: CheckedRecord) -> Iterator[_Place]:
    for found in _old_words(record.language).finditer(record.apart):
        from_there, span = record.apart[found.start() :], Span(0, len(found[0]))
        certainty = context_certainty(from_there, span, EntityKind.AGE, record.language)
        if certainty > CONTRADICTED:
            yield *found.span(), EntityKind.AGE, max(certainty, 0.55), "an age above 89"


@cache
def _old_words(language: Language) -> re.Pattern[str]:
    """Ages from 90 on in words: `ninety-two`, `zweiundneunzig`; `nineties` too."""
    numbers = language.ages.words.items()
    tens = [word for word, number in numbers if number == _NINETY]
    ones = [word for word, number in numbers if 0 < number < _TEN]
    whole = (
        form.format(tens=ten, ones=one)
        for form in language.ages.forms
        for ten in tens
        for one in ones
    )
    many = (f"{word[:-1]}ies" for word in tens if word.endswith("y"))
    return re.compile(rf"(?i)\b{alternatives((*whole, *tens, *many))}\w*")
