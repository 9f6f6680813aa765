"""The tags of a patient as a table: sort, filter, jump, comment."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
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
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from shared.widgets.key_cap import key_cap
from shared.widgets.theme import LIGHT, Theme

_ROOT = QModelIndex()
_TEXT, _TYPE, _RECORD, _COMMENT = range(4)
_HEADERS = ("Text", "Type", "Record", "Comment")
_WIDTHS = (150, 130, 80)
_MANY = 20
"""More changes than this at once, and the table is arranged anew."""


@dataclass(frozen=True, slots=True)
class TagRow:
    """A placed tag as the table shows it; `start` and `end` in the merged view, for the order."""

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
    lambda row: (row.type_label, row.start),
    lambda row: (row.start, row.end),
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
        self._order = _ORDERS[_RECORD]
        self._descending = False
        self._theme = LIGHT

    @property
    def rows(self) -> Sequence[TagRow]:
        """The rows on the screen, in their order."""
        return self._rows

    def set_rows(self, rows: Iterable[TagRow]) -> None:
        """Hold these rows and no others."""
        self._all = {row.key: row for row in rows}
        self._arrange()

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the rows of some keys out and put others in; one with a known key replaces it."""
        gone, new = list(removed), list({row.key: row for row in added}.values())
        if len(gone) + len(new) > _MANY:
            for key in gone:
                self._all.pop(key, None)
            self._all.update((row.key, row) for row in new)
            self._arrange()
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
        return next((at for at, row in enumerate(self._rows) if row.key == key), None)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(self.index(0, _TYPE), self.index(len(self._rows) - 1, _TYPE))

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
        return usual | Qt.ItemFlag.ItemIsEditable if index.column() == _COMMENT else usual

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:  # noqa: ANN401
        row = self._rows[index.row()]
        if role in {Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole}:
            return (_one_line(row.text), row.type_label, row.record, row.comment)[index.column()]
        if role == Qt.ItemDataRole.DecorationRole and index.column() == _TYPE:
            return key_cap("", row.category_colour, self._theme)
        return None

    def setData(
        self, index: QModelIndex | QPersistentModelIndex, value: object, role: int = 0
    ) -> bool:
        if role != Qt.ItemDataRole.EditRole or index.column() != _COMMENT:
            return False
        row, comment = self._rows[index.row()], str(value).strip()
        if comment != row.comment:
            self._rows[index.row()] = self._all[row.key] = replace(row, comment=comment)
            self.dataChanged.emit(index, index)
            self.comment_edited.emit(row.key, comment)
        return True

    def _arrange(self) -> None:
        self.beginResetModel()
        self._rows = sorted(
            filter(self._fits, self._all.values()), key=self._order, reverse=self._descending
        )
        self.endResetModel()

    def _fits(self, row: TagRow) -> bool:
        line = f"{row.text} {row.type_label} {row.record} {row.comment}".lower()
        return all(word in line for word in self._words)

    def _take_out(self, key: Hashable) -> None:
        self._all.pop(key, None)
        number = self.number(key)
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

    def _place_for(self, row: TagRow) -> int:
        wanted = self._order(row)

        def comes_after(other: TagRow) -> bool:
            order = self._order(other)
            return order < wanted if self._descending else order > wanted

        return bisect_left(self._rows, 1, key=comes_after)


class TagTable(QWidget):
    """A filter line and the table `tagTable`.

    `row_activated` (key) on one click or Enter; `comment_edited` (key, str).
    """

    row_activated = Signal(object)
    comment_edited = Signal(object, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = TagModel(self)
        self._filter = QLineEdit()
        self._filter.setObjectName("tagFilter")
        self._filter.setAccessibleName("Filter tags")
        self._filter.setPlaceholderText("Filter by text, type, record or comment")
        self._filter.setClearButtonEnabled(True)
        self._filter.textChanged.connect(self._narrow)
        self._table = QTableView()
        self._set_up_table()
        self._model.comment_edited.connect(self.comment_edited)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._filter)
        layout.addWidget(self._table)

    @property
    def model(self) -> TagModel:
        return self._model

    @property
    def table(self) -> QTableView:
        return self._table

    def set_rows(self, rows: Iterable[TagRow]) -> None:
        """Show these tags and no others."""
        self._model.set_rows(rows)

    def change_rows(self, removed: Iterable[Hashable], added: Sequence[TagRow]) -> None:
        """Take the tags of some keys out and put others in."""
        self._model.change_rows(removed, added)

    def select_key(self, key: Hashable) -> None:
        """Select the row of a tag and bring it into sight, without activating it."""
        index = self._index(key)
        if index.isValid():
            self._table.selectRow(index.row())
            self._table.scrollTo(index)
        else:
            self._table.clearSelection()

    def selected_keys(self) -> list[Hashable]:
        """The keys of the selected rows, in the order on the screen."""
        indexes = self._table.selectionModel().selectedRows()
        return [self._key(index) for index in sorted(indexes, key=QModelIndex.row)]

    def edit_comment(self, key: Hashable) -> None:
        """Put the cursor into the comment of a tag."""
        index = self._index(key)
        if index.isValid():
            self._table.setFocus()
            comment = index.siblingAtColumn(_COMMENT)
            self._table.setCurrentIndex(comment)
            self._table.edit(comment)

    def apply_theme(self, theme: Theme) -> None:
        self._model.apply_theme(theme)

    def _set_up_table(self) -> None:
        table = self._table
        table.setObjectName("tagTable")
        table.setAccessibleName("Tags")
        table.setModel(self._model)
        table.setSortingEnabled(True)
        table.sortByColumn(_RECORD, Qt.SortOrder.AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTabKeyNavigation(False)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        for column, width in enumerate(_WIDTHS):
            table.setColumnWidth(column, width)
        header.setSectionResizeMode(_COMMENT, QHeaderView.ResizeMode.Stretch)
        table.clicked.connect(self._activate)
        table.activated.connect(self._activate)

    def _activate(self, index: QModelIndex) -> None:
        self.row_activated.emit(self._key(index))

    def _key(self, index: QModelIndex) -> Hashable:
        return self._model.rows[index.row()].key

    def _index(self, key: Hashable) -> QModelIndex:
        number = self._model.number(key)
        return QModelIndex() if number is None else self._model.index(number, _TEXT)

    def _narrow(self, text: str) -> None:
        keys = self.selected_keys()
        self._model.narrow(text)
        if keys:
            self.select_key(keys[0])


def _one_line(text: str) -> str:
    return " ".join(text.split())
