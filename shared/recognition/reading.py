"""What one CRF makes of one document, open to questions about any span."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shared.recognition.chain import Floats, Integers, Lattice
from shared.recognition.labels import decode

ALTERNATIVE = 0.1
"""A tag that begins at least this probably is a candidate even off the best path."""


class Place(NamedTuple):
    """Characters `[start, end)` as a PHI type, named as in labels."""

    start: int
    end: int
    phi_type: str


@dataclass(frozen=True, slots=True)
class LabelIndex:
    """The columns of a CRF's labels: of outside, and of each type's B, I, E and S (-1 if none)."""

    labels: tuple[str, ...]
    outside: int
    columns: dict[str, dict[str, int]]

    @classmethod
    def of(cls, labels: Sequence[str]) -> "LabelIndex":
        columns: dict[str, dict[str, int]] = {}
        for column, label in enumerate(labels):
            if label[1:2] == "-":
                columns.setdefault(label[2:], dict.fromkeys("BIES", -1))[label[0]] = column
        outside = labels.index("O") if "O" in labels else -1
        return cls(tuple(labels), outside, columns)

    def path(self, phi_type: str, length: int) -> list[int]:
        """The columns that mark `length` units as one tag; empty where it has no such labels."""
        of_type = self.columns.get(phi_type)
        if of_type is None:
            return []
        if length == 1:
            path = [of_type["S"] if of_type["S"] >= 0 else of_type["B"]]
        else:
            ending = of_type["E"] if of_type["E"] >= 0 else of_type["I"]
            path = [of_type["B"], *[of_type["I"]] * (length - 2), ending]
        return [] if -1 in path else path


@dataclass(frozen=True, slots=True)
class Reading:
    """The units (tokens or characters) of a document, their best labels and the lattice.

    `last_of[i]` is the last unit of the sequence that unit i is in.
    """

    index: LabelIndex
    starts: Sequence[int]
    ends: Sequence[int]
    best: Integers
    lattice: Lattice
    last_of: Integers

    @property
    def outside(self) -> Floats:
        """The probability of each unit to be in no tag."""
        column = self.index.outside
        if column < 0:
            return np.zeros(len(self.starts))
        return self.lattice.forward[:, column] * self.lattice.backward[:, column]

    def outside_of(self, starts: Sequence[int], ends: Sequence[int]) -> Floats:
        """The probability of each stretch of characters to be in no tag: its least sure unit's."""
        chances = self.outside
        if starts is self.starts:
            return chances
        firsts, lasts = np.searchsorted(self.starts, starts), np.searchsorted(self.starts, ends)
        stretches = zip(firsts.tolist(), lasts.tolist(), strict=True)
        return np.array([chances[first:last].min(initial=1.0) for first, last in stretches])

    def types_in(self, start: int, end: int) -> dict[str, float]:
        """How probable each type is in a stretch of characters, summed over its units."""
        first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        sums = (self.lattice.forward[first:last] * self.lattice.backward[first:last]).sum(axis=0)
        return {
            phi_type: float(sum(sums[column] for column in of_type.values() if column >= 0))
            for phi_type, of_type in self.index.columns.items()
        }

    def tags(self) -> list[Place]:
        """The tags of the best path."""
        if not (self.best != self.index.outside).any():
            return []
        columns: list[int] = self.best.tolist()
        runs = decode([self.index.labels[column] for column in columns])
        return [Place(self.starts[run.first], self.ends[run.last], run.phi_type) for run in runs]

    def alternatives(self) -> Iterator[Place]:
        """Tags off the best path that begin with a probability worth a look."""
        marginals = self.lattice.marginals
        for phi_type, of_type in self.index.columns.items():
            columns = [of_type[kind] for kind in "BS" if of_type[kind] >= 0]
            begins = marginals[:, columns].sum(axis=1)
            for first in np.flatnonzero(begins >= ALTERNATIVE).tolist():
                last = self._extent(first, of_type, marginals)
                yield Place(self.starts[first], self.ends[last], phi_type)

    def probability(self, place: Place) -> float:
        """The probability that exactly this is tagged, no more and no less."""
        first = bisect_left(self.starts, place.start)
        last = bisect_left(self.ends, place.end)
        if not self._aligned(first, last, place):
            return 0.0
        path = self.index.path(place.phi_type, last - first + 1)
        if not path:
            return 0.0
        lattice = self.lattice
        inside = self._inside(first, path)
        closed = lattice.backward[last, path[-1]] - self._goes_on(last, place.phi_type, path[-1])
        return float(max(0.0, lattice.forward[first, path[0]] * inside * closed))

    def _aligned(self, first: int, last: int, place: Place) -> bool:
        return (
            first <= last < len(self.ends)
            and self.starts[first] == place.start
            and self.ends[last] == place.end
            and self.last_of[first] == self.last_of[last]
        )

    def _inside(self, first: int, path: list[int]) -> float:
        if len(path) == 1:
            return 1.0
        rows = np.arange(first + 1, first + len(path))
        lattice = self.lattice
        steps = lattice.moves[path[:-1], path[1:]] * lattice.emissions[rows, path[1:]]
        return float(np.prod(steps / lattice.scales[rows]))

    def _goes_on(self, last: int, phi_type: str, column: int) -> float:
        """What of `backward` continues the tag, which only labels without E and S leave open."""
        of_type = self.index.columns[phi_type]
        if of_type["E"] >= 0 or of_type["I"] < 0 or last == self.last_of[last]:
            return 0.0
        lattice, inside = self.lattice, of_type["I"]
        step = lattice.moves[column, inside] * lattice.emissions[last + 1, inside]
        return float(step / lattice.scales[last + 1] * lattice.backward[last + 1, inside])

    def _extent(self, first: int, of_type: dict[str, int], marginals: Floats) -> int:
        """The last unit of the tag that most probably begins at `first`."""
        columns = [of_type[kind] for kind in "IE" if of_type[kind] >= 0]
        last, end = first, int(self.last_of[first])
        begin = marginals[first, [of_type[kind] for kind in "BS" if of_type[kind] >= 0]].sum()
        while last < end and columns:
            if marginals[last + 1, columns].sum() < begin / 2:
                break
            last += 1
        return last
