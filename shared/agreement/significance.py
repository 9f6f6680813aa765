"""Tests of a difference between two candidates.

Records of one patient resemble each other, so patients change sides, never records. The
randomization test is that of Noreen (1989), the z-test that of Uzuner and others (2008, equations 6
and 7).
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from shared.agreement.comparison import Comparison
from shared.agreement.measures import MeasureKey, count_matches, typed_first
from shared.agreement.resamples import ResampledSums, swapped_by
from shared.errors import RequestError
from shared.metrics.counts import CountTable, Floats, MatchCounts, added, ratios_of, table_of

SHUFFLES = 10_000
_KEYS = [key for key in typed_first() if not key.hipaa_only]


@dataclass(frozen=True, slots=True)
class Difference:
    """Two micro F1 and how likely a difference as large is by chance alone."""

    first: float
    second: float
    p: float

    @property
    def difference(self) -> float:
        return self.first - self.second


class RandomizationTest:
    """Compares two candidates with one reference by their counts of each patient, added one by one.

    If they were alike, it would not matter which of them had said what on a patient: in each
    shuffle, every patient's counts change sides with probability one half, which hangs on the seed
    and the patient's id alone. p is the share of shuffles with a difference of micro F1 at least as
    large, the observed one counted too.
    """

    def __init__(self, shuffles: int = SHUFFLES, seed: int = 1) -> None:
        self._shuffles = shuffles
        self._totals: dict[MeasureKey, tuple[MatchCounts, MatchCounts]] = {}
        self._moved: ResampledSums[MeasureKey] = ResampledSums(swapped_by(seed, shuffles), 3)

    def add(
        self, patient_id: str, counts: Mapping[MeasureKey, tuple[MatchCounts, MatchCounts]]
    ) -> None:
        """Add the counts of both candidates on all records of a patient."""
        none = MatchCounts(), MatchCounts()
        moved: dict[MeasureKey, tuple[int, int, int]] = {}
        for key, (one, other) in counts.items():
            first, second = self._totals.get(key, none)
            self._totals[key] = first + one, second + other
            moved[key] = other.tp - one.tp, other.fp - one.fp, other.fn - one.fn
        self._moved.add(patient_id, moved)

    def references(self, key: MeasureKey) -> int:
        """How many things the reference has."""
        return self._totals[key][0].references

    def difference(self, key: MeasureKey) -> Difference:
        one, other = (table_of([each])[0] for each in self._totals[key])
        moved = self._moved.of([key])[:, 0]
        observed = float(_f1(one) - _f1(other))
        differences = _f1(one + moved) - _f1(other - moved)
        as_large = int(np.count_nonzero(np.abs(differences) >= abs(observed) - 1e-12))
        return Difference(float(_f1(one)), float(_f1(other)), (as_large + 1) / (self._shuffles + 1))


def z_test(first: float, second: float, first_size: int, second_size: int) -> tuple[float, float]:
    """Return z and the two-sided p for two proportions of samples of these sizes.

    F1 is taken for a proportion of the reference's things, as the paper does. z is 0 where both
    proportions are 0 or both are 1.
    """
    together = (first_size * first + second_size * second) / (first_size + second_size)
    spread = together * (1 - together) * (1 / first_size + 1 / second_size)
    z = (first - second) / math.sqrt(spread) if spread > 0 else 0.0
    return z, math.erfc(abs(z) / math.sqrt(2))


def _f1(counts: "CountTable | Floats") -> Floats:
    return ratios_of(counts)[..., 2]


@dataclass(frozen=True, slots=True)
class CandidateComparison:
    """The micro F1 of two candidates by one measure.

    `difference` has both F1 and p of the paired approximate randomization test; `z` and `z_p` are
    of the z-test on two proportions, with the number of the reference's things as sample size.
    """

    measure: str
    records: int
    difference: Difference
    z: float
    z_p: float


def compare_candidates(
    first: Iterable[Comparison],
    second: Iterable[Comparison],
    *,
    shuffles: int = SHUFFLES,
) -> list[CandidateComparison]:
    """Compare two candidates by every measure, on the records that both have.

    The references of both must be the same. Raises RequestError where they have no record in
    common.
    """
    others = {each.record_id: each for each in second}
    pairs = [(each, others[each.record_id]) for each in first if each.record_id in others]
    if not pairs:
        raise RequestError("the two candidates have no record in common")
    of_patients: dict[str, list[tuple[Comparison, Comparison]]] = {}
    for pair in pairs:
        of_patients.setdefault(pair[0].document.patient_id, []).append(pair)
    test = RandomizationTest(shuffles)
    for patient_id, some in of_patients.items():
        one, other = map(_counted, zip(*some, strict=True))
        test.add(patient_id, {key: (one[key], other[key]) for key in _KEYS})
    return compared(test, len(pairs))


def _counted(side: Iterable[Comparison]) -> dict[MeasureKey, MatchCounts]:
    counted = [count_matches(each, lambda _: True) for each in side]
    return {key: added(each[key] for each in counted) for key in _KEYS}


def compared(test: RandomizationTest, records: int) -> list[CandidateComparison]:
    """Return what a test of so many records says by every measure."""
    found: list[CandidateComparison] = []
    for key in _KEYS:
        difference, size = test.difference(key), test.references(key)
        z, p = z_test(difference.first, difference.second, size, size) if size else (0.0, 1.0)
        found.append(CandidateComparison(key.name, records, difference, z, p))
    return found
