"""What has a form of its own, as an address on the web has, is found by it.

A recognizer that has met few of these in training would overlook them otherwise.
"""

from collections.abc import Sequence
from functools import lru_cache

from shared.model import PhiType, Span
from shared.recognition.rules import Pattern, shipped_patterns
from shared.recognition.suggestion import Suggestion, apart

FIRM, FIRM_DATE = 0.95, 0.85
"""Patterns that are right at least so often count; those of dates overlap with nothing else."""
_DATES = {"DATE", "FECHAS"}
HEARD = 0.5
"""Suggestions of at least this confidence stand where a pattern finds something else."""


def with_firm(
    texts: Sequence[str],
    suggested: Sequence[Sequence[Suggestion]],
    types: tuple[PhiType, ...],
    by: str,
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of texts and, of the types asked for, what patterns find beside."""
    patterns = _firm_patterns(types)
    return [
        apart([*found, *_beside(text, found, patterns, by)])
        for text, found in zip(texts, suggested, strict=True)
    ]


def _beside(
    text: str, found: Sequence[Suggestion], patterns: Sequence[tuple[Pattern, PhiType]], by: str
) -> list[Suggestion]:
    taken = bytearray(len(text))
    for one in found:
        if one.confidence >= HEARD:
            taken[one.start : one.end] = b"\1" * len(one.span)
    return [
        Suggestion(Span(start, end), phi_type, pattern.confidence, by)
        for pattern, phi_type in patterns
        for start, end in pattern.spans(text)
        if taken.find(1, start, end) < 0
    ]


@lru_cache(maxsize=8)
def _firm_patterns(types: tuple[PhiType, ...]) -> list[tuple[Pattern, PhiType]]:
    by_name = {each.name: each for each in types}
    return [
        (pattern, by_name[name])
        for pattern in shipped_patterns()
        for name in [name for name in pattern.types if name in by_name][:1]
        if pattern.confidence >= (FIRM_DATE if name in _DATES else FIRM)
    ]
