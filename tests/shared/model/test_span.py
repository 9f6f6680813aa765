import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import SpanError
from shared.model import Span
from tests.strategies import spans


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (3, 3), (4, 3)])
def test_offsets_that_form_no_span(start, end):
    with pytest.raises(SpanError):
        Span(start, end)


def test_a_span_covers_what_lies_between_its_offsets():
    assert Span(8, 12).text_in("Patient John") == "John"
    assert len(Span(8, 12)) == 4


@given(spans(40), spans(40))
def test_overlap_is_to_share_a_code_point(one, other):
    shared = set(range(one.start, one.end)) & set(range(other.start, other.end))
    assert one.overlaps(other) == other.overlaps(one) == bool(shared)


@given(spans(40), spans(40))
def test_to_contain_is_to_share_all_of_the_other(one, other):
    assert one.contains(other) == (
        set(range(other.start, other.end)) <= set(range(one.start, one.end))
    )


@given(spans(40), st.integers(0, 99))
def test_shifting_there_and_back(span, by):
    assert span.shifted(by).shifted(-by) == span
    assert len(span.shifted(by)) == len(span)


def test_a_span_does_not_shift_before_the_text():
    with pytest.raises(SpanError):
        Span(2, 4).shifted(-3)


def test_spans_stand_in_the_order_of_the_text():
    assert sorted([Span(3, 9), Span(0, 5), Span(3, 4)]) == [Span(0, 5), Span(3, 4), Span(3, 9)]
