"""What one can do to the tags of a patient."""

from collections import namedtuple
from dataclasses import replace

import pytest

from shared.errors import CrossesRecordsError, RequestError, UnknownTypeError
from shared.language.languages import language
from shared.language.variant_rules import Rule
from shared.model import Document, Layer, MergedView, Origin, Patient, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.patient_layer import PatientLayer
from shared.project.tag_operations import TagOperations

DOCTOR, PATIENT = PhiType("NAME", "DOCTOR"), PhiType("NAME", "PATIENT")
Suggested = namedtuple("Suggested", "span phi_type confidence")
FIRST = "Kai Yamamoto came. Dr. Yamamoto, Kai\nYamamoto's wife; yamamoto12"
SECOND = "Kai Yamamoto again"


@pytest.fixture
def view():
    return MergedView(Patient("1", (Document("1-01", "1", FIRST), Document("1-02", "1", SECOND))))


@pytest.fixture
def layer(view):
    stored = {each: Layer.of(each, "ana", ()) for each in ("1-01", "1-02")}
    return PatientLayer(view, "ana", stored, [], [])


@pytest.fixture
def operations(view, layer):
    return TagOperations(view, layer, I2B2_2014)


def texts(view, spans):
    return [span.text_in(view.text) for span in spans]


def test_tag(operations, layer):
    operations.tag(Span(0, 12), PATIENT)
    (placed,) = layer.tags
    assert (placed.span, placed.phi_type, placed.tag.origin) == (Span(0, 12), PATIENT, Origin.HAND)


def test_tagging_a_tag_as_another_type_retypes_it(operations, layer):
    (added,) = operations.tag(Span(0, 12), PATIENT).added
    operations.tag(Span(0, 12), DOCTOR)
    (placed,) = layer.tags
    assert (placed.phi_type, placed.tag_id) == (DOCTOR, added.tag_id)


def test_the_parts_of_a_name_become_the_whole_as_one_step(operations, layer):
    (first,) = operations.tag(Span(0, 3), PATIENT).added
    operations.comment(first, "sure")
    operations.tag(Span(4, 12), PATIENT)
    operations.tag(Span(0, 12), PATIENT)
    (placed,) = layer.tags
    assert (placed.span, placed.tag_id, placed.tag.comment) == (Span(0, 12), "P0", "sure")
    layer.undo()
    assert [each.span for each in layer.tags] == [Span(0, 3), Span(4, 12)]


def test_a_part_of_another_type_stays_and_so_does_what_reaches_beyond(operations, layer):
    operations.tag(Span(0, 3), DOCTOR)
    operations.tag(Span(4, 17), PATIENT)
    operations.tag(Span(0, 12), PATIENT)
    assert {each.span for each in layer.tags} == {Span(0, 3), Span(4, 17), Span(0, 12)}


def test_the_whole_may_lie_over_its_parts_where_tags_may_not_overlap(view, layer):
    operations = TagOperations(view, layer, replace(I2B2_2014, overlaps=False))
    operations.tag(Span(4, 12), PATIENT)
    operations.tag(Span(0, 12), PATIENT)
    assert [each.span for each in layer.tags] == [Span(0, 12)]


def test_parts_do_not_become_a_whole_over_two_records(operations, view, layer):
    operations.tag(Span(0, 3), PATIENT)
    with pytest.raises(CrossesRecordsError):
        operations.tag(Span(0, view.sections[1].start + 3), PATIENT)
    assert [each.span for each in layer.tags] == [Span(0, 3)]


def test_the_same_tag_twice_is_refused(operations):
    operations.tag(Span(0, 12), PATIENT)
    with pytest.raises(RequestError, match="already"):
        operations.tag(Span(0, 12), PATIENT)


def test_a_type_that_the_schema_does_not_have_is_refused(operations, layer):
    with pytest.raises(UnknownTypeError):
        operations.tag(Span(0, 12), PhiType("NAME", "NURSE"))
    assert not layer.tags


def test_a_tag_over_the_edge_of_a_record_is_refused(operations):
    with pytest.raises(CrossesRecordsError):
        operations.tag(Span(len(FIRST) - 3, len(FIRST) + 4), DOCTOR)


def test_places_finds_the_name_over_a_line_end_and_in_the_other_record(operations, view):
    places = operations.occurrences(Span(0, 12), PATIENT)
    assert texts(view, [each.span for each in places]) == [
        "Kai Yamamoto",
        "Kai\nYamamoto",
        "Kai Yamamoto",
    ]
    assert [each.record_id for each in places] == ["1-01", "1-01", "1-02"]


def test_places_already_tagged_are_not_offered(operations):
    operations.tag(Span(0, 12), PATIENT)
    assert [each.is_preselected for each in operations.occurrences(Span(0, 12), PATIENT)] == [
        False,
        True,
        True,
    ]


def test_places_of_glued_text_are_shown_but_not_offered(operations, view):
    places = operations.occurrences(Span(23, 31), PATIENT, ignore_case=True)
    assert [(each.glued, each.is_preselected) for each in places if each.glued] == [(True, False)]


def test_tag_all_is_one_step(operations, layer):
    operations.tag(Span(0, 12), PATIENT)
    operations.tag_all(
        [each.span for each in operations.occurrences(Span(0, 12), PATIENT)], PATIENT
    )
    assert [each.tag.origin for each in layer.tags] == [
        Origin.HAND,
        Origin.ANNOTATE_ALL,
        Origin.ANNOTATE_ALL,
    ]
    layer.undo()
    assert len(layer.tags) == 1


