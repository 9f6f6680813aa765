"""Groups of tags as Qt's trees want them: in order, filtered, each with its places below."""

from bisect import bisect_left
from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QObject, Qt

from shared.consistency.untagged_index import Untagged
from shared.model import MergedView, Patient
from shared.widgets.look.icon_set import key_cap
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.group_tree import GroupModel
from shared.widgets.parts.row_table import Index
from shared.widgets.tags.tag_groups import GroupPlace, TagGroup, TagGroups, by_text
from shared.widgets.tags.tag_model import TagRow

_ROOT = QModelIndex()
GROUP_TEXT, GROUP_TYPE, GROUP_SHARE = range(3)
_WORDS = {int(Qt.ItemDataRole.DisplayRole), int(Qt.ItemDataRole.ToolTipRole)}
_ACCESSIBLE = int(Qt.ItemDataRole.AccessibleTextRole)
_DECORATION = int(Qt.ItemDataRole.DecorationRole)
_ROLES = {*_WORDS, _ACCESSIBLE, _DECORATION}
_MANY = 20
"""More groups than this touched at once, and the tree is arranged anew."""
_BEFORE, _AFTER = 10, 40
"""Characters shown around a place; it begins where one sees it in a narrow column too."""
_NOTHING = MergedView(Patient("", ()))

_Order = Callable[[TagGroup], tuple[str | int, ...]]
_ORDERS: tuple[_Order, ...] = (
    by_text,
    lambda group: (group.type_label, *group.order),
    lambda group: (group.untagged, *group.order),
)


