"""Work that would hold the window up, done on a thread of its own."""

import time
from collections.abc import Callable
from threading import Event, Thread

from PySide6.QtCore import QObject, Qt, Signal

Step = Callable[[int, int], None]
"""Tells how much is done, of how much."""
_TOLD_EVERY = 0.05


class _Relay(QObject):
    """Says from the thread that the function has ended; belongs to nobody who may go before."""

    ended = Signal(object, object)


def _run(function: Callable[[], object], relay: _Relay) -> None:
    result: object = None
    error: Exception | None = None
    try:
        result = function()
    except Exception as caught:  # noqa: BLE001 - whatever it is, the owner decides
        error = caught
    relay.ended.emit(result, error)
    relay.deleteLater()


class BackgroundTask(QObject):
    """Calls a function once on another thread; the outcome comes through the event loop.

    Signals, on the thread that made the task: `succeeded` (what the function returned) or `failed`
    (the Exception it raised), then `finished`. The function touches no widget.
    """

    succeeded = Signal(object)
    failed = Signal(object)
    finished = Signal()

    def __init__(self, function: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        relay = _Relay()
        relay.ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)
        self._thread = Thread(target=_run, args=(function, relay), name="tandem-task")

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
