"""The disagreements of a patient in order of deciding, with what was decided; filtered by words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from adjudicator.disagreements import Disagreement
from shared.widgets.key_cap import key_cap
from shared.widgets.theme import LIGHT, Theme

_ROOT = QModelIndex()
_TEXT, _TYPES, _KIND, _RECORD, _STATE = range(5)
_HEADERS = ("Text", "Types", "Kind", "Record", "State")
_WIDTHS = {_TYPES: 118, _KIND: 96, _RECORD: 58, _STATE: 62}


@dataclass(frozen=True, slots=True)
class DisagreementRow:
    """What the table says of a disagreement that never changes."""

    disagreement: Disagreement
    text: str
    types: str
    kind: str
    record: str
    category_colour: str

    @property
    def words(self) -> str:
        return f"{self.text} {self.types} {self.kind} {self.record}".lower()


@dataclass(frozen=True, slots=True)
class RowState:
    """What the table says of a disagreement now."""

    text: str
    is_open: bool
    is_flagged: bool = False
    """It is to be discussed."""


class DisagreementModel(QAbstractTableModel):
    """The rows that fit the filter; `state_of` tells what was decided when a row is drawn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[DisagreementRow] = ()
        self._rows: list[DisagreementRow] = []
        self._numbers: dict[Disagreement, int] = {}
        self._words: list[str] = []
        self._state_of: Callable[[Disagreement], RowState] = _open
        self._theme = LIGHT
        self._bold = QFont()
        self._bold.setBold(True)

    @property
    def rows(self) -> Sequence[DisagreementRow]:
        return self._rows

    def set_rows(
        self, rows: Sequence[DisagreementRow], state_of: Callable[[Disagreement], RowState]
    ) -> None:
        """Show these rows and no others."""
        self._all, self._state_of = rows, state_of
        self._arrange()

    def narrow(self, text: str) -> None:
        """Show the rows that hold all words of `text`; "open" and "decided" ask for the state."""
        self._words = text.lower().split()
        self._arrange()

    def refresh(self, disagreements: Iterable[Disagreement]) -> None:
        """Draw again what was decided or opened again; no row comes or goes."""
        for each in disagreements:
            if (number := self._numbers.get(each)) is not None:
                self.dataChanged.emit(self.index(number, 0), self.index(number, _STATE))

    def number(self, disagreement: Disagreement) -> int | None:
        """The line of a disagreement, None where it is filtered out."""
        return self._numbers.get(disagreement)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._rows) - 1, _STATE))

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

    def data(
        self, index: QModelIndex | QPersistentModelIndex, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        row = self._rows[index.row()]
        column = index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            if column == _STATE:
                return self._state_of(row.disagreement).text
            return (row.text, row.types, row.kind, row.record)[column]
        if role == Qt.ItemDataRole.ToolTipRole and column in {_TEXT, _TYPES}:
            return (row.text, row.types)[column]
        if role == Qt.ItemDataRole.DecorationRole and column == _TYPES:
            return key_cap("", row.category_colour, self._theme)
        return self._look(row, role)

    def _look(self, row: DisagreementRow, role: int) -> object:
        if role == Qt.ItemDataRole.FontRole and self._state_of(row.disagreement).is_open:
            return self._bold
        if role == Qt.ItemDataRole.ForegroundRole:
            is_open = self._state_of(row.disagreement).is_open
            return QColor(self._theme.text if is_open else self._theme.muted)
        return None

    def _arrange(self) -> None:
        self.beginResetModel()
        self._rows = [row for row in self._all if self._fits(row)]
        self._numbers = {row.disagreement: at for at, row in enumerate(self._rows)}
        self.endResetModel()

    def _fits(self, row: DisagreementRow) -> bool:
        state = self._state_of(row.disagreement)
        line = f"{row.words} {state.text} {'open' if state.is_open else 'decided'}"
        if state.is_flagged:
            line += " discuss"
        return all(word in line for word in self._words)


class DisagreementTable(QWidget):
    """A filter line and the table `disagreementTable`.

    `chosen` (Disagreement) when the user goes to another row, by click or key.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = DisagreementModel(self)
        self._pointing = False
        self._filter = QLineEdit()
        self._filter.setObjectName("disagreementFilter")
        self._filter.setAccessibleName("Filter disagreements")
        self._filter.setPlaceholderText("Filter: text, type, kind, record, open, decided, discuss")
        self._filter.setClearButtonEnabled(True)
        self._filter.textChanged.connect(self._narrow)
        self._table = QTableView()
        self._set_up_table()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._filter)
        layout.addWidget(self._table)

    @property
    def model(self) -> DisagreementModel:
        return self._model

    @property
    def table(self) -> QTableView:
        return self._table

    def set_rows(
        self, rows: Sequence[DisagreementRow], state_of: Callable[[Disagreement], RowState]
    ) -> None:
        self._model.set_rows(rows, state_of)

    def point_at(self, disagreement: Disagreement) -> None:
        """Select a row and bring it into sight, without `chosen`."""
        number = self._model.number(disagreement)
        self._pointing = True
        if number is None:
            self._table.clearSelection()
        else:
            self._table.selectRow(number)
        self._pointing = False

    def neighbour(self, disagreement: Disagreement | None, step: int) -> Disagreement | None:
        """The disagreement `step` rows further on, around the end of the table."""
        rows = self._model.rows
        if not rows:
            return None
        number = self._model.number(disagreement) if disagreement else None
        here = number if number is not None else (-1 if step > 0 else 0)
        return rows[(here + step) % len(rows)].disagreement

    def apply_theme(self, theme: Theme) -> None:
        self._model.apply_theme(theme)

    def _set_up_table(self) -> None:
        table = self._table
        table.setObjectName("disagreementTable")
        table.setAccessibleName("Disagreements")
        table.setModel(self._model)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(40)
        header.setSectionResizeMode(_TEXT, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            table.setColumnWidth(column, width)
        table.selectionModel().currentRowChanged.connect(self._moved)
        table.clicked.connect(self._choose)

    def _moved(self, index: QModelIndex) -> None:
        if not self._pointing:
            self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self._model.rows[index.row()].disagreement)

    def _narrow(self, text: str) -> None:
        self._pointing = True
        self._model.narrow(text)
        self._pointing = False


def _open(_: Disagreement) -> RowState:
    return RowState("open", is_open=True)
