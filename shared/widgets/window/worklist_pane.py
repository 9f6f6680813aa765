"""The list of patients with their state; a click or Enter asks for one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QHeaderView,
    QLabel,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from shared.widgets.parts.row_table import Index, RowModel, RowTable

_TEXT = QStyle.SubElement.SE_ItemViewItemText
_MARGINS = 6


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
        if role != Qt.ItemDataRole.ToolTipRole:
            return None
        return "\n".join(filter(None, (row.patient_id, row.hint)))


class PatientNameDelegate(QStyledItemDelegate):
    """Leaves out the beginning that all names share where a name does not fit."""

    shared = 0
    """How many characters that are."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        style = option.widget.style()
        room = style.subElementRect(_TEXT, option, option.widget).width()
        if self.shared and option.fontMetrics.horizontalAdvance(option.text) > room - _MARGINS:
            option.text = f"…{option.text[self.shared :]}"
        option.textElideMode = Qt.TextElideMode.ElideMiddle


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
        header = self._table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self._names = PatientNameDelegate(self._table)
        self._table.setItemDelegateForColumn(0, self._names)
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
        self._names.shared = _shared_beginning([row.patient_id for row in rows])
        self._model.set_rows(rows)
        self._progress.setText(f"{self.done_words} done")

    @property
    def done_words(self) -> str:
        """How many are done, as "3 of 20": all that is said of it anywhere."""
        return f"{sum(row.done for row in self._model.rows)} of {len(self._model.rows)}"

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


def _shared_beginning(names: Sequence[str]) -> int:
    """How many characters all names begin with, so that of each some are left."""
    if len(names) < 2:
        return 0
    first, last = min(names), max(names)
    pairs = zip(first[:-1], last, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), len(first) - 1)
