"""Work that would hold the window up, done on a thread of its own."""

import logging
import time
from collections.abc import Callable
from threading import Event, Thread

from PySide6.QtCore import QObject, Qt, Signal

Step = Callable[[int, int], None]
"""Tells how much is done, of how much."""
_TOLD_EVERY = 0.05
_log = logging.getLogger(__name__)


class BackgroundTask(QObject):
    """Calls a function once on another thread; the outcome comes through the event loop.

    Signals, on the thread that made the task: `succeeded` (what the function returned) or `failed`
    (the Exception it raised), then `finished`. The function touches no widget.
    """

    succeeded = Signal(object)
    failed = Signal(object)
    finished = Signal()
    _ended = Signal(object, object)

    def __init__(self, function: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._function = function
        self._thread = Thread(target=self._run, name="tandem-task")
        self._ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin. A task runs once."""
        self._thread.start()

    def wait(self) -> None:
        """Block until the function has ended; the signals still come through the event loop."""
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self) -> None:
        result: object = None
        error: Exception | None = None
        try:
            result = self._function()
        except Exception as caught:  # noqa: BLE001 - whatever it is, the owner decides
            error = caught
        try:
            self._ended.emit(result, error)
        except RuntimeError:
            _log.info("a task ended after its owner")

    def _deliver(self, result: object, error: Exception | None) -> None:
        if error is None:
            self.succeeded.emit(result)
        else:
            self.failed.emit(error)
        self.finished.emit()


class CancelledError(Exception):
    """The user does not want the outcome any more."""


class ProgressTask(BackgroundTask):
    """A task that tells how far it is, and can be ended early.

    Its function gets a `Step` to call as it goes, which raises CancelledError once `cancel` was
    called. `progressed` (int done, int of how many) comes through the event loop.
    """

    progressed = Signal(int, int)

    def __init__(self, function: Callable[[Step], object], parent: QObject | None = None) -> None:
        super().__init__(lambda: function(self._step), parent)
        self._unwanted = Event()
        self._told_at = 0.0

    def cancel(self) -> None:
        """End at the next step; the outcome is then a CancelledError."""
        self._unwanted.set()

    def _step(self, done: int, total: int) -> None:
        if self._unwanted.is_set():
            raise CancelledError
        now = time.monotonic()
        if now - self._told_at >= _TOLD_EVERY:
            self._told_at = now
            self.progressed.emit(done, total)
