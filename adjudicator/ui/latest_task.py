"""Work off the thread of a window of which only the latest matters."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Event
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from shared.widgets.parts.background_task import BackgroundTask

_PAUSE = 0.05
"""Seconds between two reports of progress."""

Item = TypeVar("Item")
PriorOutcome = TypeVar("PriorOutcome")


class StoppedError(Exception):
    """The work was stopped before its end."""


class TaskHandle:
    """One piece of work: says how far it is, and ends at the next step once it is to stop."""

    def __init__(self, say: Callable[[str, int, int], None]) -> None:
        self._say = say
        self._stop = Event()
        self._said_at = 0.0

    def stop(self) -> None:
        self._stop.set()

    def watch(self, what: str, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, and say how many of `what` are done. Raises StoppedError."""
        every = list(items)
        for number, item in enumerate(every):
            if self._stop.is_set():
                raise StoppedError
            now = time.monotonic()
            if number == 0 or now - self._said_at > _PAUSE:
                self._said_at = now
                self._say(what, number, len(every))
            yield item
        self._say(what, len(every), len(every))


class LatestTask(QObject):
    """Does one piece of work at a time; a new one stops the one before, of which nothing comes.

    Signals: `progressed` (what, done, of how many), `failed` (Exception), and `ended` whenever
    nothing runs any more, stopped or not.
    """

    progressed = Signal(str, int, int)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._job: TaskHandle | None = None
        self._tasks: set[BackgroundTask] = set()

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def stop(self) -> None:
        """End what runs, at its next step; nothing comes of it."""
        if self._job is not None:
            self._job.stop()
            self._job = None
            self.ended.emit()

    def wait(self) -> None:
        """Block until no thread of this runs any more."""
        for task in self._tasks:
            task.wait()

    def start(
        self, work: Callable[[TaskHandle], PriorOutcome], use: Callable[[PriorOutcome], None]
    ) -> None:
        """Let `work` run on another thread, and `use` on this one what it returns."""
        if self._job is not None:
            self._job.stop()
        job = self._job = TaskHandle(self._tell)
        task = BackgroundTask(lambda: work(job), self)
        self._tasks.add(task)

        def succeed(outcome: PriorOutcome) -> None:
            if self._finish(job):
                use(outcome)

        def fail(error: Exception) -> None:
            if self._finish(job):
                self.failed.emit(error)

        task.succeeded.connect(succeed)
        task.failed.connect(fail)
        task.finished.connect(partial(self._forget, task))
        task.start()

    def _finish(self, job: TaskHandle) -> bool:
        """Note that a job is at its end; False where nothing is to come of it."""
        if job is not self._job:
            return False
        self._job = None
        self.ended.emit()
        return True

    def _forget(self, task: BackgroundTask) -> None:
        self._tasks.discard(task)
        task.deleteLater()

    def _tell(self, what: str, done: int, total: int) -> None:
        try:
            self.progressed.emit(what, done, total)
        except RuntimeError as error:  # the window is gone
            raise StoppedError from error
