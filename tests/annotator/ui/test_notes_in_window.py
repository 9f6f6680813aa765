"""Notes, doubts and questions of an annotator, written in the window."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QComboBox, QToolTip

from shared.model import Span
from shared.project.notes import NotePlace
from shared.widgets.parts.messages import StatusBanner
from tests.annotator.notes import (
    CONTROL,
    LEE,
    SHIFT,
    ask,
    box,
    click_row,
    note,
    on_disk,
    rows,
    said,
    shown,
    signs,
    write,
)
from tests.annotator.page import FIRST, press, put_caret, tags
from tests.disk import filling_disk
from tests.menus import choose, right_click_text


def test_one_key_marks_the_word_at_the_caret_as_unsure_and_takes_that_back(window, project):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_U, CONTROL)
    assert on_disk(project) == [("unsure", LEE, "")]
    assert signs(window) == [("Lee", "?")]
    assert rows(window) == [("unsure", "“Lee”", "")]
    press(window, Qt.Key.Key_U, CONTROL)
    assert signs(window) == []
    assert rows(window) == [("closed", "“Lee”", "")]
    press(window, Qt.Key.Key_U, CONTROL)
    assert signs(window) == [("Lee", "?")]


def test_a_note_on_a_tag_is_on_the_tag_and_leaves_it_as_it_was(window, project):
    window.view.select(Span(22, 29))
    press(window, Qt.Key.Key_O)
    assert tags(window) == [("Dr. Lee", "DOCTOR")]
    note(window, "Title too?")
    assert on_disk(project) == [("note", NotePlace("1-01", Span(22, 29)), "Title too?")]
    assert tags(window) == [("Dr. Lee", "DOCTOR")]
    assert signs(window) == [("Dr. Lee", "")]
    assert window.view.hasFocus()
    assert said(window) == "The note is saved."


def test_a_question_stays_with_its_text_when_the_tag_is_gone(window, project):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    ask(window, "A doctor?")
    press(window, Qt.Key.Key_Delete)
    assert tags(window) == []
    assert signs(window) == [("Lee", "Q")]
    assert on_disk(project) == [("question", LEE, "A doctor?")]


@pytest.mark.parametrize(
    ("number", "place", "on"),
    [(0, LEE, "“Lee”"), (1, NotePlace("1-01"), "Record 1-01"), (2, NotePlace(), "Patient 1")],
)
def test_one_says_whether_it_is_on_the_place_the_record_or_the_patient(
    window, project, number, place, on
):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_N, CONTROL)
    places = window.findChild(QComboBox, "notePlace")
    for _ in range(number):
        QTest.keyClick(places, Qt.Key.Key_Down)
    write(window, "Strange.")
    assert on_disk(project) == [("note", place, "Strange.")]
    assert rows(window) == [("note", on, "Strange.")]


def test_in_the_second_record_offsets_are_those_of_the_record(window, project):
    window.view.set_caret(window.session.view.section("1-02").start + 21)
    press(window, Qt.Key.Key_U, CONTROL)
    ((_, place, _),) = on_disk(project)
    assert place.record_id == "1-02"
    assert place.span.text_in(project.patient("1").document("1-02").text) in ("😀", "Lee")
    window.close()


def test_lines_and_markup_stay_as_they_were_written_everywhere(in_front, project):
    window = in_front
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_N, CONTROL)
    QTest.keyClicks(box(window), "<b>one</b>")
    QTest.keyClick(box(window), Qt.Key.Key_Return, SHIFT)
    write(window, "two")
    assert on_disk(project)[0][2] == "<b>one</b>\ntwo"
    click_row(window, 0)
    assert "<b>one</b>\ntwo" in shown(window)
    put_caret(window, "Lee")
    point = window.view.cursorRect().center()
    point.setX(point.x() + 4)
    where = window.view.viewport().mapToGlobal(point)
    QApplication.sendEvent(window.view.viewport(), QHelpEvent(QEvent.Type.ToolTip, point, where))
    assert "&lt;b&gt;one" in QToolTip.text()
    QToolTip.hideText()


def test_escape_writes_nothing_and_gives_the_keys_back(window, project):
    put_caret(window, "Lee")
    note(window, "never mind", Qt.Key.Key_Escape)
    assert on_disk(project) == []
    assert window.view.hasFocus()
    assert not box(window).isVisible()


def test_enter_without_a_word_writes_nothing(window, project):
    put_caret(window, "Lee")
    note(window, "  ")
    assert said(window) == "There is nothing to save; Esc cancels."
    assert on_disk(project) == []
    QTest.keyClick(box(window), Qt.Key.Key_Escape)


def test_a_note_on_a_full_disk_stays_in_the_box_and_is_there_once_after_another_enter(
    window, project
):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_N, CONTROL)
    with filling_disk(0):
        write(window, "Which Lee?")
        assert "free some space" in window.findChild(StatusBanner).text
        assert box(window).toPlainText() == "Which Lee?"
        assert rows(window) == []
        assert said(window) != "The note is saved."
    assert on_disk(project) == []
    QTest.keyClick(box(window), Qt.Key.Key_Return)
    assert on_disk(project) == [("note", LEE, "Which Lee?")]
    assert box(window).toPlainText() == ""


def test_in_a_folder_that_cannot_be_written_unsure_is_not_shown(window, project):
    (project.root / "notes").write_text("a file in its place")
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_U, CONTROL)
    assert "notes" in window.findChild(StatusBanner).text
    assert signs(window) == []
    assert rows(window) == []


def test_what_is_being_written_goes_with_neither_a_second_note_nor_the_patient(window, project):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_N, CONTROL)
    QTest.keyClicks(box(window), "half a")
    put_caret(window, "Kai")
    press(window, Qt.Key.Key_N, CONTROL)
    assert "not saved yet" in said(window)
    assert box(window).hasFocus()
    press(window, Qt.Key.Key_PageDown, CONTROL)
    assert window.session.patient_id == "2"
    write(window, " note")
    assert on_disk(project) == [("note", LEE, "half a note")]
    assert on_disk(project, patient_id="2") == []
    assert rows(window) == []


def test_a_window_does_not_close_on_words_that_are_not_saved_unless_asked_twice(window, project):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_N, CONTROL)
    QTest.keyClicks(box(window), "half")
    assert not window.close()
    assert "Enter saves it" in window.findChild(StatusBanner).text
    QTest.keyClick(box(window), Qt.Key.Key_Return)
    assert on_disk(project) == [("note", LEE, "half")]
    press(window, Qt.Key.Key_N, CONTROL)
    QTest.keyClicks(box(window), "lost")
    assert not window.close()
    assert window.close()


def test_a_right_click_marks_what_is_under_the_pointer_as_unsure(window, project):
    put_caret(window, "Kai")
    menu = right_click_text(window, FIRST.index("Boston") + 2)
    choose(menu, "unsure")
    assert signs(window) == [("Boston", "?")]


class TestInChinese:
    @pytest.fixture
    def texts(self):
        return {"1-01": "患者王小明于三月五日入院，由李医生接诊。", "2-01": "无。"}

    def test_what_is_selected_is_asked_about_as_it_stands(self, window, project):
        window.view.select(Span(2, 5))
        press(window, Qt.Key.Key_N, CONTROL | SHIFT)
        box(window).insertPlainText("是患者吗？")
        QTest.keyClick(box(window), Qt.Key.Key_Return)
        assert on_disk(project) == [("question", NotePlace("1-01", Span(2, 5)), "是患者吗？")]
        assert rows(window) == [("question", "“王小明”", "是患者吗？")]


class TestAmidBlankLines:
    @pytest.fixture
    def texts(self):
        return {"1-01": "Kai.\n\n\nLee.", "2-01": "Nothing."}

    def test_nothing_is_marked_as_unsure_and_that_is_said(self, window, project):
        window.view.set_caret(6)
        press(window, Qt.Key.Key_U, CONTROL)
        assert said(window).startswith("Put the caret on a word or a tag")
        assert on_disk(project) == []

    def test_a_note_is_on_the_record(self, window, project):
        window.view.set_caret(6)
        note(window, "Badly scanned.")
        assert on_disk(project) == [("note", NotePlace("1-01"), "Badly scanned.")]


class TestInNastyText:
    @pytest.fixture
    def texts(self):
        return {"1-01": "a \ud800b\u202e \u2028 \U0001f600 <i>", "2-01": "Nothing."}

    def test_every_place_can_be_noted_and_shown(self, window, project):
        for word in ("\ud800b", "\U0001f600", "i>"):
            put_caret(window, word)
            note(window, f"on {len(rows(window))}")
        assert [each[2] for each in rows(window)] == ["on 0", "on 1", "on 2"]
        assert len(on_disk(project)) == 3
        click_row(window, 1)
        assert "on 1" in shown(window)
