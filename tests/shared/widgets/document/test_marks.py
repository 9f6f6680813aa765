"""Marks by place: what is there, whatever the order in which it came."""

from hypothesis import given
from hypothesis import strategies as st

from shared.widgets.document.marks import Mark, MarkIndex, MarkStyle

MARKS = st.builds(
    lambda start, length, style: Mark(start, start + length, "X", "#000000", style),
    st.integers(0, 40),
    st.integers(1, 15),
    st.sampled_from(MarkStyle),
)


@given(st.lists(MARKS), st.lists(MARKS), st.integers(0, 60))
def test_change_and_replace_agree(first, more, offset):
    removed = first[::2]
    index = MarkIndex(first)
    index.change(removed, more)
    expected = (set(first) - set(removed)) | set(more)
    assert set(index) == expected
    assert set(index.at(offset)) == {each for each in expected if each.start <= offset < each.end}


@given(st.lists(MARKS, unique=True))
def test_overlapping_marks_of_one_kind_have_different_lanes(marks):
    index = MarkIndex(marks)
    for one in marks:
        for other in marks:
            overlap = one.start < other.end and other.start < one.end
            if one != other and one.style is other.style and overlap:
                assert index.lane(one) != index.lane(other)


@given(st.lists(MARKS), st.integers(0, 60))
def test_the_shortest_comes_first(marks, offset):
    lengths = [mark.end - mark.start for mark in MarkIndex(marks).at(offset)]
    assert lengths == sorted(lengths)


def test_length_and_containment():
    mark = Mark(0, 3, "X", "#000000")
    index = MarkIndex([mark])
    assert (len(index), mark in index) == (1, True)
    assert index.has(MarkStyle.TAG)
    assert not index.has(MarkStyle.SECOND)
