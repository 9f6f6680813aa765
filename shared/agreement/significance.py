"""How sure a figure is: intervals by bootstrap, tests of a difference, two candidates compared.

Records of one patient resemble each other, so patients are drawn, never records (a cluster
bootstrap: Field and Welsh 2007). The randomization test is that of Noreen (1989), the z-test that
of Uzuner and others (2008, equations 6 and 7).
"""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from shared.agreement.comparison import Comparison
from shared.agreement.measures import count_matches, typed_first
from shared.errors import RequestError
from shared.metrics.counts import CountTable, Floats, ratios_of, table_of

RESAMPLES = 1000
SHUFFLES = 10_000
LEVEL = 0.95
_BATCH = 1000

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`: the middle 95 % of what came out over the resamples."""

    low: float
    high: float


class PatientDraws:
    """Resamples of patients: as many as there are, with replacement, the same for every figure."""

    def __init__(
        self, patients: Sequence[str], *, resamples: int = RESAMPLES, seed: int = 1
    ) -> None:
        """Draw from `patients`, who may be named several times.

        Raises ValueError where there is none.
        """
        self._numbers = {name: at for at, name in enumerate(dict.fromkeys(patients))}
        if not self._numbers:
            raise ValueError("there is no patient to draw from")
        number, chance = len(self._numbers), np.random.default_rng(seed)
        drawn = chance.multinomial(number, np.full(number, 1 / number), resamples)
        self._weights: Floats = drawn.astype(np.float64)

    def of(self, patients: Sequence[str]) -> "Resamples":
        """Return the resamples of tables whose rows are of these patients."""
        groups = np.array([self._numbers[each] for each in patients], np.intp)
        return Resamples(self._weights, groups)


class Resamples:
    """What tables with a row for each record come to in each resample; a resample is a row."""

    def __init__(
        self, weights: Floats, groups: "np.ndarray[tuple[int], np.dtype[np.intp]]"
    ) -> None:
        self._weights, self._groups = weights, groups
        self._records = self.sums(np.ones((len(groups), 1)))

    def sums(self, values: Floats | CountTable) -> Floats:
        return self._weights @ by_group(values, self._groups, self._weights.shape[1])

    def micro(self, table: CountTable) -> Floats:
        """Return precision, recall and F1 of all counts added up, nan where there is no record.

        They are nan too where neither side has anything: a type that is tagged in one record would
        else be in full agreement in every resample without it.
        """
        sums = self.sums(table)
        return np.where(sums.sum(axis=1, keepdims=True) > 0, ratios_of(sums), np.nan)

    def macro(self, table: CountTable) -> Floats:
        """Return the mean ratios of the records, nan where there is none."""
        with np.errstate(invalid="ignore"):
            return self.sums(ratios_of(table)) / self._records


def bootstrap(
    tables: Mapping[Key, CountTable],
    patients: Sequence[str],
    *,
    resamples: int = RESAMPLES,
    seed: int = 1,
) -> dict[Key, tuple[Interval, Interval]]:
    """Return intervals of micro and of macro F1 for each of `tables`.

    `patients` names the patient of each row of a table. Raises ValueError where there is none.
    """
    drawn = PatientDraws(patients, resamples=resamples, seed=seed).of(patients)
    return {
        name: (interval_of(drawn.micro(table)[:, 2]), interval_of(drawn.macro(table)[:, 2]))
        for name, table in tables.items()
    }


_ALIKE = 1e-9


def interval_of(drawn: Floats) -> Interval:
    """Return the middle 95 % of what came out over the resamples, those without a figure aside.

    None (NaN) where all came out alike, as with one patient or without a single error: what other
    patients would show cannot be told from these, and is not sure to be the same.
    """
    tail = (1 - LEVEL) / 2
    known = drawn[~np.isnan(drawn)]
    if not len(known):
        return Interval(np.nan, np.nan)
    low, high = np.quantile(known, [tail, 1 - tail])
    if high - low < _ALIKE:
        return Interval(np.nan, np.nan)
    return Interval(float(low), float(high))


@dataclass(frozen=True, slots=True)
class Difference:
    """Two micro F1 and how likely a difference as large is by chance alone."""

    first: float
    second: float
    p: float

    @property
    def difference(self) -> float:
        return self.first - self.second


def randomization_test(
    first: CountTable,
    second: CountTable,
    patients: Sequence[str],
    *,
    shuffles: int = SHUFFLES,
    seed: int = 1,
) -> Difference:
    """Compare two candidates with one reference, document by document.

    If they were alike, it would not matter which of them had said what on a patient: in each
    shuffle, every patient's counts change sides with probability one half. p is the share of
    shuffles with a difference of micro F1 at least as large, the observed one counted too.
    """
    groups, number = _groups(patients)
    sums = by_group(first, groups, number), by_group(second, groups, number)
    totals = sums[0].sum(axis=0), sums[1].sum(axis=0)
    observed = float(_f1(totals[0]) - _f1(totals[1]))
    chance = np.random.default_rng(seed)
    as_large = 0
    for done in range(0, shuffles, _BATCH):
        swapped = chance.random((min(_BATCH, shuffles - done), number)) < 0.5
        moved = swapped.astype(np.float64) @ (sums[1] - sums[0])
        differences = _f1(totals[0] + moved) - _f1(totals[1] - moved)
        as_large += int(np.count_nonzero(np.abs(differences) >= abs(observed) - 1e-12))
    p = (as_large + 1) / (shuffles + 1)
    return Difference(float(_f1(totals[0])), float(_f1(totals[1])), p)


def z_test(first: float, second: float, first_size: int, second_size: int) -> tuple[float, float]:
    """Return z and the two-sided p for two proportions of samples of these sizes.

    F1 is taken for a proportion of the reference's things, as the paper does. z is 0 where both
    proportions are 0 or both are 1.
    """
    together = (first_size * first + second_size * second) / (first_size + second_size)
    spread = together * (1 - together) * (1 / first_size + 1 / second_size)
    z = (first - second) / math.sqrt(spread) if spread > 0 else 0.0
    return z, math.erfc(abs(z) / math.sqrt(2))


def by_group(values: Floats | CountTable, groups: npt.NDArray[np.intp], number: int) -> Floats:
    """Sum the rows of each of `number` groups; `groups` names the group of every row."""
    sums = np.zeros((number, *values.shape[1:]))
    order = np.argsort(groups, kind="stable")
    present, starts = np.unique(groups[order], return_index=True)
    if len(present):
        sums[present] = np.add.reduceat(values[order], starts, axis=0)
    return sums


def _groups(patients: Sequence[str]) -> tuple[np.ndarray[tuple[int], np.dtype[np.intp]], int]:
    numbers = {patient: number for number, patient in enumerate(dict.fromkeys(patients))}
    return np.array([numbers[patient] for patient in patients], np.intp), len(numbers)


def _f1(counts: Floats) -> Floats:
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
    patients = [one.document.patient_id for one, _ in pairs]
    counted = [
        [count_matches(each, lambda _: True) for each in side] for side in zip(*pairs, strict=True)
    ]
    found: list[CandidateComparison] = []
    for key in typed_first():
        if not key.hipaa_only:
            one, other = (table_of(each[key] for each in side) for side in counted)
            test = randomization_test(one, other, patients, shuffles=shuffles)
            size = int(one[:, 0].sum() + one[:, 2].sum())
            z, p = z_test(test.first, test.second, size, size) if size else (0.0, 1.0)
            found.append(CandidateComparison(key.name, len(patients), test, z, p))
    return found
