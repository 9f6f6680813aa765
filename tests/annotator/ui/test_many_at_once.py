"""Changes of many tags, each of which is one plain call."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt

from annotator.rejections import PlacedSuggestion
from shared.model import PhiType, Span
from shared.project.journal import read_journal
from shared.widgets.document.marks import MarkStyle
from tests.annotator.page import press
from tests.places import take_list

CONTROL = Qt.KeyboardModifier.ControlModifier
DOCTOR, PATIENT = PhiType("NAME", "DOCTOR"), PhiType("NAME", "PATIENT")
MANY, LINE = 2500, "Seen by Lee here.\n"
SPANS = [Span(at * len(LINE) + 8, at * len(LINE) + 11) for at in range(MANY)]


@pytest.fixture
def texts():
    return {"1-01": LINE * MANY}


@pytest.fixture
def suggested(window):
    """The window, with a suggestion at every place."""
    window.session.review.exchange(
        (),
        [PlacedSuggestion(each.start, each.end, "1-01", DOCTOR, 0.995, "test") for each in SPANS],
    )
    return window


def accept_all(window):
    window.actions_table.action("accept_sure").trigger()
    take_list(window)


def marks(window, style=MarkStyle.TAG):
    return sum(mark.style is style for mark in window.view.marks())


def on_page(window, style):
    page = window.view.visible_span()
    return [
        mark.style for mark in window.view._marks.query(page.start, page.end) if mark.style is style
    ]


def apply_all(window, phi_type=DOCTOR):
    window.editor.apply_all(SPANS, phi_type)


def test_all_marks_are_there_at_once(window):
    apply_all(window)
    assert len(on_page(window, MarkStyle.TAG)) > 5
    assert marks(window) == MANY


def test_accepting_many_is_one_edit(suggested, project):
    accept_all(suggested)
    assert len(suggested.session.tags) == MANY
    assert len(on_page(suggested, MarkStyle.TAG)) > 5
    assert not on_page(suggested, MarkStyle.SUGGESTION)
    lines = read_journal(project.journal_path("ana", "1"))
    (line,) = [each for each in lines if each["op"] == "edit"]
    assert len(line["added"]) == MANY
    assert not marks(suggested, MarkStyle.SUGGESTION)
    assert suggested._parts.suggestions.figures.startswith("0 to look at")
    assert [each.key for each in suggested._parts.tags.model.rows] == [
        each.key for each in suggested.session.tags
    ]
    assert suggested._parts.tag_count.text() == f"{MANY:,} tags"


def test_what_many_accepted_were_is_back_when_that_is_undone(suggested):
    accept_all(suggested)
    press(suggested, Qt.Key.Key_Z, CONTROL)
    assert not suggested.session.tags
    assert on_page(suggested, MarkStyle.SUGGESTION)
    assert not on_page(suggested, MarkStyle.TAG)
    assert marks(suggested, MarkStyle.SUGGESTION) == MANY
    assert suggested._parts.suggestions.figures.startswith(f"{MANY:,} to look at")
    assert not suggested._parts.tags.model.rows
    assert suggested._parts.tag_count.text() == "0 tags"
    press(suggested, Qt.Key.Key_Y, CONTROL)
    assert len(suggested.session.tags) == MANY


def test_all_that_was_accepted_is_in_the_files_of_a_window_that_closes(suggested, project):
    accept_all(suggested)
    suggested.close()
    document = project.patient("1").document("1-01")
    assert len(project.read_layer("ana", document).layer.tags) == MANY


def test_many_that_cannot_be_accepted_are_said(suggested):
    apply_all(suggested)
    review = suggested.session.review
    suggested.editor.carry_out(lambda: suggested.session.accept(review._all))
    assert "already" in suggested.statusBar().currentMessage()
    assert len(suggested.session.tags) == MANY


def edits_in(project):
    lines = read_journal(project.journal_path("ana", "1"))
    return [
        (each["op"], len(each["removed"]), len(each["added"]))
        for each in lines
        if each["op"] in ("edit", "undo", "redo")
    ]


def types(window):
    return Counter(each.phi_type.name for each in window.session.tags)


def test_all_with_the_same_text_are_retyped_and_removed(window, project):
    apply_all(window)
    window.view.set_caret(SPANS[0].start + 1)
    window.editor._alike_picker.chosen.emit(PATIENT)
    assert take_list(window) == MANY
    assert types(window) == {"PATIENT": MANY}
    window.view.set_caret(SPANS[0].start + 1)
    window.actions_table.action("remove_alike").trigger()
    assert take_list(window) == MANY
    assert not window.session.tags
    assert edits_in(project) == [("edit", 0, MANY), ("edit", MANY, MANY), ("edit", MANY, 0)]
    for left in ({"PATIENT": MANY}, {"DOCTOR": MANY}, {}):
        window.editor.undo()
        assert types(window) == left
    assert not marks(window)
    assert not window._parts.tags.model.rows


def test_steps_that_follow_each_other_fast_are_all_made_in_order(window, project):
    window.editor.apply_all(SPANS, DOCTOR)
    window.editor.undo()
    window.editor.redo()
    window.editor.undo()
    window.editor.redo()
    assert [each[0] for each in edits_in(project)] == ["edit", "undo", "redo", "undo", "redo"]
    assert len(window.session.tags) == MANY
    assert marks(window) == MANY
    assert len(window._parts.tags.model.rows) == MANY


def test_nothing_is_lost_of_what_is_undone_while_the_window_closes(window, project):
    apply_all(window)
    window.editor.undo()
    window.close()
    document = project.patient("1").document("1-01")
    assert not project.read_layer("ana", document).layer.tags
