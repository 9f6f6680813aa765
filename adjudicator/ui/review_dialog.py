"""A list of disagreements with what would be decided about each, to be ticked and taken at once."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from adjudicator.proposals import Proposal

_ROOT = QModelIndex()
_RECORD, _KIND, _BEFORE, _TEXT, _AFTER, _TYPES, _SAID = range(7)
_HEADERS = ("Record", "Differs in", "", "Gold standard", "", "As", "Decided so")
_WIDTHS = (92, 126, 220, 180, 220, 120)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One disagreement: what would stand in the gold standard, and what speaks for it."""

    proposal: Proposal
    kind: str
    before: str
    text: str
    after: str
    types: str
    said: str

    def cells(self) -> tuple[str, ...]:
        record_id = self.proposal.disagreement.record_id
        return record_id, self.kind, self.before, self.text, self.after, self.types, self.said


class ReviewModel(QAbstractTableModel):
    """The rows and which of them are ticked."""

    def __init__(self, rows: Sequence[ReviewRow], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self._ticked = [True] * len(rows)
        self._bold = QFont()
        self._bold.setBold(True)

    @property
    def rows(self) -> Sequence[ReviewRow]:
        return self._rows

    @property
    def ticked(self) -> list[ReviewRow]:
        return [row for row, ticked in zip(self._rows, self._ticked, strict=True) if ticked]

    def tick(self, numbers: Sequence[int], *, ticked: bool) -> None:
        for number in numbers:
            self._ticked[number] = ticked
        if numbers:
            self.dataChanged.emit(self.index(min(numbers), 0), self.index(max(numbers), _SAID))

    def toggle(self, numbers: Sequence[int]) -> None:
        """Tick these rows; untick them where all were."""
        self.tick(numbers, ticked=not all(self._ticked[number] for number in numbers))

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(_HEADERS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADERS[section]
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return usual | Qt.ItemFlag.ItemIsUserCheckable if index.column() == _RECORD else usual

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        row, column = self._rows[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return row.cells()[column]
        if role == Qt.ItemDataRole.CheckStateRole and column == _RECORD:
            on = self._ticked[index.row()]
            return Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.FontRole and column in (_TEXT, _TYPES):
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


class ReviewDialog(QDialog):
    """Shows rows; `taken` (list of the ticked rows' proposals) on Enter, nothing on Esc.

    `row_shown` (Disagreement) says which one is looked at. Space ticks and unticks the selected
    rows; a click on a tick box does so with its row.
    """

    taken = Signal(object)
    row_shown = Signal(object)

    def __init__(
        self, title: str, rows: Sequence[ReviewRow], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("reviewDialog")
        self.setWindowTitle(title)
        self._model = ReviewModel(rows, self)
        self._table = QTableView()
        self._count = QLabel()
        self._take = QPushButton("&Decide")
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._set_up_table()
        self._lay_out()
        self._connect()
        self._tell_count()
        self._select_first()
        self.resize(1240, 560)

    @property
    def model(self) -> ReviewModel:
        return self._model

    def accept(self) -> None:
        ticked = [row.proposal for row in self._model.ticked]
        if ticked:
            self.taken.emit(ticked)
            super().accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._table and isinstance(event, QKeyEvent):
            return event.type() == QEvent.Type.KeyPress and self._key(event)
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

    def _select_first(self) -> None:
        """Without regard to the Shift that may still be down."""
        flag = QItemSelectionModel.SelectionFlag
        how = flag.ClearAndSelect | flag.Rows
        self._table.selectionModel().setCurrentIndex(self._model.index(0, 0), how)

    def _set_up_table(self) -> None:
        table = self._table
        table.setObjectName("reviewTable")
        table.setAccessibleName("Disagreements to decide as before")
        table.setModel(self._model)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 10)
        for column, width in enumerate(_WIDTHS):
            table.setColumnWidth(column, width)
        header = table.horizontalHeader()
        header.setSectionResizeMode(_SAID, QHeaderView.ResizeMode.Stretch)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        table.installEventFilter(self)

    def _lay_out(self) -> None:
        self._count.setAccessibleName("Count")
        self._buttons.button(QDialogButtonBox.StandardButton.Cancel).setAutoDefault(False)
        self._take.setDefault(True)
        self._buttons.addButton(self._take, QDialogButtonBox.ButtonRole.AcceptRole)
        choices = QHBoxLayout()
        for text, ticked in (("Tick &all", True), ("Tick &none", False)):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(self._all_at_once(ticked=ticked))
            choices.addWidget(button)
        choices.addStretch()
        choices.addWidget(self._count)
        layout = QVBoxLayout(self)
        layout.addWidget(self._table)
        layout.addLayout(choices)
        layout.addWidget(self._buttons)

    def _connect(self) -> None:
        self._buttons.accepted.connect(self.accept)
        self._buttons.rejected.connect(self.reject)
        self._model.dataChanged.connect(self._tell_count)
        self._table.selectionModel().currentRowChanged.connect(self._row_changed)

    def _all_at_once(self, *, ticked: bool):  # noqa: ANN202
        return lambda: self._model.tick(range(self._model.rowCount()), ticked=ticked)

    def _row_changed(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_shown.emit(self._model.rows[index.row()].proposal.disagreement)

    def _tell_count(self) -> None:
        ticked, rows = len(self._model.ticked), self._model.rowCount()
        self._count.setText(f"{ticked} of {rows} ticked; Space ticks and unticks, Enter decides")
        self._take.setEnabled(ticked > 0)
