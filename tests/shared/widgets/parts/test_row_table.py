"""Rows in a table: read, put in order, narrowed by words; the whole row is chosen."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit

from shared.widgets.parts.row_table import FilteredModel, RowTable

ROWS = [("Lee", "DOCTOR"), ("3/4", "DATE"), ("Mercy", "HOSPITAL")]


class Pairs(FilteredModel[tuple[str, str]]):
    heads = ("Text", "Type")

    def cells(self, row: tuple[str, str]) -> tuple[str, str]:
        return row


@pytest.fixture
def model() -> Pairs:
    made = Pairs()
    made.set_rows(ROWS)
    return made


@pytest.mark.parametrize("words", ["penafuerte", "PEÑA", "city peñafuerte"])
def test_rows_are_narrowed_by_words_with_accents_or_without(model: Pairs, words: str):
    model.set_rows([*ROWS, ("Peñafuerte", "CITY")])
    model.narrow(words)
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == ["Peñafuerte"]


def test_rows_are_shown_under_their_heads(model: Pairs):
    heads = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(2)]
    assert heads == ["Text", "Type"]
    assert [model.index(row, 0).data() for row in range(model.rowCount())] == [
        "Lee",
        "3/4",
        "Mercy",
    ]


def test_the_model_keeps_qts_rules(model: Pairs):
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    model.narrow("lee")
    model.narrow("")
    model.reorder(lambda row: row[1], descending=False)
    model.set_rows(())
    model.redraw()
    assert tester.model() is model


def test_all_words_are_looked_for_whatever_their_capitals(model: Pairs):
    model.narrow("DOC le")
    assert model.rows == [("Lee", "DOCTOR")]
    model.set_rows([*ROWS, ("Leeds", "DOCTOR")])
    assert model.rows == [("Lee", "DOCTOR"), ("Leeds", "DOCTOR")]
    assert len(model.all_rows) == 4
    model.narrow("")
    assert len(model.rows) == 4


def test_rows_are_put_in_order(model: Pairs):
    model.reorder(lambda row: row[0], descending=True)
    assert [row[0] for row in model.rows] == ["Mercy", "Lee", "3/4"]


def test_a_key_goes_from_row_to_row_and_tab_leads_out(model: Pairs, qtbot):
    table = RowTable(model, "pairs", {0: 80}, 1)
    after = QLineEdit()
    for widget in (table, after):
        qtbot.addWidget(widget)
        widget.show()
    table.choose_one()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert [index.row() for index in table.selectionModel().selectedRows()] == [1]
    QTest.keyClick(table, Qt.Key.Key_Tab)
    assert table.currentIndex().row() == 1
