"""Every edit is in the journal first, and comes back from it and from the files."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import StorageError
from shared.model import Layer, Span, Tag
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_layer import PatientLayer, Snapshot
from tests.patient_layers import DATE, DOCTOR, add, at_noon, marks, merged_view, open_layer

STAMP = {"at": "2026-05-09T12:00:00.123+00:00", "by": "ana"}
LEE = {"record": "1-01", "id": "P0", "start": 8, "end": 11}
LEE |= {"category": "NAME", "type": "DOCTOR", "origin": "hand"}
LATE = Tag(Span(15, 18), DATE, id="P9")


@pytest.fixture
def view():
    return merged_view()


def test_the_journal_has_an_edit_before_it_is_made(view):
    class Refusing(list):
        def append(self, entry):
            raise StorageError("journal", "no space")

    layer = open_layer(view, Refusing())
    with pytest.raises(StorageError):
        add(layer, 8, 11)
    assert marks(layer) == []
    assert not layer.can_undo


def test_a_snapshot_is_of_its_time_whenever_its_layers_are_asked_for(view):
    layer = open_layer(view, [])
    add(layer, 8, 11)
    snapshot = layer.snapshot()
    add(layer, 15, 18, DATE)
    ((document, held),) = snapshot.layers
    assert (document.record_id, snapshot.last_edit) == ("1-01", 1)
    assert [tag.mark for tag in held.tags] == [(Span(8, 11), DOCTOR)]


def test_the_journal_brings_everything_back(view):
    journal = []
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    add(layer, 15, 18, DATE)
    layer.undo()
    again = open_layer(view, journal)
    assert marks(again) == marks(layer)
    assert again.unsaved


def test_undo_survives_closing(view):
    journal = []
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    snapshot = layer.snapshot()
    layer.saved(snapshot)
    again = open_layer(view, journal, {doc.record_id: each for doc, each in snapshot.layers})
    assert not again.unsaved
    again.undo()
    assert marks(again) == []


def test_an_edit_during_a_save_stays_unsaved(view):
    journal = []
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    snapshot = layer.snapshot()
    add(layer, 15, 18, DATE)
    layer.saved(snapshot)
    assert layer.unsaved
    again = open_layer(view, journal, {doc.record_id: each for doc, each in snapshot.layers})
    assert marks(again) == [(8, 11, "DOCTOR"), (15, 18, "DATE")]


def test_replaying_over_a_layer_that_has_the_edit_already(view):
    journal = []
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    stored = {"1-01": layer.layer("1-01")}
    assert marks(open_layer(view, journal, stored)) == [(8, 11, "DOCTOR")]


def test_ids_are_never_given_twice(view):
    journal = []
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    layer.undo()
    again = open_layer(view, journal)
    (added,) = add(again, 15, 18, DATE).added
    assert added.tag_id != "P0"


def test_the_journal_holds_no_text(view):
    journal = []
    add(open_layer(view, journal), 8, 11)
    assert "Lee" not in repr(journal)


steps = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 28), st.integers(1, 3)),
        st.tuples(st.just("remove"), st.integers(0, 10), st.just(0)),
        st.tuples(st.sampled_from(["undo", "redo", "save"]), st.just(0), st.just(0)),
    ),
    max_size=30,
)


@given(steps)
def test_whatever_was_done_the_journal_and_the_files_give_it_back(steps):
    view, journal, files = merged_view(), [], {}
    layer = open_layer(view, journal)
    for what, at, length in steps:
        if what == "add":
            add(layer, at, at + length)
        elif what == "remove" and len(layer.tags) > at:
            layer.apply(Edit("remove", removed=(list(layer.tags)[at],)))
        elif what == "undo":
            layer.undo()
        elif what == "redo":
            layer.redo()
        elif what == "save":
            snapshot = layer.snapshot()
            files |= {document.record_id: each for document, each in snapshot.layers}
            layer.saved(snapshot)
    again = open_layer(view, journal, files)
    assert sorted(marks(again)) == sorted(marks(layer))
    assert {each.key for each in again.tags} == {each.key for each in layer.tags}
    assert (again.can_undo, again.can_redo) == (layer.can_undo, layer.can_redo)


@pytest.mark.parametrize("strange", ["P²", "P" + "9" * 5000])
def test_an_edit_of_a_tag_whose_id_only_looks_numbered_comes_back(view, strange):
    stored = {"1-01": Layer.of("1-01", "ana", [Tag(Span(8, 11), DOCTOR, id=strange)])}
    journal = []
    layer = open_layer(view, journal, stored)
    layer.apply(Edit("remove", removed=tuple(layer.tags)))
    again = open_layer(view, journal, stored)
    assert not again.tags
    again.undo()
    assert [each.tag_id for each in again.tags] == [strange]


def test_the_journal_says_who_did_what_and_when_under_a_number_that_goes_on(view):
    journal = []
    layer = at_noon(view, journal)
    add(layer, 8, 11)
    layer.undo()
    at_noon(view, journal).redo()
    assert journal == [
        STAMP | {"op": "edit", "number": 1, "what": "tag", "removed": [], "added": [LEE]},
        STAMP | {"op": "undo", "number": 2, "what": "tag", "removed": [LEE], "added": []},
        STAMP | {"op": "redo", "number": 3, "what": "tag", "removed": [], "added": [LEE]},
    ]


def test_what_extends_it_is_given_the_line_that_the_journal_has(view):
    lines = []

    class Noting(PatientLayer):
        def _note_performed(self, line):
            lines.append(line)

    journal = []
    add(Noting(view, "ana", {}, [], journal), 8, 11)
    assert lines == journal


def test_the_journal_tells_the_time_of_greenwich(view):
    journal = []
    add(open_layer(view, journal), 8, 11)
    told = datetime.fromisoformat(journal[0]["at"])
    assert told.utcoffset() == timedelta(0)
    assert abs(datetime.now(UTC) - told) < timedelta(minutes=5)


def test_what_is_no_edit_is_noted_with_who_and_when_and_keeps_no_edit_from_coming_back(view):
    journal = []
    layer = at_noon(view, journal)
    assert layer.note({"op": "opened"}) == STAMP | {"op": "opened"}
    add(layer, 8, 11)
    layer.note({"op": "opened"})
    add(layer, 15, 18, DATE)
    assert journal[0] == STAMP | {"op": "opened"}
    assert marks(at_noon(view, journal)) == [(8, 11, "DOCTOR"), (15, 18, "DATE")]


def test_a_save_is_noted_with_the_last_edit_that_it_holds(view):
    journal = []
    layer = at_noon(view, journal)
    add(layer, 8, 11)
    snapshot = layer.snapshot()
    add(layer, 15, 18, DATE)
    layer.saved(snapshot, crc="ab")
    assert journal[-1] == STAMP | {"op": "saved", "upto": 1, "crc": "ab"}


def test_an_edit_that_the_files_have_is_not_made_again(view):
    journal = []
    layer = at_noon(view, journal)
    add(layer, 8, 11)
    add(layer, 15, 18, DATE)
    first = layer.snapshot()
    layer.saved(first)
    layer.saved(replace_last(first, 1))
    again = at_noon(view, journal)
    assert (marks(again), again.steps, again.unsaved) == ([], 2, False)


def replace_last(snapshot, last_edit):
    return Snapshot(last_edit, snapshot.documents, lambda each: Layer(each.record_id, "ana"))


def test_only_the_records_that_changed_since_are_saved(view):
    layer = open_layer(view, [])
    again = view.section("1-02").start
    assert (layer.unsaved, layer.snapshot().documents) == (False, ())
    add(layer, again + 4, again + 7)
    assert saved_records(layer) == ["1-02"]
    layer.saved(layer.snapshot())
    assert (layer.unsaved, layer.snapshot().layers) == (False, ())
    add(layer, 8, 11)
    assert saved_records(layer) == ["1-01"]
    layer.apply(Edit("remove", removed=tuple(layer.tags)))
    assert saved_records(layer) == ["1-01", "1-02"]
    assert [held.tags for _, held in layer.snapshot().layers] == [(), ()]


def saved_records(layer):
    return [document.record_id for document in layer.snapshot().documents]


def test_a_save_that_comes_late_keeps_what_was_done_since_unsaved(view):
    layer = open_layer(view, [])
    add(layer, 8, 11)
    early = layer.snapshot()
    add(layer, view.text.index("Lee again"), len(view.text))
    late = layer.snapshot()
    assert saved_records(layer) == ["1-01", "1-02"]
    layer.saved(late)
    layer.saved(early)
    assert not layer.unsaved
    add(layer, 15, 18, DATE)
    layer.saved(late)
    assert saved_records(layer) == ["1-01"]


def test_what_came_back_from_the_journal_can_be_saved(view):
    journal = []
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    add(layer, 15, 18, DATE)
    again = open_layer(view, journal)
    assert (again.snapshot().last_edit, saved_records(again)) == (2, ["1-01"])
    again.saved(again.snapshot())
    assert not again.unsaved


def test_a_journal_that_begins_in_the_middle_can_still_be_redone_and_undone(view):
    journal = []
    layer = open_layer(view, journal)
    (tag,) = add(layer, 8, 11).added
    layer.undo()
    layer.redo()
    _, undone, redone = journal
    stored = {"1-01": Layer.of("1-01", "ana", [tag.tag])}
    after_undo = open_layer(view, [undone], stored)
    assert marks(after_undo) == []
    after_undo.redo()
    assert marks(after_undo) == [(8, 11, "DOCTOR")]
    after_redo = open_layer(view, [redone])
    assert marks(after_redo) == [(8, 11, "DOCTOR")]
    after_redo.undo()
    assert marks(after_redo) == []


def test_ids_go_on_after_the_highest_that_the_journal_or_the_file_names(view):
    journal = []
    layer = open_layer(view, journal)
    for start in (0, 8, 19):
        add(layer, start, start + 3)
    layer.apply(Edit("remove", removed=tuple(layer.tags)))
    layer.saved(layer.snapshot())
    (lowest, *_), high = journal[0]["added"], {"1-01": Layer.of("1-01", "ana", [LATE])}
    assert lowest["id"] == "P0"
    assert add(open_layer(view, journal), 15, 18).added[0].tag_id == "P3"
    assert add(open_layer(view, list(journal), high), 15, 18).added[0].tag_id == "P10"


def test_an_id_that_is_no_number_takes_none_of_the_numbers(view):
    journal = []
    odd = PlacedTag.of(view, "1-01", Tag(Span(8, 11), DOCTOR, "odd"))
    at_noon(view, journal).apply(Edit("tag", added=(odd,)))
    assert add(at_noon(view, journal), 15, 18).added[0].tag_id == "P0"
