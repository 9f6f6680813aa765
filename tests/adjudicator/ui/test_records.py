"""The list of a patient's records in the adjudication window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTableView

from shared.widgets.records.record_pane import RECORD, TAGS


@pytest.fixture
def table(hand):
    found = hand.window.findChild(QTableView, "recordTable")
    dock = found.parentWidget().parentWidget()
    dock.show()
    dock.raise_()
    return found


def cells(table, column):
    model = table.model()
    return [model.index(row, column).data() for row in range(model.rowCount())]


def test_it_counts_the_tags_of_the_gold_standard_as_they_are_decided(hand, table):
    session = hand.window.session
    records = [each.record_id for each in session.view.sections]
    assert cells(table, RECORD) == records
    before = sum(map(int, cells(table, TAGS)))
    assert before == len(session.tags)
    hand.press("F8", "1")
    assert sum(map(int, cells(table, TAGS))) == len(session.tags)


def test_a_click_and_a_key_go_to_a_record(hand, table):
    hand.window.view.set_caret(0)
    hand.press("Alt+PgDown")
    assert hand.window.view.caret() == hand.window.session.view.sections[1].start
    place = table.visualRect(table.model().index(0, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert hand.window.view.caret() == 0
    assert hand.window.view.hasFocus()
