"""Gradient-boosted regression trees (Friedman 2001), fitted by scikit-learn and run by numpy.

Its classifier is written down as arrays of numbers, so that a model is no pickle, and nothing of
scikit-learn is needed to suggest. The settings were chosen by cross-validation on MEDDOCAN train;
none of half or twice as much changed strict F1 by more than .0005.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any
from warnings import catch_warnings, filterwarnings

import numpy as np

from shared.recognition.crf.forward_backward import Floats, Integers

ROUNDS = 250
LEARNING_RATE = 0.04
LEAVES = 12
SMALLEST_LEAF = 15
L2 = 2.0
FEATURE_SHARE = 0.4
"""Each split chooses among a random part of the features."""
_MAX_SCORE = 50.0
_HUGE = 1e300
"""Stands for infinity, which JSON has not: all that there is goes to the left."""


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """Trees over one row of features: the sum of their leaves is the log odds.

    All nodes of all trees lie one after the other; `roots` are those where trees begin. A node
    sends rows whose `feature` is at most `threshold` to `left`, others to `right`, and rows without
    that feature (NaN) to `missing`; a leaf leads to itself and holds a `value`, elsewhere 0.
    """

    roots: Integers
    feature: Integers
    threshold: Floats
    left: Integers
    right: Integers
    missing: Integers
    value: Floats
    baseline: float
    depth: int

    def on_curve(self, slope: float, offset: float) -> "BoostedTrees":
        """Return trees whose log odds are those of these, times `slope` plus `offset`."""
        baseline = slope * self.baseline + offset
        return replace(self, value=slope * self.value, baseline=baseline)

    def probabilities(self, rows: Floats) -> Floats:
        """Return the probability for each row of `rows`, rows x features."""
        scores = np.full(len(rows), self.baseline)
        if len(rows):
            is_empty, width = np.isnan(rows), rows.shape[1]
            leftmost, rightmost = (np.where(is_empty, far, rows) for far in (-np.inf, np.inf))
            values = np.concatenate([leftmost, rightmost], axis=1).reshape(-1)
            goes_right = (self.missing == self.right) & (self.right != self.left)
            columns: Integers = self.feature + width * goes_right
            onward: Integers = np.stack([self.left, self.right], axis=1).reshape(-1)
            first: Integers = 2 * width * np.arange(len(rows))[:, None]
            at: Integers = np.tile(self.roots, (len(rows), 1))
            for _ in range(self.depth):
                is_above = values.take(first + columns.take(at)) > self.threshold.take(at)
                at = onward.take(2 * at + is_above)
            scores += self.value.take(at).sum(axis=1)
        return 1 / (1 + np.exp(-np.clip(scores, -_MAX_SCORE, _MAX_SCORE)))


def fit_trees(rows: Floats, right: Sequence[bool], seed: int) -> BoostedTrees:
    """Fit to rows of features (NaN where there is none) and whether each is right, both there."""
    boosting: Any = import_module("sklearn.ensemble").HistGradientBoostingClassifier(
        max_iter=ROUNDS,
        learning_rate=LEARNING_RATE,
        max_leaf_nodes=LEAVES,
        min_samples_leaf=SMALLEST_LEAF,
        l2_regularization=L2,
        max_features=FEATURE_SHARE,
        early_stopping=False,
        random_state=seed,
    )
    is_empty = np.isnan(rows).all(axis=0)  # which scikit-learn cannot cut into bins
    # Several threads wait for each other some thousand times: where another process had a core,
    # what takes 3 seconds took 90. All libraries are limited, those just loaded among them.
    with catch_warnings(), import_module("threadpoolctl").threadpool_limits(limits=1):
        filterwarnings("ignore", "Could not find the number of physical cores")
        boosting.fit(np.where(is_empty, 0.0, rows), np.asarray(right))
    trees = [of_round[0].nodes for of_round in boosting._predictors]  # noqa: SLF001  no other way
    return _of_nodes(trees, float(boosting._baseline_prediction.ravel()[0]))  # noqa: SLF001


def _of_nodes(trees: Sequence[Any], baseline: float) -> BoostedTrees:
    sizes = [len(nodes) for nodes in trees]
    roots = np.cumsum([0, *sizes[:-1]])
    nodes = np.concatenate(trees)
    offset = np.repeat(roots, sizes)
    own = np.arange(len(nodes))
    is_leaf = nodes["is_leaf"].astype(bool)
    left = np.where(is_leaf, own, nodes["left"].astype(np.int64) + offset)
    right = np.where(is_leaf, own, nodes["right"].astype(np.int64) + offset)
    return BoostedTrees(
        roots,
        np.where(is_leaf, 0, nodes["feature_idx"]).astype(np.int64),
        np.clip(np.where(is_leaf, 0.0, nodes["num_threshold"]), -_HUGE, _HUGE),
        left,
        right,
        np.where(nodes["missing_go_to_left"].astype(bool), left, right),
        np.where(is_leaf, nodes["value"], 0.0).astype(np.float64),
        baseline,
        int(nodes["depth"].max()),
    )


def trees_table(trees: BoostedTrees) -> dict[str, Any]:
    """Return what a file says of them; `trees_from` reads that."""
    names = ("roots", "feature", "threshold", "left", "right", "missing", "value")
    arrays = {name: getattr(trees, name).tolist() for name in names}
    return arrays | {"baseline": trees.baseline, "depth": trees.depth}


def trees_from(table: Mapping[str, Any], features: int) -> BoostedTrees:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    whole = {
        name: np.array(list(map(int, table[name])), np.int64)
        for name in ("roots", "feature", "left", "right", "missing")
    }
    real = {name: np.array(list(map(float, table[name]))) for name in ("threshold", "value")}
    count, depth = len(real["value"]), int(table["depth"])
    lengths = {len(array) for name, array in (whole | real).items() if name != "roots"}
    bounds = {"feature": features, "roots": count, "left": count, "right": count, "missing": count}
    is_right = lengths == {count} and 0 <= depth <= count
    for name, bound in bounds.items():
        is_right = is_right and bool(np.all((whole[name] >= 0) & (whole[name] < bound)))
    if not is_right or not all(np.isfinite(array).all() for array in real.values()):
        raise ValueError
    baseline = float(table["baseline"])
    return BoostedTrees(**whole, **real, baseline=baseline, depth=depth)
