from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.model import Span
from shared.text.span_index import LONG, SpanIndex
from tests.strategies import spans

TEXT = 3 * LONG

some_spans = st.lists(st.one_of(spans(60), spans(TEXT)), max_size=12)


def in_order(items: list[Span]) -> list[Span]:
    return sorted(set(items), key=lambda span: (span.start, span.end))


@given(some_spans, spans(TEXT))
def test_a_query_gives_what_overlaps_in_order(items, stretch):
    expected = [each for each in in_order(items) if each.overlaps(stretch)]
    assert SpanIndex(items).query(stretch.start, stretch.end) == expected


@given(some_spans)
def test_an_index_holds_every_item_once_and_in_order(items):
    index = SpanIndex(items)
    assert list(index) == in_order(items)
    assert len(index) == len(set(items))
    assert all(item in index for item in items)


@given(some_spans)
def test_items_that_overlap_are_drawn_in_different_lanes(items):
    index = SpanIndex(items)
    for one, other in combinations(index, 2):
        assert not one.overlaps(other) or index.lane(one) != index.lane(other)


@given(before=some_spans, removed=some_spans, added=some_spans)
def test_changing_an_index_gives_the_index_of_the_changed_items(before, removed, added):
    index = SpanIndex(before)
    index.change(removed=removed + before[::2], added=added)
    expected = SpanIndex([*(set(before) - set(removed + before[::2])), *added])
    assert list(index) == list(expected)
    assert [index.lane(each) for each in index] == [expected.lane(each) for each in expected]


MANY = [Span(3 * at, 3 * at + 5) for at in range(300)]
MANY += [Span(5 * at, 5 * at + LONG + 1) for at in range(300)]


@given(st.sets(st.sampled_from(MANY), max_size=6), st.lists(spans(TEXT), max_size=6), spans(TEXT))
def test_a_small_change_of_a_large_index_gives_that_of_the_changed_items(removed, added, stretch):
    index = SpanIndex(MANY)
    index.change(removed=removed, added=added)
    expected = SpanIndex([*(set(MANY) - removed), *added])
    assert list(index) == list(expected)
    assert index.query(stretch.start, stretch.end) == expected.query(stretch.start, stretch.end)
    assert index.last_before(stretch.start) == expected.last_before(stretch.start)


@given(some_spans, spans(TEXT))
def test_items_on_exactly_a_stretch(items, stretch):
    index = SpanIndex(items)
    assert index.on(stretch.start, stretch.end) == [stretch] * (stretch in items)
    assert all(index.on(each.start, each.end) == [each] for each in items)


@given(some_spans, st.integers(0, TEXT))
def test_neighbours_of_an_offset(items, offset):
    index, ordered = SpanIndex(items), in_order(items)
    after = next((each for each in ordered if each.start > offset), None)
    before = next((each for each in reversed(ordered) if each.start < offset), None)
    assert (index.next_after(offset), index.last_before(offset)) == (after, before)


@pytest.mark.parametrize(
    ("items", "lanes"),
    [
        ([Span(0, 4), Span(4, 8)], [0, 0]),
        ([Span(0, 9), Span(2, 4), Span(5, 8)], [0, 1, 1]),
        ([Span(0, 5), Span(3, 8), Span(7, 10)], [0, 1, 0]),
        ([Span(0, 9), Span(1, 8), Span(2, 7)], [0, 1, 2]),
    ],
)
def test_lanes_are_the_lowest_that_are_free(items, lanes):
    index = SpanIndex(items)
    assert [index.lane(each) for each in index] == lanes


def test_removing_the_bridge_between_two_items_frees_their_lanes():
    index = SpanIndex([Span(0, 5), Span(3, 8), Span(7, 10), Span(9, 12)])
    index.change(removed=[Span(3, 8)])
    assert [index.lane(each) for each in index] == [0, 0, 1]


def test_items_that_an_index_does_not_hold():
    index = SpanIndex([Span(0, 5)])
    index.change(removed=[Span(1, 2)], added=[Span(0, 5)])
    assert list(index) == [Span(0, 5)]
    assert index.lane(Span(1, 2)) == 0
    assert index.next_after(0) is None
    assert index.last_before(0) is None


def test_replacing_forgets_what_was_held():
    index = SpanIndex([Span(0, 5)])
    index.replace([Span(3, 4)])
    assert list(index) == [Span(3, 4)]
    assert Span(0, 5) not in index


def test_many_items_at_once():
    items = [Span(at, at + 4) for at in range(3000)]
    index = SpanIndex()
    index.change(added=items)
    assert list(index) == items
    index.change(removed=items[:-1])
    assert list(index) == items[-1:]
