"""The focus goes back to what had it, also where that is gone."""

import pytest
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget
from shiboken6 import delete

from shared.model import Span
from shared.widgets.parts.focus import FocusBefore
from shared.widgets.tags.place_list import PlaceList, PlaceRow, review_places


@pytest.fixture
def text(qtbot):
    """The text in a window, and beside it a line that is written in."""
    window, text = QWidget(), QPlainTextEdit()
    layout = QVBoxLayout(window)
    layout.addWidget(text)
    layout.addWidget(QLineEdit(objectName="line"))
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    return text


@pytest.fixture
def line(text, qtbot):
    """Has the focus, as the editor of a cell has."""
    line = text.window().findChild(QLineEdit, "line")
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    return line


def test_the_focus_goes_back(text, line):
    before = FocusBefore(text.window())
    text.setFocus()
    before.give_back(text)
    assert line.hasFocus()


def test_what_is_gone_gets_no_focus(text, line):
    before = FocusBefore()
    delete(line)
    assert before.widget is None
    before.give_back(text)
    assert text.hasFocus()


@pytest.mark.parametrize("is_gone", [False, True])
def test_after_a_list_the_keys_are_where_they_were_or_in_the_text(text, line, qtbot, is_gone):
    row = PlaceRow(Span(0, 3), "1-01", "", "Lee", "")
    review_places("Tag", "&Tag", [1], lambda _: row, text, lambda _: None)
    if is_gone:
        delete(line)
    text.window().findChild(PlaceList).reject()
    qtbot.waitUntil((text if is_gone else line).hasFocus)
