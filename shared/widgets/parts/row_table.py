"""Tables of rows that are read, chosen and narrowed, not written in."""

from abc import abstractmethod
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Generic, TypeVar

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from shared.text.flat_text import folded
from shared.widgets.parts.plain_tip import plain_tip

Index = QModelIndex | QPersistentModelIndex
Row = TypeVar("Row")

_ROOT = QModelIndex()
_DISPLAY = int(Qt.ItemDataRole.DisplayRole)
_TOOL_TIP = Qt.ItemDataRole.ToolTipRole


class RowModel(QAbstractTableModel, Generic[Row]):
    """Rows in an order of their own; a subclass has `heads`, says `cells`, and perhaps a `look`."""

    heads: Sequence[str] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: Sequence[Row] = ()

    @property
    def rows(self) -> Sequence[Row]:
        """The rows on the screen, in their order."""
        return self._rows

    def set_rows(self, rows: Iterable[Row]) -> None:
        """Show these rows and no others."""
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    @abstractmethod
    def cells(self, row: Row) -> Sequence[str]:
        """What stands in the columns of a row."""

    def look(self, row: Row, column: int, role: int) -> object:  # noqa: ARG002 - for subclasses
        """What a cell has for a role other than its words; None for what is usual."""
        return None

    def reorder(self, key: Callable[[Row], Any], *, descending: bool) -> None:
        """Put the rows in another order."""
        self.layoutAboutToBeChanged.emit()
        self._rows = sorted(self._rows, key=key, reverse=descending)
        self.layoutChanged.emit()

    def redraw(self) -> None:
        """Draw all rows again; none comes or goes."""
        if self._rows:
            last = self.index(len(self._rows) - 1, len(self.heads) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> object:
        if orientation is Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole:
            return self.heads[section]
        return None

    def data(self, index: Index, role: int = 0) -> object:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == _DISPLAY:
            return self.cells(row)[index.column()]
        looks = self.look(row, index.column(), role)
        return plain_tip(looks) if role == _TOOL_TIP and isinstance(looks, str) else looks


def has_words(line: str, words: str) -> bool:
    """True where all words of `words` are in a line, in whatever case, with accents or without."""
    line = folded(line)
    return all(word in line for word in folded(words).split())


class FilteredModel(RowModel[Row]):
    """The rows that hold all words that were asked for."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: Sequence[Row] = ()
        self._words = ""

    @property
    def all_rows(self) -> Collection[Row]:
        """The rows, whatever the filter."""
        return self._all

    def set_rows(self, rows: Iterable[Row]) -> None:
        self._all = list(rows)
        self._arrange()

    def narrow(self, text: str) -> None:
        """Show the rows that hold all words of `text`, capitals or not."""
        self._words = text
        self._arrange()

    def words(self, row: Row) -> str:
        """What is looked through for the words."""
        return " ".join(self.cells(row))

    def _arrange(self) -> None:
        super().set_rows(each for each in self._all if self._fits(each))

    def _fits(self, row: Row) -> bool:
        return not self._words or has_words(self.words(row), self._words)


class RowTable(QTableView):
    """Shows rows without a grid; the whole row is chosen, and Tab leads out of the table.

    `widths` are by column; the column `widest` takes what is left. `pointed` (QModelIndex) where
    the user went by a key or with the right button; `clicked` is for the left one.
    """

    pointed = Signal(QModelIndex)

    def __init__(
        self, model: QAbstractTableModel, name: str, widths: Mapping[int, int], widest: int
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setModel(model)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + 8)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(40)
        for column, width in widths.items():
            self.setColumnWidth(column, width)
        header.setSectionResizeMode(widest, QHeaderView.ResizeMode.Stretch)

    def choose_one(self) -> None:
        """Let only one row at a time be chosen."""
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        with told_if_moved(self, self.pointed.emit):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        tell_right_click(self, event, self.pointed.emit)


Tell = Callable[[QModelIndex], object]


@contextmanager
def told_if_moved(view: QAbstractItemView, tell: Tell) -> Generator[None]:
    """Tell where in a table or tree a key has led that is handled meanwhile."""
    before = view.currentIndex()
    yield
    if view.currentIndex() != before:
        tell(view.currentIndex())


def tell_right_click(view: QAbstractItemView, event: QMouseEvent, tell: Tell) -> None:
    """Tell which row of a table or tree the right button was pressed on, if any."""
    index = view.indexAt(event.position().toPoint())
    if event.button() is Qt.MouseButton.RightButton and index.isValid():
        tell(index)
