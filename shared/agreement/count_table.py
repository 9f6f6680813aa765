"""Counts of many documents as arrays, for what has to be counted thousands of times over.

A table has the shape (documents, 3): true positives, false positives, false negatives.
"""

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from shared.agreement.counts import MatchCounts

CountTable = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def table_of(counts: Iterable[MatchCounts]) -> CountTable:
    """Return the table of documents with these counts, in their order."""
    rows = [(each.tp, each.fp, each.fn) for each in counts]
    return np.array(rows, np.int64).reshape(-1, 3)


def ratios_of(counts: npt.NDArray[np.int64] | Floats) -> Floats:
    """Return precision, recall and F1 for counts of the shape (..., 3), by the rules of `counts`.

    Nothing on either side is 1, something on one side only is 0.
    """
    tp, fp, fn = (counts[..., place].astype(np.float64) for place in range(3))
    nothing = tp + fp + fn == 0
    ratios = np.stack(
        [_ratio(tp, tp + fp), _ratio(tp, tp + fn), _ratio(2 * tp, 2 * tp + fp + fn)], axis=-1
    )
    ratios[nothing] = 1.0
    return ratios


def by_group(values: Floats | CountTable, groups: npt.NDArray[np.intp], number: int) -> Floats:
    """Sum the rows of each of `number` groups; `groups` names the group of every row."""
    sums = np.zeros((number, *values.shape[1:]))
    order = np.argsort(groups, kind="stable")
    present, starts = np.unique(groups[order], return_index=True)
    if len(present):
        sums[present] = np.add.reduceat(values[order], starts, axis=0)
    return sums


def _ratio(part: Floats, whole: Floats) -> Floats:
    return part / np.where(whole == 0, 1.0, whole)
