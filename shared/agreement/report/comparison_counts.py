"""What is counted of one comparison for a report."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial

from shared.agreement.chance import TokenPairs, token_labels
from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import ErrorClass, confusion, error_classes, nearest_tags
from shared.agreement.measures import Keep, Matcher, MeasureKey, count_matches
from shared.metrics.alignment import DifferenceKind, TagCluster, align_tags
from shared.metrics.counts import MatchCounts
from shared.model import PhiType, Tag


@dataclass(frozen=True, slots=True)
class ComparisonCounts:
    """The counts of one comparison by every measure and, strict, of every category and type.

    `errors` are counted by the type that `error_classes` gives them, `tokens` by their labels on
    the two sides, `origins` by the origin of a tag of the candidate and whether it is matched.
    """

    matches: Mapping[MeasureKey, MatchCounts]
    tokens: TokenPairs
    errors: Mapping[tuple[PhiType, ErrorClass], int]
    confusion: Mapping[tuple[str, str], int]
    origins: Mapping[tuple[str, bool], int]
    disagreements: tuple[TagCluster, ...]

    @classmethod
    def of(cls, comparison: Comparison, is_hipaa: Keep) -> "ComparisonCounts":
        nearest = list(nearest_tags([comparison]))
        marks = {tag.mark for tag in comparison.reference}
        matcher = Matcher(comparison)
        return cls(
            count_matches(comparison, is_hipaa, matcher),
            token_labels(comparison, matcher.tokens),
            error_classes(nearest),
            confusion(nearest),
            Counter([(tag.provenance, tag.mark in marks) for tag in comparison.candidate]),
            tuple(_disagreements(comparison)),
        )


Counting = Callable[[Comparison], ComparisonCounts]


def counting(is_hipaa: Keep) -> Counting:
    """Return what counts comparisons and remembers what it counted, by their identity."""
    return cache(partial(ComparisonCounts.of, is_hipaa=is_hipaa))


def _disagreements(comparison: Comparison) -> list[TagCluster]:
    """Return what the two sides disagree about, in the order of the text."""
    clusters = align_tags([comparison.candidate, comparison.reference])
    found = [each for each in clusters if each.kind is not DifferenceKind.AGREEMENT]
    return sorted(found, key=lambda each: (each.span, _first(each).sort_key()))


def _first(cluster: TagCluster) -> Tag:
    return next(tag for side in cluster.sides for tag in side)
