"""Lists that Qt draws alone, and the frame around them."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QStandardItem, QStandardItemModel
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QTableView, QVBoxLayout, QWidget

from shared.widgets.look.framed_list import FramedList
from shared.widgets.look.theme import DARK, LIGHT, contrast
from shared.widgets.window.application import create_application


@pytest.fixture
def page(qtbot):
    """A framed table of three rows above a line."""
    application = QApplication.instance()
    before = application.palette()
    create_application([], "light")
    made, table, line = QWidget(), QTableView(), QLineEdit()
    model = QStandardItemModel(3, 1, table)
    for row in range(3):
        model.setItem(row, 0, QStandardItem("one"))
    table.setModel(model)
    layout = QVBoxLayout(made)
    layout.addWidget(FramedList(table, table))
    layout.addWidget(line)
    qtbot.addWidget(made)
    made.resize(240, 240)
    made.show()
    line.setFocus()
    qtbot.waitUntil(line.hasFocus)
    yield made
    application.setPalette(before)


def table(page) -> QTableView:
    return page.findChild(QTableView)


def colours(widget, x):
    """Those of a column of pixels, but for the corners."""
    image = widget.grab().toImage()
    return {image.pixelColor(x, y).name() for y in range(3, image.height() - 3)}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_line_is_around_the_list_that_has_the_keys(page, qtbot, theme):
    page.setPalette(theme.palette())
    framed = page.findChild(FramedList)
    assert theme.accent not in colours(framed, 0)
    table(page).setFocus()
    qtbot.waitUntil(table(page).hasFocus)
    assert colours(framed, 0) == colours(framed, 1) == {theme.accent}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_the_current_cell_is_readable(page, qtbot, theme):
    page.setPalette(theme.palette())
    table(page).setFocus()
    qtbot.waitUntil(table(page).hasFocus)
    QTest.keyClick(table(page), Qt.Key.Key_Down)
    cell = table(page).visualRect(table(page).currentIndex())
    image = table(page).viewport().grab(cell.adjusted(4, 2, -4, -2)).toImage()
    ground = QColor(theme.selection)
    pixels = [image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height())]
    assert max(contrast(each, ground) for each in pixels) >= 4.5


def test_no_cell_is_drawn_by_way_of_python(page):
    shown = table(page)
    parts = (shown, shown.horizontalHeader(), shown.verticalScrollBar())
    assert QApplication.style() not in [each.style() for each in parts]
