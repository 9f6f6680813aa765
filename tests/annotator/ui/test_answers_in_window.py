"""Answers of the adjudicator in the annotation window: who sees them, and what counts as read."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QToolButton

from annotator.ui.main_window import AnnotationWindow
from shared.widgets.parts.messages import StatusBanner
from tests.annotator.notes import (
    CONTROL,
    answer,
    ask,
    click_row,
    come_back,
    rows,
    shown,
    signs,
    states,
)
from tests.annotator.page import FIRST, press, put_caret


def test_the_other_annotator_sees_nothing_of_it(window, project, qtbot):
    put_caret(window, "Lee")
    ask(window, "Who?")
    answer(project, "The surgeon.")
    other = AnnotationWindow(project, "ben")
    qtbot.addWidget(other)
    other.show()
    other.open_patient("1")
    assert rows(other) == []
    assert signs(other) == []
    assert states(other) == {"1": "begun", "2": "to do"}


def test_an_answer_is_marked_in_the_list_of_patients_until_it_was_looked_at(window, project):
    put_caret(window, "Lee")
    ask(window, "Who?")
    assert states(window)["1"] == "begun"
    answer(project, "The surgeon.")
    come_back(window)
    assert states(window)["1"] == "begun · 1 answer"
    assert rows(window) == [("new answer", "“Lee”", "Who?")]
    assert signs(window) == [("Lee", "!")]
    press(window, Qt.Key.Key_PageDown, CONTROL)
    assert states(window)["1"] == "begun · 1 answer"
    press(window, Qt.Key.Key_PageUp, CONTROL)
    put_caret(window, "Kai")
    press(window, Qt.Key.Key_F12)
    assert window.view.selected_span().text_in(FIRST) == "Lee"
    assert "The surgeon." in shown(window)
    assert states(window)["1"] == "begun"
    assert rows(window) == [("answered", "“Lee”", "Who?")]
    come_back(window)
    assert states(window)["1"] == "begun"


def test_an_answer_that_is_not_in_sight_is_not_read_by_the_caret_passing(window, project):
    put_caret(window, "Lee")
    ask(window, "Who?")
    answer(project, "The surgeon.")
    come_back(window)
    put_caret(window, "Kai")
    put_caret(window, "Lee")
    assert states(window)["1"] == "begun · 1 answer"


def test_that_an_answer_was_read_is_known_to_the_next_window(window, project, qtbot):
    put_caret(window, "Lee")
    ask(window, "Who?")
    answer(project, "The surgeon.")
    come_back(window)
    click_row(window, 0)
    window.close()
    again = AnnotationWindow(project, "ana")
    qtbot.addWidget(again)
    again.show()
    again.open_patient("1")
    assert states(again)["1"] == "begun"
    assert again.findChild(QLabel, "noteCount").text() == "None open"


def test_patient_done_says_which_answers_are_unread(window, project):
    put_caret(window, "Lee")
    ask(window, "Who?")
    answer(project, "The surgeon.")
    come_back(window)
    press(window, Qt.Key.Key_D, CONTROL)
    if window.session.patient_id == "1":
        assert "1 answer has not been read." in window.findChild(StatusBanner).text
    else:
        pytest.fail("done without a word on the answer")


def test_an_answer_of_a_moment_ago_is_found_by_the_key_and_named_by_done(window, project):
    put_caret(window, "Lee")
    ask(window, "Who?")
    window.actions_table.action("read_on").trigger()
    answer(project, "The surgeon.")
    press(window, Qt.Key.Key_D, CONTROL)
    assert "1 answer has not been read." in window.findChild(StatusBanner).text
    press(window, Qt.Key.Key_F12)
    assert "The surgeon." in shown(window)
    answer(project, "No, the nurse.")
    press(window, Qt.Key.Key_F12)
    assert "No, the nurse." in shown(window)


def test_before_done_the_buttons_lead_to_what_is_left_and_nowhere_else(window, project):
    put_caret(window, "Lee")
    ask(window, "Who?")
    window.actions_table.action("read_on").trigger()
    answer(project, "The surgeon.")
    press(window, Qt.Key.Key_D, CONTROL)
    banner = window.findChild(StatusBanner)
    assert banner.text.startswith("1 answer has not been read.")
    buttons = {each.text(): each for each in banner.findChildren(QToolButton) if each.text()}
    assert "Continue reading" not in buttons
    put_caret(window, "Kai")
    QTest.mouseClick(buttons["Next open note"], Qt.MouseButton.LeftButton)
    assert window.view.selected_span().text_in(FIRST) == "Lee"
    assert "The surgeon." in shown(window)
    assert window.view.hasFocus()
