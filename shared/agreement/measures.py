"""What counts as the same thing in two layers of one document.

A measure says which things are put side by side and when two of them match; a grain says what a
thing is besides its place. Whatever a layer says twice counts once, and no thing matches two
others. The worked examples are in guidelines/agreement_measures.md.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from heapq import heappop, heappush

from shared.agreement.comparison import Comparison
from shared.agreement.counts import MatchCounts, Scores
from shared.model import PhiType, Span, Tag
from shared.text.tokens import token_starts

END_TOLERANCE = 2
"""Characters by which the end may be off in the relaxed measure (Stubbs and Uzuner, appendix B)."""

Label = PhiType | str
"""A PHI type, the name of a category, or "PHI", by grain."""
ANY_PHI = "PHI"


class Measure(StrEnum):
    """What is put side by side.

    STRICT   tags with the same start and end
    RELAXED  tags with the same start whose ends are at most 2 characters apart
    OVERLAP  tags that share a character
    TOKEN    white-space tokens of the document; one that a tag touches carries the tag's type
    """

    STRICT = "strict"
    RELAXED = "relaxed"
    OVERLAP = "overlap"
    TOKEN = "token"  # noqa: S105 (a measure, not a password)


class Grain(StrEnum):
    """What must be the same besides the place: the type, its category, or nothing (PHI or not)."""

    TYPE = "type"
    CATEGORY = "category"
    BINARY = "binary"


def count(
    comparison: Comparison, measure: Measure, grain: Grain = Grain.TYPE
) -> dict[Label, MatchCounts]:
    """Count the matches of one document, for every label that occurs in it."""
    candidates, references = _things(comparison, measure, grain)
    matches = _MATCHES[measure]
    counts: dict[Label, MatchCounts] = {}
    for label in candidates.keys() | references.keys():
        ours, theirs = candidates.get(label, _NONE), references.get(label, _NONE)
        tp = matches(ours, theirs)
        counts[label] = MatchCounts(tp, len(ours) - tp, len(theirs) - tp)
    return counts


def total(counts: Mapping[Label, MatchCounts]) -> MatchCounts:
    """Return the counts of all labels together."""
    return sum(counts.values(), MatchCounts())


def score(comparisons: Iterable[Comparison], measure: Measure, grain: Grain = Grain.TYPE) -> Scores:
    """Return the scores of a corpus, over all labels."""
    return Scores.of(total(count(each, measure, grain)) for each in comparisons)


_Thing = tuple[int, int]
"""Start and end; of a token its start twice."""
_NONE: frozenset[_Thing] = frozenset()


def _things(
    comparison: Comparison, measure: Measure, grain: Grain
) -> tuple[dict[Label, set[_Thing]], dict[Label, set[_Thing]]]:
    label_of = _LABELS[grain]
    if measure is not Measure.TOKEN:
        return (
            _spans_of(comparison.candidate, label_of),
            _spans_of(comparison.reference, label_of),
        )
    text = comparison.document.text
    starts = token_starts(text)
    return (
        _tokens_of(comparison.candidate, label_of, text, starts),
        _tokens_of(comparison.reference, label_of, text, starts),
    )


def _spans_of(
    tags: Iterable[Tag], label_of: Callable[[PhiType], Label]
) -> dict[Label, set[_Thing]]:
    things: dict[Label, set[_Thing]] = defaultdict(set)
    for tag in tags:
        things[label_of(tag.phi_type)].add((tag.span.start, tag.span.end))
    return things


def _tokens_of(
    tags: Iterable[Tag], label_of: Callable[[PhiType], Label], text: str, starts: list[int]
) -> dict[Label, set[_Thing]]:
    things: dict[Label, set[_Thing]] = defaultdict(set)
    for tag in tags:
        touched = _touched(starts, text, tag.span)
        if touched:
            things[label_of(tag.phi_type)].update((start, start) for start in touched)
    return things


def _touched(starts: list[int], text: str, span: Span) -> list[int]:
    in_token = not text[span.start].isspace()
    first = bisect_right(starts, span.start) - 1 if in_token else bisect_left(starts, span.start)
    return starts[first : bisect_left(starts, span.end)]


def _same(ours: Collection[_Thing], theirs: Collection[_Thing]) -> int:
    return len(set(ours).intersection(theirs))


def _near(ours: Collection[_Thing], theirs: Collection[_Thing]) -> int:
    """Most pairs with one start and ends not too far apart: taking the lowest first finds them."""
    matched = 0
    left, right = sorted(ours, reverse=True), sorted(theirs, reverse=True)
    while left and right:
        (start, end), (other_start, other_end) = left[-1], right[-1]
        if start == other_start and abs(end - other_end) <= END_TOLERANCE:
            matched += 1
            left.pop()
            right.pop()
        else:
            (left if (start, end) < (other_start, other_end) else right).pop()
    return matched


def _overlapping(ours: Collection[_Thing], theirs: Collection[_Thing]) -> int:
    """Most pairs that overlap, each thing in one pair at most.

    Whatever ends first takes the partner that ends first: all its partners reach its end, so
    whatever else could take that one could take any other partner as well.
    """
    sides = [
        [(end, start, side) for start, end in each] for side, each in enumerate((ours, theirs))
    ]
    coming = [sorted(side, key=lambda thing: -thing[1]) for side in sides]
    begun: list[list[tuple[int, int, int]]] = [[], []]
    done: set[tuple[int, int, int]] = set()
    matched = 0
    for thing in sorted(sides[0] + sides[1]):
        if thing in done:
            continue
        done.add(thing)
        others, end = 1 - thing[2], thing[0]
        while coming[others] and coming[others][-1][1] < end:
            heappush(begun[others], coming[others].pop())
        while begun[others] and begun[others][0] in done:
            heappop(begun[others])
        if begun[others]:
            done.add(heappop(begun[others]))
            matched += 1
    return matched


_MATCHES: Mapping[Measure, Callable[[Collection[_Thing], Collection[_Thing]], int]] = {
    Measure.STRICT: _same,
    Measure.RELAXED: _near,
    Measure.OVERLAP: _overlapping,
    Measure.TOKEN: _same,
}

_LABELS: Mapping[Grain, Callable[[PhiType], Label]] = {
    Grain.TYPE: lambda phi_type: phi_type,
    Grain.CATEGORY: lambda phi_type: phi_type.category,
    Grain.BINARY: lambda _: ANY_PHI,
}
