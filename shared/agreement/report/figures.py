"""What is counted for a report: of each comparison once, and summed for each two annotators."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import TypeVar

import numpy as np

from shared.agreement.chance import (
    LabelPair,
    TokenLabel,
    TokenPairs,
    binary,
    token_labels,
)
from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import ErrorClass, confusion, error_classes, nearest_tags
from shared.agreement.measures import Keep, Matcher, MeasureKey, count_matches
from shared.agreement.significance import (
    Interval,
    PatientDraws,
    Resamples,
    bootstrap,
    interval_of,
)
from shared.agreement.study import AnnotatorPair
from shared.metrics.alignment import DifferenceKind, TagCluster, align_tags
from shared.metrics.counts import (
    CountTable,
    Floats,
    MatchCounts,
    Ratios,
    added,
    ratios_of,
    table_of,
)
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

    def has(self, key: MeasureKey) -> bool:
        """Tell whether either side has anything that this measures."""
        return key in self.tables and bool(self.tables[key].any())

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
    def origins(self) -> Counter[tuple[str, bool]]:
        """The origins of the first's tags, and whether they are matched."""
        return summed(each.origins for each in self.counted)


class AverageFigures:
    """The mean over annotators of each one's figures against the gold standard, with intervals.

    Ratios are averaged and not counts, as in tables 2 and 10 of Stubbs and Uzuner (2015), over
    those who met what is measured; the same patients are drawn for all of them.
    """

    def __init__(self, with_gold: Sequence[Figures], *, resamples: int, seed: int) -> None:
        self.annotators = with_gold
        everyone = [patient for each in with_gold for patient in each.sides.patients]
        draws = PatientDraws(everyone, resamples=resamples, seed=seed) if everyone else None
        self._drawn = [draws.of(each.sides.patients) for each in with_gold] if draws else []

    def met(self, key: MeasureKey) -> list[Figures]:
        """Return the figures of those who, or whose gold standard, have what is measured."""
        return [each for each in self.annotators if each.has(key)]

    def counts(self, key: MeasureKey) -> MatchCounts:
        """The counts of all annotators added up."""
        return added(each.counts(key) for each in self.met(key))

    def micro(self, key: MeasureKey) -> tuple[Ratios, Interval]:
        """The mean of the annotators' ratios, and the interval of F1."""
        drawn = self._mean_f1(key, Resamples.micro)
        return Ratios.mean(each.counts(key).ratios for each in self.met(key)), drawn

    def macro(self, key: MeasureKey) -> tuple[Ratios, Interval]:
        """The mean of the means over records, and the interval of F1."""
        drawn = self._mean_f1(key, Resamples.macro)
        return Ratios.mean(each.macro(key) for each in self.met(key)), drawn

    def _mean_f1(
        self, key: MeasureKey, ratios: Callable[[Resamples, CountTable], Floats]
    ) -> Interval:
        each_f1 = [
            ratios(drawn, figures.tables[key])[:, 2]
            for figures, drawn in zip(self.annotators, self._drawn, strict=True)
            if figures.has(key)
        ]
        rows = np.stack(each_f1)
        known = ~np.isnan(rows)
        with np.errstate(invalid="ignore"):
            return interval_of(np.where(known, rows, 0.0).sum(axis=0) / known.sum(axis=0))


Coefficient = Callable[[Sequence[LabelPair], Floats], Floats]
"""`cohen_kappa` or `krippendorff_alpha`."""


class ChanceFigures:
    """Agreement beyond chance over the tokens of one pair of sides, or of several together.

    Of several, the labels of m annotators to a token stand in as many pairs as there are of them;
    each counts 1 / (m - 1), so that alpha is that of all annotators jointly, where `has_all_pairs`.
    `tokens` is how many tokens there are, each once.
    """

    def __init__(self, every: Sequence[Figures], *, resamples: int, seed: int) -> None:
        """Raises ValueError where nothing was compared."""
        records = [
            (comparison, counted.tokens)
            for figures in every
            for comparison, counted in zip(figures.sides.comparisons, figures.counted, strict=True)
        ]
        annotators: dict[str, set[str]] = {}
        for figures in every:
            for comparison in figures.sides.comparisons:
                names = annotators.setdefault(comparison.record_id, set())
                names.update((figures.sides.first, figures.sides.second))
        self.annotators = sorted({name for names in annotators.values() for name in names})
        self.has_all_pairs = len(records) == sum(math.comb(len(n), 2) for n in annotators.values())
        of_record = {comparison.record_id: tokens for comparison, tokens in records}
        self.tokens = sum(sum(tokens.values()) for tokens in of_record.values())
        columns: dict[tuple[TokenLabel, TokenLabel], int] = {}
        for _, tokens in records:
            for pair in tokens:
                columns.setdefault(pair, len(columns))
        patients = [comparison.document.patient_id for comparison, _ in records]
        rows = {patient: at for at, patient in enumerate(dict.fromkeys(patients))}
        numbers = np.zeros((len(rows), len(columns)))
        for (comparison, tokens), patient in zip(records, patients, strict=True):
            others = len(annotators[comparison.record_id]) - 1
            for pair, number in tokens.items():
                numbers[rows[patient], columns[pair]] += number / others
        self._pairs, self._numbers = list(columns), numbers
        drawn = PatientDraws(list(rows), resamples=resamples, seed=seed).of(list(rows))
        self._drawn = drawn.sums(numbers)

    def typed(self, coefficient: Coefficient) -> tuple[float, Interval]:
        """Return the coefficient with a label for each type, and its interval."""
        return self._measured(coefficient, self._pairs)

    def binary(self, coefficient: Coefficient) -> tuple[float, Interval]:
        """Return the coefficient with one label for all that is tagged, and its interval."""
        return self._measured(coefficient, binary(self._pairs))

    def _measured(
        self, coefficient: Coefficient, pairs: Sequence[LabelPair]
    ) -> tuple[float, Interval]:
        value = float(coefficient(pairs, self._numbers.sum(axis=0)))
        return value, interval_of(coefficient(pairs, self._drawn))


def count_tables(counted: Sequence[ComparisonCounts]) -> dict[MeasureKey, CountTable]:
    """Return the counts as tables; a record that has nothing of a label has zeros there."""
    keys = dict.fromkeys(key for each in counted for key in each.matches)
    return {key: table_of(each.matches.get(key, MatchCounts()) for each in counted) for key in keys}
