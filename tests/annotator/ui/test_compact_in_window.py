"""Compact text and the signs of comments, in the annotation window."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from annotator.ui.main_window import AnnotationWindow
from shared.widgets.document.marks import MarkStyle
from shared.widgets.settings.preferences import from_json, preference_store, to_json
from tests.annotator.page import press, put_caret, tags

CTRL = Qt.KeyboardModifier.ControlModifier
ALT = Qt.KeyboardModifier.AltModifier


def signs(window):
    return [each for each in window.view.marks() if each.style is MarkStyle.NOTE]


def test_one_key_makes_the_text_compact_and_back(window):
    press(window, Qt.Key.Key_L, CTRL)
    assert window.view.is_compact
    assert window.actions_table.action("compact").isChecked()
    press(window, Qt.Key.Key_L, CTRL)
    assert not window.view.is_compact
    assert not window.actions_table.action("compact").isChecked()


def test_compact_text_is_kept_for_the_next_window(window, project, qtbot):
    press(window, Qt.Key.Key_L, CTRL)
    assert from_json(to_json(preference_store().values)).compact
    other = AnnotationWindow(project, "ben")
    qtbot.addWidget(other)
    assert other.view.is_compact
    assert other.actions_table.action("compact").isChecked()


@pytest.mark.parametrize("value", ["yes", 3, None])
def test_a_broken_preference_is_as_at_first(value):
    data = to_json(preference_store().values).replace(
        b'"compact": false', f'"compact": {value!r}'.replace("'", '"').encode()
    )
    assert from_json(data.replace(b"None", b"null")).compact is False


def test_the_place_stays_when_the_text_becomes_compact(window):
    put_caret(window, "Boston")
    press(window, Qt.Key.Key_L, CTRL)
    visible = window.view.visible_span()
    assert visible.start <= window.view.caret() <= visible.end


def test_a_comment_shows_at_its_tag_and_in_the_tooltip_until_it_is_undone(window, qtbot):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    press(window, Qt.Key.Key_M, CTRL | ALT)
    editor = window.focusWidget()
    QTest.keyClicks(editor, "which Lee?")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(signs(window)) == 1)
    (sign,) = signs(window)
    (placed,) = window.session.tags
    assert (sign.span, sign.note) == (placed.span, "which Lee?")
    window.view.setFocus()
    put_caret(window, "Lee")
    point = window.view.cursorRect().center()
    point.setX(point.x() + 4)
    event = QHelpEvent(QEvent.Type.ToolTip, point, window.view.viewport().mapToGlobal(point))
    QApplication.sendEvent(window.view.viewport(), event)
    assert QToolTip.text() == "DOCTOR\nwhich Lee?"
    QToolTip.hideText()
    press(window, Qt.Key.Key_Z, CTRL)
    assert signs(window) == []
    press(window, Qt.Key.Key_Delete)
    press(window, Qt.Key.Key_Z, CTRL)
    assert tags(window) == [("Lee", "DOCTOR")]


def test_the_comment_of_a_tag_shows_again_when_its_patient_is_opened_again(window):
    put_caret(window, "Lee")
    press(window, Qt.Key.Key_O)
    (placed,) = window.session.tags
    window.editor.comment(placed.key, "which Lee?")
    window.open_patient("2")
    window.open_patient("1")
    assert [each.note for each in signs(window)] == ["which Lee?"]
