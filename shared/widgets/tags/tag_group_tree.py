"""The tags of a patient by their text, each group with its places below it."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QObject, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QWidget

from shared.consistency.untagged_index import Untagged
from shared.model import MergedView, Patient, Span
from shared.widgets.look.icon_set import key_cap
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.group_tree import GroupModel, GroupTree
from shared.widgets.parts.plain_tip import plain_tip
from shared.widgets.parts.row_table import Index, has_words
from shared.widgets.tags.tag_groups import GroupPlace, TagGroup, TagGroups
from shared.widgets.tags.tag_model import TagRow

_TEXT, _TYPE, _SHARE = range(3)
_TOOL_TIP = int(Qt.ItemDataRole.ToolTipRole)
_WORDS = {int(Qt.ItemDataRole.DisplayRole), _TOOL_TIP}
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_DECORATION = int(Qt.ItemDataRole.DecorationRole)
_ROLES = {*_WORDS, _ACCESSIBLE, _DECORATION}
_BEFORE, _AFTER = 10, 40
"""Characters shown around a place; it begins where one sees it in a narrow column too."""
_NOTHING = MergedView(Patient("", ()))

_Order = Callable[[TagGroup], tuple[str | int, ...]]
_ORDERS: tuple[_Order, ...] = (
    lambda group: group.order,
    lambda group: (group.type_label, *group.order),
    lambda group: (group.untagged, *group.order),
)


class TagGroupModel(GroupModel[TagGroup, GroupPlace]):
    """The groups that fit the filter, each with its places, in the order of a column.

    While it is asleep nothing is shown, and the groups alone are kept in step.
    """

    heads = ("Text", "Type", "Tagged")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups = TagGroups()
        self._asleep = True
        self._words = ""
        self._column = _TEXT
        self._descending = False
        self._theme = LIGHT
        self._view = _NOTHING

    def clear(self, view: MergedView = _NOTHING) -> None:
        """Hold no tags, of a patient whose tags are to come."""
        self._view = view
        self._groups = TagGroups()
        self._arrange()

    def set_rows(self, rows: Iterable[TagRow]) -> None:
        """Hold these tags and no others, and the untagged places that there are."""
        self.change_rows(list(self._groups.keys), rows)

    def sleep(self, asleep: bool) -> None:
        """Show nothing and cost next to nothing, or show everything again."""
        if asleep != self._asleep:
            self._asleep = asleep
            self._arrange()

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the tags of some keys out and put others in."""
        self._groups.change(removed, added)
        self._arrange()

    def change_untagged(self, removed: Iterable[Untagged], added: Iterable[Untagged]) -> None:
        """Take untagged places out and put others in."""
        self._groups.change_untagged(removed, added)
        self._arrange()

    def narrow(self, text: str) -> None:
        """Show the groups whose text, type or state hold all words of `text`."""
        self._words = text
        self._arrange()

    def keys(self, index: Index) -> list[Hashable]:
        """The keys of the tags that a row stands for."""
        place = self.place(index)
        places = [place] if place else self.places(self.group(index))
        return [each.key for each in places if each.key is not None]

    def index_of(self, key: Hashable) -> QModelIndex:
        """The row of a tag, an invalid one where it is not shown."""
        number, place = self._groups.find(key) or (0, None)
        return self.index_of_place(number, place)

    def places(self, group: TagGroup) -> Sequence[GroupPlace]:
        return group.places

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.redraw(_TYPE)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column = column
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._arrange()

    def data(self, index: Index, role: int = 0) -> Any:  # noqa: ANN401
        if role not in _ROLES or not index.isValid():  # Qt asks for many of each cell it paints
            return None
        group, place, column = self.group(index), self.place(index), index.column()
        if role in _WORDS:
            cell = (_group_cells(group) if place is None else self._place_cells(place))[column]
            return plain_tip(cell) if role == _TOOL_TIP else cell
        if role == _ACCESSIBLE and column == _TEXT:
            return group.label if place is None else ", ".join(self._place_cells(place))
        if role == _DECORATION and place is None and column == _TYPE:
            return key_cap("", group.colour, self._theme)
        return None

    def _place_cells(self, place: GroupPlace) -> tuple[str, str, str]:
        section, text = self._view.section_at(place.start), self._view.text
        before = text[max(section.start, place.start - _BEFORE) : place.start]
        after = text[place.start : min(section.end, place.end + _AFTER)]
        context = " ".join(f"{before}{after}".split())
        return f"…{context}…", section.record_id, "tagged" if place.key else "not tagged"

    def _arrange(self) -> None:
        groups = [] if self._asleep else self._groups.groups
        if self._words:
            groups = [each for each in groups if has_words(_line(each), self._words)]
        if self._column != _TEXT or self._descending:
            groups.sort(key=_ORDERS[self._column], reverse=self._descending)
        self._show(groups)


def _group_cells(group: TagGroup) -> tuple[str, str, str]:
    return group.phrase, group.type_label, group.share


def _line(group: TagGroup) -> str:
    return f"{group.label} {'not tagged' if group.untagged else 'tagged'}"


class TagGroupTree(GroupTree):
    """Groups that can be opened.

    `tag_activated` (key) and `place_activated` (Span of an untagged place) on one click or Enter.
    """

    tag_activated = Signal(object)
    place_activated = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        self.groups = TagGroupModel()
        super().__init__(self.groups, "tagGroups", parent)
        self.groups.setParent(self)
        self.setAccessibleName("Tags by text")
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setIndentation(14)
        self.setAllColumnsShowFocus(True)
        self.sortByColumn(_TEXT, Qt.SortOrder.AscendingOrder)
        self.header().setSectionResizeMode(_TEXT, QHeaderView.ResizeMode.Stretch)
        self.setColumnWidth(_TYPE, 104)
        self.setColumnWidth(_SHARE, 84)
        self.clicked.connect(self._activate)
        self.activated.connect(self._activate)
        self.pointed.connect(self._point)

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

    def _activate(self, index: QModelIndex) -> None:
        place = self.groups.place(index)
        if place is None:
            return
        if place.key is None:
            self.place_activated.emit(Span(place.start, place.end))
        else:
            self.tag_activated.emit(place.key)

    def _point(self, index: QModelIndex) -> None:
        place = self.groups.place(index)
        if place is not None and place.key is not None:
            self.tag_activated.emit(place.key)