class TagGroupModel(GroupModel[TagGroup, GroupPlace]):
    """The groups that fit the filter, each with its places, in the order of a column.

    What is shown is a copy of the groups' places, brought up to date row by row as Qt wants it;
    while it is asleep nothing is, and the groups alone are kept in step.
    """

    heads = ("Text", "Type", "Tagged")

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._groups = TagGroups()
        self._asleep = True
        self._places: dict[int, list[GroupPlace]] = {}
        """What is shown below each group, where somebody has asked for it."""
        self._words: list[str] = []
        self._column = GROUP_TEXT
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
        self._groups = TagGroups(rows, self._groups.untagged)
        self._arrange()

    def sleep(self, asleep: bool) -> None:
        """Show nothing and cost next to nothing, or show everything again."""
        if asleep != self._asleep:
            self._asleep = asleep
            self._arrange()

    def change_rows(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the tags of some keys out and put others in."""
        self._follow(self._groups.change(removed, added))

    def change_untagged(self, removed: Iterable[Untagged], added: Iterable[Untagged]) -> None:
        """Take untagged places out and put others in."""
        self._follow(self._groups.change_untagged(removed, added))

    def narrow(self, text: str) -> None:
        """Show the groups whose text, type or state hold all words of `text`."""
        self._words = text.lower().split()
        self._arrange()

    @property
    def known(self) -> int:
        """How many tags there are in all groups, shown or not."""
        return self._groups.tagged

    def keys(self, index: Index) -> list[Hashable]:
        """The keys of the tags that a row stands for."""
        place = self.place(index)
        places = [place] if place else self.places(self.group(index))
        return [each.key for each in places if each.key is not None]

    def index_of(self, key: Hashable) -> QModelIndex:
        """The row of a tag, an invalid one where it is not shown."""
        found = self._groups.find(key)
        if found is None or found[0].number not in self._rows:
            return QModelIndex()
        group, place = found
        above = self.index_of_group(group.number)
        return self.index(self.places(group).index(place), 0, above)

    def places(self, group: TagGroup) -> Sequence[GroupPlace]:
        shown = self._places.get(group.number)
        if shown is None:
            shown = self._places[group.number] = list(group.places)
        return shown

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.redraw(GROUP_TYPE)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._column = column
        self._descending = order is Qt.SortOrder.DescendingOrder
        self._arrange()

    def data(self, index: Index, role: int = 0) -> Any:  # noqa: ANN401
        if role not in _ROLES or not index.isValid():  # Qt asks for many of each cell it paints
            return None
        group, place, column = self.group(index), self.place(index), index.column()
        if role in _WORDS:
            return (_group_cells(group) if place is None else self._place_cells(place))[column]
        if role == _ACCESSIBLE and column == GROUP_TEXT:
            return group.label if place is None else ", ".join(self._place_cells(place))
        if role == _DECORATION and place is None and column == GROUP_TYPE:
            return key_cap("", group.colour, self._theme)
        return None

    def _place_cells(self, place: GroupPlace) -> tuple[str, str, str]:
        section, text = self._view.section_at(place.start), self._view.text
        before = text[max(section.start, place.start - _BEFORE) : place.start]
        after = text[place.start : min(section.end, place.end + _AFTER)]
        context = " ".join(f"{before}{after}".split())
        return f"…{context}…", section.record_id, "tagged" if place.key else "not tagged"

    def _arrange(self) -> None:
        shown = [] if self._asleep else self._fitting()
        if self._column != GROUP_TEXT or self._descending:
            shown.sort(key=_ORDERS[self._column], reverse=self._descending)
        with self._resetting():
            self._places = {}
            self._hold(shown)
        self.arranged.emit()

    def _fitting(self) -> list[TagGroup]:
        groups = self._groups.groups
        return list(filter(self._fits, groups) if self._words else groups)

    def _fits(self, group: TagGroup) -> bool:
        state = "not tagged" if group.untagged else "tagged"
        line = f"{group.label} {state}".lower()
        return all(word in line for word in self._words)

    def _follow(self, touched: set[TagGroup]) -> None:
        """Show what has changed in these groups."""
        if self._asleep:
            return
        if len(touched) > _MANY or self._column == GROUP_SHARE:
            self._arrange()
            return
        for group in touched:
            shown = group.number in self._rows
            if group.tagged and self._fits(group):
                if shown:
                    self._renew(group)
                else:
                    self._put_in(group)
            elif shown:
                self._take_out(group)

    def _take_out(self, group: TagGroup) -> None:
        super()._take_out(group)
        self._places.pop(group.number, None)

    def _put_in(self, group: TagGroup) -> None:
        row = self._place_for(group)
        known = int(row < self._fetched or self._fetched == len(self._shown))
        with self._inserting(_ROOT, row, known):
            self._shown.insert(row, group)
            self._count_rows()
            self._fetched += known

    def _place_for(self, group: TagGroup) -> int:
        order = _ORDERS[self._column]
        wanted = order(group)

        def comes_after(other: TagGroup) -> bool:
            return order(other) < wanted if self._descending else order(other) > wanted

        return bisect_left(self._shown, 1, key=comes_after)

    def _renew(self, group: TagGroup) -> None:
        """Bring a group and the rows below it up to date."""
        row, shown = self._rows[group.number], self._places.get(group.number)
        if row >= self._fetched:
            self._places.pop(group.number, None)
            return
        above = self.index(row, 0)
        if shown is not None:
            self._renew_places(above, shown, group.places)
        self.dataChanged.emit(above, above.siblingAtColumn(GROUP_SHARE))

    def _renew_places(
        self, above: QModelIndex, shown: list[GroupPlace], now: Sequence[GroupPlace]
    ) -> None:
        """Change the rows below a group, between what stays at both ends."""
        head = _alike(shown, now)
        tail = _alike(shown[head:][::-1], now[head:][::-1])
        gone, new = len(shown) - tail, now[head : len(now) - tail]
        with self._removing(above, head, gone - head):
            del shown[head:gone]
        with self._inserting(above, head, len(new)):
            shown[head:head] = new


def _group_cells(group: TagGroup) -> tuple[str, str, str]:
    return group.phrase, group.type_label, group.share


def _alike(one: Sequence[GroupPlace], other: Sequence[GroupPlace]) -> int:
    """How many places both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    differs = (at for at, (a, b) in pairs if a != b)
    return next(differs, min(len(one), len(other)))
