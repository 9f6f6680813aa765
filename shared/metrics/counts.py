"""Counts first: what was matched, and the ratios and means that follow from it.

The equations are 1 to 3 of Stubbs and Uzuner (2015). What they leave open is settled so:

- Nothing on either side is full agreement: precision, recall and F1 are 1.
- Something on one side only: both ratios and F1 are 0, the one with no denominator too.
- Macro is the mean over all documents of each document's precision, recall and F1, so the macro F1
  is a mean of F1 and not the F1 of two means (their table 2 can only come about this way).
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

CountTable: TypeAlias = "npt.NDArray[np.int64]"
"""Documents x 3: what `MatchCounts` has of each document, as its columns."""
Floats: TypeAlias = "npt.NDArray[np.float64]"
_UNIT = 2**93
"""Ratios are whole numbers of so many parts of one, but for those below 2**-40: sums are exact."""


@dataclass(frozen=True, slots=True)
class MatchCounts:
    """How many things of the candidate and of the reference found a partner, and how many did not.

    `tp` are on both sides, `fp` in the candidate only, `fn` in the reference only. They add up.
    """

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: "MatchCounts") -> "MatchCounts":
        return MatchCounts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def candidates(self) -> int:
        return self.tp + self.fp

    @property
    def references(self) -> int:
        return self.tp + self.fn

    @property
    def precision(self) -> float:
        return self._of(self.candidates)

    @property
    def recall(self) -> float:
        return self._of(self.references)

    @property
    def f1(self) -> float:
        return 2 * self.tp / self._things if self._things else 1.0

    @property
    def ratios(self) -> "Ratios":
        return Ratios(self.precision, self.recall, self.f1)

    def swapped(self) -> "MatchCounts":
        """What the reference as candidate would have against the candidate as reference."""
        return MatchCounts(self.tp, self.fn, self.fp)

    @property
    def _things(self) -> int:
        return self.candidates + self.references

    def _of(self, whole: int) -> float:
        if whole:
            return self.tp / whole
        return 0.0 if self._things else 1.0


def added(counts: Iterable[MatchCounts]) -> MatchCounts:
    """Return all counts together."""
    tp = fp = fn = 0
    for each in counts:
        tp, fp, fn = tp + each.tp, fp + each.fp, fn + each.fn
    return MatchCounts(tp, fp, fn)


@dataclass(frozen=True, slots=True)
class Ratios:
    """Precision, recall and F1, each from 0 to 1, or nan where nothing was measured."""

    precision: float
    recall: float
    f1: float

    @property
    def cells(self) -> tuple[float, float, float]:
        return self.precision, self.recall, self.f1

    @classmethod
    def mean(cls, each: Iterable["Ratios"]) -> "Ratios":
        """The mean of each of the three, nan of none."""
        rows = list(each)
        return cls(
            _mean([row.precision for row in rows]),
            _mean([row.recall for row in rows]),
            _mean([row.f1 for row in rows]),
        )


@dataclass(frozen=True, slots=True)
class Scores:
    """The counts of a corpus: `micro` over all tags at once, `macro` averaged over documents."""

    micro: MatchCounts
    macro: Ratios
    documents: int

    @classmethod
    def of(cls, per_document: Iterable[MatchCounts]) -> "Scores":
        """Return the scores of documents with these counts."""
        rows = list(per_document)
        macro = Ratios.mean(row.ratios for row in rows)
        return cls(added(rows), macro, len(rows))

    @classmethod
    def of_times(cls, times: Mapping[MatchCounts, int]) -> "Scores":
        """Return the scores of documents of which so many have each of these counts, as `of` does.

        However the documents come in parts, counts of parts added up give the same scores.
        """
        tp = sum(each.tp * seen for each, seen in times.items())
        fp = sum(each.fp * seen for each, seen in times.items())
        fn = sum(each.fn * seen for each, seen in times.items())
        documents = sum(times.values())
        if not documents:
            return cls.of(())
        cells = zip(*(each.ratios.cells for each in times), strict=True)
        means = (
            sum(int(one * _UNIT) * seen for one, seen in zip(cell, times.values(), strict=True))
            / _UNIT
            / documents
            for cell in cells
        )
        return cls(MatchCounts(tp, fp, fn), Ratios(*means), documents)


def number_or_none(value: float) -> float | None:
    """Return a number, or None for nan, as JSON has it."""
    return None if math.isnan(value) else value


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values) if values else math.nan


def table_of(counts: Iterable[MatchCounts]) -> CountTable:
    """Return the table of documents with these counts, in their order."""
    import numpy as np

    rows = [(each.tp, each.fp, each.fn) for each in counts]
    return np.array(rows, np.int64).reshape(-1, 3)


def ratios_of(counts: "CountTable | Floats") -> Floats:
    """Return precision, recall and F1 of counts of the shape (..., 3), as `MatchCounts.ratios`."""
    import numpy as np

    tp, fp, fn = (counts[..., place].astype(np.float64) for place in range(3))
    ratios = np.stack([_of(tp, tp + fp), _of(tp, tp + fn), _of(2 * tp, 2 * tp + fp + fn)], axis=-1)
    ratios[tp + fp + fn == 0] = 1.0
    return ratios


def _of(part: Floats, whole: Floats) -> Floats:
    import numpy as np

    return part / np.where(whole == 0, 1.0, whole)
