"""Counts, the ratios that follow from them, and their means."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.metrics.counts import MatchCounts, Ratios, Scores, ratios_of, table_of

numbers = st.integers(0, 1000)
counts = st.builds(MatchCounts, numbers, numbers, numbers)


def test_known_ratios() -> None:
    assert MatchCounts(6, 2, 4).ratios == Ratios(0.75, 0.6, 12 / 18)


@pytest.mark.parametrize(
    ("found", "ratios"),
    [
        (MatchCounts(0, 0, 0), Ratios(1.0, 1.0, 1.0)),
        (MatchCounts(0, 3, 0), Ratios(0.0, 0.0, 0.0)),
        (MatchCounts(0, 0, 3), Ratios(0.0, 0.0, 0.0)),
    ],
)
def test_empty_sides(found: MatchCounts, ratios: Ratios) -> None:
    assert found.ratios == ratios


def test_macro_f1_is_the_mean_of_f1() -> None:
    scores = Scores.of([MatchCounts(1, 0, 0), MatchCounts(1, 3, 0)])
    assert scores.macro == Ratios((1 + 0.25) / 2, 1.0, (1 + 0.4) / 2)


def test_micro_is_of_all_tags_at_once() -> None:
    scores = Scores.of([MatchCounts(1, 0, 0), MatchCounts(1, 3, 0)])
    assert (scores.micro, scores.documents) == (MatchCounts(2, 3, 0), 2)


def test_a_document_without_phi_agrees_fully() -> None:
    assert Scores.of([MatchCounts(), MatchCounts(0, 1, 0)]).macro.f1 == 0.5


def test_no_documents_have_no_macro() -> None:
    assert math.isnan(Scores.of([]).macro.f1)


@given(counts)
def test_ratios_are_bounded(found: MatchCounts) -> None:
    assert all(0 <= each <= 1 for each in (found.precision, found.recall, found.f1))


@given(counts)
def test_f1_is_the_harmonic_mean(found: MatchCounts) -> None:
    if found.tp:
        precision, recall = found.precision, found.recall
        assert found.f1 == pytest.approx(2 * precision * recall / (precision + recall))


@given(counts)
def test_swapping_the_sides_swaps_precision_and_recall(found: MatchCounts) -> None:
    swapped = found.swapped().ratios
    assert (swapped.recall, swapped.precision, swapped.f1) == (
        found.precision,
        found.recall,
        found.f1,
    )


@given(st.lists(counts))
def test_scores_do_not_depend_on_the_order_of_documents(found: list[MatchCounts]) -> None:
    assert repr(Scores.of(found)) == repr(Scores.of(reversed(found)))


@given(st.lists(counts, max_size=20))
def test_ratios_of_a_table_are_those_of_its_counts_to_the_last_digit(
    some: list[MatchCounts],
) -> None:
    expected = [[each.precision, each.recall, each.f1] for each in some]
    assert ratios_of(table_of(some)).tolist() == expected


def test_a_table_row_of_nothing_agrees_fully() -> None:
    assert ratios_of(table_of([MatchCounts()])).tolist() == [[1.0, 1.0, 1.0]]


def test_a_table_row_without_a_match_is_nought_and_not_undefined() -> None:
    assert ratios_of(table_of([MatchCounts(0, 3, 3)])).tolist() == [[0, 0, 0]]
