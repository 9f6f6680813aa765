"""Work that would hold the window up, done on a thread of its own."""

import time
from collections.abc import Callable, Iterable, Iterator
from threading import Event, Thread
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from shared.garbage import collection

Step = Callable[[int, int], None]
"""Tells how much is done, of how much."""
Item = TypeVar("Item")
_TOLD_EVERY = 0.05


class _Relay(QObject):
    """What the thread says goes through this, which belongs to nobody who may go before.

    A signal of an object that is deleted meanwhile ends the program, and so does what is left of a
    closed window where another thread than that of the windows deletes it. So nothing is collected
    until the thread has ended, and this goes after it, on the thread of the windows.
    """

    stepped = Signal(int, int)
    ended = Signal(object, object)

    def __init__(self, function: Callable[[], object]) -> None:
        super().__init__()
        self.worker = Thread(target=_run, args=(function, self), name="tandem-task")
        self.ended.connect(self._end, Qt.ConnectionType.QueuedConnection)

    def begin(self) -> None:
        collection.put_off()
        _relays.add(self)
        try:
            self.worker.start()
        except RuntimeError:  # the system has no thread left
            collection.allow()
            _relays.discard(self)
            raise

    def _end(self) -> None:
        self.worker.join()  # which has said its last
        collection.allow()
        _relays.discard(self)
        self.deleteLater()


_relays: set[_Relay] = set()
"""Those whose threads run, or have not been heard to the end."""


def _run(function: Callable[[], object], relay: _Relay) -> None:
    result: object = None
    error: Exception | None = None
    try:
        result = function()
    except Exception as caught:  # noqa: BLE001 - whatever it is, the owner decides
        error = caught
    relay.ended.emit(result, error)


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
        self._relay = _Relay(function)
        self._thread = self._relay.worker
        self._relay.ended.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    @property
    def is_running(self) -> bool:
        return self._thread.is_alive()

    def start(self) -> None:
        """Begin. A task runs once."""
        self._relay.begin()

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
        self._relay.stepped.connect(self._tell_on, Qt.ConnectionType.QueuedConnection)
        self._unwanted = Event()
        self._told_at = 0.0
        self.what = ""
        """What is gone through by `watch`."""

    def watch(self, what: str, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items on the task's thread, a step for each. Raises CancelledError."""
        every = list(items)
        for number, item in enumerate(every):
            self.tell(what, number, len(every))
            yield item
        self.tell(what, len(every), len(every))

    def tell(self, what: str, done: int, total: int) -> None:
        """Say, on the task's thread, what is gone through and how far it is. Raises CancelledError.

        With a total of 0 nobody knows how far.
        """
        self.what = what
        self._step(done, total)

    def cancel(self) -> None:
        """End at the next step; the outcome is then a CancelledError."""
        self._unwanted.set()

    def _step(self, done: int, total: int) -> None:
        if self._unwanted.is_set():
            raise CancelledError
        now = time.monotonic()
        if done in (0, total) or now - self._told_at >= _TOLD_EVERY:
            self._told_at = now
            self._relay.stepped.emit(done, total)

    def _tell_on(self, done: int, total: int) -> None:
        self.progressed.emit(done, total)


PATIENCE_MS = 500
"""What takes less is not worth a bar."""


class TaskLine(QWidget):
    """A line with words, a bar and perhaps a button, there while a task takes its time.

    `cancelled` when the user pressed the button; the task was told.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("taskLine")
        self._task: BackgroundTask | None = None
        self._words = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMaximumWidth(220)
        self._cancel = QPushButton("Cancel")
        self._cancel.setAutoDefault(False)
        self._cancel.clicked.connect(self._end)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.show)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._words)
        layout.addWidget(self._bar, 1)
        layout.addWidget(self._cancel)
        layout.addStretch()
        self.hide()

    @property
    def bar(self) -> QProgressBar:
        return self._bar

    def watch(self, task: BackgroundTask, what: str) -> None:
        """Show from now on how far this task is; a task that was shown before no more."""
        self._task = task
        self._words.setText(what)
        self._bar.setAccessibleName(what)
        self._cancel.setAccessibleName(f"Cancel: {what}")
        self._bar.setRange(0, 0)
        self._cancel.setVisible(isinstance(task, ProgressTask))
        if isinstance(task, ProgressTask):
            task.progressed.connect(self._show_progress)
        task.finished.connect(self._done)
        self._patience.start()

    def say(self, what: str) -> None:
        """Say what is gone through by now."""
        self._words.setText(what)

    def _show_progress(self, done: int, total: int) -> None:
        if self.sender() is self._task:
            self._bar.setRange(0, total)
            self._bar.setValue(done)

    def _done(self) -> None:
        if self.sender() is self._task:
            self._task = None
            self._patience.stop()
            self.hide()

    def _end(self) -> None:
        if isinstance(self._task, ProgressTask):
            self._task.cancel()
            self.cancelled.emit()
