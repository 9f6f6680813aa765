"""Work off the thread of a window of which only the latest matters; reading precedents is some."""

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from adjudicator.other_patients import PatientDecisions, ProjectPrecedents
from adjudicator.precedents import PrecedentBook
from shared.project.project import Project
from shared.widgets.parts.background_task import ProgressTask

Result = TypeVar("Result")


class LatestTask(QObject):
    """Does one piece of work at a time; a new one stops the one before, of which nothing comes.

    Signals: `begun` (ProgressTask, what it does), `progressed` (what, done, of how many), `failed`
    (Exception), and `ended` whenever nothing runs any more, stopped or not.
    """

    begun = Signal(object, str)
    progressed = Signal(str, int, int)
    failed = Signal(object)
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._task: ProgressTask | None = None
        self._tasks: set[ProgressTask] = set()

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def stop(self) -> None:
        """End what runs, at its next step; nothing comes of it."""
        if self._task is not None:
            self._task.cancel()
            self._task = None
            self.ended.emit()

    def wait(self) -> None:
        """Block until no thread of this runs any more."""
        for task in self._tasks:
            task.wait()

    def start(
        self,
        work: Callable[[ProgressTask], Result],
        use: Callable[[Result], None],
        what: str = "",
    ) -> None:
        """Let `work` run on another thread, and `use` on this one what it returns."""
        if self._task is not None:
            self._task.cancel()
        task = self._task = ProgressTask(lambda _: work(task), self)
        self._tasks.add(task)

        def succeed(outcome: Result) -> None:
            if self._finish(task):
                use(outcome)

        def fail(error: Exception) -> None:
            if self._finish(task):
                self.failed.emit(error)

        def tell(done: int, total: int) -> None:
            if task is self._task:
                self.progressed.emit(task.what, done, total)

        task.progressed.connect(tell)
        task.succeeded.connect(succeed)
        task.failed.connect(fail)
        task.finished.connect(partial(self._forget, task))
        self.begun.emit(task, what)
        task.start()

    def _finish(self, task: ProgressTask) -> bool:
        """Note that a task is at its end; False where nothing is to come of it."""
        if task is not self._task:
            return False
        self._task = None
        self.ended.emit()
        return True

    def _forget(self, task: ProgressTask) -> None:
        self._tasks.discard(task)
        task.deleteLater()


_PAINTED_MS = 60
"""By then an opened patient is on the screen."""


class PrecedentReader(LatestTask):
    """Reads what others decided, and what was decided here before; `read` when that is known."""

    read = Signal()

    def __init__(self, project: Project, parent: QObject) -> None:
        super().__init__(parent)
        self._precedents = ProjectPrecedents(project)
        self._open = ""

    @property
    def book(self) -> PrecedentBook:
        return self._precedents.book

    def refresh(self, open_patient: str) -> None:
        """Read the journals that changed, not that of the patient that is open."""
        self._open = open_patient
        QTimer.singleShot(_PAINTED_MS, self, lambda: self.start(self._read, self._take))

    def _read(self, _job: ProgressTask) -> list[PatientDecisions]:
        changed = (each for each in self._precedents.changed() if each != self._open)
        return list(self._precedents.read(changed))

    def _take(self, found: list[PatientDecisions]) -> None:
        self._precedents.take(found, but=self._open)
        if found:
            self.read.emit()
