import json

import numpy as np
import pytest
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.utils._openmp_helpers import _openmp_effective_n_threads
from threadpoolctl import threadpool_info, threadpool_limits

from shared.outside import MALFORMED
from shared.recognition.confidence import boosted_trees
from shared.recognition.confidence.boosted_trees import fit_trees, trees_from, trees_table


@pytest.fixture(scope="module")
def rows():
    """Five features, two of which decide; a fifth of the numbers are missing."""
    chance = np.random.default_rng(4)
    rows = chance.normal(size=(600, 5))
    rows[chance.random(rows.shape) < 0.2] = np.nan
    return rows


@pytest.fixture(scope="module")
def right(rows):
    return (np.nan_to_num(rows[:, 0]) + np.isnan(rows[:, 1]) > 0.5).tolist()


@pytest.fixture(scope="module")
def trees(rows, right):
    return fit_trees(rows, right, 1)


def test_the_arrays_say_what_scikit_learn_says(rows, right, trees):
    others = np.random.default_rng(5).normal(size=(200, 5)) * 3
    others[::7, 1] = np.nan
    theirs = HistGradientBoostingClassifier(
        max_iter=boosted_trees.ROUNDS,
        learning_rate=boosted_trees.LEARNING_RATE,
        max_leaf_nodes=boosted_trees.LEAVES,
        min_samples_leaf=boosted_trees.SMALLEST_LEAF,
        l2_regularization=boosted_trees.L2,
        max_features=boosted_trees.FEATURE_SHARE,
        early_stopping=False,
        random_state=1,
    )
    with threadpool_limits(limits=1):  # threads that wait for each other cost more than they give
        theirs.fit(rows, right)
        expected = [theirs.predict_proba(some)[:, 1] for some in (rows, others)]
    for some, wanted in zip((rows, others), expected, strict=True):
        assert trees.probabilities(some) == pytest.approx(wanted, abs=1e-12)


def test_one_thread_fits_them(rows, right, monkeypatch):
    told = []
    fit = HistGradientBoostingClassifier.fit

    def asked(self, *data):
        told.append(_openmp_effective_n_threads())
        return fit(self, *data)

    monkeypatch.setattr(HistGradientBoostingClassifier, "fit", asked)
    with threadpool_limits(limits=4, user_api="openmp"):
        fit_trees(rows[:100], right[:100], 1)
        assert told == [1]
        assert threads_of_openmp() == {4}


def threads_of_openmp():
    return {each["num_threads"] for each in threadpool_info() if each["user_api"] == "openmp"}


def test_on_a_curve_their_log_odds_are_scaled(rows, trees):
    before, after = (each.probabilities(rows) for each in (trees, trees.on_curve(0.8, -0.1)))
    odds, scaled = (np.log(each / (1 - each)) for each in (before, after))
    assert scaled == pytest.approx(0.8 * odds - 0.1)


def test_a_file_of_them_says_the_same(rows, trees):
    again = trees_from(json.loads(json.dumps(trees_table(trees), allow_nan=False)), 5)
    assert (again.probabilities(rows) == trees.probabilities(rows)).all()


def test_features_that_are_always_missing_or_the_same_do_no_harm(rows, right, trees):
    empty, same = np.full((len(rows), 1), np.nan), np.ones((len(rows), 1))
    more = fit_trees(np.concatenate([rows, empty, same], axis=1), right, 1)
    assert more.feature.max() < 5


def test_nothing_comes_of_nothing(trees):
    assert trees.probabilities(np.zeros((0, 0))).tolist() == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("feature", 5),
        ("feature", -1),
        ("left", 10**6),
        ("roots", -1),
        ("missing", 10**6),
        ("value", float("nan")),
        ("threshold", float("inf")),
    ],
)
def test_nodes_that_lead_nowhere_are_refused(trees, name, value):
    table = trees_table(trees)
    table[name] = [value, *table[name][1:]]
    with pytest.raises(MALFORMED):
        trees_from(table, 5)


@pytest.mark.parametrize("depth", [-1, 10**9])
def test_a_depth_that_no_tree_has_is_refused(trees, depth):
    with pytest.raises(MALFORMED):
        trees_from(trees_table(trees) | {"depth": depth}, 5)


def test_arrays_of_unlike_length_are_refused(trees):
    table = trees_table(trees)
    with pytest.raises(MALFORMED):
        trees_from(table | {"right": table["right"][1:]}, 5)
