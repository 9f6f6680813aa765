"""What a comparison adds to a report, counted once however many reports it is in."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

from shared.agreement.comparison import Comparison
from shared.agreement.condensed import Condensed
from shared.agreement.error_classes import ErrorClass, confusion, error_classes, nearest_tags
from shared.agreement.measures import Grain, Label, Matcher, Measure, label_name
from shared.agreement.tables import measure_name
from shared.agreement.token_labels import TokenPairs, token_counts
from shared.metrics.alignment import DifferenceKind, TagCluster, align_tags
from shared.metrics.counts import MatchCounts, added
from shared.model import Document, PhiType, Tag
from shared.text.tokens import token_starts

Key = tuple[str, str]
"""The name of a measure, and `all`, `hipaa`, a category or a type."""

LABELLED = "strict by label"

Keep = Callable[[PhiType], bool]
Thing = TypeVar("Thing")

_OF_TAGS = tuple(measure for measure in Measure if measure is not Measure.TOKEN)
_NAMES = {
    measure: [(grain, measure_name(measure, grain)) for grain in (Grain.TYPE, Grain.BINARY)]
    for measure in Measure
}


@dataclass(frozen=True, slots=True)
class Counted:
    """The counts of one comparison by every measure and, strict, of every category and type.

    `errors` are counted by the type that `error_classes` gives them, `tokens` by their labels on
    the two sides, `origins` by the origin of a tag of the candidate and whether it is matched.
    """

    condensed: Condensed
    matches: Mapping[Key, MatchCounts]
    errors: Mapping[tuple[PhiType, ErrorClass], int]
    confusion: Mapping[tuple[str, str], int]
    origins: Mapping[tuple[str, bool], int]
    disagreements: tuple[TagCluster, ...]

    @property
    def tokens(self) -> TokenPairs:
        return self.condensed.tokens

    @classmethod
    def of(cls, condensed: Condensed, is_hipaa: Keep) -> "Counted":
        """Count what a comparison comes down to."""
        rest = condensed.rest
        nearest = list(nearest_tags([rest])) if rest.has_tags else []
        errors, confused = error_classes(nearest), confusion(nearest)
        marks = {tag.mark for tag in rest.reference}
        origins = Counter([(str(tag.origin), tag.mark in marks) for tag in rest.candidate])
        for (kind, origin), number in condensed.settled.items():
            errors[kind, ErrorClass.CORRECT] += number
            confused[str(kind), str(kind)] += number
            origins[str(origin), True] += number
        matches = dict(_matches(condensed, is_hipaa))
        return cls(condensed, matches, errors, confused, origins, tuple(_disagreements(rest)))


class Counting:
    """Counts comparisons and remembers what it counted; they stay in memory with it."""

    def __init__(self, is_hipaa: Keep) -> None:
        self._is_hipaa = is_hipaa
        self._counted: dict[int, tuple[Comparison, Counted]] = {}
        self._starts: dict[int, tuple[Document, array[int]]] = {}

    def __call__(self, comparison: Comparison) -> Counted:
        known = self._counted.get(id(comparison))
        if known is None:
            counted = Counted.of(self._condense(comparison), self._is_hipaa)
            known = self._counted[id(comparison)] = comparison, counted
        return known[1]

    def _condense(self, comparison: Comparison) -> Condensed:
        return Condensed.of(comparison, self._tokens(comparison.document))

    def _tokens(self, document: Document) -> "array[int]":
        known = self._starts.get(id(document))
        if known is None:
            known = self._starts[id(document)] = document, array("L", token_starts(document.text))
        return known[1]


class PartCounting(Counting):
    """Counts what is left of comparisons when only some types count, from the counts of all."""

    def __init__(self, is_hipaa: Keep, whole: Counting) -> None:
        super().__init__(is_hipaa)
        self._whole = whole
        self._left: dict[int, tuple[Comparison, Comparison, Keep]] = {}

    def only(self, comparison: Comparison, keep: Keep) -> Comparison:
        """Return what is left of a comparison, which is counted once it is asked for."""
        left = comparison.only(keep)
        self._left[id(left)] = left, comparison, keep
        return left

    def _condense(self, comparison: Comparison) -> Condensed:
        _, whole, keep = self._left[id(comparison)]
        return self._whole(whole).condensed.only(keep)


def _disagreements(rest: Comparison) -> list[TagCluster]:
    """Return what the two sides disagree about, in the order of the text."""
    clusters = align_tags([rest.candidate, rest.reference]) if rest.has_tags else ()
    found = [each for each in clusters if each.kind is not DifferenceKind.AGREEMENT]
    return sorted(found, key=lambda each: (each.span, _first(each).sort_key()))


def _first(cluster: TagCluster) -> Tag:
    return next(tag for side in cluster.sides for tag in side)


def _matches(condensed: Condensed, is_hipaa: Keep) -> Iterator[tuple[Key, MatchCounts]]:
    matcher = Matcher(condensed.rest) if condensed.rest.has_tags else None
    every = dict(_by_measure(condensed, matcher))
    hipaa = every
    if not all(map(is_hipaa, condensed.types)):
        part = condensed.only(is_hipaa)
        hipaa = dict(_by_measure(part, Matcher(part.rest) if part.rest.has_tags else None))
    for name, counts in every.items():
        yield (name, "all"), counts
        yield (name, "hipaa"), hipaa[name]
    for label, counts in _strict_by_label(condensed.numbers, matcher).items():
        yield (LABELLED, label_name(label)), counts


def _by_measure(condensed: Condensed, matcher: Matcher | None) -> Iterator[tuple[str, MatchCounts]]:
    settled = MatchCounts(sum(condensed.settled.values()))
    several = len(condensed.types) > 1
    for measure in _OF_TAGS:
        counts = settled
        for grain, name in _NAMES[measure]:
            if matcher and (several or grain is Grain.TYPE):  # of one type both are the same
                counts = added([settled, *matcher.count(measure, grain).values()])
            yield name, counts
    tokens = token_counts(condensed.tokens)
    for grain, name in _NAMES[Measure.TOKEN]:
        yield name, tokens[grain]


def _strict_by_label(
    numbers: Mapping[PhiType, int], matcher: Matcher | None
) -> dict[Label, MatchCounts]:
    found: dict[Label, MatchCounts] = {}
    if matcher is not None:
        for grain in (Grain.CATEGORY, Grain.TYPE):
            found |= matcher.count(Measure.STRICT, grain)
    for kind, number in numbers.items():
        counts = MatchCounts(number)
        for label in (kind.category, kind):
            known = found.get(label)
            found[label] = known + counts if known else counts
    return found


def summed(counted: Iterable[Mapping[Thing, int]]) -> Counter[Thing]:
    """Add up counts by what was counted."""
    found: Counter[Thing] = Counter()
    for each in counted:
        for thing, number in each.items():
            found[thing] += number
    return found
