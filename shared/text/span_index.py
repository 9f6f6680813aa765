"""What lies where: spans in order, with the lane each is drawn in."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeAlias, TypeVar

LONG = 2000
"""Spans longer than this are kept apart, so that one of them does not slow every query."""
FEW = 20
"""Up to so many changes at once are made one by one, more when somebody asks what lies where."""
_SORTED_FROM = 16
"""Where one in so many is new or gone, going through all takes less time than finding each."""


class Spanned(Protocol):
    """Anything with a half-open interval of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


Item = TypeVar("Item", bound=Spanned)

_Entry: TypeAlias = tuple[int, int, int, Item]
"""Start, end, the order in which it came, and the item."""
_Place = TypeVar("_Place", bound=tuple[int, int, int] | tuple[int, int, int, object])


class SpanIndex(Generic[Item]):
    """Items by place, for queries of a stretch of text, with a lane for each.

    Items that overlap get different lanes (0, 1, ...): the lowest that is free, from left to
    right within a cluster of overlapping items, so that lanes do not depend on what is on screen.
    They are worked out when asked for: most items never are. Items must be hashable; one that is
    there already is not added again. What changes of many items at once mean for their order is
    worked out when asked for too, so that nobody waits for it who does not ask.
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._short: list[_Entry[Item]] = []
        self._long: list[_Entry[Item]] = []
        self._numbers: dict[Item, int] = {}
        self._lanes: dict[Item, int] = {}
        self._count = 0
        self._gone: list[tuple[int, int, int]] = []
        self._new: list[_Entry[Item]] = []
        """What the last change of many took out and put in, not in order yet."""
        self._reach = 0
        """None of the short ones has been longer than this."""
        self.replace(items)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Item]:
        self.settle()
        entries = sorted(self._short + self._long) if self._long else self._short
        return iter([entry[3] for entry in entries])

    def __contains__(self, item: object) -> bool:
        return item in self._numbers

    def replace(self, items: Iterable[Item]) -> None:
        """Hold these items and no others."""
        self._short, self._long, self._numbers, self._lanes = [], [], {}, {}
        self._gone, self._new = [], []
        self._reach = 0
        self.change(added=items)

    def change(self, removed: Iterable[Item] = (), added: Iterable[Item] = ()) -> None:
        """Take items out and put items in, few at the cost of those few alone."""
        self.settle()
        gone, new = self._forget(removed), self._entries(added)
        self._lanes = {}
        if len(gone) + len(new) > FEW:
            self._gone, self._new = gone, new
            return
        self._note_lengths(new)
        for place in gone:
            side = self._side(place[0], place[1])
            del side[bisect_left(side, place)]
        for entry in new:
            insort(self._side(entry[0], entry[1]), entry)

    def settle(self) -> None:
        """Put into order what changed last; another thread may look at what is there after that."""
        if not (self._gone or self._new):
            return
        gone, new, self._gone, self._new = self._gone, self._new, [], []
        self._note_lengths(new)
        short, long = _by_length(new)
        self._short = _changed(self._short, _by_length(gone)[0], short)
        self._long = _changed(self._long, _by_length(gone)[1], long)

    def query(self, start: int, end: int) -> list[Item]:
        """Return the items that overlap `[start, end)`, in order."""
        return [entry[3] for entry in self._query(start, end)]

    def on(self, start: int, end: int) -> list[Item]:
        """Return the items on exactly `[start, end)`, in the order in which they came."""
        self.settle()
        side = self._side(start, end)
        first = last = bisect_left(side, (start, end))
        while last < len(side) and side[last][0] == start and side[last][1] == end:
            last += 1
        return [entry[3] for entry in side[first:last]]

    def lane(self, item: Item) -> int:
        """The lane to draw an item in; 0 for one that is not held."""
        if item not in self._lanes and item in self._numbers:
            self._give_lanes(self._cluster(item.start, item.end))
        return self._lanes.get(item, 0)

    def next_after(self, offset: int) -> Item | None:
        """Return the first item that starts after `offset`."""
        self.settle()
        found = [
            entries[at]
            for entries in (self._short, self._long)
            if (at := bisect_left(entries, (offset + 1,))) < len(entries)
        ]
        return min(found)[3] if found else None

    def last_before(self, offset: int) -> Item | None:
        """Return the last item that starts before `offset`."""
        self.settle()
        found = [
            entries[at - 1]
            for entries in (self._short, self._long)
            if (at := bisect_left(entries, (offset,))) > 0
        ]
        return max(found)[3] if found else None

    def _forget(self, items: Iterable[Item]) -> list[tuple[int, int, int]]:
        """Hold the numbers of these no more; returns where those were that were there."""
        return [
            (item.start, item.end, number)
            for item in items
            if (number := self._numbers.pop(item, None)) is not None
        ]

    def _entries(self, items: Iterable[Item]) -> "list[_Entry[Item]]":
        """Number the items that are not there yet."""
        entries: list[_Entry[Item]] = []
        for number, item in enumerate(items, start=self._count + 1):
            self._count = number
            if self._numbers.setdefault(item, number) == number:
                entries.append((item.start, item.end, number, item))
        return entries

    def _note_lengths(self, new: "list[_Entry[Item]]") -> None:
        lengths = [end - start for start, end, _, _ in new]
        self._reach = max([self._reach, *(each for each in lengths if each <= LONG)])

    def _side(self, start: int, end: int) -> "list[_Entry[Item]]":
        return self._short if end - start <= LONG else self._long

    def _query(self, start: int, end: int) -> "list[_Entry[Item]]":
        self.settle()
        first = bisect_left(self._short, (start - self._reach,))
        last = bisect_left(self._short, (end,))
        found = [entry for entry in self._short[first:last] if entry[1] > start]
        if not self._long:
            return found
        far = [entry for entry in self._long if entry[0] < end and entry[1] > start]
        return sorted(found + far) if far else found

    def _cluster(self, start: int, end: int) -> "list[_Entry[Item]]":
        while True:
            found = self._query(start, end)
            low = min([start, *(entry[0] for entry in found)])
            high = max([end, *(entry[1] for entry in found)])
            if (low, high) == (start, end):
                return found
            start, end = low, high

    def _give_lanes(self, entries: "list[_Entry[Item]]") -> None:
        ends: list[int] = []
        for start, end, _, item in entries:
            lane = next((at for at, busy in enumerate(ends) if busy <= start), len(ends))
            ends[lane : lane + 1] = [end]
            self._lanes[item] = lane


def _by_length(places: list[_Place]) -> tuple[list[_Place], list[_Place]]:
    """Return the places that are not long, and those that are."""
    short = [each for each in places if each[1] - each[0] <= LONG]
    if len(short) == len(places):
        return short, []
    return short, [each for each in places if each[1] - each[0] > LONG]


def _changed(
    entries: list[_Entry[Item]], gone: list[tuple[int, int, int]], new: list[_Entry[Item]]
) -> list[_Entry[Item]]:
    """Return ordered entries without those at some places, and with new ones."""
    kept = _without(entries, gone) if gone else entries
    return _with(kept, new) if new else kept


def _without(entries: list[_Entry[Item]], gone: list[tuple[int, int, int]]) -> list[_Entry[Item]]:
    if len(gone) * _SORTED_FROM > len(entries):
        out = {number for _, _, number in gone}
        return [each for each in entries if each[2] not in out]
    kept: list[_Entry[Item]] = []
    reached = 0
    for place in sorted(gone):
        at = bisect_left(entries, place, reached)
        kept += entries[reached:at]
        reached = at + 1
    return kept + entries[reached:]


def _with(entries: list[_Entry[Item]], new: list[_Entry[Item]]) -> list[_Entry[Item]]:
    if len(new) * _SORTED_FROM > len(entries):
        return sorted(entries + sorted(new))
    changed: list[_Entry[Item]] = []
    reached = 0
    for entry in sorted(new):
        at = bisect_left(entries, entry, reached)
        changed += entries[reached:at]
        changed.append(entry)
        reached = at
    return changed + entries[reached:]
