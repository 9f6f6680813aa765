from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from shared.model import Span
from shared.text.overlaps import clusters_of_overlaps, resolve_overlaps

SPANS = st.lists(
    st.builds(
        lambda start, length: Span(start, start + length), st.integers(0, 30), st.integers(1, 9)
    )
)


def by_length(span):
    return -len(span), span.start


def test_what_overlaps_through_others_is_one_cluster_and_what_only_touches_is_not():
    spans = [Span(0, 4), Span(2, 6), Span(5, 8), Span(8, 9)]

    assert list(clusters_of_overlaps(spans)) == [spans[:3], spans[3:]]


def test_a_long_item_holds_what_lies_within_it_together():
    spans = [Span(0, 9), Span(1, 2), Span(4, 5), Span(9, 10)]

    assert list(clusters_of_overlaps(spans)) == [spans[:3], spans[3:]]


def test_of_nothing_there_is_no_cluster():
    assert list(clusters_of_overlaps([])) == []


@given(SPANS)
def test_clusters_have_every_item_in_order_and_do_not_reach_each_other(spans):
    spans.sort()
    clusters = list(clusters_of_overlaps(spans))

    assert [span for cluster in clusters for span in cluster] == spans
    for before, after in combinations(clusters, 2):
        assert max(span.end for span in before) <= after[0].start


def test_of_two_that_overlap_the_one_of_the_lower_rank_is_taken():
    assert resolve_overlaps([Span(0, 3), Span(2, 8)], by_length) == [Span(2, 8)]


def test_without_a_rank_the_one_given_first_is_taken():
    assert resolve_overlaps([Span(4, 8), Span(6, 9), Span(0, 2)]) == [Span(0, 2), Span(4, 8)]


def test_what_only_touches_stays():
    assert resolve_overlaps([Span(2, 4), Span(0, 2), Span(4, 5)]) == [
        Span(0, 2),
        Span(2, 4),
        Span(4, 5),
    ]


def test_an_item_that_reaches_the_next_one_taken_is_not_taken():
    assert resolve_overlaps([Span(4, 6), Span(2, 5)]) == [Span(4, 6)]


def test_an_item_amid_one_taken_is_not_taken():
    assert resolve_overlaps([Span(0, 9), Span(3, 4)]) == [Span(0, 9)]


@given(SPANS)
def test_no_two_that_stay_overlap_and_each_that_goes_overlaps_one_of_lower_rank(spans):
    kept = resolve_overlaps(spans, by_length)

    assert kept == sorted(kept)
    assert not any(one.overlaps(other) for one, other in combinations(kept, 2))
    for span in spans:
        assert span in kept or any(
            span.overlaps(each) and by_length(each) <= by_length(span) for each in kept
        )
