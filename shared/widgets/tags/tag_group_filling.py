"""Sorts the tags of a patient into groups while nobody waits for it."""

from collections.abc import Hashable, Iterable

from PySide6.QtCore import QObject, Signal

from shared.widgets.parts.portions import Portions
from shared.widgets.tags.tag_group_model import TagGroupModel
from shared.widgets.tags.tag_model import TagRow

_PORTION = 100
"""So many tags at a time take a millisecond."""


class GroupFilling(QObject):
    """Hands tags to the groups in portions, so that they are there when they are to be shown.

    `finished` when none waits any more of a patient that was opened.
    """

    finished = Signal()

    def __init__(self, groups: TagGroupModel, portions: Portions, parent: QObject) -> None:
        super().__init__(parent)
        self._groups = groups
        self._portions = portions
        self._waiting: dict[Hashable, TagRow | None] = {}
        """What becomes of the tag of a key: the row to have, or none."""
        self._is_first = False

    def begin(self, rows: Iterable[TagRow]) -> None:
        """Sort these in, and nothing of what may still wait."""
        self._waiting = {row.key: row for row in rows}
        self._is_first = True
        self._portions.begin(self._step)

    def change(self, removed: Iterable[Hashable], added: Iterable[TagRow]) -> None:
        """Take the tags of some keys out and sort others in, when there is time."""
        self._waiting.update(dict.fromkeys(removed))
        self._waiting.update((row.key, row) for row in added)
        self._portions.begin(self._step)

    def finish(self) -> None:
        """Sort in now what waits."""
        self._take(len(self._waiting))
        self._portions.end(self._step)
        if self._is_first:
            self._is_first = False
            self.finished.emit()

    def _step(self) -> bool:
        if len(self._waiting) <= _PORTION:
            self.finish()
            return False
        self._take(_PORTION)
        return True

    def _take(self, count: int) -> None:
        items = [self._waiting.popitem() for _ in range(count)]
        gone = [key for key, row in items if row is None]
        self._groups.change_rows(gone, [row for _, row in items if row is not None])
