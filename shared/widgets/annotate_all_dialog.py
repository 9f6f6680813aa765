"""The review list of annotate all: every place of a text, with its context and a tick box."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from shared.model import Span

_ROOT = QModelIndex()
_RECORD, _BEFORE, _HIT, _AFTER, _NOTE = range(5)
_HEADERS = ("Record", "", "Text", "", "Note")
_WIDTHS = (110, 270, 160, 270)


@dataclass(frozen=True, slots=True)
class AnnotateAllRow:
    """One place: where, what stands around it, what speaks against it, ticked at first or not."""

    span: Span
    record_id: str
    before: str
    hit: str
    after: str
    note: str = ""
    ticked: bool = True


class AnnotateAllModel(QAbstractTableModel):
    """The rows and which of them are ticked."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[AnnotateAllRow, ...] = ()
        self._ticked: list[bool] = []
        self._bold = QFont()
        self._bold.setBold(True)

    @property
    def rows(self) -> tuple[AnnotateAllRow, ...]:
        return self._rows

    @property
    def ticked_rows(self) -> list[AnnotateAllRow]:
        return [row for row, ticked in zip(self._rows, self._ticked, strict=True) if ticked]

    def set_rows(self, rows: Sequence[AnnotateAllRow]) -> None:
        """Show these rows. A place that was there before keeps its tick."""
        known = {row.span: on for row, on in zip(self._rows, self._ticked, strict=True)}
        self.beginResetModel()
        self._rows = tuple(rows)
        self._ticked = [known.get(row.span, row.ticked) for row in rows]
        self.endResetModel()

    def tick(self, numbers: Sequence[int], *, ticked: bool) -> None:
        """Tick or untick the rows of these numbers."""
        for number in numbers:
            self._ticked[number] = ticked
        if numbers:
            first, last = self.index(min(numbers), 0), self.index(max(numbers), 0)
            self.dataChanged.emit(first, last, [Qt.ItemDataRole.CheckStateRole])

    def is_ticked(self, number: int) -> bool:
        return self._ticked[number]

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _HEADERS[section]
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return usual | Qt.ItemFlag.ItemIsUserCheckable if index.column() == _RECORD else usual

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:  # noqa: ANN401
        row = self._rows[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return _cells(row)[column]
        if role == Qt.ItemDataRole.CheckStateRole and column == _RECORD:
            on = self._ticked[index.row()]
            return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.FontRole and column == _HIT:
            return self._bold
        if role == Qt.ItemDataRole.TextAlignmentRole and column == _BEFORE:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def setData(
        self, index: QModelIndex | QPersistentModelIndex, value: object, role: int = 0
    ) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or index.column() != _RECORD:
            return False
        self.tick([index.row()], ticked=Qt.CheckState(value) is Qt.CheckState.Checked)
        return True


class _LeftEnd(QStyledItemDelegate):
    """Context before a hit: what does not fit goes at its far end."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideLeft


class AnnotateAllDialog(QDialog):
    """Shows rows; `accepted_rows` (list of the ticked) on Enter, nothing on Esc.

    `options_changed` asks the owner for other rows; `row_shown` (AnnotateAllRow) says
    which one is looked at. Space ticks and unticks the selected rows.
    """

    accepted_rows = Signal(object)
    options_changed = Signal()
    row_shown = Signal(object)

    def __init__(self, label: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("annotateAllDialog")
        self.setWindowTitle("Annotate all")
        self._label = label
        self._model = AnnotateAllModel(self)
        self._table = QTableView()
        self._count = QLabel()
        self._ignore_case = QCheckBox("&Ignore case")
        self._variants = QCheckBox("Written &otherwise")
        self._variants.setToolTip("Parts of a name, other formats of a date, other punctuation …")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._apply = QPushButton(f"&Tag as {label}")
        self._set_up_table()
        self._lay_out()
        self._connect()
        self.resize(1080, 480)

    @property
    def model(self) -> AnnotateAllModel:
        return self._model

    @property
    def count_text(self) -> str:
        return self._count.text()

    @property
    def ignores_case(self) -> bool:
        return self._ignore_case.isChecked()

    @property
    def wants_variants(self) -> bool:
        """True where other ways of writing the text are to be shown too."""
        return self._variants.isChecked()

    def set_rows(self, rows: Sequence[AnnotateAllRow]) -> None:
        """Show these places, the first of them current."""
        self._model.set_rows(rows)
        if rows:
            self._table.selectRow(0)
        self._tell_count()

    def tick_all(self) -> None:
        self._model.tick(range(len(self._model.rows)), ticked=True)

    def untick_all(self) -> None:
        self._model.tick(range(len(self._model.rows)), ticked=False)

    def accept(self) -> None:
        rows = self._model.ticked_rows
        if rows:
            super().accept()
            self.accepted_rows.emit(rows)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._table and isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._key(event)
        return super().eventFilter(watched, event)

    def _key(self, event: QKeyEvent) -> bool:
        """Space and Enter, which the table would take for its own cell."""
        if event.key() == Qt.Key.Key_Space:
            self._toggle_selected()
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.accept()
        else:
            return False
        return True

    def _set_up_table(self) -> None:
        table = self._table
        table.setObjectName("annotateAllTable")
        table.setAccessibleName("Places to tag")
        table.setModel(self._model)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 10)
        for column, width in enumerate(_WIDTHS):
            table.setColumnWidth(column, width)
        table.horizontalHeader().setSectionResizeMode(_NOTE, QHeaderView.ResizeMode.Stretch)
        table.horizontalHeader().setHighlightSections(False)
        table.setItemDelegateForColumn(_BEFORE, _LeftEnd(table))
        table.installEventFilter(self)

    def _lay_out(self) -> None:
        self._count.setAccessibleName("Count")
        self._apply.setDefault(True)
        self._buttons.addButton(self._apply, QDialogButtonBox.ButtonRole.AcceptRole)
        choices = QHBoxLayout()
        for text, tick_them in (("Tick &all", self.tick_all), ("Tick &none", self.untick_all)):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(tick_them)
            choices.addWidget(button)
        choices.addWidget(self._ignore_case)
        choices.addWidget(self._variants)
        choices.addStretch()
        choices.addWidget(self._count)
        layout = QVBoxLayout(self)
        layout.addWidget(self._table)
        layout.addLayout(choices)
        layout.addWidget(self._buttons)

    def _connect(self) -> None:
        self._ignore_case.toggled.connect(self.options_changed)
        self._variants.toggled.connect(self.options_changed)
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._model.dataChanged.connect(self._tell_count)
        self._table.selectionModel().currentRowChanged.connect(self._row_changed)

    def _row_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_shown.emit(self._model.rows[index.row()])

    def _toggle_selected(self) -> None:
        """Tick all selected rows; untick them where all were."""
        numbers = [index.row() for index in self._table.selectionModel().selectedRows()]
        self._model.tick(numbers, ticked=not all(map(self._model.is_ticked, numbers)))

    def _tell_count(self) -> None:
        ticked, rows = len(self._model.ticked_rows), len(self._model.rows)
        self._count.setText(f"{ticked} of {rows} ticked")
        self._apply.setEnabled(ticked > 0)


def _cells(row: AnnotateAllRow) -> tuple[str, ...]:
    return row.record_id, _one_line(row.before), _one_line(row.hit), _one_line(row.after), row.note


def _one_line(text: str) -> str:
    """Line ends as a sign of their own, so that context keeps to its row."""
    return text.replace("\n", " ⏎ ")
