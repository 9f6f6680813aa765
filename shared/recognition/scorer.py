"""The scores that a CRF gives the labels of every token."""

from collections.abc import Sequence
from itertools import chain as chained

import numpy as np
from numpy.typing import NDArray

from shared.recognition.chain import Floats
from shared.recognition.crfsuite_file import Weights
from shared.recognition.features.extractor import Extractor, WindowKey, window_keys
from shared.recognition.features.sheet import Sheet

LARGEST_TABLE = 150_000


class Scorer:
    """Sums the weights of a document's attributes.

    The sum over the attributes of one word at one offset is kept, as words come again and again.
    """

    def __init__(self, weights: Weights, extractor: Extractor) -> None:
        self.weights = weights
        self._extractor = extractor
        self._missing = len(weights.attributes)
        self._forget()

    def scores(self, sheet: Sheet, places: Sequence[list[str]]) -> Floats:
        """Return tokens x labels. `places` are the attributes that are not of words around."""
        total = self._sums(places).astype(np.float64)
        window = self._extractor.features.window
        for offset in range(-window, window + 1):
            total += self._window_sums(window_keys(sheet, offset))
        return total

    def _window_sums(self, keys: list[WindowKey]) -> NDArray[np.float32]:
        unknown = {key for key in keys if key not in self._rows}
        if unknown:
            self._learn(unknown, set(keys))
        return self._table[[self._rows[key] for key in keys]]

    def _learn(self, unknown: set[WindowKey], needed: set[WindowKey]) -> None:
        if len(self._rows) + len(unknown) > LARGEST_TABLE:
            self._forget()
            unknown = needed
        new = sorted(unknown)
        sums = self._sums([self._extractor.window_attributes(key) for key in new])
        first = len(self._rows)
        while first + len(new) > len(self._table):
            self._table = np.concatenate([self._table, np.zeros_like(self._table)])
        self._table[first : first + len(new)] = sums
        self._rows.update((key, first + number) for number, key in enumerate(new))

    def _forget(self) -> None:
        self._rows: dict[WindowKey, int] = {}
        self._table = np.zeros((1024, len(self.weights.labels)), np.float32)

    def _sums(self, columns: Sequence[list[str]]) -> NDArray[np.float32]:
        lookup, missing = self.weights.attributes.get, self._missing
        counts = [len(column) for column in columns]
        rows = np.fromiter(
            (lookup(attribute, missing) for attribute in chained.from_iterable(columns)),
            np.int64,
            sum(counts),
        )
        owners = np.repeat(np.arange(len(columns)), counts)
        known = rows != missing
        rows, owners = rows[known], owners[known]
        sums = np.zeros((len(columns), len(self.weights.labels)), np.float32)
        if len(rows):
            firsts = np.flatnonzero(np.diff(owners, prepend=-1))
            sums[owners[firsts]] = np.add.reduceat(self.weights.states[rows], firsts, axis=0)
        return sums
