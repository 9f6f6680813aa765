"""Untagged places that look like PHI by their pattern alone: dates, phones, e-mails, ids, ages.

Each has a kind; the schema says which of its types, if any, is of that kind.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from shared.consistency.candidates import UntaggedCandidate
from shared.consistency.context_cues import context_certainty
from shared.consistency.findings import FindingKind
from shared.consistency.patient_records import CheckedRecord
from shared.language.date_mentions import DateMention
from shared.model import EntityKind, Schema, Span

_NUMBERED = re.compile(
    # a digit or a bracket at which a number begins, then what it goes on with
    r"[(\d](?<![\w/.-].)(?:"
    r"(?P<age>(?<=\d)\d{0,2}(?=[ -]?(?:y\.?/?o\b|yo[mfwg]?\b|years?[ -]old|yr[ -]old|y\. ?o\.|"
    r"años de edad)))|"
    r"(?P<phone>(?:(?<=\()\d{3}\) ?|(?<=\d)\d\d[-. ])\d{3}[-. ]\d{4}(?![\w-]))|"
    r"(?P<ssn>(?<=\d)\d\d-\d\d-\d{4}(?![\w-]))|"
    r"(?P<short_phone>(?<=\d)\d\d-\d{4}(?![\w-]))|"
    r"(?P<address>(?<=\d)\d{0,2}(?:\.\d{1,3}){3}(?![\w.])))"
)
_NUMBERS: dict[str, tuple[EntityKind, float, str]] = {
    "age": (EntityKind.AGE, 0.9, "an age"),
    "phone": (EntityKind.PHONE, 0.95, "a telephone number"),
    "short_phone": (EntityKind.PHONE, 0.55, "a telephone number without area code"),
    "ssn": (EntityKind.SSN, 0.9, "a social security number"),
    "address": (EntityKind.IP_ADDRESS, 0.9, "a network address"),
}
_ID = re.compile(r"\d(?<![\d/.,-].)[\d-]{2,}\d(?![\w/-]|[.,]\d)")
_LEAST_DIGITS = 5
_LONG_ID = 7
_LABEL_REACH = 28
_LABELS = (
    (
        re.compile(
            r"\b(?:MRN|MR|Unit|Record|Historia|NHC|NASS)\W?(?:number|no|cl[íi]nica)?\W{0,4}$",
            re.I,
        ),
        EntityKind.RECORD_NUMBER,
        "the number of a record",
    ),
    (re.compile(r"\b(?:pager|beeper|p)\W{0,3}$", re.I), EntityKind.PHONE, "a pager"),
    (
        re.compile(
            r"\b(?:accession|job|document|dictation|specimen|case|certificate|licen[sc]e|policy|"
            r"account|acct|serial|member|number|no)\W{0,3}(?:number|no|id)?\W{0,4}$",
            re.I,
        ),
        EntityKind.NUMBER,
        "an id",
    ),
)


@dataclass(frozen=True, slots=True)
class _Pattern:
    """What looks like a kind of PHI; the place is the group 1 where there is one.

    `hint` are texts one of which is in every record with such a place, so that others need not be
    searched.
    """

    what: str
    kind: EntityKind
    certainty: float
    pattern: re.Pattern[str]
    hint: tuple[str, ...] = ()


_PATTERNS = (
    _Pattern(
        "an e-mail address",
        EntityKind.EMAIL,
        0.98,
        re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+"),
        ("@",),
    ),
    _Pattern(
        "a web address",
        EntityKind.URL,
        0.95,
        re.compile(r"(?:https?://|(?<!\w)www\.)[^\s<>\"')\]]*[\w/]"),
        ("://", "www."),
    ),
    _Pattern(
        "an age",
        EntityKind.AGE,
        0.6,
        re.compile(
            r"\d(?<=[eEdDf:]\s.)(?:(?<=\b[Aa]ge\s.)|(?<=\b[Aa]ge:\s.)|(?<=\b[Aa]ged\s.)|"
            r"(?<=\bAGE:\s.)|(?<=\bage\sof\s.)|(?<=dad:\s.))\d{0,2}(?![\w/%]|[.:,-]\d)"
        ),
        ("age", "Age", "AGE", "dad"),
    ),
    _Pattern(
        "a year",
        EntityKind.DATE,
        0.7,
        re.compile(
            r"[12](?<=\s.)[901]\d\d(?![\w/%]|[.,-]\d)(?:(?<=\b[Ii]n\s\d{4})|(?<=\b[Ss]ince\s\d{4})|"
            r"(?<=\buntil\s\d{4})|(?<=\bdesde\s\d{4})|(?<=\ben\s\d{4}))"
        ),
    ),
    _Pattern(
        "a day of the week",
        EntityKind.DATE,
        0.6,
        re.compile(r"[MTWFS](?<!\w.)(?:on|ues|ednes|hurs|ri|atur|un)day(?=s?\b)"),
        ("day",),
    ),
)


class PatternFinder:
    """Looks for places that look like PHI; `schema` has the types to propose for them."""

    def __init__(self, schema: Schema) -> None:
        self._type_for = cache(schema.type_for)

    def candidates(self, record: CheckedRecord) -> Iterator[UntaggedCandidate]:
        """Yield every such place that no tag touches, overlapping ones included."""
        for start, end, kind, certainty, what in _places(record):
            if not record.is_tagged(start, end):
                yield UntaggedCandidate(
                    Span(start, end),
                    FindingKind.LOOKALIKE,
                    self._type_for(kind),
                    certainty,
                    f"this looks like {what}, and nothing here is tagged",
                )


def _places(record: CheckedRecord) -> Iterator[tuple[int, int, EntityKind, float, str]]:
    """Yield the places that look like PHI, each with its kind, its certainty and what it is."""
    for each in _PATTERNS:
        if each.hint and not any(hint in record.text for hint in each.hint):
            continue
        group = each.pattern.groups
        for found in each.pattern.finditer(record.text):
            yield *found.span(group), each.kind, each.certainty, each.what
    for found in _NUMBERED.finditer(record.text):
        yield *found.span(), *_NUMBERS[found.lastgroup or ""]
    yield from _ids(record)
    for mention in record.dates:
        if not record.is_tagged(mention.start, mention.end):
            certainty = _date_certainty(record, mention)
            yield mention.start, mention.end, EntityKind.DATE, certainty, "a date"


def _ids(record: CheckedRecord) -> Iterator[tuple[int, int, EntityKind, float, str]]:
    """Numbers that are long, or stand after the word for an id."""
    for found in _ID.finditer(record.text):
        start, end = found.start(), found.end()
        while start > found.start() - 4 and record.text[start - 1 : start].isalpha():
            start -= 1
        digits = sum(map(str.isdigit, record.text[start:end]))
        if digits < _LEAST_DIGITS or record.is_tagged(start, end):
            continue
        before = record.text[max(0, start - _LABEL_REACH) : start]
        for label, kind, what in _LABELS:
            if label.search(before):
                yield start, end, kind, 0.9, what
                break
        else:
            if digits >= _LONG_ID and record.text[start:end].isalnum():
                yield start, end, EntityKind.NUMBER, 0.55, "an id"


def _date_certainty(record: CheckedRecord, mention: DateMention) -> float:
    if mention.has_year:
        return 0.9 if mention.has_day else 0.8
    if mention.named and record.text[mention.start].isupper():
        return 0.8
    span = Span(mention.start, mention.end)
    return min(0.45, context_certainty(record.text, span, EntityKind.DATE, record.language))
