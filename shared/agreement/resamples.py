"""Resamples of patients that add up: how often one is drawn hangs on nobody else.

Records of one patient resemble each other, so patients are drawn, never records (a cluster
bootstrap: Field and Welsh 2007). Each is drawn as often as a Poisson variable of mean 1 says, by
the seed and the patient's id alone (the Poisson bootstrap: Hanley and MacGibbon 2006; Chamandy and
others 2012), so that sums over patients are the same in whatever order, parts and processes they
are added up. All that is added is whole numbers, so that sums are exact.
"""

import hashlib
import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

import numpy as np
import numpy.typing as npt

from shared.metrics.counts import Floats

LEVEL = 0.95
_ALIKE = 1e-9
_TOGETHER = 64
"""Patients whose counts are added at once."""
_CHANCES = 2**16

Weights = npt.NDArray[np.uint8]
"""How often a patient is in each resample."""
Draw = Callable[[str], Weights]

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`: the middle 95 % of what came out over the resamples."""

    low: float
    high: float


def drawn_by(seed: int, resamples: int) -> Draw:
    """Return what says how often a patient is drawn in each resample, by the patient's id."""

    @lru_cache(maxsize=8)  # of a patient it is asked for every two sides
    def draw(patient_id: str) -> Weights:
        return _POISSON[np.frombuffer(_bytes(seed, patient_id, 2 * resamples), "<u2")]

    return draw


def swapped_by(seed: int, shuffles: int) -> Draw:
    """Return what says in which shuffles (1) a patient's counts change sides, by the id."""

    def draw(patient_id: str) -> Weights:
        drawn = np.frombuffer(_bytes(seed, patient_id, -(-shuffles // 8)), np.uint8)
        return np.unpackbits(drawn)[:shuffles]

    return draw


def _bytes(seed: int, patient_id: str, number: int) -> bytes:
    """Bytes at random that are the same for a patient wherever and whenever they are asked for."""
    name = f"{seed}\0{patient_id}".encode("utf-8", "surrogatepass")
    return hashlib.shake_128(name).digest(number)


def _poisson() -> Weights:
    """For each number of 16 bits how often a patient is drawn, as a Poisson variable of mean 1."""
    chances = np.cumsum([math.exp(-1) / math.factorial(times) for times in range(12)])
    return np.searchsorted(chances, (np.arange(_CHANCES) + 0.5) / _CHANCES).astype(np.uint8)


_POISSON = _poisson()


class ResampledSums(Generic[Key]):
    """What numbers of patients add up to in each resample, each number being a vector of `width`.

    Patients may come in any order and in parts that are added up. The numbers are whole, and sums
    below 2**53.
    """

    def __init__(self, draw: Draw, width: int = 1) -> None:
        self._draw, self._width = draw, width
        self.places: dict[Key, int] = {}
        self.sums: Floats | None = None
        self._waiting: list[tuple[Weights, Mapping[Key, Sequence[int]]]] = []

    def __getstate__(self) -> "tuple[int, dict[Key, int], Floats | None]":
        """Return what another process needs to add it up; it draws no more there."""
        self.settle()
        return self._width, self.places, self.sums

    def __setstate__(self, state: "tuple[int, dict[Key, int], Floats | None]") -> None:
        self._width, self.places, self.sums = state
        self._waiting = []

    def add(self, patient_id: str, numbers: Mapping[Key, Sequence[int]]) -> None:
        """Add the numbers of a patient, all of them at once."""
        self._waiting.append((self._draw(patient_id), numbers))
        if len(self._waiting) >= _TOGETHER:
            self.settle()

    def add_up(self, other: "ResampledSums[Key]") -> None:
        """Add what was added to another one, of other patients."""
        other.settle()
        if other.sums is None:
            return
        self.settle()
        places = self._placed(other.places)
        self._make_room(other.sums.shape[0])
        assert self.sums is not None  # noqa: S101  there is room
        for at, place in enumerate(places):
            self.sums[:, place] += other.sums[:, at]

    def of(self, keys: Iterable[Key]) -> Floats:
        """Return resamples x keys x width; zeros of what nobody has."""
        self.settle()
        wanted = list(keys)
        resamples = 0 if self.sums is None else self.sums.shape[0]
        found = np.zeros((resamples, len(wanted), self._width))
        for at, key in enumerate(wanted):
            if self.sums is not None and key in self.places:
                found[:, at] = self.sums[:, self.places[key]]
        return found

    def settle(self) -> None:
        """Add up what waits for more to be added with it."""
        if not self._waiting:
            return
        keys = dict.fromkeys(key for _, numbers in self._waiting for key in numbers)
        places = self._placed(keys)
        at = {key: number for number, key in enumerate(keys)}
        rows = np.zeros((len(self._waiting), len(at), self._width))
        for row, (_, numbers) in zip(rows, self._waiting, strict=True):
            for key, values in numbers.items():
                row[at[key]] = values
        weights = np.array([each for each, _ in self._waiting], np.float64)
        self._waiting.clear()
        self._make_room(weights.shape[1])
        sums = weights.T @ rows.reshape(len(rows), -1)
        assert self.sums is not None  # noqa: S101  there is room
        self.sums[:, places] += sums.reshape(len(sums), len(at), self._width)

    def _placed(self, keys: Iterable[Key]) -> list[int]:
        return [self.places.setdefault(key, len(self.places)) for key in keys]

    def _make_room(self, resamples: int) -> None:
        have = 0 if self.sums is None else self.sums.shape[1]
        if self.sums is None or have < len(self.places):
            room = np.zeros((resamples, len(self.places) * 5 // 4 + 8, self._width))
            if self.sums is not None:
                room[:, :have] = self.sums
            self.sums = room


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
