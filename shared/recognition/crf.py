"""Running one trained CRF over documents."""

from collections.abc import Sequence

import numpy as np

from shared.recognition.chain import (
    Floats,
    Integers,
    Lattice,
    best_path,
    lattice,
    one_thread,
    probable_path,
)
from shared.recognition.crfsuite_file import Weights
from shared.recognition.reading import LabelIndex, Reading
from shared.recognition.weight_table import Sums

Units = tuple[Sequence[int], Sequence[int], list[tuple[int, int]]]
"""Starts, ends and sequences of a document's tokens or characters."""


class Crf:
    """Weights, ready to read whole batches of documents."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.index = LabelIndex.of(weights.labels)

    def read(self, units: Sequence[Units], scores: Sequence[Sums]) -> list[Reading]:
        """Return the reading of each document, of which `scores` has units x labels."""
        offsets = np.cumsum([0, *(len(each) for each in scores)])
        sequences = [
            (int(offset) + first, int(offset) + last)
            for offset, (_, _, parts) in zip(offsets[:-1], units, strict=True)
            for first, last in parts
        ]
        together = np.concatenate(scores, dtype=float)
        with one_thread():
            whole = lattice(together, self.weights.transitions, sequences)
        best = self._best(together, sequences, whole)
        last_of = np.zeros(len(together), np.int64)
        for first, last in sequences:
            last_of[first:last] = last - 1
        return [
            Reading(
                self.index,
                starts,
                ends,
                best[start:end],
                _slice(whole, start, end),
                last_of[start:end] - start,
            )
            for start, end, (starts, ends, _) in zip(offsets, offsets[1:], units, strict=False)
        ]

    def _best(self, scores: Floats, sequences: list[tuple[int, int]], whole: Lattice) -> Integers:
        transitions, outside = self.weights.transitions, self.index.outside
        if outside < 0:
            return best_path(scores, transitions, sequences)
        chances = whole.forward[:, outside] * whole.backward[:, outside]
        return probable_path(scores, transitions, sequences, outside, chances)


def _slice(whole: Lattice, start: int, end: int) -> Lattice:
    rows = slice(start, end)
    return Lattice(
        whole.forward[rows],
        whole.backward[rows],
        whole.emissions[rows],
        whole.scales[rows],
        whole.moves,
    )
