"""What the counts of comparisons add up to, so that no comparison has to be kept.

Sums of parts are the same figures to the last digit, whichever comparison is in which part.
"""

from collections import Counter
from collections.abc import Mapping
from operator import attrgetter

from shared.agreement.measures import MeasureKey
from shared.metrics.counts import MatchCounts, Ratios, Scores, added


class MatchSums:
    """Of every measure how many records have which counts; of every category and type, the sum."""

    def __init__(self) -> None:
        self.records = 0
        self.times: dict[MeasureKey, Counter[MatchCounts]] = {}
        self.by_label: dict[MeasureKey, MatchCounts] = {}

    def add(self, counts: Mapping[MeasureKey, MatchCounts]) -> None:
        """Add what `count_matches` counted in a record."""
        self.records += 1
        for key, found in counts.items():
            if key.label:
                self.by_label[key] = self.by_label.get(key, MatchCounts()) + found
            else:
                self.times.setdefault(key, Counter())[found] += 1

    def add_up(self, other: "MatchSums") -> None:
        """Add the sums of other records."""
        self.records += other.records
        for key, times in other.times.items():
            self.times.setdefault(key, Counter()).update(times)
        for key, found in other.by_label.items():
            self.by_label[key] = self.by_label.get(key, MatchCounts()) + found

    def scores(self, key: MeasureKey) -> Scores:
        """Micro and macro of a measure; of none where it was never counted."""
        return Scores.of_times(self.times.get(key, {}))

    def counts(self, key: MeasureKey) -> MatchCounts:
        """The counts of all records together, of a measure or of a label."""
        if key.label:
            return self.by_label.get(key, MatchCounts())
        of_all = self.times.get(key, Counter[MatchCounts]())
        return added(
            MatchCounts(each.tp * times, each.fp * times, each.fn * times)
            for each, times in of_all.items()
        )

    def macro(self, key: MeasureKey) -> Ratios:
        """The mean of the ratios of the records."""
        return self.scores(key).macro

    @property
    def labelled(self) -> list[MeasureKey]:
        """The strict measure of each category and type that occurs, categories before types."""
        return sorted(self.by_label, key=attrgetter("label"))
