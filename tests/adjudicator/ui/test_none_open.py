"""What was found and done in one patient is nothing to act on while none is open."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit

from shared.model import Span
from shared.project.assignments import State
from tests.adjudicator.projects import make_project


def test_repeating_goes_to_no_hit_of_a_patient_that_is_closed(open_window, tmp_path, qtbot):
    project = make_project(tmp_path, p120=(["Nobody."], ["Nobody."]))
    project.set_state("120", "ben", State.BEGUN)
    hand = open_window(project)
    view = hand.window.view
    view.select(Span(0, 4))
    hand.press("D")
    hand.press("Ctrl+F")
    words = hand.window.findChild(QLineEdit, "findText")
    qtbot.waitUntil(words.hasFocus)
    words.clear()
    QTest.keyClicks(words, "Kai")
    hand.window.open_patient("120")
    assert hand.window.session is None
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Period)
    assert hand.said == "Select text, or find some, to repeat the last tag there."
    assert hand.window.findChild(QLabel, "findCount").text() == "not found"
