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

    `begin` holds the columns of B and of S of all types, `inner` those of I and of E. `open_inside`
    leads from a label to the I of its type where that has no E, else to -1.
    """

    labels: tuple[str, ...]
    outside: int
    columns: dict[str, dict[str, int]]
    begin: Integers
    inner: Integers
    open_inside: Integers

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
        inside = [columns[label[2:]] if label[1:2] == "-" else {} for label in labels]
        open_inside = [each.get("I", -1) if each.get("E", -1) < 0 else -1 for each in inside]
        return cls(tuple(labels), outside, columns, begin, inner, np.array(open_inside, np.int64))

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

    def probabilities(self, places: Sequence[LabelledSpan]) -> list[float]:
        """The probability of each place that exactly this is tagged, no more and no less."""
        found = [0.0] * len(places)
        numbers: list[int] = []
        columns: list[int] = []
        firsts: list[int] = []
        lengths: list[int] = []
        for number, place in enumerate(places):
            first, last = bisect_left(self.starts, place.start), bisect_left(self.ends, place.end)
            if self._is_aligned(first, last, place):
                path = self.index.path(place.phi_type, last - first + 1)
                if path:
                    numbers.append(number)
                    columns += path
                    firsts.append(first)
                    lengths.append(len(path))
        if numbers:
            chances = self._closed(np.array(firsts), np.array(lengths), np.array(columns))
            for number, chance in zip(numbers, chances.tolist(), strict=True):
                found[number] = max(0.0, chance)
        return found

    def _closed(self, firsts: Integers, lengths: Integers, columns: Integers) -> Floats:
        """The probability of runs of units to have these labels and to be tags as a whole."""
        lasts, final = firsts + lengths - 1, columns[np.cumsum(lengths) - 1]
        onward = self.lattice.onward(lasts, final) - self._goes_on(lasts, final)
        return self.lattice.runs(firsts, lengths, columns) * onward

    def _is_aligned(self, first: int, last: int, place: LabelledSpan) -> bool:
        return (
            first <= last < len(self.ends)
            and self.starts[first] == place.start
            and self.ends[last] == place.end
            and self.last_of.item(first) == self.last_of.item(last)
        )

    def _goes_on(self, lasts: Integers, columns: Integers) -> Floats:
        """What of `onward` continues a tag, which only labels without E and S leave open."""
        inside = self.index.open_inside[columns]
        found = np.zeros(len(lasts))
        at = np.flatnonzero((inside >= 0) & (lasts != self.last_of[lasts]))
        found[at] = self.lattice.going_on(lasts[at] + 1, columns[at], inside[at])
        return found
