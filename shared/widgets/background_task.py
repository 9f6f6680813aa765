"""Work that would hold the window up, done on a thread of its own."""

import logging
from collections.abc import Callable
from threading import Thread

from PySide6.QtCore import QObject, Qt, Signal

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
