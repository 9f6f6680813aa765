"""The suggestions of a patient as Qt's trees want them: grouped by text, each with its places."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from annotator.rejections import PlacedSuggestion, words_of
from shared.model import MergedView, Patient, PhiType
from shared.widgets.look.key_cap import key_cap
from shared.widgets.look.theme import LIGHT, Theme

TEXT, TYPE, SURE, PLACES = range(4)
_HEADERS = ("Text", "Type", "Sure", "Places")
_ROOT = QModelIndex()
_CONTEXT = 24
_GROUP = 0
"""Stands where a place of group n has n + 1."""

GroupKey = tuple[str, PhiType]


@dataclass(slots=True)
class Group:
    """Suggestions of one type on one text, in order of place; there is always one."""

    key: GroupKey
    number: int
    places: list[PlacedSuggestion] = field(default_factory=list[PlacedSuggestion])

    @property
    def least(self) -> float:
        return min(each.confidence for each in self.places)


_Order = Callable[[Group], tuple[str | float, ...]]
_ORDERS: tuple[_Order, ...] = (
    lambda group: (group.key[0], group.places[0].start),
    lambda group: (group.key[1].name, group.places[0].start),
    lambda group: (group.least, group.places[0].start),
    lambda group: (len(group.places), group.places[0].start),
)


class SuggestionModel(QAbstractItemModel):
    """Groups in the order of a column, at first the least sure on top, and the places of each."""

    def __init__(self, colour: Callable[[PhiType], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._colour = colour
        self._view = MergedView(Patient("", ()))
        self._groups: dict[GroupKey, Group] = {}
        self._rows: list[Group] = []
        self._row_of: dict[int, int] = {}
        self._by_number: dict[int, Group] = {}
        self._count = 0
        self._order = _ORDERS[SURE]
        self._descending = False
        self._theme = LIGHT

    @property
    def groups(self) -> Sequence[Group]:
        return self._rows

    def open(self, view: MergedView) -> None:
        """Show a patient's suggestions, none so far."""
        self._view = view
        self._groups = {}
        self._arrange()

    def change(
        self, removed: Iterable[PlacedSuggestion], added: Iterable[PlacedSuggestion]
    ) -> None:
        """Take suggestions out and put others in."""
        gone = set(removed)
        for key in {self._key(each) for each in gone}:
            group = self._groups.get(key)
            if group is not None:
                group.places = [each for each in group.places if each not in gone]
        touched = [self._put_in(each) for each in added]
        for group in touched:
            group.places.sort(key=lambda each: each.start)
        self._groups = {key: each for key, each in self._groups.items() if each.places}
        self._arrange()

    def suggestions(self, index: QModelIndex) -> list[PlacedSuggestion]:
        """What a row stands for: one place, or all of a group."""
        if not index.isValid():
            return []
        if index.internalId() == _GROUP:
            return list(self._rows[index.row()].places)
        return [self._by_number[index.internalId()].places[index.row()]]

    def index_of(self, suggestion: PlacedSuggestion) -> QModelIndex:
        """The row of a suggestion, its group's where it is the only one in it."""
        group = self._groups.get(self._key(suggestion))
        if group is None or suggestion not in group.places:
            return QModelIndex()
        parent = self.index(self._row_of[group.number], 0)
        if len(group.places) == 1:
            return parent
        return self.index(group.places.index(suggestion), 0, parent)

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self._rows:
            self.dataChanged.emit(self.index(0, TYPE), self.index(len(self._rows) - 1, TYPE))

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = _ORDERS[column]
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._arrange()

    def index(
        self, row: int, column: int, parent: QModelIndex | QPersistentModelIndex = _ROOT
    ) -> QModelIndex:
        if not self.hasIndex(row, column, parent):
            return QModelIndex()
        number = self._rows[parent.row()].number if parent.isValid() else _GROUP
        return self.createIndex(row, column, number)

    def parent(self, index: QModelIndex | QPersistentModelIndex = _ROOT) -> Any:  # noqa: ANN401
        number = index.internalId() if index.isValid() else _GROUP
        if number == _GROUP or number not in self._row_of:
            return QModelIndex()
        return self.createIndex(self._row_of[number], 0, _GROUP)

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        if not parent.isValid():
            return len(self._rows)
        if parent.internalId() != _GROUP or parent.column() > 0:
            return 0
        places = len(self._rows[parent.row()].places)
        return places if places > 1 else 0

    def columnCount(self, parent: QModelIndex | QPersistentModelIndex = _ROOT) -> int:
        return 0 if parent.column() > 0 else len(_HEADERS)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = 0) -> Any:  # noqa: ANN401
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return _HEADERS[section]
        return None

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = 0) -> Any:  # noqa: ANN401
        if index.internalId() == _GROUP:
            return self._of_group(self._rows[index.row()], index.column(), role)
        place = self._by_number[index.internalId()].places[index.row()]
        return self._of_place(place, index.column(), role)

    def _of_group(self, group: Group, column: int, role: int) -> object:
        first = group.places[0]
        if role == Qt.ItemDataRole.DisplayRole:
            text = " ".join(first.span.text_in(self._view.text).split())
            count = str(len(group.places))
            return (text, first.phi_type.name, percent(group.least), count)[column]
        if role == Qt.ItemDataRole.DecorationRole and column == TYPE:
            return key_cap("", self._colour(first.phi_type), self._theme)
        return _aligned(column, role)

    def _of_place(self, place: PlacedSuggestion, column: int, role: int) -> object:
        if role == Qt.ItemDataRole.DisplayRole:
            return (self._context(place), place.record_id, percent(place.confidence), "")[column]
        return _aligned(column, role)

    def _context(self, place: PlacedSuggestion) -> str:
        section = self._view.section(place.record_id)
        start, end = max(section.start, place.start - _CONTEXT), place.end + _CONTEXT
        return f"… {' '.join(self._view.text[start : min(section.end, end)].split())} …"

    def _key(self, suggestion: PlacedSuggestion) -> GroupKey:
        return words_of(self._view, suggestion.span), suggestion.phi_type

    def _put_in(self, suggestion: PlacedSuggestion) -> Group:
        key = self._key(suggestion)
        if key not in self._groups:
            self._count += 1
            self._groups[key] = Group(key, self._count)
        self._groups[key].places.append(suggestion)
        return self._groups[key]

    def _arrange(self) -> None:
        self.beginResetModel()
        self._rows = sorted(self._groups.values(), key=self._order, reverse=self._descending)
        self._row_of = {group.number: row for row, group in enumerate(self._rows)}
        self._by_number = {group.number: group for group in self._rows}
        self.endResetModel()


def percent(confidence: float) -> str:
    """A confidence as one reads it; 100 % is kept for what is certain."""
    return f"{min(int(confidence * 100), 99) if confidence < 1 else 100} %"


def _aligned(column: int, role: int) -> object:
    if role == Qt.ItemDataRole.TextAlignmentRole and column in {SURE, PLACES}:
        return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    return None
