"""What one can do to the tags of a patient."""

from collections import namedtuple
from dataclasses import replace

import pytest

from shared.errors import CrossesRecordsError, RequestError, UnknownTypeError
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


USERNAME = PhiType("NAME", "USERNAME")
NURSE = PhiType("NAME", "NURSE")


def refusal(call, *arguments, **more):
    """The sentence with which a request is refused."""
    with pytest.raises(RequestError) as refused:
        call(*arguments, **more)
    return str(refused.value)


def marks(layer):
    return [(each.start, each.end, each.phi_type.name) for each in layer.tags]


@pytest.fixture
def apart(view, layer):
    """Operations that allow no overlaps."""
    return TagOperations(view, layer, replace(I2B2_2014, overlaps=False))


NO_OVERLAPS = f"the schema {I2B2_2014.name} allows no overlaps, and this would be one"


def test_each_edit_says_what_it_is(operations, layer):
    assert operations.tag(Span(0, 3), PATIENT).what == "tag as PATIENT"
    assert operations.tag(Span(0, 3), DOCTOR).what == "retype as DOCTOR"
    (first,) = operations.tags
    assert operations.resize(first, Span(0, 12)).what == "move edge"
    assert operations.comment(*operations.tags, "sure").what == "comment"
    assert operations.remove(operations.tags).what == "remove tag"
    assert operations.tag_all([Span(0, 3), Span(4, 12)], DOCTOR).what == "annotate all as DOCTOR"
    assert operations.remove(operations.tags).what == "remove 2 tags"
    assert operations.accept([Suggested(Span(0, 3), DOCTOR, 0.5)]).what == "accept suggestion"
    assert operations.replace([(None, [(Span(4, 12), DOCTOR)])]).what == "mend"


def test_what_changes_nothing_is_refused_with_the_reason(operations, layer):
    (placed,) = operations.tag(Span(0, 12), PATIENT).added
    there = [Suggested(Span(0, 12), PATIENT, 0.9)]
    kept = [(None, [(Span(0, 12), PATIENT)])]
    refusals = [
        refusal(operations.tag, Span(0, 12), PATIENT),
        refusal(operations.retype, [placed], PATIENT),
        refusal(operations.accept, there),
        refusal(operations.tag_all, [Span(0, 12)], PATIENT),
        refusal(operations.accept, []),
        refusal(operations.remove, []),
        refusal(operations.replace, kept),
        refusal(operations.replace, []),
        refusal(operations.comment, placed, ""),
        refusal(operations.resize, placed, Span(0, 12)),
    ]
    assert refusals == [
        "this is tagged as PATIENT already",
        "this is tagged as PATIENT already",
        "this is tagged as PATIENT already",
        "every ticked place is tagged already",
        "there is no suggestion to accept",
        "there is no tag here",
        "this is tagged so already",
        "this is tagged so already",
        "the comment is unchanged",
        "there is a tag PATIENT already",
    ]
    assert list(layer.tags) == [placed]


def test_no_way_of_tagging_gives_a_type_that_the_schema_does_not_have(operations, layer):
    (placed,) = operations.tag(Span(0, 12), PATIENT).added
    for call in (
        lambda: operations.retype([placed], NURSE),
        lambda: operations.tag_all([Span(23, 31)], NURSE),
        lambda: operations.accept([Suggested(Span(23, 31), NURSE, 0.9)]),
        lambda: operations.replace([(placed, [(Span(0, 3), NURSE)])]),
        lambda: operations.replace([(None, [(Span(23, 31), NURSE)])]),
    ):
        with pytest.raises(UnknownTypeError, match="NAME:NURSE"):
            call()
    assert list(layer.tags) == [placed]


def test_of_two_tags_on_a_stretch_the_first_is_retyped(operations, layer):
    operations.tag(Span(0, 3), PATIENT)
    second = operations.tag_all([Span(0, 3)], DOCTOR).added[0]
    operations.tag(Span(0, 3), USERNAME)
    assert [each.phi_type for each in layer.tags] == [DOCTOR, USERNAME]
    assert [each.tag_id for each in layer.tags] == [second.tag_id, "P0"]


def test_retyping_keeps_all_but_the_type_and_leaves_what_would_be_there_twice(operations, layer):
    operations.accept([Suggested(Span(0, 3), PATIENT, 0.5)])
    operations.comment(*layer.tags, "sure")
    operations.tag_all([Span(23, 31)], DOCTOR)
    operations.tag_all([Span(23, 31)], PATIENT)
    wanted = [each for each in layer.tags if each.phi_type == PATIENT]
    edit = operations.retype(wanted, DOCTOR)
    (old,), (new,) = edit.removed, edit.added
    assert old == wanted[0]
    assert (new.key, new.span) == (("1-01", "P0"), Span(0, 3))
    assert new.tag == replace(wanted[0].tag, phi_type=DOCTOR)
    assert (new.tag.comment, new.tag.origin, new.tag.confidence, new.tag.id) == (
        "sure",
        Origin.SUGGESTION,
        0.5,
        "P0",
    )
    assert marks(layer) == [(0, 3, "DOCTOR"), (23, 31, "DOCTOR"), (23, 31, "PATIENT")]


def test_what_is_tagged_by_hand_carries_the_origin_of_whose_hand_it_is(view, layer):
    operations = TagOperations(view, layer, I2B2_2014, Origin.ADJUDICATION)
    operations.tag(Span(0, 3), PATIENT)
    operations.replace([(None, [(Span(4, 12), PATIENT)])])
    operations.tag_all([Span(19, 22)], PATIENT)
    assert [each.tag.origin for each in layer.tags] == [
        Origin.ADJUDICATION,
        Origin.ADJUDICATION,
        Origin.ANNOTATE_ALL,
    ]


