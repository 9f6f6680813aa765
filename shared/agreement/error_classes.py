"""What went wrong with each tag: the error classes of He and others (2015), and a confusion matrix.

Every tag of the reference is looked at once, beside the tag of the candidate that shares the most
characters with it (one with the same span and type first, then the one that begins first).
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from enum import StrEnum

from shared.agreement.comparison import Comparison
from shared.model import PhiType, Tag
from shared.text.span_index import SpanIndex

MISSED = "missed"
SPURIOUS = "spurious"


class ErrorClass(StrEnum):
    """How the candidate's tag stands to the reference's.

    SHORT is a part of it, LONG holds it and more, SHORT_AND_LONG a part of it and something else.
    """

    CORRECT = "correct"
    TYPE = "type"
    SHORT = "extent short"
    LONG = "extent long"
    SHORT_AND_LONG = "extent short and long"
    TYPE_AND_EXTENT = "type and extent"
    MISSING = "missing"
    SPURIOUS = "spurious"


NearestTags = tuple[Tag | None, Tag | None]
"""A tag of the reference and the candidate's nearest to it; None where a side has none."""


def nearest_tags(comparisons: Iterable[Comparison]) -> Iterator[NearestTags]:
    """Yield each tag of the reference with the candidate's nearest, then what is spurious."""
    for comparison in comparisons:
        ours, theirs = _once_each(comparison.candidate), _once_each(comparison.reference)
        index = SpanIndex(ours)
        for reference in theirs:
            yield reference, _nearest(reference, index.query(reference.start, reference.end))
        reference_index = SpanIndex(theirs)
        for candidate in ours:
            if not reference_index.query(candidate.start, candidate.end):
                yield None, candidate


def error_classes(pairs: Iterable[NearestTags]) -> Counter[tuple[PhiType, ErrorClass]]:
    """Count the classes by type: the reference's, and of what is spurious the candidate's."""
    return Counter(
        (known.phi_type, classify(candidate, reference))
        for reference, candidate in pairs
        if (known := reference or candidate) is not None
    )


def confusion(pairs: Iterable[NearestTags]) -> Counter[tuple[str, str]]:
    """Count tags by the type in the reference and the type in the candidate, extents aside."""
    return Counter(confused_types(*pair) for pair in pairs)


def confused_types(reference: Tag | None, candidate: Tag | None) -> tuple[str, str]:
    """Return the type in the reference, "spurious" without, and in the candidate, or "missed"."""
    return (
        str(reference.phi_type) if reference else SPURIOUS,
        str(candidate.phi_type) if candidate else MISSED,
    )


def classify(candidate: Tag | None, reference: Tag | None) -> ErrorClass:
    """Say what the candidate made of the reference's tag; None where a side has none."""
    if reference is None:
        return ErrorClass.SPURIOUS
    if candidate is None:
        return ErrorClass.MISSING
    same_type = candidate.phi_type == reference.phi_type
    if candidate.span == reference.span:
        return ErrorClass.CORRECT if same_type else ErrorClass.TYPE
    if not same_type:
        return ErrorClass.TYPE_AND_EXTENT
    if reference.span.contains(candidate.span):
        return ErrorClass.SHORT
    return ErrorClass.LONG if candidate.span.contains(reference.span) else ErrorClass.SHORT_AND_LONG


def _once_each(tags: Iterable[Tag]) -> list[Tag]:
    return list({tag.mark: tag for tag in tags}.values())


def _nearest(reference: Tag, candidates: Iterable[Tag]) -> Tag | None:
    def nearness(candidate: Tag) -> tuple[bool, int, int]:
        shared = min(reference.end, candidate.end) - max(reference.start, candidate.start)
        return candidate.mark == reference.mark, shared, -candidate.start

    return max(candidates, key=nearness, default=None)
