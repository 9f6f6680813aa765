"""Groups of tags as Qt's trees want them: in order, filtered, each with its places below."""

from bisect import bisect_left
from collections.abc import Callable, Generator, Hashable, Iterable, Sequence
from contextlib import contextmanager
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from shared.consistency.live import Untagged
from shared.model import MergedView, Patient
from shared.widgets.look.key_cap import key_cap
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.tags.tag_groups import GroupPlace, TagGroup, TagGroups
from shared.widgets.tags.tag_model import TagRow

_ROOT = QModelIndex()
GROUP_TEXT, GROUP_TYPE, GROUP_SHARE = range(3)
_HEADERS = ("Text", "Type", "Tagged")
_MANY = 20
"""More groups than this touched at once, and the tree is arranged anew."""
_AT_ONCE = 400
"""So many groups are handed to the tree at a time, since it goes through all that it has often."""
_BEFORE, _AFTER = 10, 40
"""Characters shown around a place; it begins where one sees it in a narrow column too."""
_NOTHING = MergedView(Patient("", ()))

_Order = Callable[[TagGroup], tuple[str | int, ...]]
_ORDERS: tuple[_Order, ...] = (
    lambda group: (group.lower, group.phrase, group.type_label),
    lambda group: (group.type_label, group.lower, group.phrase),
    lambda group: (group.untagged, group.lower, group.phrase, group.type_label),
)