def test_tags_in_the_way_are_no_parts_where_tags_may_not_overlap(apart, layer):
    apart.tag(Span(0, 3), DOCTOR)
    assert refusal(apart.tag, Span(0, 12), PATIENT) == NO_OVERLAPS
    apart.tag(Span(4, 16), PATIENT)
    assert refusal(apart.tag, Span(10, 20), PATIENT) == NO_OVERLAPS
    assert marks(layer) == [(0, 3, "DOCTOR"), (4, 16, "PATIENT")]


def test_of_many_places_those_in_the_way_are_left_out_where_tags_may_not_overlap(apart, layer):
    apart.tag(Span(0, 12), PATIENT)
    apart.tag_all([Span(4, 12), Span(23, 31)], DOCTOR)
    assert marks(layer) == [(0, 12, "PATIENT"), (23, 31, "DOCTOR")]
    assert refusal(apart.tag_all, [Span(4, 12)], DOCTOR) == "every ticked place is tagged already"


def test_of_many_suggestions_those_there_or_in_the_way_are_left_out(apart, layer):
    apart.tag(Span(0, 12), PATIENT)
    wanted = [Suggested(Span(*at), DOCTOR, 0.25) for at in ((4, 12), (23, 31), (33, 36))]
    same = Suggested(Span(0, 12), PATIENT, 0.25)
    assert apart.accept([same, *wanted]).what == "accept 2 suggestions"
    assert marks(layer) == [(0, 12, "PATIENT"), (23, 31, "DOCTOR"), (33, 36, "DOCTOR")]
    both = [Suggested(Span(0, 3), DOCTOR, 0.5), wanted[0]]
    assert refusal(apart.accept, both) == "there is no suggestion to accept"
    assert refusal(apart.accept, [same, wanted[0]]) == NO_OVERLAPS


def test_a_tag_stays_in_its_record_when_its_edge_moves(operations, view, layer):
    (placed,) = operations.tag(Span(0, 12), PATIENT).added
    there = view.section("1-02").start
    said = refusal(operations.resize, placed, Span(there, there + 12))
    assert said == "a tag cannot move to another record"
    assert list(layer.tags) == [placed]


def test_a_tag_in_the_second_record_is_resized_where_it_stands(operations, view, layer):
    there = view.section("1-02").start
    (placed,) = operations.tag(Span(there, there + 3), PATIENT).added
    edit = operations.resize(placed, Span(there, there + 12))
    assert edit.removed == (placed,)
    assert marks(layer) == [(there, there + 12, "PATIENT")]


def test_tags_are_put_in_place_of_others_and_the_first_keeps_id_and_comment(operations, layer):
    (old,) = operations.accept([Suggested(Span(0, 12), PATIENT, 0.5)]).added
    (old,) = operations.comment(old, "sure").added
    (gone,) = operations.tag(Span(23, 31), PATIENT).added
    edit = operations.replace(
        [
            (old, [(Span(0, 3), DOCTOR), (Span(4, 12), USERNAME)]),
            (gone, []),
            (None, [(Span(33, 36), USERNAME), (Span(13, 17), USERNAME)]),
        ]
    )
    assert edit.removed == (old, gone)
    assert [(each.span, each.tag_id, each.phi_type, each.tag.comment) for each in edit.added] == [
        (Span(0, 3), "P0", DOCTOR, "sure"),
        (Span(4, 12), "P2", USERNAME, ""),
        (Span(33, 36), "P3", USERNAME, ""),
        (Span(13, 17), "P4", USERNAME, ""),
    ]
    origins = [each.tag.origin for each in edit.added]
    assert origins == [Origin.SUGGESTION, Origin.SUGGESTION, Origin.HAND, Origin.HAND]
    layer.undo()
    assert list(layer.tags) == [old, gone]


def test_what_is_there_already_is_not_put_there_again_and_the_next_keeps_the_id(operations, layer):
    (old,) = operations.tag(Span(0, 12), PATIENT).added
    operations.tag(Span(23, 31), PATIENT)
    edit = operations.replace([(old, [(Span(23, 31), PATIENT), (Span(0, 3), PATIENT)])])
    assert [(each.span, each.tag_id) for each in edit.added] == [(Span(0, 3), "P0")]
    assert marks(layer) == [(0, 3, "PATIENT"), (23, 31, "PATIENT")]


def test_where_tags_may_not_overlap_only_what_takes_a_place_may_stand_in_the_way(apart, layer):
    (old,) = apart.tag(Span(0, 12), PATIENT).added
    assert refusal(apart.replace, [(None, [(Span(4, 12), DOCTOR)])]) == "this is tagged so already"
    apart.replace([(None, [(Span(4, 12), DOCTOR), (Span(23, 31), DOCTOR)])])
    apart.replace([(old, [(Span(4, 12), DOCTOR)])])
    assert marks(layer) == [(4, 12, "DOCTOR"), (23, 31, "DOCTOR")]


def test_a_comment_changes_nothing_else_and_can_be_taken_away(operations, layer):
    (old,) = operations.tag(Span(0, 12), PATIENT).added
    edit = operations.comment(old, "sure")
    (new,) = edit.added
    assert edit.removed == (old,)
    assert (new.key, new.span, new.tag) == (old.key, old.span, replace(old.tag, comment="sure"))
    operations.comment(new, "")
    assert [each.tag.comment for each in layer.tags] == [""]


def test_undo_and_redo_and_find_are_those_of_the_layer(operations):
    assert (operations.undo(), operations.redo()) == (None, None)
    edit = operations.tag(Span(0, 12), PATIENT)
    assert operations.find("1-01", "P0") == edit.added[0]
    assert operations.find("1-02", "P0") is None
    assert operations.undo() == edit.reversed()
    assert operations.redo() == edit
