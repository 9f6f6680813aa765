"""What follows a change out of sight, while the window sees to its user."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer

Step = Callable[[], bool]
"""Does a millisecond or two of some work; True while more of it waits."""
_TURN_SECONDS = 0.003
"""What else happens in a turn of the event loop needs time too."""
_GAP_MS = 1
"""In between the window paints what a turn has changed, and a key need not wait for both."""


class RefreshQueue(QObject):
    """Takes the steps of several kinds of work, one kind after the other, a few in each turn."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: dict[Step, None] = {}
        self._turn = QTimer(self, singleShot=True, interval=_GAP_MS)
        self._turn.setTimerType(Qt.TimerType.PreciseTimer)
        self._turn.timeout.connect(self._take_turn)

    def begin(self, step: Step) -> None:
        """Take this step until it says that no more waits."""
        self._steps.setdefault(step)
        self._turn.start()

    def end(self, step: Step) -> None:
        """Take this step no more; nothing happens where it is not taken."""
        self._steps.pop(step, None)

    def _take_turn(self) -> None:
        until = perf_counter() + _TURN_SECONDS
        while self._steps and perf_counter() < until:
            step = next(iter(self._steps))
            if not step():
                self.end(step)
        if self._steps:
            self._turn.start()
