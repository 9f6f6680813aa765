"""The list of notes in the annotation window: what it shows, and where it leads."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QTableView

from shared.model import Span
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.widgets.parts.messages import StatusBanner
from tests.annotator.notes import CONTROL, SHIFT, click_row, come_back, note, rows, shown, signs
from tests.annotator.page import FIRST, press, put_caret, tags


def test_a_row_leads_to_its_place_and_the_caret_to_its_row(in_front, project):
    window = in_front
    for text in ("Lee", "Boston"):
        put_caret(window, text)
        note(window, f"About {text}")
    click_row(window, 0)
    assert window.view.selected_span().text_in(FIRST) == "Lee"
    assert window.view.hasFocus()
    assert "About Lee" in shown(window)
    put_caret(window, "Boston")
    assert "About Boston" in shown(window)
    put_caret(window, "Kai")
    assert shown(window) == ""


def test_keys_go_through_the_open_notes_around_the_end(window):
    for text in ("Lee", "Boston"):
        put_caret(window, text)
        press(window, Qt.Key.Key_U, CONTROL)
    put_caret(window, "Kai")
    seen = []
    for key, modifier in ((Qt.Key.Key_F12, SHIFT), *[(Qt.Key.Key_F12, CONTROL & SHIFT)] * 2):
        press(window, key, modifier)
        seen.append(window.view.selected_span().text_in(FIRST))
    assert seen == ["Boston", "Lee", "Boston"]


def test_delete_in_the_list_closes_the_note_that_is_looked_at_and_no_tag(in_front, project):
    window = in_front
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    note(window, "No.")
    click_row(window, 0)
    table = window.findChild(QTableView, "noteTable")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Delete)
    assert tags(window) == [("Lee", "DOCTOR")]
    assert signs(window) == []
    filter_box = window.findChild(QComboBox, "noteFilter")
    put_caret(window, "Kai")
    filter_box.setFocus()
    QTest.keyClick(filter_box, Qt.Key.Key_Down)
    assert rows(window) == [("closed", "“Lee”", "No.")]


def test_a_broken_line_is_said_once_and_the_other_notes_are_there(window, project):
    put_caret(window, "Lee")
    note(window, "before")
    with project.notes_path("ana", "1").open("a") as file:
        file.write("nonsense\n")
    come_back(window)
    assert "line 2 is not as Tandem writes notes" in window.findChild(StatusBanner).text
    assert "line 2" in window.findChild(QLabel, "noteCount").text()
    assert rows(window) == [("note", "“Lee”", "before")]
    window.findChild(StatusBanner).clear()
    come_back(window)
    assert window.findChild(StatusBanner).text == ""
    put_caret(window, "Kai")
    note(window, "after")
    assert [each[2] for each in rows(window)] == ["after", "before"]


def test_a_place_behind_the_end_of_its_record_is_shown_on_the_record(window, project):
    book = NoteBook(project, "ana")
    book.write("1", NoteKind.NOTE, NotePlace("1-01", Span(5, 100_000)), "far")
    come_back(window)
    assert rows(window) == [("note", "Record 1-01", "far")]
    assert signs(window) == []
