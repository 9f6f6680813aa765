"""The tags of a patient as a table or by their text: sort, filter, jump, comment, select many."""

from collections.abc import Callable, Hashable, Iterable

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QRect,
    Qt,
    Signal,
)
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence, QShowEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QLineEdit,
    QStackedWidget,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from shared.consistency.untagged_index import Untagged
from shared.model import MergedView, Patient
from shared.project.edits import Edit, PlacedTag
from shared.widgets.look.framed_list import FramedList
from shared.widgets.look.theme import Theme
from shared.widgets.parts.row_menu import add_row_menu
from shared.widgets.parts.row_table import Index, RowTable
from shared.widgets.tags.tag_group_tree import TagGroupTree
from shared.widgets.tags.tag_model import COMMENT, RECORD, TEXT, TagModel, TagRow

_WIDTHS = {1: 112, 2: 64, 3: 110}
RowOf = Callable[[PlacedTag], TagRow]
_NOTHING = MergedView(Patient("", ()))


class _RecordCells(QStyledItemDelegate):
    """Cuts the ids of records in the middle, since they differ at their ends."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle  # pyright: ignore[reportAttributeAccessIssue] - a field of the struct


class TagTable(QWidget):
    """A filter line, and below it the table `tagTable` or the tree `tagGroups`.

    `row_activated` (key) where the user goes to a row, `place_activated` (Span) to an untagged one;
    `comment_edited` (key, str); `removal_wanted` on Delete; `grouped_changed` (bool).

    What is not shown lacks what has changed since, and is filled anew before it is.
    """

    row_activated = Signal(object)
    place_activated = Signal(object)
    comment_edited = Signal(object, str)
    removal_wanted = Signal()
    grouped_changed = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = TagModel(self)
        self._tags: Iterable[PlacedTag] = ()
        self._row_of: RowOf | None = None
        self._is_stale = self._is_grouped_stale = False
        """Whether rows or groups lack what has changed while they were not shown."""
        self._filter = QLineEdit()
        self._by_text = QCheckBox("By te&xt")
        self._set_up_line()
        self._table = RowTable(self._model, "tagTable", _WIDTHS, TEXT)
        self._set_up_table()
        self._tree = TagGroupTree()
        self._tree.tag_activated.connect(self.row_activated)
        self._tree.place_activated.connect(self.place_activated)
        self._stack = QStackedWidget()
        for each in (self._table, self._tree):
            each.installEventFilter(self)
            self._stack.addWidget(each)
        self._model.comment_edited.connect(self.comment_edited)
        self._model.comments_changed.connect(self._show_comments)
        self._lay_out()

    @property
    def model(self) -> TagModel:
        self._refill()
        return self._model

    @property
    def table(self) -> QTableView:
        return self._table

    @property
    def tree(self) -> TagGroupTree:
        return self._tree

    @property
    def is_grouped(self) -> bool:
        return self._stack.currentWidget() is self._tree

    @property
    def _front(self) -> QAbstractItemView:
        return self._tree if self.is_grouped else self._table

    def show_grouped(self, grouped: bool) -> None:
        """Show the tags by their text, or in order."""
        if grouped == self.is_grouped:
            return
        keys, had_focus = self.selected_keys(), self._front.hasFocus()
        self._stack.setCurrentWidget(self._tree if grouped else self._table)
        self._by_text.setChecked(grouped)
        if grouped:
            self._fill_groups()
        self._tree.groups.sleep(not grouped)
        self.select_keys(keys)
        if had_focus:
            self._front.setFocus()
        self.grouped_changed.emit(grouped)

    def open(self, view: MergedView, tags: Iterable[PlacedTag], row_of: RowOf) -> None:
        """Show the tags of another patient, which `tags` has whenever it is asked."""
        self._tags, self._row_of = tags, row_of
        self._set_rows(view, map(row_of, tags))

    def set_rows(self, rows: Iterable[TagRow], view: MergedView = _NOTHING) -> None:
        """Show these tags and no others."""
        self._tags, self._row_of = (), None
        self._set_rows(view, rows)

    def apply_edit(self, edit: Edit) -> None:
        """Show a change of the tags, now or when the table is seen again."""
        if self._row_of is None:
            return
        if not self.isVisible():
            self._is_stale = True
            return
        self.change_rows((each.key for each in edit.removed), map(self._row_of, edit.added))

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the tags of some keys out and put others in; what was selected stays selected."""
        gone, new = list(removed), list(added)
        keys = self.selected_keys()
        self._model.change_rows(gone, new)
        if self.is_grouped:
            self._tree.groups.change_rows(gone, new)
        else:
            self._is_grouped_stale = True
        left = set(keys).difference(gone) | {row.key for row in new}.intersection(keys)
        if not left.issubset(self.selected_keys()):
            self.select_keys([key for key in keys if key in left])

    def change_untagged(self, removed: Iterable[Untagged], added: Iterable[Untagged]) -> None:
        """Take note of places where tagged text has no tag, and of such that are no more."""
        self._tree.groups.change_untagged(removed, added)

    def select_key(self, key: Hashable) -> None:
        """Select the row of a tag and bring it into sight, without activating it."""
        self._refill()
        if self.is_grouped:
            self._tree.select_key(key)
            return
        index = self._index(key)
        if index.isValid():
            self._table.selectRow(index.row())
            self._table.scrollTo(index)
        else:
            self._table.clearSelection()

    def select_keys(self, keys: list[Hashable]) -> None:
        """Select the rows of these tags as far as they are shown, and no others."""
        self._refill()
        if self.is_grouped:
            self._tree.select_keys(keys)
            return
        wanted, selection = set(keys), QItemSelection()
        for number, row in enumerate(self._model.rows if wanted else ()):
            if row.key in wanted:
                index = self._model.index(number, TEXT)
                selection.select(index, index)
        flags = QItemSelectionModel.SelectionFlag
        self._table.selectionModel().select(selection, flags.ClearAndSelect | flags.Rows)

    def selected_keys(self) -> list[Hashable]:
        """The keys of the tags in the selected rows, in the order on the screen."""
        if self.is_grouped:
            return self._tree.selected_keys()
        indexes = self._table.selectionModel().selectedRows()
        return [self._key(index) for index in sorted(indexes, key=QModelIndex.row)]

    def current_rectangle(self) -> QRect:
        """Where the current row is on the screen, for what pops up there."""
        shown = self._front
        rect = shown.visualRect(shown.currentIndex())
        return QRect(shown.viewport().mapToGlobal(rect.topLeft()), rect.size())

    def offer(self, *actions: QAction) -> None:
        """Offer actions on what is selected in the context menu."""
        for shown in (self._table, self._tree):
            add_row_menu(shown, actions)

    def edit_comment(self, key: Hashable) -> None:
        """Put the cursor into the comment of a tag."""
        self._refill()
        self.show_grouped(False)
        index = self._index(key)
        if index.isValid():
            self._table.setFocus()
            self._table.setColumnHidden(COMMENT, False)
            comment = index.siblingAtColumn(COMMENT)
            self._table.setCurrentIndex(comment)
            self._table.edit(comment)

    def apply_theme(self, theme: Theme) -> None:
        self._model.apply_theme(theme)
        self._tree.groups.apply_theme(theme)

    def showEvent(self, event: QShowEvent) -> None:
        self._refill()
        super().showEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Delete)
        ):
            self.removal_wanted.emit()
            return True
        return super().eventFilter(watched, event)

    def _set_rows(self, view: MergedView, rows: Iterable[TagRow]) -> None:
        self._is_stale = False
        self._model.set_rows(rows)
        self._tree.groups.clear(view)
        self._is_grouped_stale = True
        if self.is_grouped:
            self._fill_groups()

    def _refill(self) -> None:
        """Show what has changed while nothing of it was seen."""
        if self._is_stale and self._row_of is not None:
            self._is_stale = False
            self._model.set_rows(map(self._row_of, self._tags))
            self._is_grouped_stale = True
            if self.is_grouped:
                self._fill_groups()

    def _fill_groups(self) -> None:
        if self._is_grouped_stale:
            self._is_grouped_stale = False
            self._tree.groups.set_rows(self._model.all_rows)

    def _show_comments(self, there_are: bool) -> None:
        """Leave the room of comments to the texts as long as there are none."""
        self._table.setColumnHidden(COMMENT, not there_are)

    def _set_up_line(self) -> None:
        self._filter.setObjectName("tagFilter")
        self._filter.setAccessibleName("Filter tags")
        self._filter.setPlaceholderText("Filter by text, type, record or comment")
        self._filter.setClearButtonEnabled(True)
        self._filter.textChanged.connect(self._narrow)
        self._by_text.setObjectName("tagsByText")
        self._by_text.setToolTip("Tags with the same text together, and where it has no tag")
        self._by_text.toggled.connect(self.show_grouped)

    def _set_up_table(self) -> None:
        table = self._table
        table.setAccessibleName("Tags")
        table.setSortingEnabled(True)
        table.sortByColumn(RECORD, Qt.SortOrder.AscendingOrder)
        table.setColumnHidden(COMMENT, True)
        table.setItemDelegateForColumn(RECORD, _RecordCells(table))
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.clicked.connect(self._activate)
        table.activated.connect(self._activate)
        table.pointed.connect(self._activate)

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self._filter)
        line.addWidget(self._by_text)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addLayout(line)
        layout.addWidget(FramedList(self._stack, self._table, self._tree))

    def _activate(self, index: QModelIndex) -> None:
        self.row_activated.emit(self._key(index))

    def _key(self, index: QModelIndex) -> Hashable:
        return self._model.rows[index.row()].key

    def _index(self, key: Hashable) -> QModelIndex:
        number = self._model.number(key)
        return QModelIndex() if number is None else self._model.index(number, TEXT)

    def _narrow(self, text: str) -> None:
        keys = self.selected_keys()
        self._model.narrow(text)
        self._tree.groups.narrow(text)
        if keys:
            self.select_key(keys[0])
