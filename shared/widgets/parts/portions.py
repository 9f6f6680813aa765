"""Work that nobody waits for, done beside what the user does."""

from collections.abc import Callable
from time import perf_counter

from PySide6.QtCore import QObject, Qt, QTimer

from shared.widgets.parts.garbage import collection_postponed, spare_what_is_there

Step = Callable[[], bool]
"""Does a millisecond or two of some work; True while more of it waits."""
_TURN = 0.003
"""Seconds: what else happens in a turn of the event loop needs time too."""
_GAP_MS = 1
"""In between the window paints what a turn has changed, and a key need not wait for both."""
_LONG = 8
"""After so many turns there is much that is new, and most of it stays."""


class Portions(QObject):
    """Takes the steps of several kinds of work, one kind after the other.

    It takes so few in a turn that keys and mouse hardly wait.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._steps: dict[Step, None] = {}
        self._alone: set[Step] = set()
        self._turns = 0
        """How many there were since work began."""
        self._turn = QTimer(self, singleShot=True, interval=_GAP_MS)
        self._turn.setTimerType(Qt.TimerType.PreciseTimer)
        self._turn.timeout.connect(self._take_turn)

    def begin(self, step: Step, *, first: bool = False, alone: bool = False) -> None:
        """Take this step until it says that no more waits, perhaps before what waits already.

        One that is to be taken `alone` has a turn for itself each time, as it may be a long one.
        """
        if alone:
            self._alone.add(step)
        if first:
            self._steps = {step: None} | self._steps
        else:
            self._steps.setdefault(step)
        self._turn.start()

    def end(self, step: Step) -> None:
        """Take this step no more; nothing happens where it is not taken."""
        self._steps.pop(step, None)
        self._alone.discard(step)

    @collection_postponed()
    def _take_turn(self) -> None:
        until = perf_counter() + _TURN
        taken = 0
        while self._steps and perf_counter() < until:
            step = next(iter(self._steps))
            alone = step in self._alone
            if alone and taken:
                break
            if not step():
                self.end(step)
            if alone:
                break
            taken += 1
        self._turns += 1
        if self._turns > _LONG:
            spare_what_is_there()  # or a collection that goes through it would be a long wait
        if self._steps:
            self._turn.start()
        else:
            self._turns = 0
