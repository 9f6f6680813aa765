"""A list of places to be ticked and taken at once, each with what stands around it."""

from collections.abc import Iterable, Sequence
from typing import Generic

from PySide6.QtCore import QEvent, QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from shared.text.scripts import begins_right_to_left
from shared.widgets.parts.row_table import Index, Row, RowModel, RowTable

_ROWS_MEASURED = 50
"""So many rows say how wide a column is: to measure a thousand holds the list up."""
_SHARE, _TEXT_SHARE = 0.16, 0.5
"""The most that a column takes of the list, and that of the text which it is about."""
_LEFT, _RIGHT = Qt.TextElideMode.ElideLeft, Qt.TextElideMode.ElideRight
_SHORTENED = _LEFT, Qt.TextElideMode.ElideMiddle, _RIGHT
"""Of what is beside a place the far end goes; of its own text the middle: the edges matter."""
_LEFTWARDS, _RIGHTWARDS = "\u200f", "\u200e"
"""What nobody sees and says which way a text runs."""
_MIRRORED = {_LEFT: _RIGHT, _RIGHT: _LEFT}


class ReviewModel(RowModel[Row]):
    """The rows and which of them are ticked; the box is in the first column.

    The column `before` holds the text before a place, the next the text at it, the one after that
    what follows; those of `bold` are what it is about.
    """

    before = -1
    bold: frozenset[int] = frozenset()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._ticked: list[bool] = []
        self._bold = QFont()
        self._bold.setBold(True)

    @property
    def ticked_rows(self) -> list[Row]:
        return [row for row, ticked in zip(self._rows, self._ticked, strict=True) if ticked]

    def starts_ticked(self, row: Row) -> bool:  # noqa: ARG002 - for subclasses
        """Whether a row that was not there before is ticked."""
        return True

    def place(self, row: Row) -> object:
        """What a row is known again by, so that it keeps its tick."""
        return row

    def set_rows(self, rows: Iterable[Row]) -> None:
        rows = list(rows)
        known = {self.place(row): on for row, on in zip(self._rows, self._ticked, strict=True)}
        first = map(self.starts_ticked, rows)
        places = map(self.place, rows) if known else ()
        self._ticked = list(map(known.get, places, first)) if known else list(first)
        super().set_rows(rows)

    def tick(self, numbers: Sequence[int], *, ticked: bool) -> None:
        """Tick or untick the rows of these numbers."""
        for number in numbers:
            self._ticked[number] = ticked
        if numbers:
            first, last = self.index(min(numbers), 0), self.index(max(numbers), 0)
            self.dataChanged.emit(first, last, [Qt.ItemDataRole.CheckStateRole])

    def toggle(self, numbers: Sequence[int]) -> None:
        """Tick these rows; untick them where all were."""
        self.tick(numbers, ticked=not all(map(self.is_ticked, numbers)))

    def is_ticked(self, number: int) -> bool:
        return self._ticked[number]

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return usual | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else usual

    def data(self, index: Index, role: int = 0) -> object:
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            on = self._ticked[index.row()]
            return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        return super().data(index, role)

    def look(self, row: Row, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.cells(row)[column]
        if role == Qt.ItemDataRole.FontRole and column in self.bold:
            return self._bold
        if role == Qt.ItemDataRole.TextAlignmentRole and column == self.before:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(self, index: Index, value: object, role: int = 0) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != 0:
            return False
        self.tick([index.row()], ticked=Qt.CheckState(value) is Qt.CheckState.Checked)
        return True


class ReviewList(QDialog, Generic[Row]):
    """Shows the rows of a model; `taken` (list of the ticked) on Enter, nothing on Esc.

    `row_shown` (the row) says which one is looked at. Space ticks and unticks the selected rows;
    a click on a tick box does so with its row. Every column has the room that its words need, up to
    a share of the list, and what stands around the places what is left.
    """

    taken = Signal(object)
    row_shown = Signal(object)
    hint = ""

    def __init__(
        self,
        model: ReviewModel[Row],
        title: str,
        take: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self._model = model
        model.setParent(self)
        self._table = RowTable(model, "reviewTable", {}, model.before)
        header = self._table.horizontalHeader()
        header.setSectionResizeMode(model.before + 2, QHeaderView.ResizeMode.Stretch)
        for column, end in enumerate(_SHORTENED, start=model.before):
            self._table.setItemDelegateForColumn(column, _Shortened(end, self._table))
        self._table.installEventFilter(self)
        self._table.viewport().installEventFilter(self)
        self._needed: dict[int, int] = {}
        """How wide each column has to be for the words of these rows."""
        self._count = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._count.setAccessibleName("Count")
        self._take = QPushButton(take)
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._lay_out()
        self._connect()

    @property
    def model(self) -> ReviewModel[Row]:
        return self._model

    @property
    def count_text(self) -> str:
        return self._count.text()

    def set_rows(self, rows: Iterable[Row]) -> None:
        """Show these rows, the first of them current, whether Shift is still down or not."""
        self._model.set_rows(rows)
        self._needed = {}
        if self._table.isVisible():
            self._fit_columns()
        flag = QItemSelectionModel.SelectionFlag
        first, how = self._model.index(0, 0), flag.ClearAndSelect | flag.Rows
        self._table.selectionModel().setCurrentIndex(first, how)
        self._tell_count()

    def tick_all(self) -> None:
        self._model.tick(range(self._model.rowCount()), ticked=True)

    def untick_all(self) -> None:
        self._model.tick(range(self._model.rowCount()), ticked=False)

    def add_option(self, option: QWidget) -> None:
        """Put a widget beside the buttons that tick all and none."""
        self._options.insertWidget(self._options.count() - 2, option)

    def accept(self) -> None:
        rows = self._model.ticked_rows
        if rows:
            self.taken.emit(rows)
            super().accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._table and isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._key(event)
        if watched is self._table.viewport() and event.type() == QEvent.Type.Resize:
            self._fit_columns()
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        """Space and Enter, which the table would take for its own cell."""
        if event.key() == Qt.Key.Key_Space:
            rows = self._table.selectionModel().selectedRows()
            self._model.toggle([index.row() for index in rows])
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.accept()
        else:
            return False
        return True

    def _fit_columns(self) -> None:
        table, text = self._table, self._model.before + 1
        header, room = table.horizontalHeader(), table.viewport().width()
        header.setResizeContentsPrecision(_ROWS_MEASURED)
        for column in {*range(self._model.columnCount())} - {text - 1, text + 1}:
            if column not in self._needed:
                words = table.sizeHintForColumn(column)
                self._needed[column] = max(words, header.sectionSizeHint(column))
            share = _TEXT_SHARE if column == text else _SHARE
            table.setColumnWidth(column, min(self._needed[column], int(share * room)))

    def _lay_out(self) -> None:
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        self._take.setDefault(True)
        self._buttons.addButton(self._take, QDialogButtonBox.ButtonRole.AcceptRole)
        self._options = QHBoxLayout()
        for text, tick_them in (("Tick &all", self.tick_all), ("Tick &none", self.untick_all)):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(tick_them)
            self._options.addWidget(button)
        self._options.addStretch()
        self._options.addWidget(self._count)
        layout = QVBoxLayout(self)
        layout.addWidget(self._table)
        layout.addLayout(self._options)
        layout.addWidget(self._buttons)

    def _connect(self) -> None:
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._model.dataChanged.connect(self._tell_count)
        self._table.selectionModel().currentRowChanged.connect(self._row_changed)

    def _row_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_shown.emit(self._model.rows[index.row()])

    def _tell_count(self) -> None:
        ticked = len(self._model.ticked_rows)
        self._count.setText(f"{ticked} of {self._model.rowCount()} ticked{self.hint}")
        self._take.setEnabled(ticked > 0)


def as_line_runs(before: str, text: str, after: str) -> tuple[str, str, str]:
    """What stands around a text in the order of the columns: `before` at the right in Arabic.

    The line of the text tells, and where it runs otherwise than the words do, a mark does.
    """
    if begins_right_to_left(f"{before.rpartition(chr(10))[2]}{text}{after}"):
        return _LEFTWARDS + after, _LEFTWARDS + text, _LEFTWARDS + before
    if any(map(begins_right_to_left, (before, text, after))):
        return _RIGHTWARDS + before, _RIGHTWARDS + text, _RIGHTWARDS + after
    return before, text, after


class _Shortened(QStyledItemDelegate):
    """Words of which what does not fit goes elsewhere than at their end.

    Those that run from right to left are shortened where they are far from the place, too.
    """

    def __init__(self, where: Qt.TextElideMode, parent: QObject) -> None:
        super().__init__(parent)
        self._where = where

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = self._where
        if begins_right_to_left(option.text):
            option.direction = Qt.LayoutDirection.RightToLeft
            option.displayAlignment |= Qt.AlignmentFlag.AlignAbsolute
            option.textElideMode = _MIRRORED.get(self._where, self._where)
