"""Linear classifiers of words: what a trained SVM or Winnow is, kept as JSON and run in numpy.

Each column of weights speaks for a class, or for one class against another; then classes are voted
for, as by LIBSVM. The margin is how far the chosen class is before the next, and a logistic curve
through what margins of other patients were right makes it a probability (Platt 1999).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from shared.recognition.local_context.words import Floats, Integers
from shared.recognition.logistic_curve import fitted_curve

ALL_OTHERS = -1
"""Stands for the class that a column speaks against where it is any other."""
MOST_CLASSES = 100
"""Of a model that is read; schemas have some thirty types, and pairs grow as the square."""
_DIGITS = 4


class SparseWeights(NamedTuple):
    """Weights as rows of features: `columns` and `values` from `starts[row]` to the next start."""

    starts: Integers
    columns: Integers
    values: Floats

    @classmethod
    def of(cls, rows: Integers, columns: Integers, values: Floats, count: int) -> "SparseWeights":
        """Sort entries into `count` rows; values are rounded to what the file holds."""
        rounded = np.array([float(f"{value:.{_DIGITS}g}") for value in values.tolist()])
        order = np.lexsort((columns, rows))
        starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=count))])
        return cls(starts.astype(np.int64), columns[order], rounded[order])


@dataclass(frozen=True)
class LinearModel:
    """Classes (the first is none of the types), features, and a row of weights for each feature.

    `pairs` holds the two classes of each column; `slope` and `offset` are those of the curve.
    """

    classes: tuple[str, ...]
    features: tuple[str, ...]
    pairs: Integers
    biases: Floats
    weights: SparseWeights
    slope: float = 1.0
    offset: float = 0.0

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.features)}

    def numbered(self, features: Sequence[str]) -> list[int]:
        """Return the numbers of those features that the model knows."""
        numbers = map(self._numbers.get, features)
        return [number for number in numbers if number is not None]

    def classified(self, words: Sequence[Sequence[int]]) -> tuple[Integers, Floats]:
        """Return the class of each word, given by the numbers of its features, and its margin."""
        sums = self._sums(words)
        if not len(sums) or len(self.classes) < 2:
            return np.zeros(len(words), np.int64), np.zeros(len(words))
        return self._best(sums) if self.pairs[0, 1] == ALL_OTHERS else self._voted(sums)

    def chances(self, margins: Floats) -> Floats:
        """Return how probably classes with these margins are right."""
        return 1 / (1 + np.exp(-np.clip(self.slope * margins + self.offset, -30, 30)))

    def calibrated(self, margins: Floats, right: Floats) -> "LinearModel":
        """Return the model with the curve that fits words that it did not learn from."""
        if len(set(right.tolist())) < 2:
            return self
        slope, offset = fitted_curve(margins, right)
        return replace(self, slope=slope, offset=offset)

    def _sums(self, words: Sequence[Sequence[int]]) -> Floats:
        width = len(self.pairs)
        lengths = np.array([len(each) for each in words], np.int64)
        rows = np.array([number for each in words for number in each], np.int64)
        starts, columns, values = self.weights
        counts = starts[rows + 1] - starts[rows]
        ends = np.cumsum(counts)
        within: Integers = np.arange(int(counts.sum())) - np.repeat(ends - counts, counts)
        entries: Integers = np.repeat(starts[rows], counts) + within
        cells = np.repeat(np.repeat(np.arange(len(words)), lengths), counts) * width
        sums = np.bincount(cells + columns[entries], values[entries], len(words) * width)
        return sums.reshape(-1, width) + self.biases

    def _best(self, sums: Floats) -> tuple[Integers, Floats]:
        order = np.argsort(-sums, axis=1, kind="stable")
        best = self.pairs[order[:, 0], 0]
        ranked = np.take_along_axis(sums, order[:, :2], axis=1)
        return best, ranked[:, 0] - ranked[:, 1]

    def _voted(self, sums: Floats) -> tuple[Integers, Floats]:
        count = len(self.classes)
        votes, least = np.zeros((len(sums), count)), np.full((len(sums), count), np.inf)
        for column, (one, other) in enumerate(self.pairs.tolist()):
            speaks = sums[:, column]
            for own, margin in ((one, speaks), (other, -speaks)):
                votes[:, own] += margin > 0
                np.minimum(least[:, own], margin, out=least[:, own])
        best = votes.argmax(axis=1)
        return best, least[np.arange(len(best)), best]


def linear_table(model: LinearModel) -> dict[str, Any]:
    """Return the model as JSON holds it, numbers with blanks between."""
    starts, columns, values = model.weights
    return {
        "classes": model.classes,
        "features": "\n".join(model.features),
        "pairs": model.pairs.tolist(),
        "biases": [round(each, 6) for each in model.biases.tolist()],
        "counts": " ".join(map(str, np.diff(starts).tolist())),
        "columns": " ".join(map(str, columns.tolist())),
        "values": " ".join(f"{value:.{_DIGITS}g}" for value in values.tolist()),
        "curve": [model.slope, model.offset],
    }


def linear_model_from(table: dict[str, Any]) -> LinearModel:
    """Read what `linear_table` wrote. Raises one of `MALFORMED` for what it cannot have written."""
    classes = tuple(map(str, table["classes"]))
    features = tuple(table["features"].split("\n"))
    pairs = np.array(table["pairs"], np.int64).reshape(-1, 2)
    biases = np.array(table["biases"], np.float64)
    counts, columns = (np.array(table[name].split(), np.int64) for name in ("counts", "columns"))
    values = np.array(table["values"].split(), np.float64)
    if not 1 <= len(classes) <= MOST_CLASSES or not _are_pairs(pairs, len(classes)):
        raise ValueError("has other classes than it needs")
    if len(counts) != len(features) or (counts < 0).any() or biases.shape != (len(pairs),):
        raise ValueError("has other features than weights")
    if not counts.sum() == len(columns) == len(values) or not np.isfinite(values).all():
        raise ValueError("has no weights of a linear model")
    if ((columns < 0) | (columns >= len(pairs))).any():
        raise ValueError("has weights of classes that there are not")
    slope, offset = map(float, table["curve"])
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    weights = SparseWeights(starts, columns, values)
    return LinearModel(classes, features, pairs, biases, weights, slope, offset)


def _are_pairs(pairs: Integers, count: int) -> bool:
    """Whether there is a column for each class, or one for each two of them."""
    single = [[one, ALL_OTHERS] for one in range(count)]
    return pairs.tolist() in (single, [list(each) for each in one_against_one(count)])


def one_against_one(count: int) -> list[tuple[int, int]]:
    return [(one, other) for one in range(count) for other in range(one + 1, count)]
