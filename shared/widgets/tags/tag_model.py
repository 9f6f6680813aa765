"""The tags of a patient as Qt's tables want them: in order, filtered, with a comment to edit."""

from collections.abc import Callable, Collection, Hashable, Iterable
from functools import cmp_to_key
from operator import attrgetter
from typing import Any, NamedTuple

from PySide6.QtCore import QModelIndex, QObject, Qt, Signal
from sortedcontainers import SortedKeyList  # pyright: ignore[reportMissingTypeStubs]

from shared.widgets.look.icon_set import key_cap
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.row_table import FilteredModel, Index

TEXT, TYPE, RECORD, COMMENT = range(4)
_DECORATION = int(Qt.ItemDataRole.DecorationRole)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_ROLES = {_DECORATION, _TOOL_TIP, int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.EditRole)}
_MANY = 20
"""More changes than this at once, and the table is told that it is another."""


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


_Order = Callable[[TagRow], tuple[str | int, ...]]
_ORDERS: tuple[_Order, ...] = (
    lambda row: (row.text.lower(), row.start),
    attrgetter("type_label", "start"),
    attrgetter("start", "end"),
    lambda row: (row.comment.lower(), row.start),
)


def _backwards(order: _Order) -> Callable[[TagRow], object]:
    def compare(one: TagRow, other: TagRow) -> int:
        a, b = order(one), order(other)
        return (b > a) - (b < a)

    return cmp_to_key(compare)


def _has_comment(row: TagRow) -> bool:
    return bool(row.comment)


class TagModel(FilteredModel[TagRow]):
    """The rows that fit the filter, in the order of a column; at first in order of place.

    Sorting and filtering happen here, in one list, since Qt's own proxy would ask Python for every
    comparison. `comment_edited` (key, str) when a comment was written in the table: the row is
    changed by whoever keeps it. `comments_changed` (bool) when there are some now, or no more.
    """

    heads = ("Text", "Type", "Record", "Comment")
    comment_edited = Signal(object, str)
    comments_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._by_key: dict[Hashable, TagRow] = {}
        self._comments = 0
        """How many tags have one, whatever the filter."""
        self._key: Callable[[TagRow], object] = _ORDERS[RECORD]
        self._rows: Any = SortedKeyList(key=self._key)
        self._theme = LIGHT

    @property
    def all_rows(self) -> Collection[TagRow]:
        return self._by_key.values()

    def set_rows(self, rows: Iterable[TagRow]) -> None:
        self._by_key = {row.key: row for row in rows}
        self._count_comments(sum(map(_has_comment, self._by_key.values())))
        self._arrange()

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the rows of some keys out and put others in; one with a known key replaces it."""
        new = {row.key: row for row in added}
        gone = [self._by_key.pop(key) for key in {*removed, *new} if key in self._by_key]
        fewer, more = sum(map(_has_comment, gone)), sum(map(_has_comment, new.values()))
        self._count_comments(self._comments - fewer + more)
        gone = list(filter(self._fits, gone))
        self._by_key.update(new)
        come = list(filter(self._fits, new.values()))
        if len(gone) + len(come) > _MANY:
            self._arrange()
            return
        for row in gone:
            number = self._rows.index(row)
            self.beginRemoveRows(QModelIndex(), number, number)
            del self._rows[number]
            self.endRemoveRows()
        for row in come:
            number = self._rows.bisect_right(row)
            self.beginInsertRows(QModelIndex(), number, number)
            self._rows.add(row)
            self.endInsertRows()

    def number(self, key: Hashable) -> int | None:
        """The line in which the tag with this key is shown, None where it is not."""
        row = self._by_key.get(key)
        return self._rows.index(row) if row is not None and self._fits(row) else None

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.redraw()

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        down = order is Qt.SortOrder.DescendingOrder
        self._key = _backwards(_ORDERS[column]) if down else _ORDERS[column]
        self._arrange()

    def data(self, index: Index, role: int = 0) -> object:
        # Qt asks for many roles of each cell it paints
        return super().data(index, role) if role in _ROLES else None

    def cells(self, row: TagRow) -> tuple[str, ...]:
        return " ".join(row.text.split()), row.type_label, row.record, row.comment

    def look(self, row: TagRow, column: int, role: int) -> object:
        if role == _TOOL_TIP:
            return self.cells(row)[column] or None
        if role == _DECORATION:
            return key_cap("", row.category_colour, self._theme) if column == TYPE else None
        return row.comment if column == COMMENT else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        usual = super().flags(index)
        return usual | Qt.ItemFlag.ItemIsEditable if index.column() == COMMENT else usual

    def setData(self, index: Index, value: object, role: int = 0) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() != COMMENT:
            return False
        row, comment = self._rows[index.row()], str(value).strip()
        if comment != row.comment:
            self.comment_edited.emit(row.key, comment)
        return True

    def _count_comments(self, count: int) -> None:
        if bool(count) != bool(self._comments):
            self.comments_changed.emit(bool(count))
        self._comments = count

    def _arrange(self) -> None:
        self.beginResetModel()
        rows = self._by_key.values()
        self._rows = SortedKeyList(filter(self._fits, rows) if self._words else rows, key=self._key)
        self.endResetModel()
