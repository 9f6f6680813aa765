"""Where names of people and hospitals begin and end, whatever a CRF that never met them says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType, Span
from shared.recognition.suggestion import Suggestion, apart

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
PEOPLE = frozenset({PATIENT, DOCTOR})
PROFESSION = PhiType("PROFESSION", "PROFESSION")
DATE = PhiType("DATE", "DATE")
ELSEWHERE = PhiType("LOCATION", "LOCATION-OTHER")
BUILDINGS = frozenset({PhiType("LOCATION", "HOSPITAL"), PhiType("LOCATION", "ORGANIZATION")})
NAMED_AFTER = re.compile(
    r"(?:['’]s)?\s+(?:disease|syndrome|palsy|signs?|tests?|catheter|drain|criteria|phenomenon|"
    r"lymphoma|thyroiditis|chorea|esophagus|cyst|contracture|class|score|scale|tube|line|ulcer)\b"
)
"""What follows a name that is no person's but a thing's."""
_COLUMNS = re.compile(r"[ \t]{2,}|\t")
_TITLE = r"(?:mr|mrs|ms|miss|dr|drs|prof)\b\.?"
_BEFORE_NAME = re.compile(rf"[\s,.;:\-]*(?:(?i:{_TITLE})(?:\s+|$))?")
_AFTER_NAME = re.compile(
    r"(?:\s+[a-z][\w'’]*|[\s,;:\[\](\"]+|(?<=[^\W\d_]{2})(?<!Jr)(?<!Sr)\.|(?<=\.)\.)+$"
)
_LAST_INITIAL = re.compile(r" [A-Z](?:\.|(?![\w.'’]))")
_BEFORE_BUILDING = re.compile(r"(?:[a-z]{1,4}\s+)+(?=[^\W\d_a-z])")
_INITIAL = re.compile(r"[^\W\d_a-z]\.?")
_FULL_LINE = 50
"""A line of so many characters may break a name."""
_NO_JOB = re.compile(r"(?:(?i:an?|the|retired|former|disabled|unemployed)\s+)+(?=\w)")
_MONTH_DAY = re.compile(r"[A-Z][a-z]{2,8}\.?\s\d{1,2}(?:st|nd|rd|th)?,?")
_YEAR_AFTER = re.compile(r",?\s(?:19|20|21)\d\d\b(?![/\-])")
_YEAR = re.compile(r"(?:19|20|21)\d\d|['’]\d\d")
_SEASON_BEFORE = re.compile(r"\b(?:spring|summer|autumn|fall|winter)\s$", re.IGNORECASE)


def tidied(text: str, found: Sequence[Suggestion]) -> tuple[Suggestion, ...]:
    """Return the suggestions, names without what is no part of them, torn ones put together."""
    return apart(_joined(text, found))


def _joined(text: str, found: Sequence[Suggestion]) -> list[Suggestion]:
    result: list[Suggestion] = []
    reached = 0
    for one in found:
        whole = _trimmed(text, one)
        if whole is None:
            continue
        if result and _is_torn(text, result[-1], whole, reached):
            last = result.pop()
            sure = max(last.confidence, whole.confidence)
            whole = replace(last, span=Span(last.start, whole.end), confidence=sure)
        result.append(whole)
        reached = one.end
    return result


def _is_torn(text: str, last: Suggestion, one: Suggestion, reached: int) -> bool:
    """Whether a name goes on here: after an initial, a hyphen, a comma, or in the next word."""
    if last.phi_type not in PEOPLE or one.phi_type != last.phi_type or last.end >= one.start:
        return False
    gap = text[last.end : one.start]
    before, after = last.span.text_in(text), one.span.text_in(text)
    if gap in {" ", "\n"}:
        if _INITIAL.fullmatch(before):
            return True
        is_full = gap == " " or last.end - text.rfind("\n", 0, last.end) > _FULL_LINE
        return is_full and _is_one_name(before) and _is_one_name(after) and before != after
    if gap == "-":
        return True
    if gap.strip() == "," and len(gap) < 3:
        return reached > last.end or (one.phi_type == PATIENT and before.isupper())
    return False


def _is_one_name(written: str) -> bool:
    return written.isalpha() and written.istitle()


def _trimmed(text: str, one: Suggestion) -> Suggestion | None:
    if one.phi_type in BUILDINGS:
        found = _BEFORE_BUILDING.match(one.span.text_in(text))
        start = one.start + (found.end() if found else 0)
        return replace(one, span=Span(start, one.end))
    if one.phi_type == DATE:
        return _whole_date(text, one)
    if one.phi_type == ELSEWHERE:
        article = 4 if text[: one.start].endswith(("the ", "The ")) else 0
        return replace(one, span=Span(one.start - article, one.end))
    if one.phi_type == PROFESSION:
        found = _NO_JOB.match(one.span.text_in(text))
        return replace(one, span=Span(one.start + found.end(), one.end)) if found else one
    if one.phi_type not in PEOPLE:
        return one
    start, end = max(_columns(text, one), key=lambda each: each[1] - each[0])
    written = text[start:end]
    first = _BEFORE_NAME.match(written)
    start += first.end() if first else 0
    last = _AFTER_NAME.search(text[start:end])
    if last and not text[start:end].islower():
        end = start + last.start()
    if "," in text[start:end] and (initial := _LAST_INITIAL.match(text, end)):
        end = initial.end()
    return replace(one, span=Span(start, end)) if start < end else None


def _whole_date(text: str, one: Suggestion) -> Suggestion:
    """A month and day with the year that follows, a year with the season before it."""
    start, end = one.start, one.end
    written = one.span.text_in(text)
    if _MONTH_DAY.fullmatch(written) and (year := _YEAR_AFTER.match(text, end)):
        end = year.end()
    if _YEAR.fullmatch(written) and (
        season := _SEASON_BEFORE.search(text, max(0, start - 9), start)
    ):
        start = season.start()
    return replace(one, span=Span(start, end))


def _columns(text: str, one: Suggestion) -> Iterator[tuple[int, int]]:
    """Yield the stretches between wide spaces."""
    start = one.start
    for gap in _COLUMNS.finditer(text, one.start, one.end):
        yield start, gap.start()
        start = gap.end()
    yield start, one.end
