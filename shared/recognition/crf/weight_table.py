"""The weights of several CRFs in one table, for sums over attributes.

Of all that is known of an attribute, most labels have no weight: only those that do are kept.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from itertools import chain as chained
from itertools import repeat
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from shared.recognition.crf.crfsuite_file import Weights
from shared.recognition.crf.forward_backward import Integers

MAX_CACHED_ROWS = 16_384
"""So many sums are kept, and then forgotten to make room."""
UNKNOWN = -1

Sums = NDArray[np.float32]
Key = TypeVar("Key", bound=Hashable)


class WeightTable:
    """The weights of numbered attributes, a number, a column and a weight at a time."""

    def __init__(
        self, numbers: Integers, columns: Integers, weights: Sums, shape: tuple[int, int]
    ) -> None:
        """`shape`: how many attributes there are, some without any weight, and how many columns."""
        order = np.argsort(numbers, kind="stable")
        count, self.width = shape
        self._columns, self._weights = columns[order], weights[order]
        self._counts = np.bincount(numbers, minlength=count)
        self._starts = np.cumsum(self._counts) - self._counts

    def entries(self, numbers: Integers) -> tuple[Integers, Integers, Sums]:
        """Return the weights of these attributes: which of them each is of, its column, and it."""
        counts = self._counts[numbers]
        owners = np.repeat(np.arange(len(numbers)), counts)
        shifts = self._starts[numbers] - np.cumsum(counts) + counts
        found = shifts[owners] + np.arange(len(owners))
        return owners, self._columns[found], self._weights[found]

    def add(self, sums: Sums, rows: Integers, numbers: Integers) -> None:
        """Add to each row of sums the weights of the attribute of that number."""
        owners, columns, weights = self.entries(numbers)
        np.add.at(sums.reshape(-1), rows[owners] * self.width + columns, weights)

    def add_all(self, sums: Sums, numbers: Sequence[Sequence[int]]) -> None:
        """Add to each row of sums the weights of a list of attributes."""
        counts = [len(each) for each in numbers]
        flat = np.fromiter(chained.from_iterable(numbers), np.int64, sum(counts))
        self.add(sums, np.repeat(np.arange(len(numbers)), counts), flat)


def table_of(members: Sequence[Weights]) -> tuple[dict[str, int], WeightTable]:
    """Return the numbers of all attributes, and the weights that each CRF gives them.

    The columns of the table are the labels of the first CRF, then those of the second, and so on.
    """
    numbers: dict[str, int] = {}
    parts: list[tuple[Integers, Integers, Sums]] = []
    width = 0
    for weights in members:
        own = [numbers.setdefault(name, len(numbers)) for name in weights.attributes]
        number_of_row = np.full(len(weights.states), UNKNOWN)
        number_of_row[list(weights.attributes.values())] = own
        rows, columns = np.nonzero(weights.states)
        parts.append((number_of_row[rows], columns + width, weights.states[rows, columns]))
        width += len(weights.labels)
    number, column, weight = zip(*parts, strict=True)
    return numbers, WeightTable(
        np.concatenate(number),
        np.concatenate(column),
        np.concatenate(weight),
        (len(numbers), width),
    )


class RowCache(Generic[Key]):
    """Sums that are wanted again and again, a row for each key; row 0 is for `first`."""

    def __init__(self, first: Key, width: int, sum_up: Callable[[list[Key], Sums], object]) -> None:
        self.sums: Sums = np.zeros((0, width), np.float32)
        self._first = first
        self._sum_up = sum_up
        self._rows: dict[Key, int] = {}

    def rows(self, keys: Sequence[Key]) -> Integers:
        """Return the row of each key in `sums`, which holds until the next call."""
        if not self._rows or len(self._rows) > MAX_CACHED_ROWS:
            self._forget()
        rows = np.fromiter(map(self._rows.get, keys, repeat(UNKNOWN)), np.int64, len(keys))
        missing = np.flatnonzero(rows == UNKNOWN).tolist()
        if missing:
            self._add(list(dict.fromkeys(keys[at] for at in missing)))
            rows[missing] = [self._rows[keys[at]] for at in missing]
        return rows

    def _forget(self) -> None:
        self._rows.clear()
        self.sums = np.zeros((MAX_CACHED_ROWS + 1024, self.sums.shape[1]), np.float32)
        self._add([self._first])

    def _add(self, keys: list[Key]) -> None:
        first = len(self._rows)
        last = first + len(keys)
        if last > len(self.sums):
            more = np.zeros((last - len(self.sums), self.sums.shape[1]), np.float32)
            self.sums = np.concatenate([self.sums, more])
        self._sum_up(keys, self.sums[first:last])
        self._rows.update(zip(keys, range(first, last), strict=True))


def known(names: Iterable[str], numbers: dict[str, int]) -> list[int]:
    return [number for number in map(numbers.get, names) if number is not None]
