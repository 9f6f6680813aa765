"""The tags of a patient as a table: sort, filter, jump, comment."""

from collections.abc import Hashable, Iterable, Sequence

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLineEdit,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from shared.widgets.tag_model import COMMENT, RECORD, TEXT, TagModel, TagRow
from shared.widgets.theme import Theme

_WIDTHS = (150, 130, 80)


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
            comment = index.siblingAtColumn(COMMENT)
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
        table.sortByColumn(RECORD, Qt.SortOrder.AscendingOrder)
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
        header.setSectionResizeMode(COMMENT, QHeaderView.ResizeMode.Stretch)
        table.clicked.connect(self._activate)
        table.activated.connect(self._activate)

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
        if keys:
            self.select_key(keys[0])
