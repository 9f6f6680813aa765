"""What is counted for a report: of each comparison once, and summed for each two annotators."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import TypeVar

from shared.agreement.chance import TokenPairs, token_labels
from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import ErrorClass, confusion, error_classes, nearest_tags
from shared.agreement.measures import Keep, MeasureKey, count_matches
from shared.agreement.significance import Interval, bootstrap
from shared.agreement.study import AnnotatorPair
from shared.metrics.alignment import DifferenceKind, TagCluster, align_tags
from shared.metrics.counts import CountTable, MatchCounts, Ratios, ratios_of, table_of
from shared.model import PhiType, Tag

Thing = TypeVar("Thing")


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
        return cls(
            count_matches(comparison, is_hipaa),
            token_labels(comparison),
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


def summed(counted: Iterable[Mapping[Thing, int]]) -> Counter[Thing]:
    """Add up counts by what was counted."""
    found: Counter[Thing] = Counter()
    for each in counted:
        found.update(each)
    return found


@dataclass(frozen=True)
class Figures:
    """Counts per record of every measure and, strict, of every category and type, with intervals.

    `counted` and the rows of a table follow `sides.comparisons`; `intervals` are of micro and of
    macro F1.
    """

    sides: AnnotatorPair
    counted: tuple[ComparisonCounts, ...]
    tables: dict[MeasureKey, CountTable]
    intervals: dict[MeasureKey, tuple[Interval, Interval]]

    @classmethod
    def of(cls, sides: AnnotatorPair, count: Counting, *, resamples: int, seed: int) -> "Figures":
        counted = tuple(map(count, sides.comparisons))
        tables = count_tables(counted)
        drawn = bootstrap(tables, sides.patients, resamples=resamples, seed=seed)
        return cls(sides, counted, tables, drawn)

    def counts(self, key: MeasureKey) -> MatchCounts:
        tp, fp, fn = (int(each) for each in self.tables[key].sum(axis=0))
        return MatchCounts(tp, fp, fn)

    def macro(self, key: MeasureKey) -> Ratios:
        """The mean of the ratios of the records."""
        return Ratios(*(float(each) for each in ratios_of(self.tables[key]).mean(axis=0)))

    @property
    def labelled(self) -> list[MeasureKey]:
        """The strict measure of each category and type that occurs, categories before types."""
        return sorted((key for key in self.tables if key.label), key=attrgetter("label"))

    @property
    def errors(self) -> dict[PhiType, Counter[ErrorClass]]:
        """The error classes by type, as `error_classes` counts them."""
        found: dict[PhiType, Counter[ErrorClass]] = {}
        for (kind, error), number in summed(each.errors for each in self.counted).items():
            found.setdefault(kind, Counter())[error] = number
        return dict(sorted(found.items()))

    @cached_property
    def confusion(self) -> Counter[tuple[str, str]]:
        """Which type of the second is which type of the first, how often."""
        return summed(each.confusion for each in self.counted)

    @property
    def tokens(self) -> TokenPairs:
        """The labels of the tokens on the two sides."""
        return summed(each.tokens for each in self.counted)

    @property
    def origins(self) -> Counter[tuple[str, bool]]:
        """The origins of the first's tags, and whether they are matched."""
        return summed(each.origins for each in self.counted)


def count_tables(counted: Sequence[ComparisonCounts]) -> dict[MeasureKey, CountTable]:
    """Return the counts as tables; a record that has nothing of a label has zeros there."""
    keys = dict.fromkeys(key for each in counted for key in each.matches)
    return {key: table_of(each.matches.get(key, MatchCounts()) for each in counted) for key in keys}
