"""The tables of the agreement window as Qt's tables want them: in order, numbers to the right."""

import math

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication, QPalette

from adjudicator.agreement.places import Behind
from adjudicator.agreement.tags import Row, is_counted, leads_on
from shared.agreement.report.table import Cell, Column, Kind, Table, known, shown
from shared.widgets.parts.row_table import Index, RowModel


class FigureModel(RowModel[tuple[Cell, ...]]):
    """One table of a report, in the order of any of its columns; at first in its own."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._table: Table | None = None
        self._columns: tuple[Column, ...] = ()
        self._counted: list[bool] = []

    @property
    def table(self) -> Table | None:
        return self._table

    def set_table(self, table: Table | None) -> None:
        """Show this table and no other."""
        self._table = table
        self._columns = table.columns if table else ()
        self._counted = [is_counted(table, each.name) for each in self._columns] if table else []
        self.heads = [each.title for each in self._columns]
        self.set_rows(table.rows if table else ())

    def cells(self, row: tuple[Cell, ...]) -> list[str]:
        pairs = zip(row, self._columns, strict=True)
        return [shown(cell, column.kind) for cell, column in pairs]

    def record(self, number: int) -> Row:
        """The row on a line, by the names of its columns."""
        names = (column.name for column in self._columns)
        return dict(zip(names, self._rows[number], strict=True))

    def column(self, number: int) -> Column:
        return self._columns[number]

    def leads_on(self, index: Index) -> bool:
        """Whether tags are behind this cell."""
        if self._table is None or not index.isValid() or not self._counted[index.column()]:
            return False
        return leads_on(self._table, self.record(index.row()), self._columns[index.column()].name)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self._columns):
            descending = order is Qt.SortOrder.DescendingOrder
            self.reorder(lambda row: _order(row[column]), descending=descending)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation is Qt.Orientation.Horizontal:
            return self._side(section)
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = 0) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        if role == Qt.ItemDataRole.ForegroundRole and self.leads_on(index):
            return QGuiApplication.palette().color(QPalette.ColorRole.Link)
        if role == Qt.ItemDataRole.ToolTipRole and self.leads_on(index):
            return "Click to list the tags behind this"
        return super().data(index, role)

    def _side(self, column: int) -> Qt.AlignmentFlag | None:
        is_text = self._columns[column].kind is Kind.TEXT
        return None if is_text else Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class BehindModel(RowModel[Behind]):
    """The places behind a number, in the order of any column; at first as they were found."""

    heads = ("Record", "At", "Of", "How", "First", "Second", "Text")

    def cells(self, row: Behind) -> tuple[str, ...]:
        return tuple(map(str, _values(row)))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.heads):
            descending = order is Qt.SortOrder.DescendingOrder
            self.reorder(lambda row: _values(row)[column], descending=descending)


def _values(row: Behind) -> tuple[str | int, ...]:
    who = f"{row.first} and {row.second}"
    types = row.first_types or "–", row.second_types or "–"
    return row.record_id, row.span.start, who, row.how, *types, row.text


def _order(cell: Cell) -> tuple[int, float, str]:
    """What is no number comes first, then numbers, then words."""
    value = known(cell)
    if value is None:
        return 0, -math.inf, ""
    return (2, 0.0, value.casefold()) if isinstance(value, str) else (1, float(value), "")
