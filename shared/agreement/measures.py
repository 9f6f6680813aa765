"""What counts as the same thing in two layers of one document.

A measure says which things are put side by side and when two of them match; a granularity says
what a thing is besides its place. Whatever a layer says twice counts once, and no thing matches
two others. The worked examples are in guidelines/agreement_measures.md.

A new measure is a function that pairs things and its row in `MEASURES`.
"""

from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from heapq import heappop, heappush
from typing import NamedTuple, cast

from shared.agreement.comparison import Comparison
from shared.metrics.counts import MatchCounts, Scores, added
from shared.model import PhiType, Span, Tag
from shared.text.tokens import token_starts

END_TOLERANCE = 2
"""Characters by which the end may be off in the relaxed measure (Stubbs and Uzuner, appendix B)."""

Label = PhiType | str
"""A PHI type, the name of a category, or "PHI", by granularity."""
ANY_PHI = "PHI"

Thing = tuple[int, int]
"""Start and end; of a token its start twice."""
Things = Collection[Thing]
Pairs = Collection[tuple[Thing, Thing]]
Keep = Callable[[PhiType], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Which things of the two sides match: the most `pairs` of things of one label.

    Things are tags, or with `of_tokens` white-space tokens, which carry the types of the tags that
    touch them. `pairs` puts together what shares a character, and what both have and nothing else
    touches, always: that is counted without looking. `name` is a key in JSON and CSV, and
    `description` says in the report what matches.
    """

    name: str
    description: str
    pairs: Callable[[Things, Things], Pairs]
    of_tokens: bool = False

    def __str__(self) -> str:
        return self.name


class Granularity(StrEnum):
    """What must be the same besides the place: the type, its category, or nothing (PHI or not)."""

    TYPE = "type"
    CATEGORY = "category"
    BINARY = "binary"


class MeasureKey(NamedTuple):
    """What a figure measures: how, how fine, of all types or those of HIPAA, of one label or all.

    `label` is "" for all, or the name of a category or type as `label_name` gives it.
    """

    measure: Measure
    granularity: Granularity = Granularity.TYPE
    hipaa_only: bool = False
    label: str = ""

    @property
    def name(self) -> str:
        """The name in JSON and CSV: `strict`, `binary_token`."""
        is_typed = self.granularity is Granularity.TYPE
        return self.measure.name if is_typed else f"{self.granularity}_{self.measure}"


# ---------------------------------------------------------------- the measures


def _same_place(ours: Things, theirs: Things) -> Pairs:
    return [(each, each) for each in ours if each in theirs]


def _near_end(ours: Things, theirs: Things) -> Pairs:
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


def _overlapping(ours: Things, theirs: Things) -> Pairs:
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


STRICT = Measure("strict", "same start, end and type", _same_place)
RELAXED = Measure("relaxed", "same start and type, ends at most 2 characters apart", _near_end)
OVERLAP = Measure("overlap", "same type, a shared character", _overlapping)
TOKEN = Measure(
    "token",
    "white-space tokens, which carry the types of the tags that touch them",
    _same_place,
    of_tokens=True,
)

MEASURES = (STRICT, RELAXED, OVERLAP, TOKEN)
"""Whatever stands here is counted, scored, tested for significance and reported."""


def measure_keys() -> Sequence[MeasureKey]:
    """Return what is measured over all labels: every measure, typed and binary, all and HIPAA."""
    return _keys_of(MEASURES)


@cache
def _keys_of(measures: Sequence[Measure]) -> Sequence[MeasureKey]:
    return tuple(
        MeasureKey(measure, granularity, hipaa_only)
        for measure in measures
        for granularity in (Granularity.TYPE, Granularity.BINARY)
        for hipaa_only in (False, True)
    )


# ---------------------------------------------------------------- counting


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The things of one label: pairs of candidate and reference, and what is left on each side."""

    pairs: tuple[tuple[Thing, Thing], ...]
    candidates: tuple[Thing, ...]
    references: tuple[Thing, ...]


class Matcher:
    """Matches the tags of one comparison by every measure, looking at them once."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._tags = (_spans(comparison.candidate), _spans(comparison.reference))

    def count(
        self,
        measure: Measure,
        granularity: Granularity = Granularity.TYPE,
        keep: Keep | None = None,
    ) -> dict[Label, MatchCounts]:
        """Count the matches for every label that occurs, of the types to `keep` on either side."""
        if measure.of_tokens:
            pairs = token_labels(self._comparison)
            return count_tokens(pairs if keep is None else only_types(pairs, keep), granularity)
        ours, theirs = (_by_label(side, granularity, keep) for side in self._tags)
        return {
            label: _counted(measure, ours.get(label, _NONE), theirs.get(label, _NONE))
            for label in ours.keys() | theirs.keys()
        }

    def match(
        self,
        measure: Measure,
        granularity: Granularity = Granularity.TYPE,
        keep: Keep | None = None,
    ) -> dict[Label, MatchResult]:
        """Return the things themselves that `count` counts, for every label that occurs."""
        sides = self._tokens() if measure.of_tokens else self._tags
        ours, theirs = (_by_label(side, granularity, keep) for side in sides)
        return {
            label: _matched(measure, ours.get(label, _NONE), theirs.get(label, _NONE))
            for label in ours.keys() | theirs.keys()
        }

    def _tokens(self) -> "tuple[_Typed, _Typed]":
        text, starts = self._comparison.document.text, token_starts(self._comparison.document.text)
        ours, theirs = (
            _types_of_tokens(tags, text, starts)
            for tags in (self._comparison.candidate, self._comparison.reference)
        )
        return _by_type(ours), _by_type(theirs)


def count(
    comparison: Comparison, measure: Measure, granularity: Granularity = Granularity.TYPE
) -> dict[Label, MatchCounts]:
    """Count the matches of one document, for every label that occurs in it."""
    return Matcher(comparison).count(measure, granularity)


def total(counts: Mapping[Label, MatchCounts]) -> MatchCounts:
    """Return the counts of all labels together."""
    return added(counts.values())


def label_name(label: Label) -> str:
    """Return `NAME:PATIENT` for a type, `DATE:DATE` too, so that it is told from its category."""
    return f"{label.category}:{label.name}" if isinstance(label, PhiType) else label


def score(
    comparisons: Iterable[Comparison],
    measure: Measure,
    granularity: Granularity = Granularity.TYPE,
) -> Scores:
    """Return the scores of a corpus, over all labels."""
    return Scores.of(total(count(each, measure, granularity)) for each in comparisons)


_Typed = dict[PhiType, set[Thing]]
_NONE: frozenset[Thing] = frozenset()


def _counted(measure: Measure, ours: Things, theirs: Things) -> MatchCounts:
    tp = len(ours if ours == theirs else measure.pairs(ours, theirs))
    return MatchCounts(tp, len(ours) - tp, len(theirs) - tp)


def _matched(measure: Measure, ours: Things, theirs: Things) -> MatchResult:
    pairs = sorted(measure.pairs(ours, theirs))
    taken = [{pair[side] for pair in pairs} for side in (0, 1)]
    candidates, references = sorted(set(ours) - taken[0]), sorted(set(theirs) - taken[1])
    return MatchResult(tuple(pairs), tuple(candidates), tuple(references))


def _spans(tags: Iterable[Tag]) -> _Typed:
    spans: _Typed = {}
    for tag in tags:
        spans.setdefault(tag.phi_type, set()).add((tag.span.start, tag.span.end))
    return spans


def _by_label(
    typed: _Typed, granularity: Granularity, keep: Keep | None
) -> Mapping[Label, set[Thing]]:
    kept = typed if keep is None else {kind: each for kind, each in typed.items() if keep(kind)}
    if granularity is Granularity.TYPE:
        return cast("Mapping[Label, set[Thing]]", kept)
    labelled: dict[Label, set[Thing]] = defaultdict(set)
    for kind, things in kept.items():
        labelled[_label(kind, granularity)] |= things
    return labelled


def _label(phi_type: PhiType, granularity: Granularity) -> Label:
    if granularity is Granularity.TYPE:
        return phi_type
    return phi_type.category if granularity is Granularity.CATEGORY else ANY_PHI


# ---------------------------------------------------------------- tokens

TokenLabel = tuple[PhiType, ...]
"""The types of the tags that touch a token, in order; none where no tag does."""

TokenPairs = Mapping[tuple[TokenLabel, TokenLabel], int]
"""How many tokens have these two labels, one of each side."""

_UNTAGGED: TokenLabel = ()


def touched_tokens(starts: Sequence[int], text: str, span: Span) -> Sequence[int]:
    """Return which white-space tokens, that begin at `starts`, share a character with `span`."""
    in_token = not text[span.start].isspace()
    first = bisect_right(starts, span.start) - 1 if in_token else bisect_left(starts, span.start)
    return starts[first : bisect_left(starts, span.end)]


def token_labels(
    comparison: Comparison, starts: Sequence[int] | None = None
) -> Counter[tuple[TokenLabel, TokenLabel]]:
    """Count the tokens of a document by their two labels; they begin at `starts`, if known."""
    text = comparison.document.text
    starts = token_starts(text) if starts is None else starts
    ours = _types_of_tokens(comparison.candidate, text, starts)
    theirs = _types_of_tokens(comparison.reference, text, starts)
    touched = ours.keys() | theirs.keys()
    pairs = Counter([(ours.get(at, _UNTAGGED), theirs.get(at, _UNTAGGED)) for at in touched])
    if len(starts) > len(touched):
        pairs[_UNTAGGED, _UNTAGGED] = len(starts) - len(touched)
    return pairs


def only_types(pairs: TokenPairs, keep: Keep) -> Counter[tuple[TokenLabel, TokenLabel]]:
    """Return the pairs of labels when only the types to keep count."""
    found: Counter[tuple[TokenLabel, TokenLabel]] = Counter()
    for (one, other), number in pairs.items():
        ours = tuple(filter(keep, one))
        theirs = ours if one == other else tuple(filter(keep, other))
        found[ours, theirs] += number
    return found


def count_tokens(pairs: TokenPairs, granularity: Granularity) -> dict[Label, MatchCounts]:
    """Count the tokens that have a label on both sides, or on one, for every label that occurs."""
    found: dict[Label, list[int]] = {}
    for (one, other), number in pairs.items():
        ours, theirs = _labels(one, granularity), _labels(other, granularity)
        for label in ours:
            found.setdefault(label, [0, 0, 0])[0 if label in theirs else 1] += number
        for label in theirs if one != other else ():
            if label not in ours:
                found.setdefault(label, [0, 0, 0])[2] += number
    return {label: MatchCounts(*counts) for label, counts in found.items()}


def _labels(token_label: TokenLabel, granularity: Granularity) -> Collection[Label]:
    if granularity is Granularity.TYPE or not token_label:
        return token_label
    return {_label(kind, granularity) for kind in token_label}


def _types_of_tokens(
    tags: Iterable[Tag], text: str, starts: Sequence[int]
) -> dict[int, TokenLabel]:
    labels: dict[int, TokenLabel] = {}
    for tag in tags:
        alone = (tag.phi_type,)
        for at in touched_tokens(starts, text, tag.span):
            before = labels.setdefault(at, alone)
            if before is not alone and tag.phi_type not in before:
                labels[at] = tuple(sorted((*before, tag.phi_type)))
    return labels


def _by_type(labels: Mapping[int, TokenLabel]) -> _Typed:
    tokens: _Typed = {}
    for start, kinds in labels.items():
        for kind in kinds:
            tokens.setdefault(kind, set()).add((start, start))
    return tokens
