"""The tables of the agreement window as Qt's tables want them: in order, numbers to the right."""

import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QPalette

from adjudicator.agreement_places import Behind
from adjudicator.agreement_tags import Row, is_counted, leads_on
from shared.agreement.report.table import Cell, Column, Kind, Table, known, shown

_ROOT = QModelIndex()
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_Index = QModelIndex | QPersistentModelIndex


class FigureModel(QAbstractTableModel):
    """One table of a report, in the order of any of its columns; at first in its own."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None
        self._columns: tuple[Column, ...] = ()
        self._rows: list[tuple[Cell, ...]] = []
        self._counted: list[bool] = []

    @property
    def table(self) -> Table | None:
        return self._table

    def set_table(self, table: Table | None) -> None:
        """Show this table and no other."""
        self.beginResetModel()
        self._table = table
        self._columns = table.columns if table else ()
        self._rows = list(table.rows) if table else []
        self._counted = [is_counted(table, each.name) for each in self._columns] if table else []
        self.endResetModel()

    def record(self, number: int) -> Row:
        """The row on a line, by the names of its columns."""
        names = (column.name for column in self._columns)
        return dict(zip(names, self._rows[number], strict=True))

    def column(self, number: int) -> Column:
        return self._columns[number]

    def leads_on(self, index: _Index) -> bool:
        """Whether tags are behind this cell."""
        if self._table is None or not index.isValid() or not self._counted[index.column()]:
            return False
        return leads_on(self._table, self.record(index.row()), self._columns[index.column()].name)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self._columns):
            self.layoutAboutToBeChanged.emit()
            descending = order is Qt.SortOrder.DescendingOrder
            self._rows.sort(key=lambda row: _order(row[column]), reverse=descending)
            self.layoutChanged.emit()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        column = self._columns[section]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.title
        if role == Qt.ItemDataRole.TextAlignmentRole and column.kind is not Kind.TEXT:
            return _RIGHT
        return None

    def data(self, index: _Index, role: int = 0) -> Any:  # noqa: ANN401
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return shown(self._rows[index.row()][index.column()], column.kind)
        if role == Qt.ItemDataRole.TextAlignmentRole and column.kind is not Kind.TEXT:
            return _RIGHT
        if role == Qt.ItemDataRole.ForegroundRole and self.leads_on(index):
            return QGuiApplication.palette().color(QPalette.ColorRole.Link)
        if role == Qt.ItemDataRole.ToolTipRole and self.leads_on(index):
            return "Click to list the tags behind this"
        return None


class BehindModel(QAbstractTableModel):
    """The places behind a number, in the order of any column; at first as they were found."""

    _HEADS = ("Record", "At", "Of", "How", "First", "Second", "Text")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[Behind] = []

    @property
    def rows(self) -> Sequence[Behind]:
        """The places on the screen, in their order."""
        return self._rows

    def set_rows(self, rows: Sequence[Behind]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self._HEADS):
            self.layoutAboutToBeChanged.emit()
            descending = order is Qt.SortOrder.DescendingOrder
            self._rows.sort(key=lambda row: _cells(row)[column], reverse=descending)
            self.layoutChanged.emit()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return self._HEADS[section]
        return None

    def data(self, index: _Index, role: int = 0) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.DisplayRole:
            return str(_cells(self._rows[index.row()])[index.column()])
        return None


def _cells(row: Behind) -> tuple[str | int, ...]:
    who = f"{row.first} and {row.second}"
    types = row.first_types or "–", row.second_types or "–"
    return row.record_id, row.span.start, who, row.how, *types, row.text


def _order(cell: Cell) -> tuple[int, float, str]:
    """What is no number comes first, then numbers, then words."""
    value = known(cell)
    if value is None:
        return 0, -math.inf, ""
    return (2, 0.0, value.casefold()) if isinstance(value, str) else (1, float(value), "")
