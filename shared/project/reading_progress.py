"""What a journal tells about the work itself: what was on the screen, and how long it took.

{"op": "seen", "at": …, "record": "110-02", "start": 0, "end": 1840}    on the screen for a while
{"op": "active", "at": …}                                               somebody was at it
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from typing import Any

from shared.model import MergedView, Span

LOOK = timedelta(milliseconds=700)
"""What stays on the screen this long counts as shown; what rushes by does not."""
PAUSE = timedelta(seconds=60)
"""A gap this long or longer between two signs of work is a pause and does not count."""
_WHITE_SPACE = tuple(char for char in map(chr, range(0x3001)) if char.isspace())


class ReadingProgress:
    """Which parts of a patient's records have been on the screen, by record."""

    def __init__(self, view: MergedView, entries: Iterable[Mapping[str, Any]] = ()) -> None:
        self._view = view
        self._seen: dict[str, list[tuple[int, int]]] = {
            section.record_id: [] for section in view.sections
        }
        self._unread: dict[str, int] = {}
        self._whole: dict[str, int] = {}
        """The characters of a record, white space aside, once somebody has asked for it."""
        for entry in entries:
            if entry["op"] == "seen" and entry["record"] in self._seen:
                self._add(str(entry["record"]), int(entry["start"]), int(entry["end"]))

    def record_visible(self, visible: Span) -> list[dict[str, Any]]:
        """Take note of what is on the screen; returns the journal entries for what is new."""
        news: list[dict[str, Any]] = []
        for section in self._view.sections:
            start, end = max(visible.start, section.start), min(visible.end, section.end)
            if start < end and self._add(
                section.record_id, start - section.start, end - section.start
            ):
                place = {"start": start - section.start, "end": end - section.start}
                news.append({"op": "seen", "record": section.record_id, **place})
        return news

    def unread_records(self) -> list[str]:
        """The records that were never on the screen as a whole, white space aside."""
        return [record_id for record_id in self._seen if self._unread_ink(record_id)]

    def unread_share(self, record_id: str) -> float:
        """How much of a record was never on the screen, white space aside, from 0 to 1."""
        if not self._seen[record_id]:  # to count the characters of megabytes would tell no more
            section = self._view.section(record_id)
            return float(bool(self._view.text[section.start : section.end].strip()))
        unread = self._unread_ink(record_id)
        return unread / self._whole[record_id] if unread else 0.0

    def first_unread(self) -> int | None:
        """Where the first text begins that was never on the screen; None where all was."""
        for record_id in self.unread_records():
            section = self._view.section(record_id)
            for start, end in _unseen(self._seen[record_id], 0, section.end - section.start):
                if self._ink(record_id, start, end):
                    return section.start + start
        return None

    def share(self) -> float:
        """How much of the text has been on the screen, white space aside, from 0 to 1."""
        unread = sum(map(self._unread_ink, self._seen))
        return 1 - unread / max(1, sum(self._whole.values()))

    def _unread_ink(self, record_id: str) -> int:
        if record_id not in self._unread:
            section = self._view.section(record_id)
            length = section.end - section.start
            whole = self._whole[record_id] = self._ink(record_id, 0, length)
            gaps = list(_unseen(self._seen[record_id], 0, length))
            is_new = gaps == [(0, length)]  # of megabytes that nobody has read, once is enough
            self._unread[record_id] = (
                whole if is_new else sum(self._ink(record_id, *each) for each in gaps)
            )
        return self._unread[record_id]

    def _ink(self, record_id: str, start: int, end: int) -> int:
        """The number of characters of a stretch of a record that are no white space."""
        section = self._view.section(record_id)
        text = self._view.text[section.start + start : min(section.start + end, section.end)]
        return len(text) - sum(map(text.count, _WHITE_SPACE))

    def _add(self, record_id: str, start: int, end: int) -> bool:
        """Join an interval to those seen; False where it was seen already."""
        kept = self._seen[record_id]
        if any(low <= start and end <= high for low, high in kept):
            return False
        if record_id in self._unread:
            fresh = _unseen(kept, start, end)
            self._unread[record_id] -= sum(self._ink(record_id, *each) for each in fresh)
        apart = [each for each in kept if each[1] < start or each[0] > end]
        touching = [each for each in kept if not (each[1] < start or each[0] > end)]
        low = min([start, *(each[0] for each in touching)])
        high = max([end, *(each[1] for each in touching)])
        self._seen[record_id] = sorted([*apart, (low, high)])
        return True


def _unseen(seen: Iterable[tuple[int, int]], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what of `[start, end)` is in none of the intervals, which are in order."""
    for low, high in seen:
        if start < min(low, end):
            yield start, min(low, end)
        start = max(start, high)
    if start < end:
        yield start, end
