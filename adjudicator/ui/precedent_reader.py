"""Brings the precedents of the project up to date while the window goes on."""

from PySide6.QtCore import QObject, QTimer, Signal

from adjudicator.other_patients import PatientDecisions, ProjectPrecedents
from adjudicator.precedents import PrecedentBook
from shared.project.project import Project
from shared.widgets.parts.background_task import BackgroundTask

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
