"""Whatever is suggested, tagged and rejected: what is shown is what still waits for a word."""

import re

from hypothesis import given
from hypothesis import strategies as st

from annotator.rejections import PlacedSuggestion, Rejections
from annotator.suggestions import _rank
from shared.model import Document, MergedView, Patient, PhiType, Span, Tag
from shared.project.edits import Edit, PlacedTag
from shared.text.span_index import SpanIndex
from tests.annotator.reviews import review_of

DOCTOR, AGE = PhiType("NAME", "DOCTOR"), PhiType("AGE", "AGE")
"""An age says nothing of the same text elsewhere."""
SPANS = st.tuples(st.integers(0, 40), st.integers(1, 6)).map(lambda each: Span(each[0], sum(each)))


@given(st.lists(SPANS, max_size=12), st.lists(SPANS, max_size=8), st.floats(0, 1))
def test_what_is_shown_is_always_what_is_untagged_unrejected_and_sure(places, tagged, threshold):
    view = MergedView(Patient("1", (Document("1-01", "1", "abc " * 20),)))
    review = review_of(view, tags := SpanIndex(), rejections := Rejections(view))
    suggestions = [
        PlacedSuggestion(each.start, each.end, "1-01", DOCTOR, number / 12, "test")
        for number, each in enumerate(places)
    ]
    review.fill(suggestions)
    review.threshold = threshold
    for number, span in enumerate(tagged):
        edit = Edit("tag", added=(placed(span, number),))
        tags.change(added=edit.added)
        review.edited(edit)
        if number < len(suggestions):
            review.reject(suggestions[number], alike=False, step=number)
        expected = {
            each
            for each in review._all
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
    review = review_of(view, tags := SpanIndex(), Rejections(view))
    review.fill(
        PlacedSuggestion(each.start, each.end, "1-01", DOCTOR, number / 12, "test")
        for number, each in enumerate(places)
    )
    review.threshold = 0.4
    for spans in edits:
        marked = tuple(placed(each, (id(spans), number)) for number, each in enumerate(spans))
        tags.change(added=marked)
        review.edited(Edit("tag", added=marked))
        taken = {each for each in review._all if tags.query(each.start, each.end)}
        assert set(review._ranked) == set(review._all) - taken
        assert list(review._ranked) == sorted(review._ranked, key=_rank)
        assert set(review.shown) == {
            each for each in review._all if each not in taken and each.confidence >= 0.4
        }


@given(
    st.text("aB1é \n\x85.", min_size=50, max_size=50),
    st.lists(st.tuples(SPANS, st.sampled_from([DOCTOR, AGE])), max_size=8),
    st.lists(st.tuples(SPANS, st.sampled_from([DOCTOR, AGE])), max_size=8),
)
def test_least_alike_is_told_text_by_text(text, tagged, suggested):
    view = MergedView(Patient("1", (Document("1-01", "1", text),)))
    tags = SpanIndex(placed(span, number, kind) for number, (span, kind) in enumerate(tagged))
    review = review_of(view, tags, Rejections(view))
    suggestions = [
        PlacedSuggestion(span.start, span.end, "1-01", kind, number / 12, "test")
        for number, (span, kind) in enumerate(suggested)
    ]

    def forms(span, kind):
        own = " ".join(span.text_in(text).split()).casefold()
        letters = re.sub("[^\\W\\d_]+", "a", re.sub("\\d", "9", own))
        return [(own, kind), (letters, kind), ("", kind)]

    known = {form for span, kind in tagged for form in forms(span, kind)}
    expected = sorted(
        suggestions,
        key=lambda one: (
            sum(form in known for form in forms(one.span, one.phi_type)),
            one.confidence,
        ),
    )
    assert list(review.least_alike_first(suggestions)) == expected


def placed(span, number, phi_type=AGE):
    return PlacedTag(span.start, span.end, "1-01", f"T{number}", Tag(span, phi_type))
