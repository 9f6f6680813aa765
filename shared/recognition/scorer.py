"""The scores that CRFs give the labels of every unit.

Attributes are looked up once for all CRFs together, and the sum over the attributes of one word at
one place is kept, as words come again and again.
"""

from collections.abc import Iterable, Sequence
from itertools import chain as chained
from itertools import repeat

import numpy as np
from numpy.typing import NDArray

from shared.recognition.chain import Integers
from shared.recognition.crfsuite_file import Weights
from shared.recognition.features.extractor import OUTSIDE_TEXT, Extractor, prefix
from shared.recognition.features.sheet import Sheet

LARGEST_TABLE = 16_384
"""So many words are kept, and then forgotten to make room."""
_UNKNOWN = -1

Sums = NDArray[np.float32]


class AttributeScorer:
    """Sums the weights of attributes for several CRFs at once."""

    def __init__(self, members: Sequence[Weights]) -> None:
        names = chained.from_iterable(weights.attributes for weights in members)
        self.names = {name: number for number, name in enumerate(dict.fromkeys(names))}
        self._members = [_Member(weights, self.names) for weights in members]

    def sums(self, columns: Sequence[Iterable[str]]) -> list[Sums]:
        """Return, for each CRF, a row of scores for each column of attributes."""
        counted = [column if isinstance(column, list) else list(column) for column in columns]
        counts = [len(column) for column in counted]
        flat = chained.from_iterable(counted)
        numbers = np.fromiter(map(self.names.get, flat, repeat(_UNKNOWN)), np.int64, sum(counts))
        owners = np.repeat(np.arange(len(counted)), counts)
        known = numbers != _UNKNOWN
        return self.numbered_sums(numbers[known], owners[known], len(counted))

    def numbered_sums(self, numbers: Integers, owners: Integers, count: int) -> list[Sums]:
        """Return, for each CRF, `count` rows; `owners`, in order, says whose each attribute is."""
        return [member.sums(numbers, owners, count) for member in self._members]


class _Member:
    """The weights of one CRF by the numbers that all CRFs share."""

    def __init__(self, weights: Weights, names: dict[str, int]) -> None:
        self._states = weights.states
        self._missing = len(weights.attributes)
        self._rows = np.full(len(names), self._missing)
        shared = [names[name] for name in weights.attributes]
        self._rows[shared] = list(weights.attributes.values())

    def sums(self, numbers: Integers, owners: Integers, count: int) -> Sums:
        rows = self._rows[numbers]
        own = rows != self._missing
        rows, owners = rows[own], owners[own]
        sums = np.zeros((count, self._states.shape[1]), np.float32)
        if len(rows):
            firsts = np.flatnonzero(np.diff(owners, prepend=-1))
            sums[owners[firsts]] = np.add.reduceat(self._states[rows], firsts, axis=0)
        return sums


class WindowScorer:
    """Scores the tokens of documents for several CRFs that share an extractor.

    `_tables` hold, for each CRF, the sum over the attributes of a word at a place: places x words x
    labels. A place is how far from the token a word stands, and whether on its line.
    """

    def __init__(self, members: Sequence[Weights], extractor: Extractor) -> None:
        self._extractor = extractor
        self._attributes = AttributeScorer(members)
        window = extractor.features.window
        self._offsets = range(-window, window + 1)
        places = [(offset, same) for offset in self._offsets for same in (True, False)]
        self._places = {place: number for number, place in enumerate(places)}
        self._placed = self._placed_names()
        self._tables = [
            np.zeros((len(places), 1024, len(each.labels)), np.float32) for each in members
        ]
        self._words: dict[str, int] = {}

    def scores(self, sheet: Sheet) -> list[Sums]:
        """Return, for each CRF, tokens x labels."""
        totals = self._attributes.sums(self._extractor.places(sheet))
        words = self._word_rows(sheet.words)
        lines = np.array(sheet.tokens.lines, np.int64)
        for offset in self._offsets:
            rows, same_line = _shifted(words, lines, offset)
            places = np.where(same_line, *(self._places[offset, same] for same in (True, False)))
            for total, table in zip(totals, self._tables, strict=True):
                flat = table.reshape(-1, table.shape[2])
                np.add(total, flat.take(places * table.shape[1] + rows, axis=0), out=total)
        return totals

    def _placed_names(self) -> dict[str, list[tuple[int, int]]]:
        """For each attribute of a word, the places where a CRF knows it and its number there."""
        starts = {
            prefix(offset, same_line=same)[:-1]: number
            for (offset, same), number in self._places.items()
        }
        placed: dict[str, list[tuple[int, int]]] = {}
        for name, number in self._attributes.names.items():
            start, _, attribute = name.partition("|")
            if start in starts:
                placed.setdefault(attribute, []).append((starts[start], number))
        return placed

    def _word_rows(self, words: list[str]) -> Integers:
        """Return the row of each word in the tables; row 0 is for beyond the text's ends."""
        needed = {OUTSIDE_TEXT, *words}
        if not self._words.keys() >= needed:
            self._learn(needed)
        return np.fromiter(map(self._words.__getitem__, words), np.int64, len(words))

    def _learn(self, needed: set[str]) -> None:
        if len(self._words) + len(needed) > LARGEST_TABLE:
            self._words.clear()
        new = sorted(needed - self._words.keys())
        entries = self._entries(new)
        owners = entries[:, 0] * len(new) + entries[:, 1]
        places, first = len(self._places), len(self._words)
        sums = self._attributes.numbered_sums(entries[:, 2], owners, places * len(new))
        self._tables = [
            _with_words(table, first, each.reshape(places, len(new), -1))
            for table, each in zip(self._tables, sums, strict=True)
        ]
        self._words.update((word, first + row) for row, word in enumerate(new))

    def _entries(self, words: list[str]) -> Integers:
        """Return place, row and number of every known attribute of the words, in that order."""
        entries = [
            (place, row, number)
            for row, word in enumerate(words)
            for attribute in self._extractor.word_attributes(word)
            for place, number in self._placed.get(attribute, ())
        ]
        return np.array(sorted(entries), np.int64).reshape(-1, 3)


def _with_words(table: Sums, first: int, sums: Sums) -> Sums:
    """Return the table with the sums of more words from row `first` on, larger if need be."""
    last = first + sums.shape[1]
    while last > table.shape[1]:
        table = np.concatenate([table, np.zeros_like(table)], axis=1)
    table[:, first:last] = sums
    return table


def _shifted(words: Integers, lines: Integers, offset: int) -> tuple[Integers, NDArray[np.bool]]:
    """Return the row of the word `offset` tokens from each, and whether on the same line."""
    count = len(words)
    at = np.arange(count) + offset
    inside = (at >= 0) & (at < count)
    at = np.clip(at, 0, max(count - 1, 0))
    return np.where(inside, words[at], 0), ~inside | (lines[at] == lines)
