"""What counts as the same thing in two layers of one document.

A measure says which things are put side by side and when two of them match; a granularity says
what a thing is besides its place. Whatever a layer says twice counts once, and no thing matches
two others. The worked examples are in guidelines/agreement_measures.md.

A new measure is a function that pairs things and its row in `MEASURES`.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, cached_property
from heapq import heappop, heappush
from typing import Any, NamedTuple, cast

from shared.agreement.comparison import Comparison
from shared.metrics.counts import MatchCounts, Scores, added
from shared.model import PhiType, Tag
from shared.text.tokens import token_starts_in

END_TOLERANCE = 2
"""Characters by which the end may be off in the relaxed measure (Stubbs and Uzuner, appendix B)."""

Label = PhiType | str
"""A PHI type, the name of a category, or "PHI", by granularity."""
ANY_PHI = "PHI"

Thing = tuple[int, int]
"""Start and end; of a token its start twice."""
Things = Set[Thing]
TypedThings = dict[PhiType, set[Thing]]
LabelledThings = tuple[Label, Things, Things]
"""A label, with what the candidate and what the reference have of it."""
Pairs = Collection[tuple[Thing, Thing]]
Keep = Callable[[PhiType], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Measure:
    """Which things of the two sides match: the most `pairs` of things of one label.

    Things are tags, or with `of_tokens` white-space tokens, which carry the types of the tags that
    touch them. `pairs` puts together what shares a character, and what both have and nothing else
    touches, always: that is counted without looking. With `is_exact` it pairs nothing else.
    `name` is a key in JSON and CSV, and `description` says in the report what matches.
    """

    name: str
    description: str
    pairs: Callable[[Things, Things], Pairs]
    of_tokens: bool = False
    is_exact: bool = False

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> "str | tuple[Any, ...]":
        """In another process it is the one of that name there, as none is equal to a copy."""
        return _measure_named, (self.name,)


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


STRICT = Measure("strict", "same start, end and type", _same_place, is_exact=True)
RELAXED = Measure("relaxed", "same start and type, ends at most 2 characters apart", _near_end)
OVERLAP = Measure("overlap", "same type, a shared character", _overlapping)
TOKEN = Measure(
    "token",
    "white-space tokens, which carry the types of the tags that touch them",
    _same_place,
    of_tokens=True,
    is_exact=True,
)

MEASURES = (STRICT, RELAXED, OVERLAP, TOKEN)
"""Whatever stands here is counted, scored, tested for significance and reported."""


def _measure_named(name: str) -> Measure:
    return next(each for each in MEASURES if each.name == name)


def measure_keys() -> Sequence[MeasureKey]:
    """Return what is measured over all labels: every measure, typed and binary, all and HIPAA."""
    return _keys_of(MEASURES)


def typed_first() -> list[MeasureKey]:
    """Return the `measure_keys`, the typed measures before the binary ones."""
    return sorted(measure_keys(), key=lambda key: key.granularity is Granularity.BINARY)


@cache
def _keys_of(measures: Sequence[Measure]) -> Sequence[MeasureKey]:
    return tuple(key for measure in measures for key in _keys(measure))


@cache
def _keys(measure: Measure) -> tuple[MeasureKey, ...]:
    return tuple(
        MeasureKey(measure, granularity, hipaa_only)
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
    """Matches the things of one comparison by every measure, looking at its tags once."""

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._tags = _spans(comparison.candidate), _spans(comparison.reference)
        self._labelled: dict[tuple[bool, Granularity, Keep | None], list[LabelledThings]] = {}

    @cached_property
    def tokens(self) -> "tuple[TypedThings, TypedThings]":
        """The tokens that tags of each side touch, by type."""
        return typed_tokens(self._comparison)

    def count(
        self,
        measure: Measure,
        granularity: Granularity = Granularity.TYPE,
        keep: Keep | None = None,
    ) -> dict[Label, MatchCounts]:
        """Count the matches for every label that occurs, of the types to `keep` on either side."""
        return {
            label: _counted(measure, ours, theirs)
            for label, ours, theirs in self._things(measure, granularity, keep)
        }

    def match(
        self,
        measure: Measure,
        granularity: Granularity = Granularity.TYPE,
        keep: Keep | None = None,
    ) -> dict[Label, MatchResult]:
        """Return the things themselves that `count` counts, for every label that occurs."""
        return {
            label: _matched(measure, ours, theirs)
            for label, ours, theirs in self._things(measure, granularity, keep)
        }

    def _things(
        self, measure: Measure, granularity: Granularity, keep: Keep | None
    ) -> "list[LabelledThings]":
        """Return the things of both sides by label; most measures look at the same ones."""
        key = measure.of_tokens, granularity, keep
        if key not in self._labelled:
            sides = self.tokens if measure.of_tokens else self._tags
            ours, theirs = (_by_label(side, granularity, keep) for side in sides)
            self._labelled[key] = [
                (label, ours.get(label, _NONE), theirs.get(label, _NONE))
                for label in ours.keys() | theirs.keys()
            ]
        return self._labelled[key]


def count(
    comparison: Comparison, measure: Measure, granularity: Granularity = Granularity.TYPE
) -> dict[Label, MatchCounts]:
    """Count the matches of one document, for every label that occurs in it."""
    return Matcher(comparison).count(measure, granularity)


def count_matches(
    comparison: Comparison, is_hipaa: Keep, matcher: Matcher | None = None
) -> dict[MeasureKey, MatchCounts]:
    """Count what `measure_keys` measures, and strictly every category and type that occurs.

    `matcher` is that of the comparison, where there is one.
    """
    matcher = matcher or Matcher(comparison)
    counts: dict[MeasureKey, MatchCounts] = {}
    of_types: dict[Label, MatchCounts] = {}
    for measure in MEASURES:
        typed = matcher.count(measure)
        # what counts by type is counted once for all and for HIPAA: they are sums over types
        kept = [found for kind, found in typed.items() if is_hipaa(cast("PhiType", kind))]
        binary = total(matcher.count(measure, Granularity.BINARY))
        is_all = len(kept) == len(typed)
        hipaa = binary if is_all else total(matcher.count(measure, Granularity.BINARY, is_hipaa))
        counts.update(zip(_keys(measure), (total(typed), added(kept), binary, hipaa), strict=True))
        of_types = typed if measure is STRICT else of_types
    counts.update((_strict_key(label), found) for label, found in _by_category(matcher, of_types))
    counts.update((_strict_key(label), found) for label, found in of_types.items())
    return counts


def _by_category(
    matcher: Matcher, of_types: Mapping[Label, MatchCounts]
) -> Iterable[tuple[Label, MatchCounts]]:
    """Return the strict counts of categories; one with a single type has those of the type."""
    categories = [cast("PhiType", kind).category for kind in of_types]
    if len(set(categories)) == len(categories):
        return zip(categories, of_types.values(), strict=True)
    return matcher.count(STRICT, Granularity.CATEGORY).items()


@cache
def _strict_key(label: Label) -> MeasureKey:
    granularity = Granularity.CATEGORY if isinstance(label, str) else Granularity.TYPE
    return MeasureKey(STRICT, granularity, label=label_name(label))


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


_NONE: frozenset[Thing] = frozenset()
_FEW = 4000
"""Of more, each beside each takes longer than to pair them all."""


def _counted(measure: Measure, ours: Things, theirs: Things) -> MatchCounts:
    alike = ours & theirs
    tp = len(alike)
    if not measure.is_exact and tp < min(len(ours), len(theirs)):
        one, other = ours - alike, theirs - alike
        if len(alike) * (len(one) + len(other)) <= _FEW:
            touched = _touched(alike, one | other)
            one, other, tp = one | touched, other | touched, tp - len(touched)
        else:
            one, other, tp = ours, theirs, 0
        tp += len(measure.pairs(one, other))
    return MatchCounts(tp, len(ours) - tp, len(theirs) - tp)


def _touched(alike: Things, others: Things) -> set[Thing]:
    """Return what shares a character with the others, directly or through what does."""
    found: set[Thing] = set()
    for start, end in others:
        found |= {each for each in alike if each[0] < end and start < each[1]}
    return found | _touched(alike - found, found) if found else found


def _matched(measure: Measure, ours: Things, theirs: Things) -> MatchResult:
    pairs = sorted(measure.pairs(ours, theirs))
    taken = [{pair[side] for pair in pairs} for side in (0, 1)]
    candidates, references = sorted(set(ours) - taken[0]), sorted(set(theirs) - taken[1])
    return MatchResult(tuple(pairs), tuple(candidates), tuple(references))


def _spans(tags: Iterable[Tag]) -> TypedThings:
    spans: TypedThings = {}
    for tag in tags:
        spans.setdefault(tag.phi_type, set()).add((tag.span.start, tag.span.end))
    return spans


def _by_label(
    typed: TypedThings, granularity: Granularity, keep: Keep | None
) -> Mapping[Label, set[Thing]]:
    kept = typed if keep is None else {kind: each for kind, each in typed.items() if keep(kind)}
    if granularity is Granularity.TYPE:
        return cast("Mapping[Label, set[Thing]]", kept)
    labelled: dict[Label, set[Thing]] = defaultdict(set)
    for kind, things in kept.items():
        labelled[kind.category if granularity is Granularity.CATEGORY else ANY_PHI] |= things
    return labelled


# ---------------------------------------------------------------- tokens


def typed_tokens(comparison: Comparison) -> tuple[TypedThings, TypedThings]:
    """Return the tokens that tags of each side touch, by the types of these tags."""
    text = comparison.document.text
    starts: dict[Thing, list[Thing]] = {}
    """The tokens that touch a span, which most often both sides have."""

    def touched(tags: Iterable[Tag]) -> TypedThings:
        tokens: TypedThings = {}
        for tag in tags:
            span = tag.span.start, tag.span.end
            if span not in starts:
                starts[span] = [(at, at) for at in token_starts_in(text, *span)]
            tokens.setdefault(tag.phi_type, set()).update(starts[span])
        return tokens

    return touched(comparison.candidate), touched(comparison.reference)
