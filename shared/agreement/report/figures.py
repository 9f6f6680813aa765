"""What is counted for a report, once for each two sides."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from shared.agreement.error_classes import ErrorClass
from shared.agreement.report.counted import LABELLED, Counted, Counting, Key, summed
from shared.agreement.resampling import Intervals, bootstrap
from shared.agreement.study import Sides
from shared.agreement.token_labels import TokenPairs
from shared.metrics.counts import CountTable, MatchCounts, ratios_of
from shared.model import PhiType


@dataclass(frozen=True)
class Figures:
    """Counts per record of every measure and, strict, of every category and type, with intervals.

    `counted` and the rows of a table follow `sides.comparisons`. `intervals` has micro and macro.
    """

    sides: Sides
    counted: tuple[Counted, ...]
    tables: dict[Key, CountTable]
    intervals: dict[Key, tuple[Intervals, Intervals]]

    @classmethod
    def of(cls, sides: Sides, counting: Counting, *, resamples: int, seed: int) -> "Figures":
        counted = tuple(map(counting, sides.comparisons))
        tables = count_tables(counted)
        named = {" ".join(key): table for key, table in tables.items()}
        drawn = bootstrap(named, sides.patients, resamples=resamples, seed=seed)
        return cls(sides, counted, tables, {key: drawn[" ".join(key)] for key in tables})

    def counts(self, key: Key) -> MatchCounts:
        tp, fp, fn = (int(each) for each in self.tables[key].sum(axis=0))
        return MatchCounts(tp, fp, fn)

    def macro(self, key: Key) -> tuple[float, float, float]:
        """Mean precision, recall and F1 of the records."""
        precision, recall, f1 = (float(each) for each in ratios_of(self.tables[key]).mean(axis=0))
        return precision, recall, f1

    @property
    def labels(self) -> list[str]:
        """The categories and types that occur, each category before its types."""
        names = {types for measure, types in self.tables if measure == LABELLED}
        return sorted(names)

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


def count_tables(counted: Sequence[Counted]) -> dict[Key, CountTable]:
    """Return the counts as tables; a record that has nothing of a label has zeros there."""
    rows: dict[Key, list[tuple[int, int, int, int]]] = {}
    for place, each in enumerate(counted):
        for key, found in each.matches.items():
            rows.setdefault(key, []).append((place, found.tp, found.fp, found.fn))
    return {key: _table(len(counted), places) for key, places in rows.items()}


def _table(number: int, places: Sequence[tuple[int, int, int, int]]) -> CountTable:
    table = np.zeros((number, 3), np.int64)
    filled = np.array(places, np.int64).reshape(-1, 4)
    table[filled[:, 0]] = filled[:, 1:]
    return table
