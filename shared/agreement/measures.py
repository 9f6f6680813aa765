"""What counts as the same thing in two layers of one document.

A measure says which things are put side by side and when two of them match; a grain says what a
thing is besides its place. Whatever a layer says twice counts once, and no thing matches two
others. The worked examples are in guidelines/agreement_measures.md.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from heapq import heappop, heappush
from typing import Self, TypeVar, cast

from shared.agreement.comparison import Comparison
from shared.metrics.counts import MatchCounts, Scores, added
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


class Granularity(StrEnum):
    """What must be the same besides the place: the type, its category, or nothing (PHI or not)."""

    TYPE = "type"
    CATEGORY = "category"
    BINARY = "binary"


class Matcher:
    """Counts one comparison by every measure, looking at its tags and tokens once."""

    def __init__(self, comparison: Comparison, starts: Sequence[int] | None = None) -> None:
        """Look at a comparison; `starts` are the `token_starts` of its text, if known."""
        self._text = comparison.document.text
        self._starts = starts
        self._tags = comparison.candidate, comparison.reference
        self._spans: tuple[_Typed, _Typed] | None = None
        self._tokens: tuple[_Typed, _Typed] | None = None

    def count(
        self,
        measure: Measure,
        grain: Granularity = Granularity.TYPE,
        keep: Callable[[PhiType], bool] | None = None,
    ) -> dict[Label, MatchCounts]:
        """Count the matches for every label that occurs, of the types to `keep` on either side."""
        candidates, references = (_by_label(side, grain, keep) for side in self._things(measure))
        return _counted(measure, candidates, references)

    def match(
        self,
        measure: Measure,
        grain: Granularity = Granularity.TYPE,
        keep: Callable[[PhiType], bool] | None = None,
    ) -> "dict[Label, MatchResult]":
        """Return the things themselves that `count` counts, for every label that occurs."""
        candidates, references = (_by_label(side, grain, keep) for side in self._things(measure))
        return {
            label: MatchResult.of(
                _MATCHES[measure], candidates.get(label, _NONE), references.get(label, _NONE)
            )
            for label in candidates.keys() | references.keys()
        }

    def _things(self, measure: Measure) -> "tuple[_Typed, _Typed]":
        if measure is not Measure.TOKEN:
            if self._spans is None:
                self._spans = _spans_by_type(self._tags[0]), _spans_by_type(self._tags[1])
            return self._spans
        if self._tokens is None:
            starts = token_starts(self._text) if self._starts is None else self._starts
            ours, theirs = self._tags
            self._tokens = (
                _tokens_by_type(ours, self._text, starts),
                _tokens_by_type(theirs, self._text, starts),
            )
        return self._tokens


def count(
    comparison: Comparison, measure: Measure, grain: Granularity = Granularity.TYPE
) -> dict[Label, MatchCounts]:
    """Count the matches of one document, for every label that occurs in it."""
    return Matcher(comparison).count(measure, grain)


def total(counts: Mapping[Label, MatchCounts]) -> MatchCounts:
    """Return the counts of all labels together."""
    return added(counts.values())


def of_types(
    counts: Mapping[Label, MatchCounts], keep: Callable[[PhiType], bool]
) -> dict[Label, MatchCounts]:
    """Return the counts of the types to keep."""
    return {
        label: each for label, each in counts.items() if isinstance(label, PhiType) and keep(label)
    }


def label_name(label: Label) -> str:
    """Return `NAME:PATIENT` for a type, `DATE:DATE` too, so that it is told from its category."""
    return f"{label.category}:{label.name}" if isinstance(label, PhiType) else label


def score(
    comparisons: Iterable[Comparison], measure: Measure, grain: Granularity = Granularity.TYPE
) -> Scores:
    """Return the scores of a corpus, over all labels."""
    return Scores.of(total(count(each, measure, grain)) for each in comparisons)


def touched_tokens(starts: Sequence[int], text: str, span: Span) -> Sequence[int]:
    """Return which white-space tokens, that begin at `starts`, share a character with `span`."""
    in_token = not text[span.start].isspace()
    first = bisect_right(starts, span.start) - 1 if in_token else bisect_left(starts, span.start)
    return starts[first : bisect_left(starts, span.end)]


Thing = tuple[int, int]
"""Start and end; of a token its start twice."""


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The things of one label: pairs of candidate and reference, and what is left on each side."""

    pairs: tuple[tuple[Thing, Thing], ...]
    candidates: tuple[Thing, ...]
    references: tuple[Thing, ...]

    @classmethod
    def of(cls, matches: "_Matches", ours: Collection[Thing], theirs: Collection[Thing]) -> Self:
        pairs = sorted(matches(ours, theirs))
        taken = [{pair[side] for pair in pairs} for side in (0, 1)]
        candidates, references = sorted(set(ours) - taken[0]), sorted(set(theirs) - taken[1])
        return cls(tuple(pairs), tuple(candidates), tuple(references))


