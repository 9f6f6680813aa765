"""Agreement of a project: between annotators, and of annotators with the gold standard."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from shared.agreement.comparison import Comparison
from shared.agreement.measures import Grain, Label, Measure, count, label_name
from shared.agreement.tables import Measured, measure_all
from shared.metrics.counts import MatchCounts, Ratios, Scores
from shared.model import PhiType


@dataclass(frozen=True, slots=True)
class Agreement:
    """Two annotators, or an annotator and `gold`, over the records that both finished.

    `first` is the candidate and `second` the reference. `by_label` holds the strict counts of each
    category and each type, by their names (`NAME`, `NAME:PATIENT`).
    """

    first: str
    second: str
    records: int
    measured: Measured
    by_label: dict[str, MatchCounts]


@dataclass(frozen=True, slots=True)
class Average:
    """The mean of several agreements: of ratios, not of counts, as in table 2.

    `measured` has micro and macro of each measure for all types and those of HIPAA, `by_label` the
    micro ratios over those agreements in which the category or type occurs, as in table 10.
    """

    measured: dict[str, dict[str, tuple[Ratios, Ratios]]]
    by_label: dict[str, Ratios]


def agreement_of(
    first: str,
    second: str,
    comparisons: Sequence[Comparison],
    is_hipaa: Callable[[PhiType], bool],
) -> Agreement:
    """Measure `first` against `second` on records that both finished."""
    measured = measure_all(comparisons, is_hipaa)
    return Agreement(first, second, len(comparisons), measured, by_label(comparisons))


def by_label(comparisons: Iterable[Comparison]) -> dict[str, MatchCounts]:
    """Return the strict counts of all categories and types that occur, categories before types.

    A category compares span and category alone, so that a DOCTOR marked as PATIENT is a match of
    NAME, as in table 10 of Stubbs and Uzuner (2015), where NAME is above each of its types.
    """
    found: dict[Label, MatchCounts] = defaultdict(MatchCounts)
    for comparison in comparisons:
        for grain in (Grain.CATEGORY, Grain.TYPE):
            for label, counts in count(comparison, Measure.STRICT, grain).items():
                found[label] += counts
    names = {label_name(label): counts for label, counts in found.items()}
    return dict(sorted(names.items()))


def average(agreements: Sequence[Agreement]) -> Average:
    """Return the mean over agreements of one annotator each with the gold standard."""
    measured = {
        name: {types: _mean([each.measured[name][types] for each in agreements]) for types in kinds}
        for name, kinds in agreements[0].measured.items()
    }
    labels = sorted({label for each in agreements for label in each.by_label})
    return Average(
        measured,
        {
            label: Ratios.mean(
                each.by_label[label].ratios for each in agreements if label in each.by_label
            )
            for label in labels
        },
    )


def _mean(scores: Sequence[Scores]) -> tuple[Ratios, Ratios]:
    return (
        Ratios.mean(each.micro.ratios for each in scores),
        Ratios.mean(each.macro for each in scores),
    )
