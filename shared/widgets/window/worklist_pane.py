"""The list of patients with their state; a click or Enter asks for one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import QHeaderView, QLabel, QVBoxLayout, QWidget

from shared.widgets.parts.row_table import RowModel, RowTable


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A patient as the list shows it; `done` greys it, `hint` is told in the tooltip."""

    patient_id: str
    state: str
    done: bool = False
    hint: str = ""


class WorklistModel(RowModel[WorkRow]):
    """Rows of patients."""

    heads = ("Patient", "State")

    def set_rows(self, rows: Iterable[WorkRow]) -> None:
        """Show these rows; where only states changed, the view keeps its place."""
        rows = list(rows)
        if [row.patient_id for row in rows] == self.patient_ids:
            self._rows = rows
            self.redraw()
        else:
            super().set_rows(rows)

    @property
    def patient_ids(self) -> list[str]:
        return [row.patient_id for row in self.rows]

    def cells(self, row: WorkRow) -> tuple[str, ...]:
        return row.patient_id, ("✓ " if row.done else "") + row.state

    def look(self, row: WorkRow, column: int, role: int) -> object:  # noqa: ARG002 - of RowModel
        return row.hint or None if role == Qt.ItemDataRole.ToolTipRole else None


class WorklistPane(QWidget):
    """The table, and above it how many are done. `patient_chosen` carries a patient id."""

    patient_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = WorklistModel(self)
        self._progress = QLabel()
        self._progress.setContentsMargins(6, 4, 6, 2)
        self._table = RowTable(self._model, "worklist", {}, 1)
        self._table.setAccessibleName("Patients")
        self._table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self._table.choose_one()
        self._table.clicked.connect(self._choose)
        self._table.activated.connect(self._choose)
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
        return self._model.patient_ids

    @property
    def undone_ids(self) -> list[str]:
        """The patients that are not done, in order of the list."""
        return [row.patient_id for row in self._model.rows if not row.done]

    def set_current(self, patient_id: str) -> None:
        """Point at a patient without asking for it."""
        ids = self._model.patient_ids
        if patient_id in ids:
            self._table.selectRow(ids.index(patient_id))

    def _choose(self, index: QModelIndex) -> None:
        self.patient_chosen.emit(self._model.rows[index.row()].patient_id)
