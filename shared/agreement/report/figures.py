"""What is counted for a report: of each comparison once, and summed for each two annotators."""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import attrgetter
from typing import TypeVar

import numpy as np

from shared.agreement.agreement_summary import AgreementSummary, count_matches
from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import ErrorClass, confusion, error_classes, nearest_tags
from shared.agreement.measures import Keep, MeasureKey, TokenPairs
from shared.agreement.significance import Intervals, bootstrap
from shared.agreement.study import AnnotatorPair
from shared.metrics.alignment import DifferenceKind, TagCluster, align_tags
from shared.metrics.counts import CountTable, MatchCounts, ratios_of
from shared.model import Document, PhiType, Tag
from shared.text.tokens import token_starts

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class ComparisonCounts:
    """The counts of one comparison by every measure and, strict, of every category and type.

    `errors` are counted by the type that `error_classes` gives them, `tokens` by their labels on
    the two sides, `origins` by the origin of a tag of the candidate and whether it is matched.
    """

    summary: AgreementSummary
    matches: Mapping[MeasureKey, MatchCounts]
    errors: Mapping[tuple[PhiType, ErrorClass], int]
    confusion: Mapping[tuple[str, str], int]
    origins: Mapping[tuple[str, bool], int]
    disagreements: tuple[TagCluster, ...]

    @property
    def tokens(self) -> TokenPairs:
        return self.summary.tokens

    @classmethod
    def of(cls, summary: AgreementSummary, is_hipaa: Keep) -> "ComparisonCounts":
        """Count what a comparison comes down to."""
        rest = summary.rest
        nearest = list(nearest_tags([rest])) if rest.has_tags else []
        errors, confused = error_classes(nearest), confusion(nearest)
        marks = {tag.mark for tag in rest.reference}
        origins = Counter([(str(tag.origin), tag.mark in marks) for tag in rest.candidate])
        for (kind, origin), number in summary.settled.items():
            errors[kind, ErrorClass.CORRECT] += number
            confused[str(kind), str(kind)] += number
            origins[str(origin), True] += number
        disagreements = tuple(_disagreements(rest))
        matches = count_matches(summary, is_hipaa, by_label=True)
        return cls(summary, matches, errors, confused, origins, disagreements)


class CountCache:
    """Counts comparisons and remembers what it counted; they stay in memory with it."""

    def __init__(self, is_hipaa: Keep) -> None:
        self._is_hipaa = is_hipaa
        self._counted: dict[int, tuple[Comparison, ComparisonCounts]] = {}
        self._starts: dict[int, tuple[Document, array[int]]] = {}

    def __call__(self, comparison: Comparison) -> ComparisonCounts:
        known = self._counted.get(id(comparison))
        if known is None:
            counted = ComparisonCounts.of(self._summarize(comparison), self._is_hipaa)
            known = self._counted[id(comparison)] = comparison, counted
        return known[1]

    def _summarize(self, comparison: Comparison) -> AgreementSummary:
        return AgreementSummary.of(comparison, self._tokens(comparison.document))

    def _tokens(self, document: Document) -> "array[int]":
        known = self._starts.get(id(document))
        if known is None:
            known = self._starts[id(document)] = document, array("L", token_starts(document.text))
        return known[1]


class PartCountCache(CountCache):
    """Counts what is left of comparisons when only some types count, from the counts of all."""

    def __init__(self, is_hipaa: Keep, whole: CountCache) -> None:
        super().__init__(is_hipaa)
        self._whole = whole
        self._left: dict[int, tuple[Comparison, Comparison, Keep]] = {}

    def only(self, comparison: Comparison, keep: Keep) -> Comparison:
        """Return what is left of a comparison, which is counted once it is asked for."""
        left = comparison.only(keep)
        self._left[id(left)] = left, comparison, keep
        return left

    def _summarize(self, comparison: Comparison) -> AgreementSummary:
        _, whole, keep = self._left[id(comparison)]
        return self._whole(whole).summary.only(keep)


def _disagreements(rest: Comparison) -> list[TagCluster]:
    """Return what the two sides disagree about, in the order of the text."""
    clusters = align_tags([rest.candidate, rest.reference]) if rest.has_tags else ()
    found = [each for each in clusters if each.kind is not DifferenceKind.AGREEMENT]
    return sorted(found, key=lambda each: (each.span, _first(each).sort_key()))


def _first(cluster: TagCluster) -> Tag:
    return next(tag for side in cluster.sides for tag in side)


def summed(counted: Iterable[Mapping[Thing, int]]) -> Counter[Thing]:
    """Add up counts by what was counted."""
    found: Counter[Thing] = Counter()
    for each in counted:
        for thing, number in each.items():
            found[thing] += number
    return found


@dataclass(frozen=True)
class Figures:
    """Counts per record of every measure and, strict, of every category and type, with intervals.

    `counted` and the rows of a table follow `sides.comparisons`. `intervals` has micro and macro.
    """

    sides: AnnotatorPair
    counted: tuple[ComparisonCounts, ...]
    tables: dict[MeasureKey, CountTable]
    intervals: dict[MeasureKey, tuple[Intervals, Intervals]]

    @classmethod
    def of(cls, sides: AnnotatorPair, cache: CountCache, *, resamples: int, seed: int) -> "Figures":
        counted = tuple(map(cache, sides.comparisons))
        tables = count_tables(counted)
        drawn = bootstrap(tables, sides.patients, resamples=resamples, seed=seed)
        return cls(sides, counted, tables, drawn)

    def counts(self, key: MeasureKey) -> MatchCounts:
        tp, fp, fn = (int(each) for each in self.tables[key].sum(axis=0))
        return MatchCounts(tp, fp, fn)

    def macro(self, key: MeasureKey) -> tuple[float, float, float]:
        """Mean precision, recall and F1 of the records."""
        precision, recall, f1 = (float(each) for each in ratios_of(self.tables[key]).mean(axis=0))
        return precision, recall, f1

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
    rows: dict[MeasureKey, list[tuple[int, int, int, int]]] = {}
    for place, each in enumerate(counted):
        for key, found in each.matches.items():
            rows.setdefault(key, []).append((place, found.tp, found.fp, found.fn))
    return {key: _table(len(counted), places) for key, places in rows.items()}


def _table(number: int, places: Sequence[tuple[int, int, int, int]]) -> CountTable:
    table = np.zeros((number, 3), np.int64)
    filled = np.array(places, np.int64).reshape(-1, 4)
    table[filled[:, 0]] = filled[:, 1:]
    return table
