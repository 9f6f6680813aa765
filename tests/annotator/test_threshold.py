"""The threshold of suggestions, reached at once or a portion at a time."""

from hypothesis import given
from hypothesis import strategies as st

from annotator.rejections import PlacedSuggestion, Rejections
from shared.model import Document, MergedView, Patient, PhiType
from shared.text.span_index import SpanIndex
from tests.annotator.reviews import review_of

DOCTOR = PhiType("NAME", "DOCTOR")


@given(
    st.lists(st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.7, 0.9]), max_size=12),
    st.lists(st.floats(0, 1), min_size=1, max_size=4),
    st.integers(1, 5),
)
def test_a_threshold_reached_in_steps_shows_what_it_shows_at_once(sure, thresholds, most):
    text = "Lee " * len(sure)
    view = MergedView(Patient("1", (Document("1-01", "1", text or " "),)))
    review = review_of(view, SpanIndex(), Rejections(view))
    review.fill(
        PlacedSuggestion(4 * at, 4 * at + 3, "1-01", DOCTOR, confidence, "test")
        for at, confidence in enumerate(sure)
    )
    for threshold in thresholds:
        review.move_threshold(threshold)
        shown, settled = set(review.shown), False
        while not settled:
            settled = review.apply_threshold(most)
            assert len(shown ^ set(review.shown)) <= most
            shown = set(review.shown)
        assert {each.start for each in review.shown} == {
            4 * at for at, confidence in enumerate(sure) if confidence >= threshold
        }


@given(st.lists(st.floats(0, 1), min_size=1, max_size=4), st.integers(0, 3))
def test_a_threshold_that_moves_on_before_all_is_shown_shows_the_last(thresholds, most):
    view = MergedView(Patient("1", (Document("1-01", "1", "Lee " * 9),)))
    review = review_of(view, SpanIndex(), Rejections(view))
    review.fill(
        PlacedSuggestion(4 * at, 4 * at + 3, "1-01", DOCTOR, at / 9, "test") for at in range(9)
    )
    for threshold in thresholds:
        review.move_threshold(threshold)
        review.apply_threshold(most)
    while not review.apply_threshold(2):
        pass
    assert {each.start for each in review.shown} == {
        4 * at for at in range(9) if at / 9 >= thresholds[-1]
    }
