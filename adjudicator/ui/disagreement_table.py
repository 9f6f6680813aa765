"""The disagreements of a patient in order of deciding, with what was decided; filtered by words."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QLineEdit, QTableView, QVBoxLayout, QWidget

from adjudicator.disagreements import Disagreement
from shared.widgets.look.key_cap import key_cap
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.row_table import FilteredModel, RowTable

_TEXT, _TYPES, _KIND, _RECORD, _STATE = range(5)
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


@dataclass(frozen=True, slots=True)
class RowState:
    """What the table says of a disagreement now."""

    text: str
    is_open: bool
    is_flagged: bool = False
    """It is to be discussed."""


class DisagreementModel(FilteredModel[DisagreementRow]):
    """The rows that fit the filter; `state_of` tells what was decided when a row is drawn.

    The words "open", "decided" and "discuss" of a filter ask for the state.
    """

    heads = ("Text", "Types", "Kind", "Record", "State")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._numbers: dict[Disagreement, int] = {}
        self.state_of: Callable[[Disagreement], RowState] = _open
        self._theme = LIGHT
        self._bold = QFont()
        self._bold.setBold(True)
        self.modelReset.connect(self._number)

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
        self.redraw()

    def cells(self, row: DisagreementRow) -> tuple[str, ...]:
        return row.text, row.types, row.kind, row.record, self.state_of(row.disagreement).text

    def words(self, row: DisagreementRow) -> str:
        state = self.state_of(row.disagreement)
        asked = f"{'open' if state.is_open else 'decided'} {'discuss' if state.is_flagged else ''}"
        return f"{super().words(row)} {asked}"

    def look(self, row: DisagreementRow, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.ToolTipRole and column in {_TEXT, _TYPES}:
            return (row.text, row.types)[column]
        if role == Qt.ItemDataRole.DecorationRole and column == _TYPES:
            return key_cap("", row.category_colour, self._theme)
        if role == Qt.ItemDataRole.FontRole and self.state_of(row.disagreement).is_open:
            return self._bold
        if role == Qt.ItemDataRole.ForegroundRole:
            is_open = self.state_of(row.disagreement).is_open
            return QColor(self._theme.text if is_open else self._theme.muted)
        return None

    def _number(self) -> None:
        self._numbers = {row.disagreement: at for at, row in enumerate(self.rows)}


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
        self._table = RowTable(self._model, "disagreementTable", _WIDTHS, _TEXT)
        self._table.setAccessibleName("Disagreements")
        self._table.choose_one()
        self._table.selectionModel().currentRowChanged.connect(self._moved)
        self._table.clicked.connect(self._choose)
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
        """Show these rows and no others; `state_of` is asked whenever one is drawn."""
        self._model.state_of = state_of
        self._model.set_rows(rows)

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
