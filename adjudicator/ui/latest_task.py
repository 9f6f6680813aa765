"""Work off the thread of a window of which only the latest matters; reading precedents is some."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from threading import Event
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from adjudicator.other_patients import PatientDecisions, ProjectPrecedents
from adjudicator.precedents import PrecedentBook
from shared.project.project import Project
from shared.widgets.parts.background_task import BackgroundTask, CancelledError

_PAUSE = 0.05
"""Seconds between two reports of progress."""

Item = TypeVar("Item")
Result = TypeVar("Result")


class TaskHandle:
    """One piece of work: says how far it is, and ends at the next step once it is to stop."""

    def __init__(self, say: Callable[[str, int, int], None]) -> None:
        self._say = say
        self._stop = Event()
        self._said_at = 0.0

    def stop(self) -> None:
        self._stop.set()

    def watch(self, what: str, items: Iterable[Item]) -> Iterator[Item]:
        """Yield the items, and say how many of `what` are done. Raises CancelledError."""
        every = list(items)
        for number, item in enumerate(every):
            if self._stop.is_set():
                raise CancelledError
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

    def start(self, work: Callable[[TaskHandle], Result], use: Callable[[Result], None]) -> None:
        """Let `work` run on another thread, and `use` on this one what it returns."""
        if self._job is not None:
            self._job.stop()
        job = self._job = TaskHandle(self._tell)
        task = BackgroundTask(lambda: work(job), self)
        self._tasks.add(task)

        def succeed(outcome: Result) -> None:
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
            raise CancelledError from error


_PAINTED_MS = 60
"""By then an opened patient is on the screen."""


class PrecedentReader(QObject):
    """Reads what others decided, and what was decided here before; `read` when that is known."""

    read = Signal()

    def __init__(self, project: Project, parent: QObject) -> None:
        super().__init__(parent)
        self._precedents = ProjectPrecedents(project)
        self._task: BackgroundTask | None = None
        self._open = ""

    @property
    def book(self) -> PrecedentBook:
        return self._precedents.book

    def refresh(self, open_patient: str) -> None:
        """Read the journals that changed, not that of the patient that is open."""
        self._open = open_patient
        if self._task is None:
            self._task = BackgroundTask(self._read, self)
            self._task.succeeded.connect(self._take)
            self._task.finished.connect(self._end)
            QTimer.singleShot(_PAINTED_MS, self._task, self._task.start)

    def wait(self) -> None:
        """Block until nothing is being read."""
        if self._task is not None:
            self._task.wait()

    def _read(self) -> list[PatientDecisions]:
        changed = (each for each in self._precedents.changed() if each != self._open)
        return self._precedents.read(changed)

    def _take(self, found: list[PatientDecisions]) -> None:
        self._precedents.take(found, but=self._open)
        if found:
            self.read.emit()

    def _end(self) -> None:
        self._task = None
