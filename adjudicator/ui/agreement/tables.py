"""The tables of the agreement window: figures, and the tags behind one of them."""

import math
from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication, QPalette
from PySide6.QtWidgets import QAbstractItemView, QLabel, QTableView, QVBoxLayout, QWidget

from adjudicator.agreement.tags_behind import TagEvidence, has_tags_behind
from shared.agreement.report.table import Cell, Column, ReportTable, TableRow, formatted
from shared.widgets.parts.row_table import Index, RowModel

_WIDEST = 360


class _TitledTable(QWidget):
    """A table that sorts, and a line of words about it, which a subclass lays out."""

    def __init__(self, name: str, told: str, words_name: str) -> None:
        super().__init__()
        self.table = _table_view(name, told)
        self._words = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._words.setObjectName(words_name)
        self._words.setWordWrap(True)
        self.setFocusProxy(self.table)

    def _lay_out(self, top: int, *parts: QWidget) -> None:
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, top, 0, 0)
        layout.setSpacing(4)
        for part in parts:
            layout.addWidget(part, int(part is self.table))

    def _fit(self) -> None:
        self.table.resizeColumnsToContents()
        header = self.table.horizontalHeader()
        for column in range(header.count()):
            header.resizeSection(column, min(_WIDEST, header.sectionSize(column) + 12))


class FigureTable(_TitledTable):
    """The table `agreementTable` with its note.

    Signals: `number_chosen` (QModelIndex) on a click or Enter on a number that tags are behind,
    followed by `list_wanted` where it was Enter or a second click.
    """

    number_chosen = Signal(object)
    list_wanted = Signal()

    def __init__(self) -> None:
        super().__init__("agreementTable", "Agreement", "agreementNote")
        self.model = FigureModel(self)
        self.table.setModel(self.model)
        self.table.clicked.connect(self._choose)
        self.table.activated.connect(self._enter)
        self._lay_out(0, self.table, self._words)

    def set_table(self, table: ReportTable) -> None:
        """Show this table, in its own order."""
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.set_table(table)
        self._words.setText(table.note)
        self._words.setVisible(bool(table.note))
        self._fit()

    def _choose(self, index: QModelIndex) -> None:
        if self.model.has_tags_behind(index):
            self.number_chosen.emit(index)

    def _enter(self, index: QModelIndex) -> None:
        if self.model.has_tags_behind(index):
            self.number_chosen.emit(index)
            self.list_wanted.emit()


class EvidenceTable(_TitledTable):
    """The table `agreementTags` under a line that says what is listed.

    `place_chosen` (TagEvidence) on a double click or Enter.
    """

    place_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__("agreementTags", "Tags behind the number", "agreementBehind")
        self.model = EvidenceModel(self)
        self.table.setModel(self.model)
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setStretchLastSection(True)
        self.table.activated.connect(self._choose)
        self._lay_out(4, self._words, self.table)
        self.clear()

    def set_rows(self, title: str, rows: list[TagEvidence]) -> None:
        """List these places."""
        self.table.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.model.set_rows(rows)
        self._words.setText(title)
        self._fit()
        if rows:
            self.table.selectRow(0)

    def clear(self) -> None:
        """List nothing."""
        self.set_rows("Click a number to list the tags behind it.", [])

    def _choose(self, index: QModelIndex) -> None:
        self.place_chosen.emit(self.model.rows[index.row()])


def _table_view(name: str, told: str) -> QTableView:
    table = QTableView()
    table.setObjectName(name)
    table.setAccessibleName(told)
    table.setSortingEnabled(True)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setAlternatingRowColors(True)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
    table.horizontalHeader().setHighlightSections(False)
    left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
    table.horizontalHeader().setDefaultAlignment(left)  # of words; numbers say right themselves
    return table


class FigureModel(RowModel[TableRow]):
    """One table of a report, in the order of any of its columns; at first in its own."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.table: ReportTable | None = None

    @property
    def columns(self) -> Sequence[Column]:
        return self.table.columns if self.table else ()

    def set_table(self, table: ReportTable) -> None:
        """Show this table and no other."""
        self.table = table
        self.heads = [each.title for each in table.columns]
        self.set_rows(table.rows())

    def cells(self, row: TableRow) -> list[str]:
        return [formatted(row.cells[column.name], column.kind) for column in self.columns]

    def has_tags_behind(self, index: Index) -> bool:
        """Whether tags are behind this cell."""
        if self.table is None or not index.isValid():
            return False
        name = self.columns[index.column()].name
        return has_tags_behind(self.table, self.rows[index.row()], name)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.columns):
            name, descending = self.columns[column].name, order is Qt.SortOrder.DescendingOrder
            self.reorder(lambda row: _order(row.cells[name]), descending=descending)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation is Qt.Orientation.Horizontal:
            return self._side(section)
        return super().headerData(section, orientation, role)

    def data(self, index: Index, role: int = 0) -> object:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(index.column())
        is_link = role == Qt.ItemDataRole.ForegroundRole and self.has_tags_behind(index)
        if is_link and not self._is_dimmed():
            return QGuiApplication.palette().color(QPalette.ColorRole.Link)
        if role == Qt.ItemDataRole.ToolTipRole and self.has_tags_behind(index):
            return "Click to list the tags behind this"
        return super().data(index, role)

    def _is_dimmed(self) -> bool:
        """Whether the table is disabled, of which the colour of a link shows nothing."""
        owner = self.parent()
        return isinstance(owner, QWidget) and not owner.isEnabled()

    def _side(self, column: int) -> Qt.AlignmentFlag | None:
        is_text = self.columns[column].is_text
        return None if is_text else Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class EvidenceModel(RowModel[TagEvidence]):
    """The places behind a number, in the order of any column; at first as they were found."""

    heads = ("Record", "At", "Of", "How", "First", "Second", "Text")

    def cells(self, row: TagEvidence) -> tuple[str, ...]:
        return tuple(map(str, _values(row)))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if 0 <= column < len(self.heads):
            descending = order is Qt.SortOrder.DescendingOrder
            self.reorder(lambda row: _values(row)[column], descending=descending)


def _values(row: TagEvidence) -> tuple[str | int, ...]:
    who = f"{row.first} and {row.second}"
    types = row.first_types or "–", row.second_types or "–"
    return row.record_id, row.span.start, who, row.how, *types, row.text


def _order(cell: Cell) -> tuple[int, float, str]:
    """What is no number comes first, then numbers, then words."""
    if cell is None:
        return 0, -math.inf, ""
    return (2, 0.0, cell.casefold()) if isinstance(cell, str) else (1, float(cell), "")
