"""What lies where: spans in order, with the lane each is drawn in."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from typing import Generic, Protocol, TypeVar

LONG = 2000
"""Spans longer than this are kept apart, so that one of them does not slow every query."""


class Spanned(Protocol):
    """Anything with a half-open interval of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


Item = TypeVar("Item", bound=Spanned)


class SpanIndex(Generic[Item]):
    """Items by place, for queries of a stretch of text, with a lane for each.

    Items that overlap get different lanes (0, 1, ...): the lowest that is free, from left to
    right within a cluster of overlapping items, so that lanes do not depend on what is on screen.
    Items must be hashable; one that is there already is not added again.
    """

    def __init__(self, items: Iterable[Item] = ()) -> None:
        self._short: list[tuple[int, int, int, Item]] = []
        self._long: list[tuple[int, int, int, Item]] = []
        self._numbers: dict[Item, int] = {}
        self._lanes: dict[Item, int] = {}
        self._count = 0
        self.replace(items)

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[Item]:
        return (entry[3] for entry in sorted(self._short + self._long))

    def __contains__(self, item: object) -> bool:
        return item in self._numbers

    def replace(self, items: Iterable[Item]) -> None:
        """Hold these items and no others."""
        self._numbers = {}
        entries = [self._entry(item) for item in dict.fromkeys(items)]
        entries.sort()
        self._short = [entry for entry in entries if entry[1] - entry[0] <= LONG]
        self._long = [entry for entry in entries if entry[1] - entry[0] > LONG]
        self._lanes = {}
        self._give_lanes(entries)

    def change(self, removed: Iterable[Item] = (), added: Iterable[Item] = ()) -> None:
        """Take items out and put items in, at the cost of what changes, not of what is held."""
        touched: list[tuple[int, int]] = []
        for item in removed:
            if item in self._numbers:
                self._remove(item)
                touched.append((item.start, item.end))
        for item in added:
            if item not in self._numbers:
                self._insert(item)
                touched.append((item.start, item.end))
        for start, end in touched:
            self._give_lanes(self._cluster(start, end))

    def query(self, start: int, end: int) -> list[Item]:
        """Return the items that overlap `[start, end)`, in order."""
        return [entry[3] for entry in self._query(start, end)]

    def lane(self, item: Item) -> int:
        return self._lanes.get(item, 0)

    def next_after(self, offset: int) -> Item | None:
        """Return the first item that starts after `offset`."""
        found = [
            entries[at]
            for entries in (self._short, self._long)
            if (at := bisect_left(entries, (offset + 1,))) < len(entries)
        ]
        return min(found)[3] if found else None

    def last_before(self, offset: int) -> Item | None:
        """Return the last item that starts before `offset`."""
        found = [
            entries[at - 1]
            for entries in (self._short, self._long)
            if (at := bisect_left(entries, (offset,))) > 0
        ]
        return max(found)[3] if found else None

    def _entry(self, item: Item) -> tuple[int, int, int, Item]:
        self._count += 1
        self._numbers[item] = self._count
        return item.start, item.end, self._count, item

    def _side(self, item: Item) -> list[tuple[int, int, int, Item]]:
        return self._short if item.end - item.start <= LONG else self._long

    def _insert(self, item: Item) -> None:
        insort(self._side(item), self._entry(item))

    def _remove(self, item: Item) -> None:
        side = self._side(item)
        del side[bisect_left(side, (item.start, item.end, self._numbers.pop(item)))]
        self._lanes.pop(item, None)

    def _query(self, start: int, end: int) -> list[tuple[int, int, int, Item]]:
        first = bisect_left(self._short, (start - LONG,))
        last = bisect_left(self._short, (end,))
        found = [entry for entry in self._short[first:last] if entry[1] > start]
        far = [entry for entry in self._long if entry[0] < end and entry[1] > start]
        return sorted(found + far) if far else found

    def _cluster(self, start: int, end: int) -> list[tuple[int, int, int, Item]]:
        while True:
            found = self._query(start, end)
            low = min([start, *(entry[0] for entry in found)])
            high = max([end, *(entry[1] for entry in found)])
            if (low, high) == (start, end):
                return found
            start, end = low, high

    def _give_lanes(self, entries: list[tuple[int, int, int, Item]]) -> None:
        ends: list[int] = []
        for start, end, _, item in entries:
            if ends and start >= max(ends):
                ends = []
            lane = next((at for at, busy in enumerate(ends) if busy <= start), len(ends))
            ends[lane : lane + 1] = [end]
            self._lanes[item] = lane
