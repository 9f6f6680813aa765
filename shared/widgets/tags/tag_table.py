"""The tags of a patient as a table or by their text: sort, filter, jump, comment, select many."""

from collections import deque
from collections.abc import Callable, Hashable, Iterable
from functools import partial

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
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QCheckBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from shared.consistency.untagged_index import Untagged
from shared.model import MergedView, Patient
from shared.widgets.look.framed_list import FramedList
from shared.widgets.look.theme import Theme
from shared.widgets.parts.page_stack import PageStack
from shared.widgets.parts.portions import Portions
from shared.widgets.tags.tag_group_filling import GroupFilling
from shared.widgets.tags.tag_group_tree import TagGroupTree
from shared.widgets.tags.tag_model import COMMENT, RECORD, TEXT, TagModel, TagRow
from shared.widgets.tags.waiting_rows import WaitingRows

_WIDTHS = (84, 112, 64)


class TagTable(QWidget):
    """A filter line, and below it the table `tagTable` or the tree `tagGroups`.

    `row_activated` (key) on one click or Enter, `place_activated` (Span) on an untagged place;
    `comment_edited` (key, str); `removal_wanted` on Delete; `grouped_changed` (bool);
    `grouped_all` when all tags have been sorted into groups, shown or not.
    """

    row_activated = Signal(object)
    place_activated = Signal(object)
    comment_edited = Signal(object, str)
    removal_wanted = Signal()
    grouped_changed = Signal(bool)
    grouped_all = Signal()

    def __init__(self, portions: Portions | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = TagModel(self)
        self._portions = portions or Portions(self)
        self._waiting: deque[WaitingRows] = deque()
        self._filter = QLineEdit()
        self._by_text = QCheckBox("By te&xt")
        self._set_up_line()
        self._table = QTableView()
        self._set_up_table()
        self._tree = TagGroupTree()
        self._filling = GroupFilling(self._tree.groups, self._portions, self)
        self._filling.finished.connect(self.grouped_all)
        self._set_up_tree()
        self._stack = PageStack()
        for each in (self._table, self._tree):
            each.installEventFilter(self)
            self._stack.add(each)
        self._model.comment_edited.connect(self.comment_edited)
        self._lay_out()

    @property
    def model(self) -> TagModel:
        self.catch_up()
        return self._model

    @property
    def table(self) -> QTableView:
        return self._table

    @property
    def tree(self) -> TagGroupTree:
        return self._tree

    @property
    def is_grouped(self) -> bool:
        return self._stack.current is self._tree

    @property
    def _front(self) -> QAbstractItemView:
        return self._tree if self.is_grouped else self._table

    def show_grouped(self, grouped: bool) -> None:
        """Show the tags by their text, or in order."""
        if grouped == self.is_grouped:
            return
        self.catch_up()
        keys, had_focus = self.selected_keys(), self._front.hasFocus()
        self._stack.show_page(self._tree if grouped else self._table)
        self._by_text.setChecked(grouped)
        if grouped:
            self._filling.finish()
        self._tree.groups.sleep(not grouped)
        self.select_keys(keys)
        if had_focus:
            self._front.setFocus()
        self.grouped_changed.emit(grouped)

    def open(self, view: MergedView, rows: Iterable[TagRow]) -> None:
        """Show the tags of another patient."""
        self._waiting.clear()
        self._model.set_rows(rows)
        self._tree.groups.clear(view)
        self._filling.begin(self._model.all_rows)
        if self.is_grouped:
            self._filling.finish()

    def set_rows(self, rows: Iterable[TagRow]) -> None:
        """Show these tags and no others."""
        self.open(MergedView(Patient("", ())), rows)

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the tags of some keys out and put others in; what was selected stays selected."""
        self.catch_up()
        gone, new = list(removed), list(added)
        self._change(gone, new, partial(self._model.change_rows, gone, new))

    def change_soon(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Do the same for many tags, once what caused the change is on the screen."""
        self._waiting.append(WaitingRows(self._model, removed, added))
        self._portions.begin(self._step, alone=True)

    def catch_up(self) -> None:
        """Show now the changes that wait."""
        while self._waiting:
            self._show_first()

    def change_untagged(self, removed: Iterable[Untagged], added: Iterable[Untagged]) -> None:
        """Take note of places where tagged text has no tag, and of such that are no more."""
        self._tree.groups.change_untagged(removed, added)

    def select_key(self, key: Hashable) -> None:
        """Select the row of a tag and bring it into sight, without activating it."""
        self.catch_up()
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
        self.catch_up()
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
            shown.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
            shown.addActions(actions)

    def edit_comment(self, key: Hashable) -> None:
        """Put the cursor into the comment of a tag."""
        self.catch_up()
        self.show_grouped(False)
        index = self._index(key)
        if index.isValid():
            self._table.setFocus()
            comment = index.siblingAtColumn(COMMENT)
            self._table.setCurrentIndex(comment)
            self._table.edit(comment)

    def apply_theme(self, theme: Theme) -> None:
        self._model.apply_theme(theme)
        self._tree.apply_theme(theme)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.matches(QKeySequence.StandardKey.Delete)
        ):
            self.removal_wanted.emit()
            return True
        return super().eventFilter(watched, event)

    def _show_first(self) -> None:
        """Show the first change that waits."""
        waiting = self._waiting.popleft()
        while waiting.step():
            pass
        self._change(waiting.gone, waiting.new, waiting.show)

    def _change(self, gone: list[Hashable], new: list[TagRow], change: Callable[[], None]) -> None:
        """Take some tags out and put others in, for which the rows have yet to change."""
        keys = self.selected_keys()
        change()
        self._filling.change(gone, new)
        if self.is_grouped:
            self._filling.finish()
        left = set(keys).difference(gone) | {row.key for row in new}.intersection(keys)
        if not left.issubset(self.selected_keys()):
            self.select_keys([key for key in keys if key in left])

    def _step(self) -> bool:
        """Make a portion of the rows that wait, at last show them; True while there are more."""
        if self._waiting and not self._waiting[0].step():
            self._show_first()
        return bool(self._waiting)

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
        table.setObjectName("tagTable")
        table.setAccessibleName("Tags")
        table.setModel(self._model)
        table.setSortingEnabled(True)
        table.sortByColumn(RECORD, Qt.SortOrder.AscendingOrder)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setShowGrid(False)
        table.setWordWrap(False)
        table.setTextElideMode(Qt.TextElideMode.ElideMiddle)  # records differ at their ends
        table.setTabKeyNavigation(False)
        table.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
        )
        table.verticalHeader().hide()
        table.verticalHeader().setDefaultSectionSize(table.fontMetrics().height() + 8)
        header = table.horizontalHeader()
        header.setHighlightSections(False)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setMinimumSectionSize(40)
        for column, width in enumerate(_WIDTHS):
            table.setColumnWidth(column, width)
        header.setSectionResizeMode(COMMENT, QHeaderView.ResizeMode.Stretch)
        table.clicked.connect(self._activate)
        table.activated.connect(self._activate)

    def _set_up_tree(self) -> None:
        self._tree.tag_activated.connect(self.row_activated)
        self._tree.place_activated.connect(self.place_activated)

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
