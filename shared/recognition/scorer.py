"""The scores that CRFs give the labels of every token.

Attributes are looked up once for all CRFs together, and the sum over the attributes of one word at
one offset is kept, as words come again and again.
"""

from collections.abc import Sequence
from itertools import chain as chained
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from shared.recognition.chain import Floats, Integers
from shared.recognition.crfsuite_file import Weights
from shared.recognition.features.extractor import OUTSIDE_TEXT, Extractor, prefix
from shared.recognition.features.sheet import Sheet

LARGEST_TABLE = 16_384
"""So many words are kept, and then forgotten to make room."""
_UNKNOWN = -1


class Scorer:
    """Scores documents for several CRFs that share an extractor."""

    def __init__(self, members: Sequence[Weights], extractor: Extractor) -> None:
        self._extractor = extractor
        names = chained.from_iterable(weights.attributes for weights in members)
        self._names = {name: number for number, name in enumerate(dict.fromkeys(names))}
        window = extractor.features.window
        self._offsets = range(-window, window + 1)
        places = [(offset, same) for offset in self._offsets for same in (True, False)]
        self._places = {place: number for number, place in enumerate(places)}
        self._by_word_attribute = self._placed_names()
        self._members = [_Member(weights, self._names, len(places)) for weights in members]
        self._words: dict[str, int] = {}

    def scores(self, sheet: Sheet) -> list[Floats]:
        """Return, for each CRF, tokens x labels."""
        known, owners = self._known(self._extractor.places(sheet))
        totals = [each.sums(known, owners, len(sheet)).astype(float) for each in self._members]
        words = self._word_rows(sheet.words)
        lines = np.array(sheet.tokens.lines, np.int64)
        for offset in self._offsets:
            rows, same_line = _shifted(words, lines, offset)
            places = np.where(same_line, *(self._places[offset, same] for same in (True, False)))
            for total, member in zip(totals, self._members, strict=True):
                np.add(total, member.table[places, rows], out=total)
        return totals

    def _placed_names(self) -> dict[str, list[tuple[int, int]]]:
        """For each attribute of a word, the places where a CRF knows it and its number there."""
        starts = {
            prefix(offset, same_line=same)[:-1]: number
            for (offset, same), number in self._places.items()
        }
        placed: dict[str, list[tuple[int, int]]] = {}
        for name, number in self._names.items():
            start, _, attribute = name.partition("|")
            if start in starts:
                placed.setdefault(attribute, []).append((starts[start], number))
        return placed

    def _known(self, columns: Sequence[list[str]]) -> tuple[Integers, Integers]:
        """Return the numbers of the attributes that any CRF knows, and the column of each."""
        counts = [len(column) for column in columns]
        flat = chained.from_iterable(columns)
        numbers = np.fromiter(map(self._names.get, flat, repeat(_UNKNOWN)), np.int64, sum(counts))
        owners = np.repeat(np.arange(len(columns)), counts)
        known = numbers != _UNKNOWN
        return numbers[known], owners[known]

    def _word_rows(self, words: list[str]) -> Integers:
        """Return the row of each word in the tables; row 0 is for beyond the text's ends."""
        if not self._words.keys() >= (needed := {OUTSIDE_TEXT, *words}):
            self._learn(needed)
        return np.fromiter(map(self._words.__getitem__, words), np.int64, len(words))

    def _learn(self, needed: set[str]) -> None:
        if len(self._words) + len(needed) > LARGEST_TABLE:
            self._words.clear()
        new = sorted(needed - self._words.keys())
        placed = [
            (place, row, number)
            for row, word in enumerate(new)
            for attribute in self._extractor.word_attributes(word)
            for place, number in self._by_word_attribute.get(attribute, ())
        ]
        entries = np.array(sorted(placed), np.int64).reshape(-1, 3)
        owners = entries[:, 0] * len(new) + entries[:, 1]
        first = len(self._words)
        for member in self._members:
            member.learn(first, len(new), entries[:, 2], owners)
        self._words.update((word, first + row) for row, word in enumerate(new))


def _shifted(words: Integers, lines: Integers, offset: int) -> tuple[Integers, NDArray[np.bool]]:
    """Return the row of the word `offset` tokens from each, and whether on the same line."""
    count = len(words)
    at = np.arange(count) + offset
    inside = (at >= 0) & (at < count)
    at = np.clip(at, 0, max(count - 1, 0))
    return np.where(inside, words[at], 0), ~inside | (lines[at] == lines)


class _Member:
    """The weights of one CRF, by the numbers that all CRFs share.

    `table[place, row]` is the sum over the attributes of a word at a place.
    """

    def __init__(self, weights: Weights, names: dict[str, int], places: int) -> None:
        self._states = weights.states
        self._missing = len(weights.attributes)
        self._rows = np.full(len(names), self._missing)
        shared = [names[name] for name in weights.attributes]
        self._rows[shared] = list(weights.attributes.values())
        self.table = np.zeros((places, 1024, len(weights.labels)), np.float32)

    def sums(self, known: Integers, owners: Integers, count: int) -> NDArray[np.float32]:
        """Return `count` rows, each the sum of the weights of the attributes it owns."""
        rows = self._rows[known]
        own = rows != self._missing
        rows, owners = rows[own], owners[own]
        sums = np.zeros((count, self._states.shape[1]), np.float32)
        if len(rows):
            firsts = np.flatnonzero(np.diff(owners, prepend=-1))
            sums[owners[firsts]] = np.add.reduceat(self._states[rows], firsts, axis=0)
        return sums

    def learn(self, first: int, count: int, known: Integers, owners: Integers) -> None:
        """Keep the sums of `count` words from row `first` on."""
        places = len(self.table)
        while first + count > self.table.shape[1]:
            self.table = np.concatenate([self.table, np.zeros_like(self.table)], axis=1)
        sums = self.sums(known, owners, places * count)
        self.table[:, first : first + count] = sums.reshape(places, count, -1)
