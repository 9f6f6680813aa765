"""What a window would make markup of, though it is text of a record."""

from PySide6.QtCore import QAbstractItemModel, QEvent, QModelIndex, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QLabel, QToolTip, QWidget

NASTY = "<b>Kai</b> saw <img src='/etc/x.png'> Lee. <b>Kai</b> &lt; Lee went."


def labels_that_would_read_markup(window: QWidget) -> list[str]:
    """Labels that are not told to show what is written."""
    some = (each for each in window.findChildren(QLabel) if "<" in each.text())
    return [each.text() for each in some if each.textFormat() is Qt.TextFormat.AutoText]


def tips(window: QWidget) -> set[str]:
    """The tooltips of all cells of all tables and trees."""
    return {
        str(tip)
        for view in window.findChildren(QAbstractItemView)
        if view.model() is not None
        for index in _indexes(view.model(), QModelIndex())
        if (tip := index.data(Qt.ItemDataRole.ToolTipRole))
    }


def _indexes(model: QAbstractItemModel, parent: QModelIndex) -> list[QModelIndex]:
    here = [
        model.index(row, column, parent)
        for row in range(model.rowCount(parent))
        for column in range(model.columnCount(parent))
    ]
    return here + [below for each in here for below in _indexes(model, each)]


def tip_shown(view: QAbstractItemView, row: int, column: int) -> str:
    """What the tooltip says where the pointer rests on a cell."""
    place = view.visualRect(view.model().index(row, column)).center()
    where = view.viewport().mapToGlobal(place)
    QApplication.sendEvent(view.viewport(), QHelpEvent(QEvent.Type.ToolTip, place, where))
    shown = QToolTip.text()
    QToolTip.hideText()
    return shown


def reads_as_markup(tip: str) -> bool:
    return "<b>" in tip or "<img" in tip
