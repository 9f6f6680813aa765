"""What is counted of two sides for a report: sums over patients, which parts of them add up to."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple, TypeVar

import numpy as np

from shared.agreement.chance import TokenLabel
from shared.agreement.comparison import Comparison
from shared.agreement.error_classes import ErrorClass
from shared.agreement.match_sums import MatchSums
from shared.agreement.measures import STRICT, TOKEN, MeasureKey
from shared.agreement.official.i2b2_2014_counts import Counts
from shared.agreement.report.comparison_counts import ComparisonCounts
from shared.agreement.resamples import Draw, Interval, ResampledSums, interval_of
from shared.agreement.study import GOLD
from shared.metrics.counts import Floats, MatchCounts, Ratios, added, ratios_of
from shared.model import PhiType

Key = TypeVar("Key")

_UNIT = 2**30
"""Of a record's F1, which is added up in so many parts of one, since sums of these are exact."""

Row = tuple[str | int | float, ...]


class CountedRecord(NamedTuple):
    """A record of two sides, with what was counted of it."""

    comparison: Comparison
    counts: ComparisonCounts


@dataclass(slots=True)
class GroupCounts:
    """What patients who have something in common add up to."""

    patients: int = 0
    records: int = 0
    strict: MatchCounts = field(default_factory=MatchCounts)
    token: MatchCounts = field(default_factory=MatchCounts)

    def __add__(self, other: "GroupCounts") -> "GroupCounts":
        return GroupCounts(
            self.patients + other.patients,
            self.records + other.records,
            self.strict + other.strict,
            self.token + other.token,
        )


@dataclass
class Details:
    """What is listed of two sides, by what makes the rows of a table or its examples.

    `finished` has of each patient of whom it is known the day on which both were done, and the
    strict counts.
    """

    documents: list[Row] = field(default_factory=list[Row])
    disagreements: list[Row] = field(default_factory=list[Row])
    examples: dict[ErrorClass, list[str]] = field(default_factory=dict[ErrorClass, list[str]])
    finished: list[tuple[date, str, MatchCounts]] = field(
        default_factory=list[tuple[date, str, MatchCounts]]
    )


class Figures:
    """The counts of two sides, patient by patient, and what they come to in resamples.

    `days` and `offered` are the patients by the day on which both were done, and by what was
    suggested to them; `official` has by block how many records have which counts.
    """

    def __init__(self, first: str, second: str, draw: Draw) -> None:
        self.first, self.second = first, second
        self.patient_count = 0
        self.tags = [0, 0]
        self.matches = MatchSums()
        self.errors_found = Counter[tuple[PhiType, ErrorClass]]()
        self.confusion = Counter[tuple[str, str]]()
        self.origins = Counter[tuple[str, bool]]()
        self.tokens = Counter[tuple[TokenLabel, TokenLabel]]()
        self.days: dict[date | None, GroupCounts] = {}
        self.offered: dict[str | None, GroupCounts] = {}
        self.is_offered_known = False
        self.official: dict[str, Counter[Counts]] = {}
        self.details = Details()
        self.drawn: ResampledSums[MeasureKey | None] = ResampledSums(draw, 4)
        """By measure tp, fp, fn and the sum of F1; by None the records."""
        self.drawn_by_tokens: ResampledSums[tuple[TokenLabel, TokenLabel]] = ResampledSums(draw)

    @property
    def has_gold(self) -> bool:
        return self.second == GOLD

    @property
    def record_count(self) -> int:
        return self.matches.records

    # ---------------------------------------------------------------- adding

    def add(
        self,
        patient_id: str,
        records: Sequence[CountedRecord],
        done_on: date | None = None,
        offered: str | None = None,
    ) -> None:
        """Add all records of a patient that both sides finished."""
        self.patient_count += 1
        numbers: dict[MeasureKey | None, list[int]] = {None: [len(records), 0, 0, 0]}
        tokens = Counter[tuple[TokenLabel, TokenLabel]]()
        for comparison, counts in records:
            self.tags[0] += len(comparison.candidate)
            self.tags[1] += len(comparison.reference)
            self.matches.add(counts.matches)
            self.errors_found.update(counts.errors)
            self.confusion.update(counts.confusion)
            self.origins.update(counts.origins)
            tokens.update(counts.tokens)
            for key, found in counts.matches.items():
                sums = numbers.setdefault(key, [0, 0, 0, 0])
                for at, number in enumerate((found.tp, found.fp, found.fn)):
                    sums[at] += number
                sums[3] += 0 if key.label else round(found.f1 * _UNIT)
        self.tokens.update(tokens)
        self.drawn.add(patient_id, numbers)
        self.drawn_by_tokens.add(patient_id, {pair: (number,) for pair, number in tokens.items()})
        group = _group(records)
        _add_groups(self.days, {done_on: group})
        _add_groups(self.offered, {offered: group})
        if done_on is not None:
            self.details.finished.append((done_on, patient_id, group.strict))

    def add_official(self, found: Mapping[str, Counts]) -> None:
        """Add what the official evaluator counts in a record, by its blocks."""
        for label, counts in found.items():
            self.official.setdefault(label, Counter())[counts] += 1

    def add_up(self, other: "Figures", most_examples: int) -> None:
        """Add the figures of other patients, which come after these."""
        self.patient_count += other.patient_count
        self.tags = [one + more for one, more in zip(self.tags, other.tags, strict=True)]
        self.matches.add_up(other.matches)
        self.errors_found.update(other.errors_found)
        self.confusion.update(other.confusion)
        self.origins.update(other.origins)
        self.tokens.update(other.tokens)
        self.drawn.add_up(other.drawn)
        self.drawn_by_tokens.add_up(other.drawn_by_tokens)
        _add_groups(self.days, other.days)
        _add_groups(self.offered, other.offered)
        self.is_offered_known |= other.is_offered_known
        for label, times in other.official.items():
            self.official.setdefault(label, Counter()).update(times)
        self.details.documents += other.details.documents
        self.details.disagreements += other.details.disagreements
        self.details.finished += other.details.finished
        for error, some in other.details.examples.items():
            known = self.details.examples.setdefault(error, [])
            known += some[: most_examples - len(known)]

    # ---------------------------------------------------------------- what it comes to

    def counts(self, key: MeasureKey) -> MatchCounts:
        return self.matches.counts(key)

    def has(self, key: MeasureKey) -> bool:
        """Tell whether either side has anything that this measures."""
        return self.counts(key) != MatchCounts()

    def macro(self, key: MeasureKey) -> Ratios:
        """The mean of the ratios of the records."""
        return self.matches.macro(key)

    @property
    def labelled(self) -> list[MeasureKey]:
        """The strict measure of each category and type that occurs, categories before types."""
        return self.matches.labelled

    @property
    def errors(self) -> dict[PhiType, Counter[ErrorClass]]:
        """The error classes by type, as `error_classes` counts them."""
        found: dict[PhiType, Counter[ErrorClass]] = {}
        for (kind, error), number in self.errors_found.items():
            found.setdefault(kind, Counter())[error] = number
        return dict(sorted(found.items()))

    def drawn_micro(self, key: MeasureKey) -> Floats:
        """F1 of all counts added up in each resample, nan where there is no record.

        It is nan too where neither side has anything: a type that is tagged in one record would
        else be in full agreement in every resample without it.
        """
        sums = self.drawn.of([key])[:, 0, :3]
        return np.where(sums.sum(axis=1) > 0, ratios_of(sums)[:, 2], np.nan)

    def drawn_macro(self, key: MeasureKey) -> Floats:
        """The mean F1 of the records in each resample, nan where there is none."""
        sums = self.drawn.of([key, None])
        with np.errstate(invalid="ignore"):
            return sums[:, 0, 3] / (sums[:, 1, 0] * _UNIT)

    def interval(self, key: MeasureKey) -> Interval:
        """The interval of micro F1."""
        return interval_of(self.drawn_micro(key))

    def macro_interval(self, key: MeasureKey) -> Interval:
        return interval_of(self.drawn_macro(key))

    def drawn_tokens(self, pairs: Iterable[tuple[TokenLabel, TokenLabel]]) -> Floats:
        """How many tokens have these labels in each resample."""
        return self.drawn_by_tokens.of(pairs)[:, :, 0]


