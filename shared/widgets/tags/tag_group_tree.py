"""The tags of a patient by their text, each group with its places below it."""

from collections.abc import Hashable

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from shared.model import Span
from shared.widgets.look.theme import Theme
from shared.widgets.parts.group_tree import GroupTree
from shared.widgets.tags.tag_group_model import GROUP_SHARE, GROUP_TEXT, GROUP_TYPE, TagGroupModel

_WIDTHS = {GROUP_TYPE: 104, GROUP_SHARE: 84}
_INDENT = 14


class TagGroupTree(GroupTree):
    """Groups that can be opened.

    `tag_activated` (key) and `place_activated` (Span of an untagged place) on one click or Enter.
    """

    tag_activated = Signal(object)
    place_activated = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        groups = TagGroupModel()
        super().__init__(groups, "tagGroups", parent)
        groups.setParent(self)
        self.groups = groups
        self.setAccessibleName("Tags by text")
        self._set_up()
        self.clicked.connect(self._activate)
        self.activated.connect(self._activate)

    def select_key(self, key: Hashable) -> None:
        """Select the row of a tag and bring it into sight, its group opened."""
        index = self.groups.index_of(key)
        if index.isValid():
            self.expand(index.parent())
            self.setCurrentIndex(index)
            self.scrollTo(index)
        else:
            self.clearSelection()

    def selected_keys(self) -> list[Hashable]:
        """The keys of the tags in the selected rows; a group stands for all its tags."""
        indexes = self.selectionModel().selectedRows()
        return list(dict.fromkeys(key for each in indexes for key in self.groups.keys(each)))

    def select_keys(self, keys: list[Hashable]) -> None:
        """Select the rows of these tags as far as they are shown."""
        flags = QItemSelectionModel.SelectionFlag
        self.clearSelection()
        for key in keys:
            index = self.groups.index_of(key)
            self.selectionModel().select(index, flags.Select | flags.Rows)

    def apply_theme(self, theme: Theme) -> None:
        self.groups.apply_theme(theme)

    def _set_up(self) -> None:
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIndentation(_INDENT)
        self.setAllColumnsShowFocus(True)
        self.sortByColumn(GROUP_TEXT, Qt.SortOrder.AscendingOrder)
        self.header().setSectionResizeMode(GROUP_TEXT, QHeaderView.ResizeMode.Stretch)
        for column, width in _WIDTHS.items():
            self.setColumnWidth(column, width)

    def _activate(self, index: QModelIndex) -> None:
        place = self.groups.place(index)
        if place is None:
            return
        if place.key is None:
            self.place_activated.emit(Span(place.start, place.end))
        else:
            self.tag_activated.emit(place.key)
