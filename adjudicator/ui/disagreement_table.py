"""The disagreements of a patient in order of deciding, with what was decided; filtered by words."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QItemSelection, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont
from PySide6.QtWidgets import QLineEdit, QVBoxLayout, QWidget

from adjudicator.difference import shown_text
from adjudicator.disagreements import Disagreement
from adjudicator.questions import kind_words, state_words
from adjudicator.session import AdjudicationSession
from shared.model import Span
from shared.widgets.look.framed_list import FramedList
from shared.widgets.look.icon_set import key_cap
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.row_table import FilteredModel, RowTable

_TEXT, _TYPES, _KIND, _RECORD, _STATE = range(5)
_WIDTHS = {_TYPES: 104, _KIND: 84, _RECORD: 58, _STATE: 90}


class DisagreementModel(FilteredModel[Disagreement]):
    """The disagreements that fit the filter.

    The words "open", "decided", "discuss" and "question" of a filter ask for the state.
    """

    heads = ("Text", "Types", "Kind", "Record", "State")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: AdjudicationSession | None = None
        self._numbers: dict[Disagreement, int] = {}
        self._fixed: dict[Disagreement, tuple[str, ...]] = {}
        """The cells that never change, made when a row is asked for."""
        self._theme = LIGHT
        self.asked_on: Callable[[Span], bool] = _nothing_asked
        """Whether somebody has asked about a place and waits for the answer."""
        self._bold = QFont()
        self._bold.setBold(True)
        self.modelReset.connect(self._number)

    def show(self, session: AdjudicationSession | None) -> None:
        self._session = session
        self._fixed = {}
        self.set_rows(session.queue if session else ())

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

    def cells(self, row: Disagreement) -> tuple[str, ...]:
        if self._session is None:
            return "", "", "", "", ""
        if row not in self._fixed:
            self._fixed[row] = (
                shown_text(self._session.view, row),
                " / ".join(each.name for each in row.types),
                kind_words(self._session, row),
                row.record_id,
            )
        state = state_words(self._session, row)
        return *self._fixed[row], f"{state} · Q" if self.asked_on(row.span) else state

    def words(self, row: Disagreement) -> str:
        session = self._session
        remark = session.queue.remark_on(row) if session else None
        state = "open" if self._is_open(row) else "decided"
        discuss = " discuss" if remark and remark.discuss else ""
        question = " question" if self.asked_on(row.span) else ""
        return f"{super().words(row)} {state}{discuss}{question}"

    def look(self, row: Disagreement, column: int, role: int) -> object:
        match role:
            case Qt.ItemDataRole.ToolTipRole if column in {_TEXT, _TYPES}:
                return self.cells(row)[column]
            case Qt.ItemDataRole.DecorationRole if column == _TYPES:
                return key_cap("", self._colour(row), self._theme)
            case Qt.ItemDataRole.FontRole if self._is_open(row):
                return self._bold
            case Qt.ItemDataRole.ForegroundRole:
                return QColor(self._theme.text if self._is_open(row) else self._theme.muted)
            case _:
                return None

    def _colour(self, row: Disagreement) -> str:
        return self._session.project.schema.colour(row.types[0]) if self._session else ""

    def _is_open(self, row: Disagreement) -> bool:
        return self._session is None or self._session.queue.is_open(row)

    def _number(self) -> None:
        self._numbers = {row: at for at, row in enumerate(self.rows)}


class DisagreementTable(QWidget):
    """A filter line and the table `disagreementTable`.

    `chosen` (Disagreement) when the user goes to another row, by click or key.
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = DisagreementModel(self)
        self._pointing = False
        self._current: Disagreement | None = None
        words = "Filter: text, type, kind, record, open, decided, discuss, question"
        self._filter = QLineEdit(placeholderText=words, clearButtonEnabled=True)
        self._filter.setObjectName("disagreementFilter")
        self._filter.setAccessibleName("Filter disagreements")
        self._filter.textChanged.connect(self._narrow)
        self.table = RowTable(self.model, "disagreementTable", _WIDTHS, _TEXT)
        self.table.setAccessibleName("Disagreements")
        self.table.choose_one()
        self.table.selectionModel().selectionChanged.connect(self._selected)
        self.table.clicked.connect(self._choose)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._filter)
        layout.addWidget(FramedList(self.table, self.table))

    def point_at(self, disagreement: Disagreement | None) -> None:
        """Select a row, or none, and bring it into sight, without `chosen`."""
        self._current = disagreement
        number = self.model.number(disagreement) if disagreement else None
        self._pointing = True
        if number is None:
            self.table.clearSelection()
        else:
            self.table.selectRow(number)
        self._pointing = False

    def neighbour(self, disagreement: Disagreement | None, step: int) -> Disagreement | None:
        """The disagreement `step` rows further on, around the end of the table."""
        rows = self.model.rows
        if not rows:
            return None
        number = self.model.number(disagreement) if disagreement else None
        here = number if number is not None else (-1 if step > 0 else 0)
        return rows[(here + step) % len(rows)]

    def apply_theme(self, theme: Theme) -> None:
        self.model.apply_theme(theme)

    def _selected(self, selected: QItemSelection) -> None:
        """A key may select the row that the table was at last, without a move: Space does."""
        if not self._pointing:
            for index in selected.indexes()[:1]:
                self._choose(index)

    def _choose(self, index: QModelIndex) -> None:
        if index.isValid():
            self.chosen.emit(self.model.rows[index.row()])

    def _narrow(self, text: str) -> None:
        self._pointing = True
        self.model.narrow(text)
        self.point_at(self._current)


def _nothing_asked(_: Span) -> bool:
    return False
