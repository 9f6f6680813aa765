"""The review list by keyboard and mouse: what is ticked is what comes out."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QCheckBox, QPushButton, QTableView

from shared.model import Span
from shared.widgets.tags.annotate_all import AnnotateAllDialog
from shared.widgets.tags.place_list import PlaceRow

ROWS = [
    PlaceRow(Span(0, 3), "110-01", "Seen by Dr. ", "Lee", " today"),
    PlaceRow(Span(20, 23), "110-01", "then\n", "Lee", "\nleft", "already tagged", False),
    PlaceRow(Span(40, 43), "110-02", "", "Lee", "ds", "part of a longer word"),
]


@pytest.fixture
def dialog(qtbot):
    dialog = AnnotateAllDialog("DOCTOR")
    qtbot.addWidget(dialog)
    dialog.set_rows(ROWS)
    dialog.open()
    yield dialog
    dialog.close()


@pytest.fixture
def table(dialog):
    return dialog.findChild(QTableView)


@pytest.fixture
def accepted(dialog):
    found = []
    dialog.taken.connect(found.append)
    return found


def test_rows_are_ticked_as_they_come(dialog):
    assert dialog.model.ticked_rows == [ROWS[0], ROWS[2]]
    assert dialog.count_text == "2 of 3 ticked"


def test_the_model_keeps_qts_rules(dialog):
    tester = QAbstractItemModelTester(
        dialog.model, QAbstractItemModelTester.FailureReportingMode.Fatal
    )
    dialog.set_rows(ROWS[:1])
    dialog.set_rows([])
    dialog.set_rows(ROWS)
    assert tester.model() is dialog.model


def test_enter_applies_what_is_ticked(dialog, table, accepted):
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert accepted == [[ROWS[0], ROWS[2]]]
    assert not dialog.isVisible()


def test_escape_applies_nothing(dialog, table, accepted):
    QTest.keyClick(table, Qt.Key.Key_Escape)
    assert (accepted, dialog.isVisible()) == ([], False)


def test_space_toggles_the_row_and_the_count_follows(dialog, table):
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert dialog.model.ticked_rows == ROWS
    assert dialog.count_text == "3 of 3 ticked"
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert dialog.count_text == "2 of 3 ticked"


def test_space_ticks_all_selected_rows_before_it_unticks_them(dialog, table):
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert dialog.model.ticked_rows == ROWS
    QTest.keyClick(table, Qt.Key.Key_Space)
    assert dialog.model.ticked_rows == []


def test_a_click_on_the_box_toggles_it(dialog, table):
    rect = table.visualRect(dialog.model.index(1, 0))
    point = rect.topLeft()
    point.setX(rect.left() + 10)
    point.setY(rect.center().y())
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert dialog.model.is_ticked(1)


@pytest.mark.parametrize(("text", "count"), [("Tick &all", 3), ("Tick &none", 0)])
def test_all_or_none_at_once(dialog, text, count):
    button = next(each for each in dialog.findChildren(QPushButton) if each.text() == text)
    button.click()
    assert len(dialog.model.ticked_rows) == count


def test_nothing_ticked_cannot_be_applied(dialog, table, accepted):
    dialog.untick_all()
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert (accepted, dialog.isVisible()) == ([], True)
    assert dialog.count_text == "0 of 3 ticked"


def test_ignoring_case_asks_for_other_rows_and_ticks_are_kept(dialog, qtbot):
    dialog.model.tick([0], ticked=False)
    with qtbot.waitSignal(dialog.options_changed):
        dialog.findChild(QCheckBox).click()
    more = PlaceRow(Span(60, 63), "110-02", "", "LEE", "")
    dialog.set_rows([*ROWS, more])
    assert (dialog.ignores_case, dialog.wants_variants) == (True, False)
    assert dialog.model.ticked_rows == [ROWS[2], more]


def test_the_row_that_is_looked_at_is_told(dialog, table, qtbot):
    with qtbot.waitSignal(dialog.row_shown) as shown:
        QTest.keyClick(table, Qt.Key.Key_Down)
    assert shown.args == [ROWS[1]]


def test_context_keeps_to_its_line(dialog):
    cells = [dialog.model.index(1, column).data() for column in range(5)]
    assert cells == ["110-01", "then ⏎ ", "Lee", " ⏎ left", "already tagged"]


def test_no_text_of_a_record_is_in_the_title(dialog):
    assert dialog.windowTitle() == "Annotate all"


def test_a_column_has_the_room_that_the_words_of_other_rows_need(dialog, table):
    before = table.columnWidth(2)
    long = "Evangelisches Krankenhaus"
    dialog.set_rows([PlaceRow(Span(0, 25), "110-01", "Seen in ", long, " today")])
    assert table.columnWidth(2) >= table.fontMetrics().horizontalAdvance(long)
    dialog.set_rows(ROWS)
    assert table.columnWidth(2) == before


def test_rows_without_end_are_shown_at_once(dialog, table):
    rows = [PlaceRow(Span(n, n + 1), "110-01", "a" * 60, "b", "c" * 60) for n in range(5_000)]
    dialog.set_rows(rows)
    dialog.tick_all()
    assert dialog.count_text == "5000 of 5000 ticked"
