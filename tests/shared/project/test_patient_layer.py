"""Every edit is journalled, undoable, and comes back from the journal."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import StorageError
from shared.model import Document, Layer, MergedView, Patient, PhiType, Span, Tag
from shared.project.edits import Edit
from shared.project.patient_layer import PatientLayer

DATE = PhiType("DATE", "DATE")
DOCTOR = PhiType("NAME", "DOCTOR")
TEXTS = {"1-01": "Seen by Lee on 5/9. Lee called.", "1-02": "Dr. Lee again"}


class ListJournal(list):
    """A journal in memory."""


@pytest.fixture
def view():
    documents = tuple(Document(record_id, "1", text) for record_id, text in TEXTS.items())
    return MergedView(Patient("1", documents))


def open_layer(view, journal, layers=None):
    stored = {record_id: Layer.of(record_id, "ana", ()) for record_id in TEXTS} | (layers or {})
    return PatientLayer(view, "ana", stored, list(journal), journal)


def add(layer, start, end, phi_type=DOCTOR):
    span = Span(start, end)
    return layer.apply(Edit("tag", added=(layer.new_tag(span, Tag(span, phi_type)),)))


def marks(layer):
    return [(each.start, each.end, each.phi_type.name) for each in layer.tags]


def test_a_tag_is_placed_in_its_record(view):
    layer = open_layer(view, ListJournal())
    start = view.text.index("Lee again")
    add(layer, start, start + 3)
    (tag,) = layer.layer("1-02").tags
    assert tag.span.text_in(TEXTS["1-02"]) == "Lee"
    assert layer.layer("1-01").tags == ()


def test_the_journal_has_an_edit_before_it_is_made(view):
    class Refusing(ListJournal):
        def append(self, entry):
            raise StorageError("journal", "no space")

    layer = open_layer(view, Refusing())
    with pytest.raises(StorageError):
        add(layer, 8, 11)
    assert marks(layer) == []
    assert not layer.can_undo


def test_a_snapshot_is_of_its_time_whenever_its_layers_are_asked_for(view):
    layer = open_layer(view, ListJournal())
    add(layer, 8, 11)
    snapshot = layer.snapshot()
    add(layer, 15, 18, DATE)
    ((document, held),) = snapshot.layers
    assert (document.record_id, snapshot.last_edit) == ("1-01", 1)
    assert [tag.mark for tag in held.tags] == [(Span(8, 11), DOCTOR)]


def test_undo_and_redo(view):
    layer = open_layer(view, ListJournal())
    add(layer, 8, 11)
    add(layer, 15, 18, DATE)
    layer.undo()
    assert marks(layer) == [(8, 11, "DOCTOR")]
    layer.redo()
    assert marks(layer) == [(8, 11, "DOCTOR"), (15, 18, "DATE")]
    assert layer.redo() is None


def test_an_edit_after_undo_forgets_what_was_undone(view):
    layer = open_layer(view, ListJournal())
    add(layer, 8, 11)
    layer.undo()
    add(layer, 15, 18, DATE)
    assert not layer.can_redo


def test_the_journal_brings_everything_back(view):
    journal = ListJournal()
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    add(layer, 15, 18, DATE)
    layer.undo()
    again = open_layer(view, journal)
    assert marks(again) == marks(layer)
    assert again.unsaved


def test_undo_survives_closing(view):
    journal = ListJournal()
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    snapshot = layer.snapshot()
    layer.saved(snapshot)
    again = open_layer(view, journal, {doc.record_id: each for doc, each in snapshot.layers})
    assert not again.unsaved
    again.undo()
    assert marks(again) == []


def test_an_edit_during_a_save_stays_unsaved(view):
    journal = ListJournal()
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    snapshot = layer.snapshot()
    add(layer, 15, 18, DATE)
    layer.saved(snapshot)
    assert layer.unsaved
    again = open_layer(view, journal, {doc.record_id: each for doc, each in snapshot.layers})
    assert marks(again) == [(8, 11, "DOCTOR"), (15, 18, "DATE")]


def test_replaying_over_a_layer_that_has_the_edit_already(view):
    journal = ListJournal()
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    stored = {"1-01": layer.layer("1-01")}
    assert marks(open_layer(view, journal, stored)) == [(8, 11, "DOCTOR")]


def test_ids_are_never_given_twice(view):
    journal = ListJournal()
    layer = open_layer(view, journal)
    add(layer, 8, 11)
    layer.undo()
    again = open_layer(view, journal)
    (added,) = add(again, 15, 18, DATE).added
    assert added.tag_id != "P0"


def test_the_journal_holds_no_text(view):
    journal = ListJournal()
    add(open_layer(view, journal), 8, 11)
    assert "Lee" not in repr(journal)


def test_unknown_elements_of_the_file_stay(view):
    stored = {"1-01": Layer.of("1-01", "ana", (), ("<META/>",))}
    layer = open_layer(view, ListJournal(), stored)
    add(layer, 8, 11)
    assert layer.layer("1-01").unknown == ("<META/>",)


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
    documents = tuple(Document(record_id, "1", text) for record_id, text in TEXTS.items())
    view = MergedView(Patient("1", documents))
    journal, files = ListJournal(), {}
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
    journal = ListJournal()
    layer = open_layer(view, journal, stored)
    layer.apply(Edit("remove", removed=tuple(layer.tags)))
    again = open_layer(view, journal, stored)
    assert not again.tags
    again.undo()
    assert [each.tag_id for each in again.tags] == [strange]


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
