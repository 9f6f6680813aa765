"""Patients are told apart in the list, however narrow it is and however long their names are."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView

from shared.widgets.window.worklist_pane import WorklistPane, WorkRow

LONG = [f"S0004-061420060{n:02}00012" for n in range(8)]


@pytest.fixture
def shown(qtbot):
    def show(names, width=170):
        pane = WorklistPane()
        qtbot.addWidget(pane)
        pane.resize(width, 400)
        pane.set_rows([WorkRow(each, "to do", hint="unsure") for each in names])
        pane.show()
        qtbot.waitExposed(pane)
        return pane

    return show


def pictures(pane):
    """What is painted in the column of names, row by row."""
    table = pane.findChild(QTableView, "worklist")
    image = table.viewport().grab().toImage()
    model = table.model()
    rects = [table.visualRect(model.index(row, 0)) for row in range(model.rowCount())]
    parts = [image.copy(rect.adjusted(2, 2, -2, -2)) for rect in rects]
    return [bytes(each.constBits()) for each in parts]


def test_long_names_that_begin_alike_are_painted_differently(shown):
    painted = pictures(shown(LONG))
    assert len(set(painted[1:])) == len(LONG) - 1  # the first has the focus


def test_short_names_stand_there_in_full(shown):
    assert pictures(shown(["110", "111"]))[1] == pictures(shown(["200", "111"]))[1]


def test_the_tooltip_has_the_whole_name(shown):
    pane = shown(LONG)
    table = pane.findChild(QTableView, "worklist")
    tip = table.model().index(1, 0).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == f"{LONG[1]}\nunsure"
    assert table.model().index(1, 0).data() == LONG[1]


@pytest.mark.parametrize("names", [[LONG[0]], ["A" * 50, "A" * 51], []])
def test_a_list_of_one_or_of_none_is_painted(shown, names):
    assert len(pictures(shown(names, width=60))) == len(names)