def _add_groups(known: dict[Key, GroupCounts], more: Mapping[Key, GroupCounts]) -> None:
    for key, group in more.items():
        known[key] = known.get(key, GroupCounts()) + group


def _group(records: Sequence[CountedRecord]) -> GroupCounts:
    strict, token = (
        added(each.counts.matches[MeasureKey(measure)] for each in records)
        for measure in (STRICT, TOKEN)
    )
    return GroupCounts(1, len(records), strict, token)


class AverageFigures:
    """The mean over annotators of each one's figures against the gold standard, with intervals.

    Ratios are averaged and not counts, as in tables 2 and 10 of Stubbs and Uzuner (2015), over
    those who met what is measured; the same patients are drawn for all of them.
    """

    def __init__(self, with_gold: Sequence[Figures]) -> None:
        self.annotators = with_gold

    def met(self, key: MeasureKey) -> list[Figures]:
        """Return the figures of those who, or whose gold standard, have what is measured."""
        return [each for each in self.annotators if each.has(key)]

    def counts(self, key: MeasureKey) -> MatchCounts:
        """The counts of all annotators added up."""
        return added(each.counts(key) for each in self.met(key))

    def micro(self, key: MeasureKey) -> tuple[Ratios, Interval]:
        """The mean of the annotators' ratios, and the interval of F1."""
        drawn = self._mean_f1(key, Figures.drawn_micro)
        return Ratios.mean(each.counts(key).ratios for each in self.met(key)), drawn

    def macro(self, key: MeasureKey) -> tuple[Ratios, Interval]:
        """The mean of the means over records, and the interval of F1."""
        drawn = self._mean_f1(key, Figures.drawn_macro)
        return Ratios.mean(each.macro(key) for each in self.met(key)), drawn

    def _mean_f1(self, key: MeasureKey, drawn: Callable[[Figures, MeasureKey], Floats]) -> Interval:
        rows = np.stack([drawn(each, key) for each in self.met(key)])
        known = ~np.isnan(rows)
        with np.errstate(invalid="ignore"):
            return interval_of(np.where(known, rows, 0.0).sum(axis=0) / known.sum(axis=0))