class TagGroupModel(QAbstractItemModel):
    """The groups that fit the filter, each with its places, in the order of a column.

    What is shown is a copy of the groups' places, brought up to date row by row as Qt wants it;
    while it is asleep nothing is, and the groups alone are kept in step. `arranged` when all were
    put in order anew, and so no row is where it was.
    """

    arranged = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups = TagGroups()
        self._asleep = True
        self._changing = False
        """While rows change, nothing more is handed out."""
        self._shown: list[TagGroup] = []
        self._fetched = 0
        """The tree has the first so many of what is shown."""
        self._rows: dict[int, int] = {}
        """The row of each group, by its number."""
        self._places: dict[int, list[GroupPlace]] = {}
        self._words: list[str] = []
        self._column = GROUP_TEXT
        self._descending = False
        self._theme = LIGHT
        self._view = _NOTHING

    def clear(self, view: MergedView = _NOTHING) -> None:
        """Hold no tags, of a patient whose tags are to come."""
        self._view = view
        self._groups = TagGroups()
        self._arrange()

    def sleep(self, asleep: bool) -> None:
        """Show nothing and cost next to nothing, or show everything again."""
        if asleep != self._asleep:
            self._asleep = asleep
            self._arrange()

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the tags of some keys out and put others in."""
        self._follow(self._groups.change(removed, added))

    def change_untagged(self, removed: Iterable[Untagged], added: Iterable[Untagged]) -> None:
        """Take untagged places out and put others in."""
        self._follow(self._groups.change_untagged(removed, added))

    def narrow(self, text: str) -> None:
        """Show the groups whose text, type or state hold all words of `text`."""
        self._words = text.lower().split()
        self._arrange()

    @property
    def known(self) -> int:
        """How many tags there are in all groups, shown or not."""
        return self._groups.tagged

    def group(self, index: QModelIndex | QPersistentModelIndex) -> TagGroup:
        """The group of a row, or of the place in a row below one."""
        row = self._rows[index.internalId()] if index.internalId() else index.row()
        return self._shown[row]

    def place(self, index: QModelIndex | QPersistentModelIndex) -> GroupPlace | None:
        """The place in a row, None where the row is a group's."""
        number = index.internalId()
        return self._places[number][index.row()] if number else None

    def keys(self, index: QModelIndex | QPersistentModelIndex) -> list[Hashable]:
        """The keys of the tags that a row stands for."""
        place = self.place(index)
        places = [place] if place else self._places[self.group(index).number]
        return [each.key for each in places if each.key is not None]

    def index_of_group(self, number: int) -> QModelIndex:
        """The row of a group, an invalid one where it is not shown."""
        row = self._rows.get(number)
        if row is None:
            return QModelIndex()
        self._fetch(row + 1)
        return self.index(row, 0)

    def index_of(self, key: Hashable) -> QModelIndex:
        """The row of a tag, an invalid one where it is not shown."""
        found = self._groups.find(key)
        if found is None or found[0].number not in self._rows:
            return QModelIndex()
        group, place = found
        above = self.index_of_group(group.number)
        return self.index(self._places[group.number].index(place), 0, above)

    def fetch_all(self) -> None:
        """Hand all groups to the tree, which otherwise gets them as one scrolls."""
        self._fetch(len(self._shown))

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._fetched:
            last = self._fetched - 1
            self.dataChanged.emit(self.index(0, GROUP_TYPE), self.index(last, GROUP_TYPE))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column = column
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._arrange()

    def index(
        self, row: int, column: int, parent: QModelIndex | QPersistentModelIndex = _ROOT
    ) -> QModelIndex:
        # a tree asks for every row each time it is laid out, so nothing is asked of Qt here
        number, count = 0, self._fetched
        if parent.isValid():
            number = self._shown[parent.row()].number
            count = 0 if parent.internalId() else len(self._places[number])
        inside = 0 <= row < count and 0 <= column < len(_HEADERS)
        return self.createIndex(row, column, number) if inside else QModelIndex()

    def parent(self, index: QModelIndex | QPersistentModelIndex) -> QModelIndex:  # pyright: ignore[reportIncompatibleMethodOverride]
        number = index.internalId() if index.isValid() else 0
        return self.createIndex(self._rows[number], 0, 0) if number else QModelIndex()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        if not parent.isValid():
            return self._fetched
        if parent.internalId() or parent.column():
            return 0
        return len(self._places[self._shown[parent.row()].number])

    def hasChildren(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> bool:
        if not parent.isValid():
            return bool(self._shown)
        return parent.internalId() == 0 and parent.column() == 0

    def canFetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> bool:
        return not parent.isValid() and self._fetched < len(self._shown)

    def fetchMore(self, parent: QModelIndex | QPersistentModelIndex) -> None:
        if not parent.isValid() and not self._changing:
            self._fetch(self._fetched + _AT_ONCE)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:  # noqa: ARG002
        return len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _HEADERS[section]
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:  # noqa: ANN401
        if not index.isValid():
            return None
        group, place, column = self.group(index), self.place(index), index.column()
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole}:
            return (_group_cells(group) if place is None else self._place_cells(place))[column]
        if role == Qt.ItemDataRole.AccessibleTextRole and column == GROUP_TEXT:
            return group.label if place is None else ", ".join(self._place_cells(place))
        if role == Qt.ItemDataRole.DecorationRole and place is None and column == GROUP_TYPE:
            return key_cap("", group.colour, self._theme)
        return None

    def _place_cells(self, place: GroupPlace) -> tuple[str, str, str]:
        section, text = self._view.section_at(place.start), self._view.text
        before = text[max(section.start, place.start - _BEFORE) : place.start]
        after = text[place.start : min(section.end, place.end + _AFTER)]
        context = " ".join(f"{before}{after}".split())
        return f"…{context}…", section.record_id, "tagged" if place.key else "not tagged"

    def _arrange(self) -> None:
        self._changing = True
        self.beginResetModel()
        groups = () if self._asleep else filter(self._fits, self._groups.groups)
        self._shown = sorted(groups, key=_ORDERS[self._column], reverse=self._descending)
        self._places = {group.number: list(group.places) for group in self._shown}
        self._fetched = min(_AT_ONCE, len(self._shown))
        self._count_rows()
        self.endResetModel()
        self._changing = False
        self.arranged.emit()

    def _fetch(self, count: int) -> None:
        """See to it that the tree has the first `count` groups."""
        count = min(count, len(self._shown))
        if count > self._fetched:
            with self._inserting(_ROOT, self._fetched, count - self._fetched):
                self._fetched = count

    def _fits(self, group: TagGroup) -> bool:
        if not self._words:
            return True
        state = "not tagged" if group.untagged else "tagged"
        line = f"{group.label} {state}".lower()
        return all(word in line for word in self._words)

    def _count_rows(self) -> None:
        self._rows = {group.number: row for row, group in enumerate(self._shown)}

    def _follow(self, touched: set[TagGroup]) -> None:
        """Show what has changed in these groups."""
        if self._asleep:
            return
        if len(touched) > _MANY or self._column == GROUP_SHARE:
            self._arrange()
            return
        for group in touched:
            shown = group.number in self._rows
            if group.tagged and self._fits(group):
                if shown:
                    self._renew(group)
                else:
                    self._put_in(group)
            elif shown:
                self._take_out(group)

    def _take_out(self, group: TagGroup) -> None:
        row = self._rows[group.number]
        known = int(row < self._fetched)
        with self._removing(_ROOT, row, known):
            del self._shown[row], self._places[group.number]
            self._count_rows()
            self._fetched -= known

    def _put_in(self, group: TagGroup) -> None:
        row = self._place_for(group)
        known = int(row < self._fetched or self._fetched == len(self._shown))
        with self._inserting(_ROOT, row, known):
            self._shown.insert(row, group)
            self._places[group.number] = list(group.places)
            self._count_rows()
            self._fetched += known

    def _place_for(self, group: TagGroup) -> int:
        order = _ORDERS[self._column]
        wanted = order(group)

        def comes_after(other: TagGroup) -> bool:
            return order(other) < wanted if self._descending else order(other) > wanted

        return bisect_left(self._shown, 1, key=comes_after)

    def _renew(self, group: TagGroup) -> None:
        """Bring the rows below a group up to date, between what stays at both ends."""
        shown, now = self._places[group.number], group.places
        if self._rows[group.number] >= self._fetched:
            shown[:] = now
            return
        head = _alike(shown, now)
        tail = _alike(shown[head:][::-1], now[head:][::-1])
        above = self.index(self._rows[group.number], 0)
        gone, new = len(shown) - tail, now[head : len(now) - tail]
        with self._removing(above, head, gone - head):
            del shown[head:gone]
        with self._inserting(above, head, len(new)):
            shown[head:head] = new
        self.dataChanged.emit(above, above.siblingAtColumn(GROUP_SHARE))

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


def _group_cells(group: TagGroup) -> tuple[str, str, str]:
    return group.phrase, group.type_label, group.share


def _alike(one: Sequence[GroupPlace], other: Sequence[GroupPlace]) -> int:
    """How many places both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    differs = (at for at, (a, b) in pairs if a != b)
    return next(differs, min(len(one), len(other)))
