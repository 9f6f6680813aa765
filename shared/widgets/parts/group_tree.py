"""Groups as Qt's trees want them, each with its places below it."""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from shared.widgets.parts.row_table import Index, tell_right_click, told_if_moved

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

    A subclass has `heads`, says which `places` are below a group, and gives the `data`.
    """

    heads: Sequence[str] = ()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shown: list[Group] = []
        self._fetched: int = 0
        """The tree has the first so many of what is shown."""
        self._rows: dict[int, int] = {}
        """The row of each group, by its number."""
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

    def index_of_place(self, number: int, place: Place | None) -> QModelIndex:
        """The row of a place below a group; None stands for the group's own row."""
        above = self.index_of_group(number)
        if place is None or not above.isValid():
            return above
        places = self.places(self.group(above))
        return self.index(places.index(place), 0, above) if place in places else QModelIndex()

    def fetch_all(self) -> None:
        """Hand all groups to the tree, which otherwise gets them as one scrolls."""
        self.fetch(len(self._shown))

    def fetch(self, count: int) -> None:
        """See to it that the tree has the first `count` groups."""
        count = min(count, len(self._shown))
        if count > self._fetched:
            self._changing = True
            self.beginInsertRows(_ROOT, self._fetched, count - 1)
            self._fetched = count
            self.endInsertRows()
            self._changing = False

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
        """Show these in their order, and no others; what is selected or open stays so."""
        self._changing = True
        self.layoutAboutToBeChanged.emit()
        before = self.persistentIndexList()
        held = [(self.group(each).number, self.place(each)) for each in before]
        self._shown = list(groups)
        self._count_rows()
        far = max((self._rows.get(number, -1) + 1 for number, _ in held), default=0)
        self._fetched = min(max(self._fetched, far, _AT_ONCE), len(self._shown))
        after = [
            self.index_of_place(*each).siblingAtColumn(index.column())
            for each, index in zip(held, before, strict=True)
        ]
        self.changePersistentIndexList(before, after)
        self.layoutChanged.emit()
        self._changing = False

    def _take_out(self, group: Group) -> None:
        """Show a group no more, nor what is below it."""
        row = self._rows[group.number]
        known = row < self._fetched
        self._changing = True
        if known:
            self.beginRemoveRows(_ROOT, row, row)
        del self._shown[row]
        self._count_rows()
        if known:
            self._fetched -= 1
            self.endRemoveRows()
        self._changing = False

    def _count_rows(self) -> None:
        self._rows = {group.number: row for row, group in enumerate(self._shown)}


class GroupTree(QTreeView):
    """Shows a model of groups.

    `pointed` (QModelIndex) where the user went by a key or with the right button; `clicked` is for
    the left one.
    """

    pointed = Signal(QModelIndex)

    def __init__(
        self, groups: GroupModel[Any, Any], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._groups = groups
        self.setModel(groups)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setSortingEnabled(True)
        self.header().setStretchLastSection(False)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_End or event.text().strip():
            self._groups.fetch_all()  # the last one, or one that begins with a letter
        with told_if_moved(self, self.pointed.emit):
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        tell_right_click(self, event, self.pointed.emit)
