"""Looks for findings beside the window, a little after every change."""

from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from shared.consistency.findings import Finding
from shared.model import Schema
from shared.project.tag_operations import TagOperations
from shared.widgets.findings.finding_process import FindingProcess
from shared.widgets.findings.finding_service import FindingService
from shared.widgets.parts.background_task import ProgressTask, TaskLine
from shared.widgets.window.patient_window import PatientWindow

_PAINTED_MS, _QUIET_MS = 40, 400
"""How long to wait once a patient is opened, and after an edit."""
_RESTS = 2
"""So many times as long as the last look took, where that is longer: it takes a processor."""


class FindingSearch(QObject):
    """One look at a time through the patient that is open; its process ends with the window.

    Signals: `found` (tuple of Finding, whether somebody waits for them) or `failed` (Exception;
    CancelledError where the user ended it). What is found in a patient that is open no more is not
    told.
    """

    found = Signal(object, bool)
    failed = Signal(object)

    def __init__(self, schema: Schema, tasks: TaskLine, window: PatientWindow[Any, Any]) -> None:
        super().__init__(window)
        self._tasks = tasks
        self._process = FindingProcess(schema)
        window.closed.connect(self._process.close)
        self._looks_at: tuple[TagOperations, FindingService] | None = None
        self._task: ProgressTask | None = None
        self._asked = self._answers = False
        """Whether somebody waits for a look, and whether the look under way is for them."""
        self._soon = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._soon.timeout.connect(self.look)

    @property
    def is_looking(self) -> bool:
        """Whether a look is under way or will be soon: what was found may not be all."""
        return self.is_behind or self._task is not None

    @property
    def is_behind(self) -> bool:
        """Whether something has changed since the last look began, which the next one will see."""
        return self._soon.isActive()

    def open(self, session: TagOperations, service: FindingService) -> None:
        """Look through a patient once its page is shown."""
        self._looks_at = session, service
        self._soon.setInterval(_PAINTED_MS)
        self._soon.start()

    def close(self) -> None:
        self._soon.stop()
        if self._task is not None:
            self._task.cancel()
        self._task = self._looks_at = None

    def look_soon(self) -> None:
        """Look once nothing more has changed for a while."""
        if self._looks_at is not None:
            self._soon.start()

    def look_again(self) -> None:
        """Look now, since somebody wants to know."""
        self._asked = True
        self.look()

    def look(self) -> None:
        """Look now; what is found is told in a moment."""
        if self._looks_at is None:
            return
        if self._task is not None:
            self._soon.start()
            return
        self._soon.stop()
        self._answers, self._asked = self._asked, False
        session, service = self._looks_at
        looking = partial(service.look, self._process, session.view, list(session.tags))
        self._task = ProgressTask(looking, self)
        self._task.succeeded.connect(self._found)
        self._task.failed.connect(self._not_found)
        self._task.finished.connect(self._looked)
        self._tasks.watch(self._task, "Looking for findings")
        self._task.start()

    def _found(self, findings: tuple[Finding, ...]) -> None:
        if self.sender() is self._task:
            answers, self._answers = self._answers, False
            if self.is_behind:  # the next look answers
                self._asked, answers = self._asked or answers, False
            self.found.emit(findings, answers)

    def _not_found(self, error: Exception) -> None:
        if self.sender() is self._task:
            self.failed.emit(error)

    def _looked(self) -> None:
        if self.sender() is self._task:
            self._task = None
            took = round(self._process.seconds * 1000)
            self._soon.setInterval(max(_QUIET_MS, _RESTS * took))
