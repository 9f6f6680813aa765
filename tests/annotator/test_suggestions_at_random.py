"""Whatever is suggested, tagged and rejected: what is shown is what still waits for a word."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.rejections import PlacedSuggestion, Rejections
from annotator.suggestions import SuggestionReview, _rank
from shared.model import Document, MergedView, Patient, PhiType, Span
from shared.text.span_index import SpanIndex

DOCTOR = PhiType("NAME", "DOCTOR")
SPANS = st.tuples(st.integers(0, 40), st.integers(1, 6)).map(lambda each: Span(each[0], sum(each)))


@given(st.lists(SPANS, max_size=12), st.lists(SPANS, max_size=8), st.floats(0, 1))
def test_what_is_shown_is_always_what_is_untagged_unrejected_and_sure(places, tagged, threshold):
    view = MergedView(Patient("1", (Document("1-01", "1", "abc " * 20),)))
    review = SuggestionReview(view, tags := SpanIndex(), rejections := Rejections(view))
    suggestions = [
        PlacedSuggestion(each.start, each.end, "1-01", DOCTOR, number / 12, "test")
        for number, each in enumerate(places)
    ]
    review.fill(suggestions)
    review.threshold = threshold
    for number, span in enumerate(tagged):
        tags.change(added=[_Tag(span.start, span.end)])
        review.edited(_Edit((_Tag(span.start, span.end),)))
        if number < len(suggestions):
            review.reject(suggestions[number], alike=False, step=number)
        expected = {
            each
            for each in suggestions
            if each.confidence >= threshold
            and each not in rejections
            and not tags.query(each.start, each.end)
        }
        assert set(review.shown) == expected
        assert sorted(each.start for each in expected) == [each.start for each in review.shown]


@given(
    st.lists(SPANS, max_size=12),
    st.lists(st.lists(SPANS, min_size=1, max_size=8), max_size=3),
)
def test_what_many_tags_mean_for_suggestions(places, edits):
    view = MergedView(Patient("1", (Document("1-01", "1", "abc " * 20),)))
    review = SuggestionReview(view, tags := SpanIndex(), Rejections(view))
    review.fill(
        PlacedSuggestion(each.start, each.end, "1-01", DOCTOR, number / 12, "test")
        for number, each in enumerate(places)
    )
    review.threshold = 0.4
    for spans in edits:
        marked = [_Tag(each.start, each.end) for each in spans]
        tags.change(added=marked)
        review.edited(_Edit(tuple(marked)))
        taken = {each for each in review._all if tags.query(each.start, each.end)}
        assert set(review._ranked) == set(review._all) - taken
        assert list(review._ranked) == sorted(review._ranked, key=_rank)
        assert set(review.shown) == {
            each for each in review._all if each not in taken and each.confidence >= 0.4
        }


class _Tag(tuple):
    def __new__(cls, start, end):
        return super().__new__(cls, (start, end))

    start, end = property(lambda self: self[0]), property(lambda self: self[1])


class _Edit:
    def __init__(self, added):
        self.removed, self.added = (), added