_Pairs = Collection[tuple[Thing, Thing]]
_Matches = Callable[[Collection[Thing], Collection[Thing]], _Pairs]
_Typed = dict[PhiType, set[Thing]]
_NONE: frozenset[Thing] = frozenset()
Labelled = TypeVar("Labelled", bound=Label)


def _counted(
    measure: Measure,
    candidates: Mapping[Labelled, set[Thing]],
    references: Mapping[Labelled, set[Thing]],
) -> dict[Labelled, MatchCounts]:
    matches = _MATCHES[measure]
    counts: dict[Labelled, MatchCounts] = {}
    for label in candidates.keys() | references.keys():
        ours, theirs = candidates.get(label, _NONE), references.get(label, _NONE)
        alike = matches is _same or ours == theirs
        tp = len(ours & theirs if alike else matches(ours, theirs))
        counts[label] = MatchCounts(tp, len(ours) - tp, len(theirs) - tp)
    return counts


def _spans_by_type(tags: Iterable[Tag]) -> _Typed:
    spans: _Typed = {}
    for tag in tags:
        spans.setdefault(tag.phi_type, set()).add((tag.span.start, tag.span.end))
    return spans


def _tokens_by_type(tags: Iterable[Tag], text: str, starts: Sequence[int]) -> _Typed:
    tokens: _Typed = {}
    for tag in tags:
        touched = touched_tokens(starts, text, tag.span)
        if touched:
            tokens.setdefault(tag.phi_type, set()).update((start, start) for start in touched)
    return tokens


def _by_label(
    typed: _Typed, grain: Granularity, keep: Callable[[PhiType], bool] | None
) -> Mapping[Label, set[Thing]]:
    kept = typed if keep is None else {kind: each for kind, each in typed.items() if keep(kind)}
    if grain is Granularity.TYPE:
        return cast("Mapping[Label, set[Thing]]", kept)
    labelled: dict[Label, set[Thing]] = defaultdict(set)
    for kind, things in kept.items():
        labelled[kind.category if grain is Granularity.CATEGORY else ANY_PHI] |= things
    return labelled


def _same(ours: Collection[Thing], theirs: Collection[Thing]) -> _Pairs:
    return [(each, each) for each in set(ours).intersection(theirs)]


def _near(ours: Collection[Thing], theirs: Collection[Thing]) -> _Pairs:
    """Most pairs with one start and ends not too far apart: taking the lowest first finds them."""
    matched: list[tuple[Thing, Thing]] = []
    left, right = sorted(ours, reverse=True), sorted(theirs, reverse=True)
    while left and right:
        (start, end), (other_start, other_end) = left[-1], right[-1]
        if start == other_start and abs(end - other_end) <= END_TOLERANCE:
            matched.append((left.pop(), right.pop()))
        else:
            (left if (start, end) < (other_start, other_end) else right).pop()
    return matched


def _overlapping(ours: Collection[Thing], theirs: Collection[Thing]) -> _Pairs:
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
    matched: list[tuple[Thing, Thing]] = []
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
            other = heappop(begun[others])
            done.add(other)
            pair = (thing[1], thing[0]), (other[1], other[0])
            matched.append(pair if others else (pair[1], pair[0]))
    return matched


_MATCHES: Mapping[Measure, _Matches] = {
    Measure.STRICT: _same,
    Measure.RELAXED: _near,
    Measure.OVERLAP: _overlapping,
    Measure.TOKEN: _same,
}
