"""Which numbers are record numbers and which are not, decided over all records of a patient.

A record number comes again and again; the number of a specimen or of a dictation is that of one
record, and stands beside a record number that is surer.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType
from shared.recognition.recognizer import Suggestion

RECORD, OTHER = PhiType("ID", "MEDICALRECORD"), PhiType("ID", "IDNUM")
MIN_CONFIDENCE = 0.5
"""Suggestions of at least this confidence have a voice."""
_CALLED, _REPEATED, _SECOND, _UNLIKE = 0.8, 0.4, 0.8, 0.4
"""What a label, each further record, a surer record number beside it, and not to be of the shape of
those that come again weigh against confidence."""
PHONE, FAX = PhiType("CONTACT", "PHONE"), PhiType("CONTACT", "FAX")
_IS_FAX = re.compile(r"\bfax(?:ed)?\b[^\d\n]{0,20}\s?$", re.IGNORECASE)
_FEWEST_DIGITS = 6
_MOST_RECORDS = 3
_LABEL = 24
_OF_RECORDS = re.compile(
    r"(?:\bm\.?r\.?n?\b\.?|\bmed(?:ical)?\.? rec(?:ord)?\b|\brecord|\bunit|\bchart|\bhosp|"
    r"\b(?:patient|pt|pat)\.? (?:id|no|num|#))[^;]{0,12}$",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(
    r"\b(?:acc(?:ession)?|order|spec(?:imen)?|sample|case|job|dict\w*|doc\w*|conf\w*|report|path\w*|"
    r"lab|study|exam|req\w*|trans\w*|visit|slide|film|claim|ref|batch|lot)\b[^;]{0,12}$",
    re.IGNORECASE,
)


def classify_numbers(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts with every number as what it is."""
    records = _records(texts, suggested)
    return [
        tuple(_settled(text, one, found, records) for one in found)
        for text, found in zip(texts, suggested, strict=True)
    ]


def _records(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> dict[str, set[int]]:
    """In which texts each number stands."""
    records: defaultdict[str, set[int]] = defaultdict(set)
    for number, (text, found) in enumerate(zip(texts, suggested, strict=True)):
        for digits, _ in _numbers(text, found):
            records[digits].add(number)
    return records


def _numbers(text: str, found: Sequence[Suggestion]) -> Iterator[tuple[str, Suggestion]]:
    for one in found:
        if one.phi_type in {RECORD, OTHER} and one.confidence >= MIN_CONFIDENCE:
            yield _digits(one.span.text_in(text)), one


def _settled(
    text: str, one: Suggestion, found: Sequence[Suggestion], records: dict[str, set[int]]
) -> Suggestion:
    if one.phi_type == PHONE and _IS_FAX.search(text, max(0, one.start - _LABEL), one.start):
        return replace(one, phi_type=FAX)
    if one.phi_type not in {RECORD, OTHER}:
        return one
    digits = _digits(one.span.text_in(text))
    score = one.confidence if one.phi_type == RECORD else -one.confidence
    before = text[max(0, one.start - _LABEL) : one.start].rpartition("\n")[2]
    if _OF_RECORDS.search(before):
        score += _CALLED
    elif _OF_OTHERS.search(before):
        score -= _CALLED
    elif any(
        each.phi_type == RECORD and other != digits and each.confidence > one.confidence
        for other, each in _numbers(text, found)
    ):
        score -= _SECOND
    if len(digits) >= _FEWEST_DIGITS:
        score += _REPEATED * (min(_MOST_RECORDS, len(records.get(digits, ()))) - 1)
    shapes = {_shape(each) for each, texts in records.items() if len(texts) > 1}
    if shapes and _shape(digits) not in shapes:
        score -= _UNLIKE
    return replace(one, phi_type=RECORD if score > 0 else OTHER) if score else one


def _shape(digits: str) -> str:
    return "".join("0" if char.isdigit() else "A" for char in digits)


def _digits(text: str) -> str:
    return "".join(char for char in text if char.isalnum())
