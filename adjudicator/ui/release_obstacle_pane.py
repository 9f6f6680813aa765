"""What stands in the way of a release, as a table that leads to each place."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from adjudicator.release_obstacles import Obstacle

_ROOT = QModelIndex()
_Index = QModelIndex | QPersistentModelIndex
_HEADS = ("Patient", "Record", "Text", "Type", "What stands in the way")
_WIDTHS = (90, 110, 220, 120)
_TALLEST = 16_777_215
"""As Qt has it for no limit."""


class ObstacleModel(QAbstractTableModel):
    """One obstacle a row."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.obstacles: Sequence[Obstacle] = ()

    def set_obstacles(self, obstacles: Sequence[Obstacle]) -> None:
        self.beginResetModel()
        self.obstacles = obstacles
        self.endResetModel()

    def rowCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.obstacles)

    def columnCount(self, parent: _Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(_HEADS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return _HEADS[section]
        return None

    def data(self, index: _Index, role: int = 0) -> Any:  # noqa: ANN401
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        each = self.obstacles[index.row()]
        text = " ".join(each.text.split())
        what = each.what[:1].upper() + each.what[1:]
        return (each.patient_id, each.record_id, text, each.type_name, what)[index.column()]


class ObstaclePane(QWidget):
    """The table `releaseObstacles` under a line that counts them.

    Signals: `place_wanted` (Obstacle) on Enter, a double click or the button, `cleared` (Obstacle)
    when the user says that it is no PHI.
    """

    place_wanted = Signal(object)
    cleared = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = ObstacleModel(self)
        self._title = QLabel()
        self._title.setObjectName("releaseObstacleCount")
        self._show = QPushButton("&Show")
        self._show.setObjectName("releaseShowObstacle")
        self._show.setToolTip("Go to the place (Enter)")
        self._clear = QPushButton("It is &no PHI")
        self._clear.setObjectName("releaseClear")
        self._clear.setToolTip("Nothing of a patient stands there; this is kept for later runs")
        self.table = QTableView()
        self._dress()
        self._arrange()
        self.setFocusProxy(self.table)
        self._connect()
        self.set_obstacles(())

    def set_obstacles(self, obstacles: Sequence[Obstacle]) -> None:
        """List these; the row that was current stays the current one, as far as there is one."""
        row = max(0, self.table.currentIndex().row())
        self._model.set_obstacles(obstacles)
        count = len(obstacles)
        things = "1 thing stands" if count == 1 else f"{count:,} things stand"
        self._title.setText(
            f"{things} in the way of a release: mend gold standard or list, then look again."
            if count
            else "Nothing stands in the way of a release."
        )
        self.table.setVisible(bool(count))
        self.setMaximumHeight(_TALLEST if count else self._show.sizeHint().height() + 8)
        if count:
            self.table.selectRow(min(row, count - 1))
        self._offer()

    @property
    def current(self) -> Obstacle | None:
        row = self.table.currentIndex().row()
        return self._model.obstacles[row] if 0 <= row < self._model.rowCount() else None

    def _dress(self) -> None:
        table = self.table
        table.setObjectName("releaseObstacles")
        table.setAccessibleName("What stands in the way of a release")
        table.setModel(self._model)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setAlternatingRowColors(True)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
        for column, width in enumerate(_WIDTHS):
            table.setColumnWidth(column, width)
        header = table.horizontalHeader()
        header.setStretchLastSection(True)
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def _arrange(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self._title, 1)
        line.addWidget(self._show)
        line.addWidget(self._clear)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addLayout(line)
        layout.addWidget(self.table, 1)

    def _connect(self) -> None:
        self.table.activated.connect(self._want_place)
        self._show.clicked.connect(self._want_place)
        self._clear.clicked.connect(self._want_cleared)
        self.table.selectionModel().currentRowChanged.connect(self._offer)

    def _want_place(self) -> None:
        if self.current is not None:
            self.place_wanted.emit(self.current)

    def _want_cleared(self) -> None:
        if self.current is not None:
            self.cleared.emit(self.current)

    def _offer(self) -> None:
        current = self.current
        for button in (self._show, self._clear):
            button.setVisible(current is not None)
        self._clear.setEnabled(current is not None and current.can_be_cleared)
