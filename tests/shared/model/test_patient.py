import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import CrossesRecordsError
from shared.model import MergedView, Patient, Section, Span
from tests.builders import patient
from tests.strategies import patients, spans


def test_records_are_joined_by_a_line_feed_that_belongs_to_neither():
    view = MergedView(patient("hi", "", "you"))
    assert view.text == "hi\n\nyou"
    assert view.sections == (
        Section("110-01", 0, 2),
        Section("110-02", 3, 3),
        Section("110-03", 4, 7),
    )


@pytest.mark.parametrize(
    ("offset", "place"),
    [
        (0, ("110-01", 0)),
        (2, ("110-01", 2)),
        (3, ("110-02", 0)),
        (4, ("110-03", 0)),
        (7, ("110-03", 3)),
    ],
)
def test_an_offset_lies_in_the_record_before_its_separator(offset, place):
    assert MergedView(patient("hi", "", "you")).to_record(offset) == place


@pytest.mark.parametrize("span", [Span(1, 3), Span(2, 3), Span(2, 5), Span(3, 4), Span(6, 8)])
def test_no_span_holds_a_separator_or_reaches_past_the_end(span):
    with pytest.raises(CrossesRecordsError):
        MergedView(patient("hi", "", "you")).record_span(span)


@given(patients(), st.data())
def test_offsets_go_to_the_record_and_back(drawn, data):
    view = MergedView(drawn)
    offset = data.draw(st.integers(0, len(view.text)))
    assert view.to_merged(*view.to_record(offset)) == offset


@given(patients(), st.data())
def test_spans_of_a_record_go_to_the_merged_view_and_back(drawn, data):
    view = MergedView(drawn)
    document = data.draw(st.sampled_from(drawn.documents))
    if not document.text:
        return
    span = data.draw(spans(len(document.text)))
    merged = view.merged_span(document.record_id, span)
    assert merged.text_in(view.text) == span.text_in(document.text)
    assert view.record_span(merged) == (document.record_id, span)


@given(patients())
def test_every_section_holds_its_record(drawn):
    view = MergedView(drawn)
    for document in drawn.documents:
        section = view.section(document.record_id)
        assert view.text[section.start : section.end] == document.text


def test_a_patient_finds_a_document_by_its_record():
    assert patient("hi", "you").document("110-02").text == "you"


def test_views_of_the_same_patient_are_equal():
    assert MergedView(patient("hi")) == MergedView(patient("hi"))
    assert MergedView(patient("hi")) != MergedView(patient("ho"))


def test_a_patient_without_records_has_an_empty_view():
    assert MergedView(Patient("110", ())).text == ""
