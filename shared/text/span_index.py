"""What lies where: spans in order, with the lane each is drawn in."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from sortedcontainers import SortedList  # pyright: ignore[reportMissingTypeStubs]

LONG = 2000
"""Spans longer than this are kept apart, so that one of them does not slow every query."""


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
        entries = sorted([*self._short, *self._long]) if self._long else self._short
        return iter([entry[3] for entry in entries])

    def __contains__(self, item: object) -> bool:
        return item in self._numbers

    def replace(self, items: Iterable[Item]) -> None:
        """Hold these items and no others."""
        self._short: Any = SortedList()
        self._long: Any = SortedList()
        """Both of `_Entry`."""
        self._numbers: dict[Item, int] = {}
        self._reach = 0
        """None of the short ones has been longer than this."""
        self.change(added=items)

    def change(self, removed: Iterable[Item] = (), added: Iterable[Item] = ()) -> None:
        """Take items out and put items in, few at the cost of those few alone."""
        self._lanes: dict[Item, int] = {}
        for item in removed:
            if (number := self._numbers.pop(item, None)) is not None:
                self._side(item).remove((item.start, item.end, number, item))
        short: list[_Entry[Item]] = []
        for number, item in enumerate(added, start=self._count + 1):
            self._count = number
            if self._numbers.setdefault(item, number) == number:
                entry = item.start, item.end, number, item
                if self._side(item) is self._long:
                    self._long.add(entry)
                else:
                    short.append(entry)
        self._reach = max([self._reach, *(end - start for start, end, _, _ in short)])
        self._short.update(short)

    def query(self, start: int, end: int) -> list[Item]:
        """Return the items that overlap `[start, end)`, in order."""
        return [entry[3] for entry in self._query(start, end)]

    def on(self, start: int, end: int) -> list[Item]:
        """Return the items on exactly `[start, end)`, in the order in which they came."""
        side = self._short if end - start <= LONG else self._long
        return [entry[3] for entry in side.irange((start, end), (start, end, self._count + 1))]

    def lane(self, item: Item) -> int:
        """The lane to draw an item in; 0 for one that is not held."""
        if item not in self._lanes and item in self._numbers:
            self._give_lanes(self._cluster(item.start, item.end))
        return self._lanes.get(item, 0)

    def next_after(self, offset: int) -> Item | None:
        """Return the first item that starts after `offset`."""
        sides = (self._short, self._long)
        found: list[_Entry[Item]] = [
            entry for side in sides for entry in islice(side.irange((offset + 1,)), 1)
        ]
        return min(found)[3] if found else None

    def last_before(self, offset: int) -> Item | None:
        """Return the last item that starts before `offset`."""
        sides = (self._short, self._long)
        found: list[_Entry[Item]] = [
            entry
            for side in sides
            for entry in islice(side.irange(maximum=(offset,), reverse=True), 1)
        ]
        return max(found)[3] if found else None

    def _side(self, item: Item) -> Any:  # noqa: ANN401  SortedList has no types
        return self._short if item.end - item.start <= LONG else self._long

    def _query(self, start: int, end: int) -> "list[_Entry[Item]]":
        if not self._numbers:
            return []
        near = self._short.irange((start - self._reach,), (end,))
        found = [entry for entry in near if entry[1] > start]
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
