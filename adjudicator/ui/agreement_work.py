"""Reading, measuring and writing the agreement of a project, off the thread of the window."""

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from threading import Event
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from adjudicator.agreement_export import export, options_of_today
from adjudicator.agreement_view import Narrowing, Shown, show, without_names
from adjudicator.project_study import ProjectStudy
from shared.agreement.study import Study
from shared.errors import FileError
from shared.project.project import Project
from shared.widgets.background_task import BackgroundTask

_PAUSE = 0.05
"""Seconds between two reports of progress."""

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


class StoppedError(Exception):
    """The work was stopped before its end."""


class _Job:
    """One piece of work: says how far it is, and ends at the next step once it is to stop."""

    def __init__(self, say: Callable[[str, int, int], None]) -> None:
        self._say = say
        self._stop = Event()
        self._said_at = 0.0

    @property
    def is_stopped(self) -> bool:
        return self._stop.is_set()

    def stop(self) -> None:
        self._stop.set()

    def watch(self, what: str, items: Iterable[Item]) -> Iterator[Item]:
        every = list(items)
        for number, item in enumerate(every):
            self.check()
            now = time.monotonic()
            if number == 0 or now - self._said_at > _PAUSE:
                self._said_at = now
                self._say(what, number, len(every))
            yield item
        self._say(what, len(every), len(every))

    def check(self) -> None:
        if self._stop.is_set():
            raise StoppedError


class AgreementWork(QObject):
    """Does one piece of work at a time; a new one stops the one before.

    Signals: `progressed` (what, done, of how many), `read` (Study, problems as list of FileError),
    `measured` (Shown), `exported` (Path), `failed` (Exception), and `ended` whenever nothing runs
    any more, stopped or not.
    """

    progressed = Signal(str, int, int)
    read = Signal(object, object)
    measured = Signal(object)
    exported = Signal(object)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._job: _Job | None = None
        self._tasks: set[BackgroundTask] = set()

    @property
    def is_running(self) -> bool:
        return self._job is not None

    def start_reading(self, *, hidden: bool) -> None:
        """Read the layers of all finished patients; `hidden` numbers the annotators."""

        def work(job: _Job) -> tuple[Study, list[FileError]]:
            reading = ProjectStudy(self._project)
            study = reading.read(partial(job.watch, "Reading layers"))
            return (without_names(study) if hidden else study), reading.problems

        self._start(work, lambda found: self.read.emit(*found))

    def start_measuring(self, study: Study, narrowing: Narrowing) -> None:
        """Measure a part of the study."""

        def work(job: _Job) -> Shown:
            return show(study, narrowing, partial(job.watch, "Measuring"))

        self._start(work, self.measured.emit)

    def start_exporting(self, study: Study, out: Path) -> None:
        """Write the report on the whole study to a folder."""

        def work(job: _Job) -> Path:
            export(study, options_of_today(), out, partial(job.watch, "Writing the report"))
            return out

        self._start(work, self.exported.emit)

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

    def _start(self, work: Callable[[_Job], Outcome], use: Callable[[Outcome], None]) -> None:
        if self._job is not None:
            self._job.stop()
        job = self._job = _Job(self._tell)
        task = BackgroundTask(lambda: work(job), self)
        self._tasks.add(task)

        def succeed(outcome: Outcome) -> None:
            if self._finish(job):
                use(outcome)

        def fail(error: Exception) -> None:
            if self._finish(job):
                self.failed.emit(error)

        task.succeeded.connect(succeed)
        task.failed.connect(fail)
        task.finished.connect(partial(self._forget, task))
        task.start()

    def _finish(self, job: _Job) -> bool:
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
