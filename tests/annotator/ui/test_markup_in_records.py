"""What a record has between `<` and `>` is text wherever the window shows it."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from shared.model import Span
from tests.annotator.notes import note
from tests.annotator.page import press
from tests.markup import NASTY, labels_that_would_read_markup, reads_as_markup, tip_shown, tips


@pytest.fixture
def texts():
    return {"1-01": NASTY}


@pytest.fixture
def marked(window, qtbot):
    """The window with a tag, a note and a finding on what looks like markup."""
    end = NASTY.index(" saw")
    window.view.select(Span(0, end))
    press(window, Qt.Key.Key_T)
    window.view.select(Span(NASTY.index("<img"), NASTY.index(" Lee")))
    press(window, Qt.Key.Key_H)
    window.view.select(Span(0, end))
    note(window, "<b>Who?</b>")
    found = window.findChild(QTableView, "findingTable").model()
    qtbot.waitUntil(lambda: found.rowCount() > 0, timeout=20_000)
    press(window, Qt.Key.Key_F3)
    return window


def test_no_label_makes_markup_of_it(marked):
    assert labels_that_would_read_markup(marked) == []


def test_no_tooltip_makes_markup_of_it(marked):
    assert any("&lt;img" in each for each in tips(marked))
    assert [each for each in tips(marked) if reads_as_markup(each)] == []


def test_the_tooltip_of_a_tag_shows_it_as_it_stands(marked):
    table = marked.findChild(QTableView, "tagTable")
    shown = tip_shown(table, 0, 0)
    assert "Kai" in shown
    assert not reads_as_markup(shown)
