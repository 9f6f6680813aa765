"""Items that overlap: which lie without a gap, and which stay where no two may overlap."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol, TypeVar


class _Extent(Protocol):
    """Anything from a start to an end, the end not included."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


Item = TypeVar("Item", bound=_Extent)


def clusters_of_overlaps(ordered: Iterable[Item]) -> Iterator[list[Item]]:
    """Yield items that overlap, directly or through others, together; items come by start.

    Items that only touch, one ending where the next begins, are in different clusters.
    """
    cluster: list[Item] = []
    reach = 0
    for item in ordered:
        if cluster and item.start >= reach:
            yield cluster
            cluster, reach = [], 0
        cluster.append(item)
        reach = max(reach, item.end)
    if cluster:
        yield cluster


def resolve_overlaps(
    items: Iterable[Item], rank: Callable[[Item], Any] | None = None
) -> list[Item]:
    """Return, by start, what stays when of two that overlap the one of the lower rank is taken.

    Of two of one rank, and of any two without `rank`, the one given first is taken.
    """
    kept: list[Item] = []
    starts: list[int] = []
    for item in items if rank is None else sorted(items, key=rank):
        start = item.start
        at = bisect_left(starts, start)
        is_clear_before = at == 0 or kept[at - 1].end <= start
        if is_clear_before and (at == len(kept) or item.end <= starts[at]):
            kept.insert(at, item)
            starts.insert(at, start)
    return kept
