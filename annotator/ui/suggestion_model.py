"""The suggestions of a patient as Qt's trees want them: grouped by text, each with its places."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from annotator.rejections import PlacedSuggestion, words_of
from shared.model import MergedView, Patient, PhiType
from shared.widgets.look.icon_set import key_cap
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.group_tree import GroupModel
from shared.widgets.parts.row_table import Index

TEXT, TYPE, SURE, PLACES = range(4)
_ROLES = {
    int(Qt.ItemDataRole.DisplayRole),
    int(Qt.ItemDataRole.DecorationRole),
    int(Qt.ItemDataRole.TextAlignmentRole),
}
_CONTEXT = 24
_FAR = 1000
"""A row below so many is not handed to the tree only to be pointed at: that would take long."""
_FEW = 20
"""Up to so many groups are taken out one by one."""

SuggestionGroupKey = tuple[str, str, str]
"""The words, and the name and the category of the type."""


@dataclass(frozen=True, slots=True)
class SuggestionGroup:
    """Suggestions of one type on one text, in order of place; there is always one."""

    key: SuggestionGroupKey
    number: int
    places: tuple[PlacedSuggestion, ...]
    least: float
    """How sure the least sure is."""

    @property
    def phi_type(self) -> PhiType:
        return self.places[0].phi_type


_Order = Callable[[SuggestionGroup], tuple[str | float, ...]]
_ORDERS: tuple[_Order, ...] = (
    lambda group: (group.key[0], group.places[0].start),
    lambda group: (group.key[1], group.places[0].start),
    lambda group: (group.least, group.places[0].start),
    lambda group: (len(group.places), group.places[0].start),
)


class SuggestionModel(GroupModel[SuggestionGroup, PlacedSuggestion]):
    """Groups in the order of a column, at first the least sure on top, and the places of each."""

    heads = ("Text", "Type", "Sure", "Places")

    def __init__(self, colour: Callable[[PhiType], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._colour = colour
        self._view = MergedView(Patient("", ()))
        self._groups: dict[SuggestionGroupKey, SuggestionGroup] = {}
        self._count = 0
        self._order = _ORDERS[SURE]
        self._descending = False
        self.in_order = True
        """Whether all that is held is shown, in its order."""
        self._theme = LIGHT

    @property
    def groups(self) -> Sequence[SuggestionGroup]:
        return self._shown

    def open(self, view: MergedView) -> None:
        """Show a patient's suggestions, none so far."""
        self._view = view
        self._groups = {}
        self._sort()

    def change(
        self, removed: Iterable[PlacedSuggestion], added: Iterable[PlacedSuggestion]
    ) -> None:
        """Take suggestions out and put others in; what is more than a few rows `arrange` shows."""
        gone, new = self._by_key(removed), self._by_key(added)
        few = self.in_order and len(gone) + len(new) <= _FEW
        for key in {**gone, **new}:
            before = self._groups.pop(key, None)
            out = frozenset(gone.get(key, ()))
            stay = [each for each in before.places if each not in out] if before else []
            if places := sorted([*stay, *new.get(key, ())], key=lambda each: each.start):
                if before is None:
                    self._count += 1
                number = before.number if before else self._count
                least = min(each.confidence for each in places)
                self._groups[key] = SuggestionGroup(key, number, tuple(places), least)
                self.in_order = False
            elif before and few:
                self._take_out(before)
            elif before:
                self.in_order = False

    def arrange(self) -> None:
        """Show all changes, each group in its place."""
        if not self.in_order:
            self._sort()

    def places(self, group: SuggestionGroup) -> Sequence[PlacedSuggestion]:
        """What is below a group: nothing where its own row says it all."""
        return group.places if len(group.places) > 1 else ()

    def suggestions(self, index: QModelIndex) -> list[PlacedSuggestion]:
        """What a row stands for: one place, or all of a group."""
        if not index.isValid():
            return []
        place = self.place(index)
        return list(self.group(index).places) if place is None else [place]

    def index_of(self, suggestion: PlacedSuggestion) -> QModelIndex:
        """The row of a suggestion, its group's where it is the only one in it."""
        held = self._groups.get(self._key(suggestion))
        row = self._rows.get(held.number) if held else None
        if row is None or row >= max(_FAR, self._fetched):
            return QModelIndex()
        places = self._shown[row].places
        if suggestion not in places:
            return QModelIndex()
        above = self.index_of_group(self._shown[row].number)
        return self.index(places.index(suggestion), 0, above) if len(places) > 1 else above

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.redraw(TYPE)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = _ORDERS[column]
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._sort()

    def data(self, index: Index, role: int = 0) -> Any:  # noqa: ANN401
        if role not in _ROLES or not index.isValid():  # Qt asks for many of each cell it paints
            return None
        place, column = self.place(index), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            cells = self._group_cells(self.group(index)) if place is None else self._cells(place)
            return cells[column]
        if role == Qt.ItemDataRole.DecorationRole and place is None and column == TYPE:
            return key_cap("", self._colour(self.group(index).phi_type), self._theme)
        if role == Qt.ItemDataRole.TextAlignmentRole and column in {SURE, PLACES}:
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def _group_cells(self, group: SuggestionGroup) -> tuple[str, str, str, str]:
        first = group.places[0]
        text = " ".join(first.span.text_in(self._view.text).split())
        return text, group.phi_type.name, percent(group.least), str(len(group.places))

    def _cells(self, place: PlacedSuggestion) -> tuple[str, str, str, str]:
        section = self._view.section(place.record_id)
        start, end = max(section.start, place.start - _CONTEXT), place.end + _CONTEXT
        context = " ".join(self._view.text[start : min(section.end, end)].split())
        return f"… {context} …", place.record_id, percent(place.confidence), ""

    def _by_key(
        self, suggestions: Iterable[PlacedSuggestion]
    ) -> dict[SuggestionGroupKey, list[PlacedSuggestion]]:
        found: dict[SuggestionGroupKey, list[PlacedSuggestion]] = defaultdict(list)
        for each in suggestions:
            found[self._key(each)].append(each)
        return found

    def _key(self, suggestion: PlacedSuggestion) -> SuggestionGroupKey:
        phi_type = suggestion.phi_type
        return words_of(self._view, suggestion.span), phi_type.name, phi_type.category

    def _sort(self) -> None:
        groups = sorted(self._groups.values(), key=self._order, reverse=self._descending)
        self._groups = {each.key: each for each in groups}  # nearly in order the next time
        self.in_order = True
        self._show(groups)


def percent(confidence: float) -> str:
    """A confidence as one reads it; 100% is kept for what is certain."""
    return f"{min(int(confidence * 100), 99) if confidence < 1 else 100}%"
