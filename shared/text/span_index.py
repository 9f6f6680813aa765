"""What lies where: spans in order, with the lane each is drawn in."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeAlias, TypeVar

LONG = 2000
"""Spans longer than this are kept apart, so that one of them does not slow every query."""
_MANY = 1 / 20
"""Where so large a part of the items comes or goes, all are put in order anew, which is faster."""


class Spanned(Protocol):
    """Anything with a half-open interval of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


Item = TypeVar("Item", bound=Spanned)

_Entry: TypeAlias = tuple[int, int, int, Item]
"""Start, end, the order in which it came, and the item."""


class SpanIndex(Generic[Item]):
    """Items by place, for queries of a stretch of text, with a lane for each.

    Items that overlap get different lanes (0, 1, ...): the lowest that is free, from left to
    right within a cluster of overlapping items, so that lanes do not depend on what is on screen.
    They are worked out when asked for: most items never are. Items must be hashable; one that is
    there already is not added again.
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._count = 0
        self.replace(items)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Item]:
        short, long = self._short.entries, self._long.entries
        return iter([entry[3] for entry in (sorted(short + long) if long else short)])

    def __contains__(self, item: object) -> bool:
        return item in self._numbers

    def replace(self, items: Iterable[Item]) -> None:
        """Hold these items and no others."""
        self._short: _Ordered[Item] = _Ordered()
        self._long: _Ordered[Item] = _Ordered()
        self._numbers: dict[Item, int] = {}
        self._reach = 0
        """None of the short ones has been longer than this."""
        self.change(added=items)

    def change(self, removed: Iterable[Item] = (), added: Iterable[Item] = ()) -> None:
        """Take items out and put items in, few at the cost of those few alone."""
        self._lanes: dict[Item, int] = {}
        gone: list[_Entry[Item]] = [
            (item.start, item.end, number, item)
            for item in removed
            if (number := self._numbers.pop(item, None)) is not None
        ]
        new: list[_Entry[Item]] = []
        for number, item in enumerate(added, start=self._count + 1):
            self._count = number
            if self._numbers.setdefault(item, number) == number:
                new.append((item.start, item.end, number, item))
        (gone, far_gone), (new, far) = _by_length(gone), _by_length(new)
        self._reach = max([self._reach, *[end - start for start, end, _, _ in new]])
        self._short.change(gone, new)
        self._long.change(far_gone, far)

    def query(self, start: int, end: int) -> list[Item]:
        """Return the items that overlap `[start, end)`, in order."""
        return [entry[3] for entry in self._query(start, end)]

    def on(self, start: int, end: int) -> list[Item]:
        """Return the items on exactly `[start, end)`, in the order in which they came."""
        side = self._short if end - start <= LONG else self._long
        return [entry[3] for entry in side.within(start, start + 1) if entry[1] == end]

    def lane(self, item: Item) -> int:
        """The lane to draw an item in; 0 for one that is not held."""
        if item not in self._lanes and item in self._numbers:
            self._give_lanes(self._cluster(item.start, item.end))
        return self._lanes.get(item, 0)

    def next_after(self, offset: int) -> Item | None:
        """Return the first item that starts after `offset`."""
        found = [entry for side in (self._short, self._long) for entry in side.first(offset + 1)]
        return min(found)[3] if found else None

    def last_before(self, offset: int) -> Item | None:
        """Return the last item that starts before `offset`."""
        found = [entry for side in (self._short, self._long) for entry in side.last(offset)]
        return max(found)[3] if found else None

    def _query(self, start: int, end: int) -> "list[_Entry[Item]]":
        found = self._short.reaching(start - self._reach, end, start)
        if not self._long.entries:
            return found
        far = self._long.reaching(0, end, start)
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


def _by_length(entries: "list[_Entry[Item]]") -> "tuple[list[_Entry[Item]], list[_Entry[Item]]]":
    """The short ones, and the long ones, of which there are few."""
    long = [entry for entry in entries if entry[1] - entry[0] > LONG]
    short = [entry for entry in entries if entry[1] - entry[0] <= LONG] if long else entries
    return short, long


class _Ordered(Generic[Item]):
    """Entries in order; their starts stand beside them, since numbers are compared faster."""

    def __init__(self) -> None:
        self.entries: list[_Entry[Item]] = []
        self._starts: list[int] = []

    def change(self, gone: "list[_Entry[Item]]", new: "list[_Entry[Item]]") -> None:
        """Take out entries that are there, and put others in."""
        if len(gone) + len(new) > _MANY * len(self.entries):
            numbers = {entry[2] for entry in gone}
            stay = [entry for entry in self.entries if entry[2] not in numbers]
            self.entries = sorted(stay + new)
            self._starts = [entry[0] for entry in self.entries]
            return
        for entry in gone:
            at = bisect_left(self.entries, entry[:3])
            del self.entries[at], self._starts[at]
        for entry in new:
            at = bisect_left(self.entries, entry[:3])
            self.entries.insert(at, entry)
            self._starts.insert(at, entry[0])

    def within(self, low: int, high: int) -> "list[_Entry[Item]]":
        """Those that start in `[low, high)`."""
        first = bisect_left(self._starts, low)
        return self.entries[first : bisect_left(self._starts, high, first)]

    def reaching(self, low: int, high: int, beyond: int) -> "list[_Entry[Item]]":
        """Those that start in `[low, high)` and end after `beyond`."""
        first = bisect_left(self._starts, low)
        near = self.entries[first : bisect_left(self._starts, high, first)]
        return [entry for entry in near if entry[1] > beyond]

    def first(self, low: int) -> "list[_Entry[Item]]":
        """The first that starts at `low` or after it, if any."""
        at = bisect_left(self._starts, low)
        return self.entries[at : at + 1]

    def last(self, high: int) -> "list[_Entry[Item]]":
        """The last that starts before `high`, if any."""
        at = bisect_left(self._starts, high)
        return self.entries[max(0, at - 1) : at]
