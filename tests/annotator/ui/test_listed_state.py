"""The list of patients says how far the open patient is, after every edit."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from tests.annotator.page import press, put_caret, tags

CTRL = Qt.KeyboardModifier.ControlModifier


def listed(window):
    model = window.findChild(QTableView, "worklist").model()
    return [str(model.index(row, 1).data()) for row in range(model.rowCount())]


def finish(window):
    press(window, Qt.Key.Key_D, CTRL)
    if window._parts.banner.text:
        press(window, Qt.Key.Key_D, CTRL)


def test_an_edit_of_a_patient_that_was_done_is_seen_in_the_list(window):
    finish(window)
    window.open_patient("1")
    assert listed(window) == ["✓ done", "begun"]
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    assert tags(window) == [("Lee", "DOCTOR")]
    assert listed(window) == ["begun", "begun"]


def test_it_is_seen_each_time(window):
    finish(window)
    finish(window)
    assert listed(window) == ["✓ done", "✓ done"]
    for key in (Qt.Key.Key_O, Qt.Key.Key_H):
        put_caret(window, "Nothing")
        press(window, key)
        assert listed(window) == ["✓ done", "begun"]
        finish(window)
        assert listed(window) == ["✓ done", "✓ done"]
