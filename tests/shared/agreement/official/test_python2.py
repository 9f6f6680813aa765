"""The order of Python 2: known hashes and orders, and what holds for every set."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.agreement.official.i2b2_2014_counts import common_order, string_hash, table_order

keys = st.lists(st.text(alphabet="0123456789-", max_size=6), max_size=60)


@pytest.mark.parametrize(("text", "expected"), [(b"", 0), (b"a", 12416037344), (b"b", 12544037731)])
def test_known_hashes(text: bytes, expected: int) -> None:
    assert string_hash(text) == expected


@pytest.mark.parametrize(
    ("given_order", "expected"),
    [
        (["a", "b", "c"], ["a", "c", "b"]),
        (["foo", "bar", "baz"], ["baz", "foo", "bar"]),
        ([], []),
    ],
)
def test_known_orders(given_order: list[str], expected: list[str]) -> None:
    assert table_order(given_order) == expected


@given(keys)
def test_a_table_holds_every_key_once(some: list[str]) -> None:
    assert sorted(table_order(some)) == sorted(set(some))


@given(keys, keys)
def test_the_common_keys_are_the_intersection(ours: list[str], theirs: list[str]) -> None:
    assert sorted(common_order(ours, theirs)) == sorted(set(ours) & set(theirs))
