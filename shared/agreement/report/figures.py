"""What is counted for a report, once for each two sides."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shared.agreement.comparison import Comparison
from shared.agreement.count_table import CountTable, ratios_of, table_of
from shared.agreement.counts import MatchCounts
from shared.agreement.error_classes import NearestTags, nearest_tags
from shared.agreement.measures import Grain, Matcher, Measure, label_name, of_types, total
from shared.agreement.resampling import Intervals, bootstrap
from shared.agreement.study import Sides
from shared.agreement.tables import measure_name
from shared.model import PhiType

Key = tuple[str, str]
"""The name of a measure, and `all`, `hipaa`, a category or a type."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts per record of every measure and, strict, of every category and type, with intervals.

    Rows of a table follow `sides.comparisons`. `intervals` has micro and macro. `nearest` has the
    tags side by side that the error classes and the confusion matrix are about.
    """

    sides: Sides
    tables: dict[Key, CountTable]
    intervals: dict[Key, tuple[Intervals, Intervals]]
    nearest: tuple[NearestTags, ...]

    @classmethod
    def of(
        cls,
        sides: Sides,
        is_hipaa: Callable[[PhiType], bool],
        *,
        resamples: int,
        seed: int,
    ) -> "Figures":
        tables = count_tables(sides.comparisons, is_hipaa)
        named = {" ".join(key): table for key, table in tables.items()}
        drawn = bootstrap(named, sides.patients, resamples=resamples, seed=seed)
        intervals = {key: drawn[" ".join(key)] for key in tables}
        return cls(sides, tables, intervals, tuple(nearest_tags(sides.comparisons)))

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


LABELLED = "strict by label"


def count_tables(
    comparisons: Iterable[Comparison], is_hipaa: Callable[[PhiType], bool]
) -> dict[Key, CountTable]:
    """Count every comparison by every measure, and by every category and type."""
    rows: dict[Key, dict[int, MatchCounts]] = {}
    number = 0
    for comparison in comparisons:
        for key, counts in _counted(Matcher(comparison), is_hipaa):
            rows.setdefault(key, {})[number] = counts
        number += 1
    nothing = MatchCounts()
    return {
        key: table_of(each.get(place, nothing) for place in range(number))
        for key, each in rows.items()
    }


def _counted(
    matcher: Matcher, is_hipaa: Callable[[PhiType], bool]
) -> Iterable[tuple[Key, MatchCounts]]:
    for measure in Measure:
        typed = matcher.count(measure)
        binary = measure_name(measure, Grain.BINARY)
        yield (str(measure), "all"), total(typed)
        yield (str(measure), "hipaa"), total(of_types(typed, is_hipaa))
        yield (binary, "all"), total(matcher.count(measure, Grain.BINARY))
        yield (binary, "hipaa"), total(matcher.count(measure, Grain.BINARY, is_hipaa))
    for grain in (Grain.CATEGORY, Grain.TYPE):
        for label, counts in matcher.count(Measure.STRICT, grain).items():
            yield (LABELLED, label_name(label)), counts
