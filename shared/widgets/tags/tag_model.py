"""The tags of a patient as Qt's tables want them: in order, filtered, with a comment to edit."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from operator import attrgetter
from typing import Any, NamedTuple

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from shared.widgets.look.icon_set import key_cap
from shared.widgets.look.theme import LIGHT, Theme

_ROOT = QModelIndex()
TEXT, TYPE, RECORD, COMMENT = range(4)
_HEADERS = ("Text", "Type", "Record", "Comment")
_DECORATION = int(Qt.ItemDataRole.DecorationRole)
_ROLES = {_DECORATION, int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)}
_MANY = 20
"""More changes than this at once, and the table is told that it is another."""
_SORTED_FROM = 16
"""Where one in so many rows is new, sorting all takes less time than finding the place of each."""


class TagRow(NamedTuple):
    """A placed tag as the table shows it; `start` and `end` in the merged view, for the order.

    There may be many thousands at a time, and a named tuple is made in a fifth of the time.
    """

    record: str
    text: str
    type_label: str
    comment: str
    start: int
    end: int
    key: Hashable
    category_colour: str


_FIELDS = tuple(map(TagRow._fields.index, ("text", "type_label", "record", "comment")))
"""Where in a row is what stands in each column."""
_Order = Callable[[TagRow], tuple[str | int, ...]]
_ORDERS: tuple[_Order, ...] = (
    lambda row: (row.text.lower(), row.start),
    attrgetter("type_label", "start"),
    attrgetter("start", "end"),
    lambda row: (row.comment.lower(), row.start),
)


class TagModel(QAbstractTableModel):
    """The rows that fit the filter, in the order of a column; at first in order of place.

    Sorting and filtering happen here, in one list, since Qt's own proxy would ask Python for every
    comparison. `comment_edited` (key, str) when a comment was written in the table.
    """

    comment_edited = Signal(object, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: dict[Hashable, TagRow] = {}
        self._rows: list[TagRow] = []
        self._words: list[str] = []
        self._order = _ORDERS[RECORD]
        self._descending = False
        self._theme = LIGHT

    @property
    def rows(self) -> Sequence[TagRow]:
        """The rows on the screen, in their order."""
        return self._rows

    @property
    def all_rows(self) -> Collection[TagRow]:
        """The rows that fit the filter and those that do not."""
        return self._all.values()

    def set_rows(self, rows: Iterable[TagRow]) -> None:
        """Hold these rows and no others."""
        self._all = {row.key: row for row in rows}
        self._arrange()

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the rows of some keys out and put others in; one with a known key replaces it."""
        gone, new = list(removed), list({row.key: row for row in added}.values())
        if len(gone) + len(new) > _MANY:
            self._change_many(gone, new)
            return
        for key in [*gone, *(row.key for row in new)]:
            self._take_out(key)
        for row in new:
            self._put_in(row)

    def narrow(self, text: str) -> None:
        """Show the rows that hold all words of `text`, whatever their case."""
        self._words = text.lower().split()
        self._arrange()

    def number(self, key: Hashable) -> int | None:
        """The line in which the tag with this key is shown, None where it is not."""
        row = self._all.get(key)
        if row is None:
            return None
        # it stands right before the place for another like it, unless its comment has just changed
        at = self._place_for(row) - 1
        if 0 <= at < len(self._rows) and self._rows[at].key == key:
            return at
        return next((at for at, row in enumerate(self._rows) if row.key == key), None)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(self.index(0, TYPE), self.index(len(self._rows) - 1, TYPE))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = _ORDERS[column]
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._arrange()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.isValid() else len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _HEADERS[section]
        return None

    def flags(self, index: QModelIndex | QPersistentModelIndex) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        usual = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return usual | Qt.ItemFlag.ItemIsEditable if index.column() == COMMENT else usual

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:  # noqa: ANN401
        if role not in _ROLES:  # Qt asks for many of each cell it paints
            return None
        row, column = self._rows[index.row()], index.column()
        if role == _DECORATION:
            return key_cap("", row.category_colour, self._theme) if column == TYPE else None
        return _one_line(row.text) if column == TEXT else row[_FIELDS[column]]

    def setData(
        self, index: QModelIndex | QPersistentModelIndex, value: object, role: int = 0
    ) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() != COMMENT:
            return False
        row, comment = self._rows[index.row()], str(value).strip()
        if comment != row.comment:
            self._rows[index.row()] = self._all[row.key] = row._replace(comment=comment)
            self.dataChanged.emit(index, index)
            self.comment_edited.emit(row.key, comment)
        return True

    def _arrange(self) -> None:
        self.beginResetModel()
        self._rows = sorted(
            filter(self._fits, self._all.values()), key=self._order, reverse=self._descending
        )
        self.endResetModel()

    def _change_many(self, gone: list[Hashable], new: list[TagRow]) -> None:
        """What stays is in order already, which spares looking at all of it anew."""
        self.beginResetModel()
        out = {key for key in (*gone, *(row.key for row in new)) if key in self._all}
        for key in gone:
            self._all.pop(key, None)
        self._all.update((row.key, row) for row in new)
        if out:
            self._rows = [row for row in self._rows if row.key not in out]
        self._rows = self._with(filter(self._fits, new))
        self.endResetModel()

    def _with(self, new: Iterable[TagRow]) -> list[TagRow]:
        """The rows with new ones in their places."""
        new = list(new)
        if len(new) * _SORTED_FROM > len(self._rows):
            return sorted([*self._rows, *new], key=self._order, reverse=self._descending)
        rows: list[TagRow] = []
        reached = 0
        for row in sorted(new, key=self._order, reverse=self._descending):
            place = self._place_for(row, reached)
            rows += self._rows[reached:place]
            rows.append(row)
            reached = place
        return rows + self._rows[reached:]

    def _fits(self, row: TagRow) -> bool:
        if not self._words:
            return True
        line = f"{row.text} {row.type_label} {row.record} {row.comment}".lower()
        return all(word in line for word in self._words)

    def _take_out(self, key: Hashable) -> None:
        number = self.number(key)
        self._all.pop(key, None)
        if number is not None:
            self.beginRemoveRows(_ROOT, number, number)
            del self._rows[number]
            self.endRemoveRows()

    def _put_in(self, row: TagRow) -> None:
        self._all[row.key] = row
        if self._fits(row):
            number = self._place_for(row)
            self.beginInsertRows(_ROOT, number, number)
            self._rows.insert(number, row)
            self.endInsertRows()

    def _place_for(self, row: TagRow, low: int = 0) -> int:
        wanted = self._order(row)
        if not self._descending:
            return bisect_right(self._rows, wanted, low, key=self._order)
        return bisect_left(self._rows, 1, low, key=lambda other: self._order(other) < wanted)


def _one_line(text: str) -> str:
    return " ".join(text.split())
