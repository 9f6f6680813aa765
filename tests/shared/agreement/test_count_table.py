"""Counts as arrays follow the rules of counts one by one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.count_table import by_group, ratios_of, table_of
from shared.agreement.counts import MatchCounts

numbers = st.integers(0, 50)
counts = st.lists(st.builds(MatchCounts, numbers, numbers, numbers), max_size=20)


@given(counts)
def test_ratios_are_those_of_the_counts(some: list[MatchCounts]) -> None:
    expected = [[each.precision, each.recall, each.f1] for each in some]
    assert ratios_of(table_of(some)).tolist() == [pytest.approx(row) for row in expected]


def test_nothing_at_all_is_agreement() -> None:
    assert ratios_of(table_of([MatchCounts()])).tolist() == [[1.0, 1.0, 1.0]]


@given(counts)
def test_groups_add_up(some: list[MatchCounts]) -> None:
    groups = np.arange(len(some), dtype=np.intp) % 3
    sums = by_group(table_of(some), groups, 3)
    whole = sum(some, MatchCounts())
    assert sums.sum(axis=0).tolist() == [whole.tp, whole.fp, whole.fn]
