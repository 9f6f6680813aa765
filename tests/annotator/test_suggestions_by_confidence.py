"""Suggestions by how sure they are."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.rejections import PlacedSuggestion
from annotator.suggestions import ByConfidence
from shared.model import PhiType

DATE = PhiType("DATE", "DATE")
SURE = (0.1, 0.5, 0.5, 0.5, 0.9)
suggestions = st.builds(
    lambda at, sure: PlacedSuggestion(at, at + 1, "1-01", DATE, sure, "test"),
    st.integers(0, 40),
    st.sampled_from(SURE),
)
changes = st.lists(st.tuples(st.sets(suggestions), st.sets(suggestions)), max_size=4)


def rank(each):
    return each.confidence, each.start


def held(made):
    """What is left after some changes, and the same in order."""
    there, ranked = set(), ByConfidence()
    for some, others in made:
        gone, new = some & there, others - there
        there = there - gone | new
        ranked.change(gone, new)
    return ranked, sorted(there, key=rank)


@given(changes)
def test_few_and_many_changes_keep_the_order(made):
    ranked, wanted = held(made)
    assert list(ranked) == wanted
    assert len(ranked) == len(wanted)


@given(changes, st.sampled_from((0.0, *SURE, 1.0)), st.sampled_from((0.0, *SURE, 1.0)))
def test_it_counts_and_cuts_at_confidences(made, one, other):
    ranked, wanted = held(made)
    low, high = sorted((one, other))
    assert ranked.count_from(low) == sum(each.confidence >= low for each in wanted)
    assert ranked.between(low, high) == [each for each in wanted if low <= each.confidence < high]


@given(changes, suggestions, st.sampled_from((0.0, *SURE)))
def test_one_walks_around_those_that_are_sure_enough(made, current, low):
    ranked, wanted = held(made)
    sure = [each for each in wanted if each.confidence >= low]
    after = [each for each in sure if rank(each) > rank(current)]
    before = [each for each in sure if rank(each) < rank(current)]
    assert ranked.following(current, low) == next(iter(after or sure), None)
    assert ranked.preceding(current, low) == next(reversed(before or sure), None)
    assert ranked.following(None, low) == next(iter(sure), None)


def test_the_least_sure_comes_first_and_of_those_as_sure_the_first_in_the_text():
    ranked = ByConfidence()
    some = [
        PlacedSuggestion(at, at + 1, "1-01", DATE, sure, "test")
        for at, sure in ((0, 0.9), (4, 0.5), (2, 0.5), (8, 0.1))
    ]
    ranked.change([], some)
    assert [(each.confidence, each.start) for each in ranked] == [
        (0.1, 8),
        (0.5, 2),
        (0.5, 4),
        (0.9, 0),
    ]
    assert [each.start for each in ranked.between(0.5, 1)] == [2, 4, 0]
