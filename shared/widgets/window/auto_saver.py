"""Writes the XML behind what is on screen: soon after an edit, off the window's thread.

The journal has every edit already, so a save that fails loses nothing; it is said and tried again.
"""

from PySide6.QtCore import QObject, QTimer, Signal

from shared.errors import TandemError
from shared.project.patient_layer import Snapshot
from shared.project.patient_session import PatientSession
from shared.widgets.parts.background_task import BackgroundTask

QUIET_MS = 1500
"""A save starts when nothing was edited for this long."""
RETRY_MS = 15_000


class AutoSaver(QObject):
    """Signals: `saved` after a save, `failed` (Exception) where the files could not be written."""

    saved = Signal()
    failed = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session: PatientSession | None = None
        self._task: BackgroundTask | None = None
        self._written: Snapshot | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.save)

    def open(self, session: PatientSession) -> None:
        self._session = session

    def close(self) -> None:
        """Wait for a save that is under way; the session is the owner's to close after this."""
        self._timer.stop()
        if self._task is not None:
            self._task.wait()
        self._session = None
        self._task = None

    def edited(self) -> None:
        """Save when it has been quiet for a while."""
        self._timer.start(QUIET_MS)

    def save(self) -> None:
        """Save now; while a save runs, wait for its end and look again."""
        session = self._session
        if session is None:
            return
        if self._task is not None:
            self._timer.start(QUIET_MS)
            return
        snapshot = session.snapshot()
        if not snapshot.documents:
            return
        self._written = snapshot
        self._task = BackgroundTask(lambda: session.write(snapshot), self)
        self._task.succeeded.connect(self._succeeded)
        self._task.failed.connect(self._failed)
        self._task.start()

    def _succeeded(self) -> None:
        if self.sender() is not self._task or self._session is None or self._written is None:
            return  # closed meanwhile: the session has saved what was left itself
        try:
            self._session.saved(self._written)
        except TandemError as error:
            self._failed(error)
        else:
            self._task = None
            self.saved.emit()

    def _failed(self, error: Exception) -> None:
        if self._session is None:
            return
        self._task = None
        self._timer.start(RETRY_MS)
        self.failed.emit(error)
