"""What one CRF makes of one document, open to questions about any span."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from shared.recognition.crf.forward_backward import Floats, Integers, Lattice
from shared.recognition.labels import OUTSIDE, decode

MIN_ALTERNATIVE_PROBABILITY = 0.1
"""A tag that begins at least this probably is a candidate even off the best path."""
MIN_INSIDE_PROBABILITY = MIN_ALTERNATIVE_PROBABILITY / 2 - 1e-6
"""Units that are less probably in any tag can neither begin an alternative nor go on with one."""
_GAP = -1


class LabelledSpan(NamedTuple):
    """Characters `[start, end)` as a PHI type, named as in labels."""

    start: int
    end: int
    phi_type: str


@dataclass(frozen=True, slots=True)
class LabelIndex:
    """The columns of a CRF's labels: of outside, and of each type's B, I, E and S (-1 if none).

    `begin` holds the columns of B and of S of all types, `inner` those of I and of E.
    """

    labels: tuple[str, ...]
    outside: int
    columns: dict[str, dict[str, int]]
    begin: Integers
    inner: Integers

    @classmethod
    def of(cls, labels: Sequence[str]) -> "LabelIndex":
        columns: dict[str, dict[str, int]] = {}
        for column, label in enumerate(labels):
            if label[1:2] == "-":
                columns.setdefault(label[2:], dict.fromkeys("BIES", -1))[label[0]] = column
        outside = labels.index("O") if "O" in labels else -1
        begin, inner = (
            np.array([[of_type[kind] for of_type in columns.values()] for kind in kinds], np.int64)
            for kinds in ("BS", "IE")
        )
        return cls(tuple(labels), outside, columns, begin, inner)

    def of_types(self, values: Floats) -> tuple[Floats, Floats]:
        """Return, of units x labels, the sums over `begin` and over `inner`: units x types."""
        none = np.zeros((len(values), 1))  # column -1 is that of labels there are not
        padded = np.concatenate([values, none], axis=1)
        begin, inner = (padded[:, one] + padded[:, two] for one, two in (self.begin, self.inner))
        return begin, inner

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
class CrfMarginals:
    """The units (tokens or characters) of a document, their best labels and the lattice.

    `outside` is the probability of each unit to be in no tag; `last_of[i]` is the last unit of the
    sequence that unit i is in.
    """

    index: LabelIndex
    starts: Sequence[int]
    ends: Sequence[int]
    best: Integers
    outside: Floats
    lattice: Lattice
    last_of: Integers

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
        sums = self.lattice.of(slice(first, last)).marginals.sum(axis=0)
        return {
            phi_type: float(sum(sums[column] for column in of_type.values() if column >= 0))
            for phi_type, of_type in self.index.columns.items()
        }

    def tags(self) -> list[LabelledSpan]:
        """The tags of the best path."""
        inside = np.flatnonzero(self.best != self.index.outside)
        units: list[int] = []
        labels: list[str] = []
        columns: list[int] = self.best[inside].tolist()
        for unit, column in zip(map(int, inside), columns, strict=True):
            if units and unit > units[-1] + 1:
                units.append(_GAP)
                labels.append(OUTSIDE)
            units.append(unit)
            labels.append(self.index.labels[column])
        runs = decode(labels)
        return [
            LabelledSpan(self.starts[units[run.first]], self.ends[units[run.last]], run.phi_type)
            for run in runs
        ]

    def alternatives(self) -> Iterator[LabelledSpan]:
        """Tags off the best path that begin with a probability worth a look."""
        units = np.flatnonzero(self.outside <= 1 - MIN_INSIDE_PROBABILITY)
        marginals = self.lattice.of(units).marginals
        begins, goes_on = self.index.of_types(marginals)
        follows = units != self.last_of[units]
        follows[:-1] &= units[1:] == units[:-1] + 1
        follows[-1:] = False
        types = list(self.index.columns)
        for first, number in np.argwhere(begins >= MIN_ALTERNATIVE_PROBABILITY).tolist():
            last, least = first, begins.item(first, number) / 2
            while follows.item(last) and goes_on.item(last + 1, number) >= least:
                last += 1
            place = self.starts[units.item(first)], self.ends[units.item(last)]
            yield LabelledSpan(*place, types[number])

    def probability(self, place: LabelledSpan) -> float:
        """The probability that exactly this is tagged, no more and no less."""
        first = bisect_left(self.starts, place.start)
        last = bisect_left(self.ends, place.end)
        if not self._aligned(first, last, place):
            return 0.0
        path = self.index.path(place.phi_type, last - first + 1)
        if not path:
            return 0.0
        onward = self.lattice.onward(last, path[-1])
        closed = onward - self._goes_on(last, place.phi_type, path[-1])
        return max(0.0, self.lattice.run(first, path) * closed)

    def _aligned(self, first: int, last: int, place: LabelledSpan) -> bool:
        return (
            first <= last < len(self.ends)
            and self.starts[first] == place.start
            and self.ends[last] == place.end
            and self.last_of[first] == self.last_of[last]
        )

    def _goes_on(self, last: int, phi_type: str, column: int) -> float:
        """What of `onward` continues the tag, which only labels without E and S leave open."""
        of_type = self.index.columns[phi_type]
        inside = of_type["I"]
        if of_type["E"] >= 0 or inside < 0 or last == self.last_of.item(last):
            return 0.0
        return self.lattice.step(last + 1, column, inside) * self.lattice.onward(last + 1, inside)
