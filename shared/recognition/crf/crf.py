"""Running one trained CRF over documents."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from shared.recognition.crf.chain import (
    Floats,
    Integers,
    Lattice,
    best_path,
    lattice,
    one_thread,
    probable_path,
)
from shared.recognition.crf.crfsuite_file import Weights
from shared.recognition.crf.reading import LabelIndex, Reading
from shared.recognition.crf.weight_table import Sums

Cut = tuple[Sequence[int], Sequence[int], list[tuple[int, int]]]
"""A document cut into units, tokens or characters: their starts and ends, and their sequences."""


class Crf:
    """Weights, ready to read whole batches of documents."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.index = LabelIndex.of(weights.labels)

    def read(self, units: Sequence[Cut], scores: Sums) -> list[Reading]:
        """Return the reading of each document; `scores` has the units of all, a row each."""
        ends = np.cumsum([len(starts) for starts, _, _ in units]).tolist()
        bounds = list(pairwise([0, *ends]))
        sequences = [
            (offset + first, offset + last)
            for (offset, _), (_, _, parts) in zip(bounds, units, strict=True)
            for first, last in parts
        ]
        with one_thread():
            whole = lattice(scores, self.weights.transitions, sequences)
        outside = self._outside(whole)
        best = self._best(scores, sequences, outside)
        last_of = np.zeros(len(scores), np.int64)
        for first, last in sequences:
            last_of[first:last] = last - 1
        return [
            Reading(
                self.index,
                starts,
                ends,
                best[first:last],
                outside[first:last],
                whole.of(slice(first, last)),
                last_of[first:last] - first,
            )
            for (first, last), (starts, ends, _) in zip(bounds, units, strict=True)
        ]

    def _outside(self, whole: Lattice) -> Floats:
        column = self.index.outside
        return whole.chances(column) if column >= 0 else np.zeros(len(whole.rows))

    def _best(self, scores: Sums, sequences: list[tuple[int, int]], outside: Floats) -> Integers:
        transitions, column = self.weights.transitions, self.index.outside
        if column < 0:
            return best_path(scores, transitions, sequences)
        return probable_path(scores, transitions, sequences, column, outside)