def test_remove_all_alike(operations, layer):
    operations.tag_all(
        [each.span for each in operations.occurrences(Span(0, 12), PATIENT)], PATIENT
    )
    operations.tag(Span(23, 31), PATIENT)
    first = next(iter(layer.tags))
    operations.remove(operations.same_text(first))
    assert texts(
        MergedView(Patient("1", (Document("x", "1", FIRST),))), [each.span for each in layer.tags]
    ) == ["Yamamoto"]


def test_resize_keeps_the_id_and_the_comment(operations, layer):
    operations.tag(Span(0, 12), PATIENT)
    operations.comment(next(iter(layer.tags)), "sure")
    operations.resize(next(iter(layer.tags)), Span(4, 12))
    (placed,) = layer.tags
    assert (placed.span, placed.tag.comment, placed.tag_id) == (Span(4, 12), "sure", "P0")


def test_removing_nothing_is_refused(operations):
    with pytest.raises(RequestError, match="no tag"):
        operations.remove([])


def test_overlaps_are_refused_where_the_schema_does_not_allow_them(view, layer):
    operations = TagOperations(view, layer, replace(I2B2_2014, overlaps=False))
    operations.tag(Span(0, 12), PATIENT)
    with pytest.raises(RequestError, match="overlap"):
        operations.tag(Span(4, 12), DOCTOR)
    operations.tag(Span(23, 31), DOCTOR)
    with pytest.raises(RequestError, match="overlap"):
        operations.resize(list(layer.tags)[1], Span(8, 31))
    operations.resize(list(layer.tags)[1], Span(19, 31))
    assert len(layer.tags) == 2


def test_places_written_otherwise_are_offered_with_their_rule(view, layer):
    text = "Kai Yamamoto. YAMAMOTO,KAI. Mr. Yamamoto. K. Yamamoto kyamamoto"
    view = MergedView(Patient("1", (Document("1-01", "1", text),)))
    layer = PatientLayer(view, "ana", {"1-01": Layer.of("1-01", "ana", ())}, [], [])
    places = TagOperations(view, layer, I2B2_2014).occurrences(Span(0, 12), PATIENT, variants=True)
    assert [(each.span.text_in(text), each.rule) for each in places] == [
        ("Kai Yamamoto", Rule.SAME),
        ("YAMAMOTO,KAI", Rule.ORDER),
        ("Yamamoto", Rule.PART),
        ("K. Yamamoto", Rule.INITIAL),
    ]
    assert all(each.is_preselected for each in places)


def test_what_may_be_something_else_is_not_offered(layer):
    view = MergedView(Patient("1", (Document("1-01", "1", "on 2/2, due 2/2 diabetes"),)))
    layer = PatientLayer(view, "ana", {"1-01": Layer.of("1-01", "ana", ())}, [], [])
    places = TagOperations(view, layer, I2B2_2014).occurrences(Span(3, 6), PhiType("DATE", "DATE"))
    assert [each.is_preselected for each in places] == [False, False]
    assert all(each.doubt for each in places)


@pytest.mark.parametrize(("code", "count"), [("de", 2), ("en", 1)])
def test_other_ways_of_writing_are_those_of_the_projects_language(code, count):
    text = "Aufnahme am 3. Februar 2071, die Entlassung der Patientin bis 03.02.2071."
    view = MergedView(Patient("1", (Document("1-01", "1", text),)))
    layer = PatientLayer(view, "ana", {"1-01": Layer.of("1-01", "ana", ())}, [], [])
    operations = TagOperations(view, layer, I2B2_2014, language=language(code))
    date = PhiType("DATE", "DATE")
    assert len(operations.occurrences(Span(12, 27), date, variants=True)) == count


def test_accepted_suggestions_carry_origin_and_confidence(operations, layer):
    operations.accept([Suggested(Span(0, 12), PATIENT, 0.912345)])
    (placed,) = layer.tags
    assert (placed.tag.origin, placed.tag.confidence) == (Origin.SUGGESTION, 0.9123)


def test_many_suggestions_are_one_step(operations, layer):
    operations.tag(Span(0, 12), PATIENT)
    edit = operations.accept([Suggested(Span(at, at + 3), PATIENT, 0.9) for at in (13, 19, 33)])
    assert edit.what == "accept 3 suggestions"
    layer.undo()
    assert len(layer.tags) == 1


def test_a_suggestion_that_is_tagged_already_is_refused(operations):
    operations.tag(Span(0, 12), PATIENT)
    with pytest.raises(RequestError, match="already"):
        operations.accept([Suggested(Span(0, 12), PATIENT, 0.9)])


def test_a_suggestion_over_a_tag_is_refused_where_tags_may_not_overlap(view, layer):
    operations = TagOperations(view, layer, replace(I2B2_2014, overlaps=False))
    operations.tag(Span(0, 12), PATIENT)
    with pytest.raises(RequestError, match="no overlaps"):
        operations.accept([Suggested(Span(4, 12), DOCTOR, 0.9)])


def test_a_tag_is_not_moved_onto_another_of_its_type(operations, layer):
    (first,) = operations.tag(Span(0, 3), PATIENT).added
    operations.tag(Span(23, 31), PATIENT)
    before = list(layer.tags)
    with pytest.raises(RequestError, match="there is a tag PATIENT already"):
        operations.resize(first, Span(23, 31))
    assert list(layer.tags) == before


def test_a_tag_may_be_moved_onto_one_of_another_type(operations, layer):
    (first,) = operations.tag(Span(0, 3), PATIENT).added
    operations.tag(Span(23, 31), DOCTOR)
    operations.resize(first, Span(23, 31))
    assert {each.phi_type for each in layer.tags.on(23, 31)} == {PATIENT, DOCTOR}
