"""Sorts the tags of a patient into groups while nobody waits for it."""

from collections.abc import Hashable, Iterable

from PySide6.QtCore import QObject, QTimer, Signal

from shared.widgets.tags.tag_group_model import TagGroupModel
from shared.widgets.tags.tag_model import TagRow

_PORTION = 400
"""So many tags at a time take a few milliseconds."""
_LATER_MS = 20


class GroupFilling(QObject):
    """Hands tags to the groups in portions, so that they are there when they are to be shown.

    `finished` when none waits any more.
    """

    finished = Signal()

    def __init__(self, groups: TagGroupModel, parent: QObject) -> None:
        super().__init__(parent)
        self._groups = groups
        self._waiting: dict[Hashable, TagRow] = {}
        self._timer = QTimer(self, interval=_LATER_MS)
        self._timer.timeout.connect(self._fill)

    def begin(self, rows: Iterable[TagRow]) -> None:
        """Sort these in, and nothing of what may still wait."""
        self._waiting = {row.key: row for row in rows}
        self._timer.start()

    def leave_out(self, keys: Iterable[Hashable]) -> None:
        """Tags with these keys are no more."""
        for key in keys:
            self._waiting.pop(key, None)

    def finish(self) -> None:
        """Sort in now what waits."""
        rows, self._waiting = self._waiting, {}
        self._timer.stop()
        self._groups.change_rows((), rows.values())
        self.finished.emit()

    def _fill(self) -> None:
        if len(self._waiting) <= _PORTION:
            self.finish()
            return
        rows = [self._waiting.popitem()[1] for _ in range(_PORTION)]
        self._groups.change_rows((), rows)
