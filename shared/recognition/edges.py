"""Where names of people and hospitals begin and end, whatever a CRF that never met them says."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType, Span
from shared.recognition.suggestion import Suggestion, apart

PEOPLE = frozenset({PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")})
BUILDINGS = frozenset({PhiType("LOCATION", "HOSPITAL"), PhiType("LOCATION", "ORGANIZATION")})
NAMED_AFTER = re.compile(
    r"(?:['’]s)?\s+(?:disease|syndrome|palsy|signs?|tests?|catheter|drain|criteria|phenomenon|"
    r"lymphoma|thyroiditis|chorea|esophagus|cyst|contracture|class|score|scale|tube|line|ulcer)\b"
)
"""What follows a name that is no person's but a thing's."""
_COLUMNS = re.compile(r"[ \t]{2,}|\t")
_TITLE = r"(?:mr|mrs|ms|miss|dr|drs|prof)\b\.?"
_BEFORE_NAME = re.compile(rf"[\s,.;:\-]*(?:(?i:{_TITLE})(?:\s+|$))?")
_AFTER_NAME = re.compile(r"(?:\s+[a-z][\w'’]*|[\s,;:\[\](]+)+$")
_BEFORE_BUILDING = re.compile(r"(?:[a-z]{1,4}\s+)+(?=[^\W\d_a-z])")
_INITIAL = re.compile(r"[^\W\d_a-z]\.?")


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
    """Whether an initial, or a name that was suggested with its comma, goes on here."""
    if last.phi_type not in PEOPLE or one.phi_type != last.phi_type or last.end >= one.start:
        return False
    gap = text[last.end : one.start]
    if gap == " ":
        return bool(_INITIAL.fullmatch(last.span.text_in(text)))
    return gap.strip() == "," and reached > last.end


def _trimmed(text: str, one: Suggestion) -> Suggestion | None:
    if one.phi_type in BUILDINGS:
        found = _BEFORE_BUILDING.match(one.span.text_in(text))
        start = one.start + (found.end() if found else 0)
        return replace(one, span=Span(start, one.end))
    if one.phi_type not in PEOPLE:
        return one
    start, end = max(_columns(text, one), key=lambda each: each[1] - each[0])
    written = text[start:end]
    first = _BEFORE_NAME.match(written)
    start += first.end() if first else 0
    last = _AFTER_NAME.search(text[start:end])
    if last and not text[start:end].islower():
        end = start + last.start()
    return replace(one, span=Span(start, end)) if start < end else None


def _columns(text: str, one: Suggestion) -> Iterator[tuple[int, int]]:
    """Yield the stretches between wide spaces."""
    start = one.start
    for gap in _COLUMNS.finditer(text, one.start, one.end):
        yield start, gap.start()
        start = gap.end()
    yield start, one.end
