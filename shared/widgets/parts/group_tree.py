"""Groups as Qt's trees want them, each with its places below it."""

from abc import abstractmethod
from collections.abc import Generator, Hashable, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from shared.widgets.parts.row_table import Index

_ROOT = QModelIndex()
_AT_ONCE = 40
"""So many groups are handed to the tree at a time, since it goes through all that it has often."""


class NumberedItem(Protocol):
    """A group with a number of its own, from 1, which it keeps whatever its row."""

    @property
    def number(self) -> int: ...


Group = TypeVar("Group", bound=NumberedItem)
Place = TypeVar("Place", bound=Hashable)


class GroupModel(QAbstractItemModel, Generic[Group, Place]):
    """Groups in order, of which the tree has as many as it scrolled to.

    A subclass has `heads`, says which `places` are below a group, and gives the `data`. `arranged`
    when all were put in order anew, and so no row is where it was.
    """

    heads: Sequence[str] = ()
    arranged = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: list[Group] = []
        self._fetched: int = 0
        """The tree has the first so many of what is shown."""
        self._counted: dict[int, int] | None = None
        self._changing = False
        """While rows change, nothing more is handed out."""

    @abstractmethod
    def places(self, group: Group) -> Sequence[Place]:
        """What is shown below a group."""

    def group(self, index: Index) -> Group:
        """The group of a row, or of the place in a row below one."""
        number = index.internalId()
        return self._shown[self._rows[number] if number else index.row()]

    def place(self, index: Index) -> Place | None:
        """The place in a row, None where the row is a group's."""
        return self.places(self.group(index))[index.row()] if index.internalId() else None

    def index_of_group(self, number: int) -> QModelIndex:
        """The row of a group, an invalid one where it is not shown."""
        row = self._rows.get(number)
        if row is None:
            return QModelIndex()
        self.fetch(row + 1)
        return self.index(row, 0)

    def fetch_all(self) -> None:
        """Hand all groups to the tree, which otherwise gets them as one scrolls."""
        self.fetch(len(self._shown))

    def fetch(self, count: int) -> None:
        """See to it that the tree has the first `count` groups."""
        count = min(count, len(self._shown))
        if count > self._fetched:
            with self._inserting(_ROOT, self._fetched, count - self._fetched):
                self._fetched = count

    def index(self, row: int, column: int, parent: Index = _ROOT) -> QModelIndex:
        # a tree asks for every row each time it is laid out, so nothing is asked of Qt here
        number, count = 0, self._fetched
        if parent.isValid():
            above = self._shown[parent.row()]
            number, count = above.number, 0 if parent.internalId() else len(self.places(above))
        inside = 0 <= row < count and 0 <= column < len(self.heads)
        return self.createIndex(row, column, number) if inside else QModelIndex()

    def parent(self, index: Index) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]
        number = index.internalId() if index.isValid() else 0
        row = self._rows.get(number) if number else None
        return QModelIndex() if row is None else self.createIndex(row, 0, 0)

    def rowCount(self, parent: Index = _ROOT) -> int:
        if not parent.isValid():
            return self._fetched
        if parent.internalId() or parent.column():
            return 0
        return len(self.places(self._shown[parent.row()]))

    def hasChildren(self, parent: Index = _ROOT) -> bool:
        if not parent.isValid():
            return bool(self._shown)
        below = not parent.internalId() and not parent.column()
        return below and len(self.places(self._shown[parent.row()])) > 0

    def canFetchMore(self, parent: Index) -> bool:
        return not parent.isValid() and self._fetched < len(self._shown)

    def fetchMore(self, parent: Index) -> None:
        if not parent.isValid() and not self._changing:
            self.fetch(self._fetched + _AT_ONCE)

    def columnCount(self, parent: Index = _ROOT) -> int:  # noqa: ARG002
        return len(self.heads)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return self.heads[section]
        return None

    def redraw(self, column: int) -> None:
        """Draw a column again; no row comes or goes."""
        if self._fetched:
            self.dataChanged.emit(self.index(0, column), self.index(self._fetched - 1, column))

    def _show(self, groups: Iterable[Group]) -> None:
        """Show these in their order, and no others."""
        with self._resetting():
            self._hold(groups)
        self.arranged.emit()

    def _hold(self, groups: Iterable[Group]) -> None:
        self._shown = list(groups)
        self._fetched = min(_AT_ONCE, len(self._shown))
        self._count_rows()

    def _take_out(self, group: Group) -> None:
        """Show a group no more, nor what is below it."""
        row = self._rows[group.number]
        known = int(row < self._fetched)
        with self._removing(_ROOT, row, known):
            del self._shown[row]
            self._fetched -= known
            self._count_rows()

    @property
    def _rows(self) -> dict[int, int]:
        """The row of each group, by its number; worked out when somebody needs it."""
        if self._counted is None:
            self._counted = {group.number: row for row, group in enumerate(self._shown)}
        return self._counted

    def _count_rows(self) -> None:
        """The rows of groups have changed."""
        self._counted = None

    @contextmanager
    def _resetting(self) -> Generator[None]:
        self._changing = True
        self.beginResetModel()
        yield
        self.endResetModel()
        self._changing = False

    @contextmanager
    def _inserting(self, above: QModelIndex, first: int, count: int) -> Generator[None]:
        """Tell of so many rows that are put in meanwhile; 0 needs no telling."""
        self._changing = True
        if count:
            self.beginInsertRows(above, first, first + count - 1)
        yield
        if count:
            self.endInsertRows()
        self._changing = False

    @contextmanager
    def _removing(self, above: QModelIndex, first: int, count: int) -> Generator[None]:
        """Tell of so many rows that are taken out meanwhile; 0 needs no telling."""
        self._changing = True
        if count:
            self.beginRemoveRows(above, first, first + count - 1)
        yield
        if count:
            self.endRemoveRows()
        self._changing = False


class GroupTree(QTreeView):
    """Shows a model of groups, and remembers which of them were opened."""

    def __init__(
        self, groups: GroupModel[Any, Any], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._groups = groups
        self._opened: set[int] = set()
        self.setModel(groups)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setSortingEnabled(True)
        self.header().setStretchLastSection(False)
        groups.arranged.connect(self._open_again)
        self.expanded.connect(self._note_opened)
        self.collapsed.connect(self._note_closed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_End or event.text().strip():
            self._groups.fetch_all()  # the last one, or one that begins with a letter
        super().keyPressEvent(event)

    def _note_opened(self, index: QModelIndex) -> None:
        self._opened.add(self._groups.group(index).number)

    def _note_closed(self, index: QModelIndex) -> None:
        self._opened.discard(self._groups.group(index).number)

    def _open_again(self) -> None:
        """Qt forgets what is open when rows are put in order anew."""
        opened, self._opened = self._opened, set()
        for number in opened:
            index = self._groups.index_of_group(number)
            if index.isValid():
                self.expand(index)
