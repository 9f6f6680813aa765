"""The list of patients with their state; a click or Enter asks for one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
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
_WITH_NOTES = "with open questions"
"""What the list can be narrowed to, whatever the stage."""


@dataclass(frozen=True, slots=True)
class WorkRow:
    """A patient as the list shows it; `done` greys it, `hint` is told in the tooltip.

    `stage` is what the list can be narrowed to; one that is `left_out` is not opened by itself.
    `notes` says what of its notes waits, "" for nothing.
    """

    patient_id: str
    state: str
    done: bool = False
    hint: str = ""
    stage: str = ""
    left_out: bool = False
    notes: str = ""


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
        state = ("✓ " if row.done else "") + row.state
        return row.patient_id, " · ".join(filter(None, (state, row.notes)))

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
        self._rows: Sequence[WorkRow] = ()
        self._current = ""
        self._stages = QComboBox()
        self._stages.setObjectName("worklistFilter")
        self._stages.setAccessibleName("Patients to show")
        self._stages.currentIndexChanged.connect(self._narrow)
        self._stages.hide()
        self._progress = QLabel(textFormat=Qt.TextFormat.PlainText)
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
        layout.addWidget(self._stages)
        layout.addWidget(self._table)

    def list_records(self) -> None:
        """Say of the rows that they are records."""
        self._model.heads = ("Record", "State")
        self._table.setAccessibleName("Records")

    def offer_states(self, stages: Sequence[str]) -> None:
        """Let the user narrow the list to one of these stages."""
        self._stages.addItem("All patients", "")
        for each in stages:
            self._stages.addItem(each.capitalize(), each)
        self._stages.addItem(_WITH_NOTES.capitalize(), _WITH_NOTES)
        self._stages.show()

    def set_rows(self, rows: Sequence[WorkRow]) -> None:
        self._names.shared = _shared_beginning([row.patient_id for row in rows])
        self._rows = rows
        self._narrow()

    @property
    def done_words(self) -> str:
        """How many are done, as "3 of 20": all that is said of it anywhere."""
        return f"{sum(row.done for row in self._rows)} of {len(self._rows)}"

    @property
    def patient_ids(self) -> list[str]:
        """The patients in order of the list, as it is narrowed."""
        return self._model.patient_ids

    @property
    def undone_ids(self) -> list[str]:
        """The patients that are not done and not left out, listed or not, in order."""
        return [row.patient_id for row in self._rows if not (row.done or row.left_out)]

    def set_current(self, patient_id: str) -> None:
        """Point at a patient without asking for it; it is listed whatever the list shows."""
        self._current = patient_id
        self._narrow()
        self._select_current()

    def _narrow(self) -> None:
        wanted = self._stages.currentData()
        listed = [
            row
            for row in self._rows
            if not wanted or _is_of(row, wanted) or row.patient_id == self._current
        ]
        before = self._model.patient_ids
        self._model.set_rows(listed)
        if self._model.patient_ids != before:
            self._select_current()
        shown = sum(_is_of(row, wanted) for row in self._rows)
        of_stage = f", {shown} {wanted}" if wanted and wanted != "done" else ""
        self._progress.setText(f"{self.done_words} done{of_stage}")

    def _select_current(self) -> None:
        ids = self._model.patient_ids
        if self._current in ids:
            self._table.selectRow(ids.index(self._current))

    def _choose(self, index: QModelIndex) -> None:
        self.patient_chosen.emit(self._model.rows[index.row()].patient_id)


def _is_of(row: WorkRow, wanted: str) -> bool:
    return bool(row.notes) if wanted == _WITH_NOTES else row.stage == wanted


def _shared_beginning(names: Sequence[str]) -> int:
    """How many characters all names begin with, so that of each some are left."""
    if len(names) < 2:
        return 0
    first, last = min(names), max(names)
    pairs = zip(first[:-1], last, strict=False)
    return next((place for place, (a, b) in enumerate(pairs) if a != b), len(first) - 1)
