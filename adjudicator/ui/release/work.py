"""Making and writing a release, off the window's thread."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from PySide6.QtCore import QObject, Signal

from adjudicator.release.session import ReleaseSession
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.writing import ReleaseOptions
from shared.project.project import Project
from shared.widgets.parts.background_task import CancelledError, ProgressTask, Step


class ReleaseWork(QObject):
    """One piece of work at a time, which can be cancelled and then leaves nothing.

    Signals: `begun` (ProgressTask, what it does), then one of `opened` (ReleaseSession), `released`
    (ReleaseOptions), `cancelled`, `failed` (Exception).
    """

    begun = Signal(object, str)
    opened = Signal(object)
    released = Signal(object)
    cancelled = Signal()
    failed = Signal(object)

    def __init__(self, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._task: ProgressTask | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def open(self, options: SurrogateOptions) -> None:
        """Read the project and replace every PHI; what runs already is cancelled."""
        project = self._project

        def work(step: Step) -> ReleaseSession:
            return ReleaseSession.open(project, options, _watching(step))

        self._start(work, "Replacing all PHI", self.opened.emit)

    def release(self, session: ReleaseSession, options: ReleaseOptions) -> None:
        """Write a release."""

        def work(step: Step) -> ReleaseOptions:
            session.release(options, _watching(step))
            return options

        self._start(work, "Writing the release", self.released.emit)

    def cancel(self) -> None:
        """End what runs, at its next step."""
        if self._task is not None:
            self._task.cancel()

    def wait(self) -> None:
        """Block until nothing of this runs any more."""
        if self._task is not None:
            self._task.wait()

    def _start(
        self, work: Callable[[Step], object], what: str, use: Callable[[object], object]
    ) -> None:
        self.cancel()
        task = self._task = ProgressTask(work, self)

        def succeed(outcome: object) -> None:
            if task is self._task:
                self._task = None
                use(outcome)

        def fail(error: Exception) -> None:
            if task is self._task:
                self._task = None
                self._tell(error)

        task.succeeded.connect(succeed)
        task.failed.connect(fail)
        task.finished.connect(task.deleteLater)
        self.begun.emit(task, what)
        task.start()

    def _tell(self, error: Exception) -> None:
        if isinstance(error, CancelledError):
            self.cancelled.emit()
        else:
            self.failed.emit(error)


def _watching(step: Step) -> Callable[[str, Iterable[Any]], Iterator[Any]]:
    """Say how far a loop is; the step raises once the work is cancelled."""

    def watch(_what: str, items: Iterable[Any]) -> Iterator[Any]:
        every = list(items)
        for number, item in enumerate(every):
            step(number, len(every))
            yield item

    return watch
