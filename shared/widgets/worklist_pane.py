"""The list of patients with their state; a click or Enter asks for one."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QTableView,
    QVBoxLayout,
    QWidget,
)

_ROOT = QModelIndex()
_COLUMNS = ("Patient", "State")


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A patient as the list shows it; `done` greys it, `hint` is told in the tooltip."""

    patient_id: str
    state: str
    done: bool = False
    hint: str = ""


class WorklistModel(QAbstractTableModel):
    """Rows of patients, read only."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[WorkRow, ...] = ()

    def set_rows(self, rows: Sequence[WorkRow]) -> None:
        """Show these rows; where only states changed, the view keeps its place."""
        same = [row.patient_id for row in rows] == [row.patient_id for row in self._rows]
        if same and rows:
            self._rows = tuple(rows)
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, 1))
        else:
            self.beginResetModel()
            self._rows = tuple(rows)
            self.endResetModel()

    def row(self, number: int) -> WorkRow:
        return self._rows[number]

    def number_of(self, patient_id: str) -> int | None:
        ids = [row.patient_id for row in self._rows]
        return ids.index(patient_id) if patient_id in ids else None

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(_COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _COLUMNS[section]
        return None

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return (row.patient_id, ("✓ " if row.done else "") + row.state)[index.column()]
        if role == Qt.ItemDataRole.ToolTipRole:
            return row.hint or None
        return None


class WorklistPane(QWidget):
    """The table, and above it how many are done. `patient_chosen` carries a patient id."""

    patient_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = WorklistModel(self)
        self._progress = QLabel()
        self._progress.setContentsMargins(6, 4, 6, 2)
        self._table = self._make_table()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self._progress)
        layout.addWidget(self._table)
        self.setFocusProxy(self._table)

    def set_rows(self, rows: Sequence[WorkRow]) -> None:
        self._model.set_rows(rows)
        self._progress.setText(f"{sum(row.done for row in rows)} of {len(rows)} done")

    @property
    def patient_ids(self) -> list[str]:
        """The patients in order of the list."""
        return [self._model.row(number).patient_id for number in range(self._model.rowCount())]

    @property
    def undone_ids(self) -> list[str]:
        """The patients that are not done, in order of the list."""
        rows = map(self._model.row, range(self._model.rowCount()))
        return [row.patient_id for row in rows if not row.done]

    def set_current(self, patient_id: str) -> None:
        """Point at a patient without asking for it."""
        number = self._model.number_of(patient_id)
        if number is not None:
            self._table.selectRow(number)

    def _make_table(self) -> QTableView:
        table = QTableView()
        table.setObjectName("worklist")
        table.setAccessibleName("Patients")
        table.setModel(self._model)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        table.clicked.connect(self._choose)
        table.activated.connect(self._choose)
        return table

    def _choose(self, index: QModelIndex) -> None:
        self.patient_chosen.emit(self._model.row(index.row()).patient_id)
