"""Kappa and alpha, beside the libraries that others use and values by hand."""

from collections import Counter
from collections.abc import Mapping

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from shared.agreement.chance import (
    LabelPair,
    TokenPairs,
    binary,
    cohen_kappa,
    krippendorff_alpha,
    token_labels,
)
from shared.agreement.comparison import Comparison
from tests.builders import document, marked_up, phi

label = st.sampled_from(["O", "PATIENT", "DATE"])
pairs = st.dictionaries(st.tuples(label, label), st.integers(1, 30), min_size=1)


def labels(candidate: str, reference: str) -> TokenPairs:
    text = document(reference)
    compared = Comparison(text, marked_up(candidate)[1], marked_up(reference)[1])
    return token_labels(compared)


def kappa(found: Mapping[LabelPair, int]) -> float:
    return float(cohen_kappa(list(found), np.array([*found.values()], float)))


def alpha(found: Mapping[LabelPair, int]) -> float:
    return float(krippendorff_alpha(list(found), np.array([*found.values()], float)))


def columns(found: dict[tuple[str, str], int]) -> tuple[list[str], list[str]]:
    rows = [pair for pair, number in found.items() for _ in range(number)]
    return [one for one, _ in rows], [other for _, other in rows]


def test_tokens_and_their_labels() -> None:
    found = labels("Seen [John Smith,|DOCTOR] MD", "[Seen|DATE] [John|PATIENT] Smith, MD")
    assert found == {
        ((), (phi("DATE"),)): 1,
        ((phi("DOCTOR"),), (phi("PATIENT"),)): 1,
        ((phi("DOCTOR"),), ()): 1,
        ((), ()): 1,
    }


def test_phi_or_not() -> None:
    found = labels("[Lee|DOCTOR] here", "[Lee|PATIENT] here")
    assert sorted(binary(list(found))) == [(False, False), (True, True)]


def test_kappa_by_hand() -> None:
    """Cohen's own kind of table: 20 of 50 yes by both, 15 no by both, 5 and 10 split."""
    found = {("y", "y"): 20, ("y", "n"): 5, ("n", "y"): 10, ("n", "n"): 15}
    assert kappa(found) == pytest.approx(0.4)


def test_alpha_by_hand() -> None:
    """Ten units, binary, from Krippendorff's introduction to computing alpha."""
    ours = [0, 1, 0, 0, 0, 0, 0, 0, 1, 0]
    theirs = [1, 1, 1, 0, 0, 1, 0, 0, 0, 0]
    found = Counter(zip(map(str, ours), map(str, theirs), strict=True))
    assert alpha(found) == pytest.approx(0.095, abs=5e-4)


@given(pairs)
def test_kappa_is_that_of_scikit_learn(found: dict[tuple[str, str], int]) -> None:
    ours, theirs = columns(found)
    assume(len({*ours, *theirs}) > 1)
    assert kappa(found) == pytest.approx(cohen_kappa_score(ours, theirs))


@given(pairs)
def test_alpha_is_that_of_the_library(found: dict[tuple[str, str], int]) -> None:
    ours, theirs = columns(found)
    assume(len({*ours, *theirs}) > 1)
    expected = krippendorff.alpha(np.array([ours, theirs]), level_of_measurement="nominal")
    assert alpha(found) == pytest.approx(expected)


@pytest.mark.parametrize("found", [{}, {("O", "O"): 5}])
def test_one_label_throughout_is_agreement(found: dict[tuple[str, str], int]) -> None:
    assert (kappa(found), alpha(found)) == (1.0, 1.0)


@given(st.lists(pairs, min_size=2, max_size=4))
def test_many_at_once_are_each_alone(several: list[dict[tuple[str, str], int]]) -> None:
    every = list(dict.fromkeys(pair for each in several for pair in each))
    numbers = np.array([[each.get(pair, 0) for pair in every] for each in several], float)
    for found, one, other in zip(
        several,
        cohen_kappa(every, numbers).tolist(),
        krippendorff_alpha(every, numbers).tolist(),
        strict=True,
    ):
        assert one == pytest.approx(kappa(found))
        assert other == pytest.approx(alpha(found))


@given(pairs)
def test_the_sides_may_be_swapped(found: dict[tuple[str, str], int]) -> None:
    swapped = {(other, one): number for (one, other), number in found.items()}
    assert kappa(swapped) == pytest.approx(kappa(found))
    assert alpha(swapped) == pytest.approx(alpha(found))
