"""What stands in the way of a release, as a table that leads to each place."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from adjudicator.release.draft import ReleaseBlocker
from shared.widgets.parts.row_table import RowModel, RowTable

_WIDTHS = {0: 90, 1: 110, 2: 220, 3: 120}
_TALLEST = 16_777_215
"""As Qt has it for no limit."""


class BlockerModel(RowModel[ReleaseBlocker]):
    """One blocker a row."""

    heads = ("Patient", "Record", "Text", "Type", "What stands in the way")

    def cells(self, row: ReleaseBlocker) -> tuple[str, ...]:
        text = " ".join(row.text.split())
        what = row.what[:1].upper() + row.what[1:]
        return row.patient_id, row.record_id, text, row.type_name, what

    def look(self, row: ReleaseBlocker, column: int, role: int) -> object:
        return self.cells(row)[column] if role == Qt.ItemDataRole.ToolTipRole else None


class BlockerPane(QWidget):
    """The table `releaseObstacles` under a line that counts them.

    Signals: `place_wanted` (ReleaseBlocker) on Enter, a double click or the button,
    `confirmed_not_phi` (ReleaseBlocker) when the user says that it is no PHI.
    """

    place_wanted = Signal(object)
    confirmed_not_phi = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = BlockerModel(self)
        self._title = QLabel()
        self._title.setObjectName("releaseObstacleCount")
        self._show = QPushButton("&Show")
        self._show.setObjectName("releaseShowObstacle")
        self._show.setToolTip("Go to the place (Enter)")
        self._clear = QPushButton("&Not PHI")
        self._clear.setObjectName("releaseClear")
        self._clear.setToolTip("Nothing there identifies a patient; later runs remember this")
        self.table = RowTable(self._model, "releaseObstacles", _WIDTHS, 4)
        self.table.setAccessibleName("What stands in the way of a release")
        self.table.setAlternatingRowColors(True)
        self.table.choose_one()
        self.table.activated.connect(self._show.click)
        self._show.clicked.connect(lambda: self.place_wanted.emit(self.current))
        self._clear.clicked.connect(lambda: self.confirmed_not_phi.emit(self.current))
        self.table.selectionModel().currentRowChanged.connect(self._offer)
        self.setFocusProxy(self.table)
        line = QHBoxLayout()
        line.addWidget(self._title, 1)
        line.addWidget(self._show)
        line.addWidget(self._clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.table, 1)
        self.set_blockers(())

    def set_blockers(self, blockers: Sequence[ReleaseBlocker]) -> None:
        """List these; the row that was current stays the current one, as far as there is one."""
        row = max(0, self.table.currentIndex().row())
        self._model.set_rows(blockers)
        count = len(blockers)
        things = "1 thing stands" if count == 1 else f"{count:,} things stand"
        self._title.setText(
            f"{things} in the way of the release: correct gold standard or list, then reload (F5)."
            if count
            else "Nothing stands in the way of the release."
        )
        self.table.setVisible(bool(count))
        self.setMaximumHeight(_TALLEST if count else self._show.sizeHint().height() + 8)
        if count:
            self.table.selectRow(min(row, count - 1))
        self._offer()

    @property
    def current(self) -> ReleaseBlocker | None:
        row = self.table.currentIndex().row()
        return self._model.rows[row] if 0 <= row < len(self._model.rows) else None

    def _offer(self) -> None:
        current = self.current
        for button in (self._show, self._clear):
            button.setVisible(current is not None)
        self._clear.setEnabled(current is not None and current.can_be_confirmed)
