"""Edits of the tags of a patient: each can be undone, and says what it changed."""

import pytest

from shared.model import Layer, Origin, Span, Tag
from shared.project.edits import Edit, PlacedTag
from tests.patient_layers import DATE, DOCTOR, TEXTS, add, at_noon, marks, merged_view, open_layer


@pytest.fixture
def view():
    return merged_view()


def test_a_tag_is_placed_in_its_record(view):
    layer = open_layer(view, [])
    start = view.text.index("Lee again")
    add(layer, start, start + 3)
    (tag,) = layer.layer("1-02").tags
    assert tag.span.text_in(TEXTS["1-02"]) == "Lee"
    assert layer.layer("1-01").tags == ()


def test_undo_and_redo(view):
    layer = open_layer(view, [])
    add(layer, 8, 11)
    add(layer, 15, 18, DATE)
    layer.undo()
    assert marks(layer) == [(8, 11, "DOCTOR")]
    layer.redo()
    assert marks(layer) == [(8, 11, "DOCTOR"), (15, 18, "DATE")]
    assert layer.redo() is None


def test_an_edit_after_undo_forgets_what_was_undone(view):
    layer = open_layer(view, [])
    add(layer, 8, 11)
    layer.undo()
    add(layer, 15, 18, DATE)
    assert not layer.can_redo


def test_unknown_elements_of_the_file_stay(view):
    stored = {"1-01": Layer.of("1-01", "ana", (), ("<META/>",))}
    layer = open_layer(view, [], stored)
    add(layer, 8, 11)
    assert layer.layer("1-01").unknown == ("<META/>",)


@pytest.mark.parametrize(
    ("what", "done"),
    [
        ("tag as DOCTOR", "tagged as DOCTOR"),
        ("remove 3 tags", "removed 3 tags"),
        ("mend", "fixed"),
        ("take both", "take both"),
    ],
)
def test_an_edit_says_what_was_done(what, done):
    assert Edit(what).done == done


def test_each_edit_undo_and_redo_says_what_it_changed(view):
    layer, told = open_layer(view, []), []
    layer.changed = lambda operation, edit: told.append((operation, edit))
    assert (layer.undo(), layer.redo(), layer.steps) == (None, None, 0)
    edit = add(layer, 8, 11)
    assert (layer.steps, layer.can_undo, layer.can_redo) == (1, True, False)
    assert layer.undo() == edit.reversed()
    assert (layer.steps, layer.can_undo, layer.can_redo) == (0, False, True)
    assert layer.redo() == edit
    assert told == [("edit", edit), ("undo", edit.reversed()), ("redo", edit)]


def test_edits_are_undone_and_redone_one_after_the_other(view):
    layer = open_layer(view, [])
    for start in (0, 8, 19):
        add(layer, start, start + 3)
    for _ in range(3):
        layer.undo()
    starts = []
    while layer.can_redo:
        layer.redo()
        starts.append([each.start for each in layer.tags])
    assert starts == [[0], [0, 8], [0, 8, 19]]


def test_an_edit_tells_what_it_really_changed(view):
    layer = open_layer(view, [])
    (tag,) = add(layer, 8, 11).added
    longer = layer.moved(tag, Span(5, 11))
    assert layer.apply(Edit("move edge", added=(longer,))) == Edit("move edge", (tag,), (longer,))
    assert layer.apply(Edit("remove", removed=(tag,))) == Edit("remove", (longer,))
    assert layer.apply(Edit("remove", removed=(tag,))) == Edit("remove")
    assert list(layer.tags) == []


def test_a_tag_that_moves_keeps_all_but_its_place(view):
    layer = open_layer(view, [])
    start = view.text.index("Lee again")
    old = layer.new_tag(Span(start, start + 3), Tag(Span(0, 1), DOCTOR, comment="sure"))
    moved = layer.moved(old, Span(start - 4, start + 3))
    assert moved == PlacedTag(
        start - 4, start + 3, "1-02", "P0", Tag(Span(0, 7), DOCTOR, "P0", "sure")
    )
    assert list(layer.tags) == []


def test_a_tag_of_a_span_stands_in_its_record_under_a_new_id(view):
    stored = {"1-02": Layer.of("1-02", "ana", [Tag(Span(0, 2), DOCTOR, id="P6")])}
    layer = open_layer(view, [], stored)
    start = view.text.index("Lee again")
    span = Span(start, start + 3)
    sure = layer.tag_of(span, DOCTOR, Origin.SUGGESTION, 0.5)
    assert sure == PlacedTag(start, start + 3, "1-02", "P7", sure.tag)
    assert sure.tag == Tag(Span(4, 7), DOCTOR, "P7", "", Origin.SUGGESTION, 0.5)
    assert sure.tag.id == "P7"
    assert layer.tag_of(span, DOCTOR, Origin.HAND).tag == Tag(Span(4, 7), DOCTOR)
    assert layer.new_tag(span, Tag(span, DOCTOR)).tag_id == "P9"
    assert [each.tag_id for each in layer.tags] == ["P6"]


def test_a_record_without_a_stored_layer_begins_at_the_first_id_and_has_one_of_the_annotator(view):
    layer = at_noon(view, [])
    tags = [add(layer, at, at + 3).added[0].tag for at in (8, 19)]
    assert [tag.id for tag in tags] == ["P0", "P1"]
    assert layer.layer("1-01") == Layer("1-01", "ana", tuple(tags))
    assert layer.layer("1-02") == Layer("1-02", "ana")


def test_a_tag_is_found_by_its_record_and_its_id(view):
    layer = open_layer(view, [])
    (tag,) = add(layer, 8, 11).added
    assert layer.find("1-01", "P0") == tag
    assert layer.find("1-02", "P0") is None
    layer.undo()
    assert layer.find("1-01", "P0") is None
