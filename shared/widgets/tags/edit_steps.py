"""A change of many tags on its way, while the window sees to its user."""

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QTimer

from shared.errors import TandemError
from shared.project.edits import Steps
from shared.widgets.parts.garbage import collection_postponed, spare_what_is_there

_AT_ONCE, _TURN = 0.006, 0.003
"""Seconds: so long steps are taken at once, as most changes have no more, and in each turn."""
_GAP_MS = 1
"""In between the window paints what has changed."""
Made = TypeVar("Made")


class EditSteps(QObject):
    """Takes the steps of one edit after the other, a few in each turn of the event loop."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._next: Callable[[], bool] | None = None
        """Takes a step; True while there are more."""
        self._soon = QTimer(self, singleShot=True, interval=_GAP_MS)
        self._soon.setTimerType(Qt.TimerType.PreciseTimer)
        self._soon.timeout.connect(partial(self._take, _TURN))

    def begin(
        self,
        steps: Steps[Made],
        made: Callable[[Made], None],
        failed: Callable[[TandemError], None],
    ) -> None:
        """Make an edit after the one that may be on its way; one of the others is called then."""
        self.finish()
        self._next = partial(_step, steps, made, failed)
        self._take(_AT_ONCE)

    def finish(self) -> None:
        """Take all steps that are left."""
        while self._step():
            pass

    def _take(self, seconds: float) -> None:
        until = perf_counter() + seconds
        while self._step():
            if perf_counter() > until:
                spare_what_is_there()  # many tags, which stay
                self._soon.start()
                return

    @collection_postponed()
    def _step(self) -> bool:
        """Take a step; True while there are more."""
        step, self._next = self._next, None
        if step is None or not step():
            return False
        self._next = step
        return True


def _step(
    steps: Steps[Made], made: Callable[[Made], None], failed: Callable[[TandemError], None]
) -> bool:
    try:
        next(steps)
    except StopIteration as end:
        made(end.value)
    except TandemError as error:
        failed(error)
    else:
        return True
    return False
