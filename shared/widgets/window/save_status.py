"""What is kept of the work on a patient, where, and what a window says of it.

The XML is written behind what is on screen: soon after an edit, off the window's thread. The
journal has every edit already, so a save that fails loses nothing; it is said and tried again.
"""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QLabel, QWidget

from shared.errors import TandemError
from shared.project.patient_layer import Snapshot
from shared.project.patient_session import PatientSession
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.messages import StatusBanner, Tone, sentence
from shared.widgets.window.rescue_prompt import RescuePrompt

KEPT = "Kept in the journal"
_QUIET_MS = 1500
"""A save starts when nothing was edited for this long."""
_RETRY_MS = 15_000


class SaveStatus(QObject):
    """Saves the files of the session that is open, and keeps its edits where the journal cannot.

    Signals: `saved` after a save; `said` (str) for the status line.
    """

    saved = Signal()
    said = Signal(str)

    def __init__(self, banner: StatusBanner, label: QLabel, window: QWidget) -> None:
        super().__init__(window)
        self._banner = banner
        self._label = label
        self._session: PatientSession | None = None
        self._task: BackgroundTask | None = None
        self._written: Snapshot | None = None
        self._soon = QTimer(self, singleShot=True)
        self._soon.timeout.connect(self.save)
        self.rescue = RescuePrompt(banner, window)
        self.rescue.waiting.connect(self._note_waiting)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on files, by their names."""
        return {"save": self.save, "take_up_rescue": self.rescue.choose_rescue_file}

    def open(self, session: PatientSession) -> None:
        """Keep a session; what only its journal has, as after a kill, soon is in the files too."""
        self._session = session
        self._label.setText(KEPT if session.unsaved else "All saved")
        if session.unsaved:
            self.save_soon()
        self.rescue.open(session)

    def wait(self) -> None:
        """Wait for a save that is under way, and have none begin by itself."""
        self._soon.stop()
        if self._task is not None:
            self._task.wait()
            self._task = None

    def close(self) -> None:
        """Let go of the session, which its owner closes."""
        self.wait()
        self.rescue.close()
        self._session = None

    def edited(self) -> None:
        """Take note of an edit, which the journal has where it can."""
        self.save_soon()
        self._label.setText(KEPT)
        self.rescue.edited()

    def save_soon(self) -> None:
        """Save when it has been quiet for a while."""
        self._soon.start(_QUIET_MS)

    def save(self) -> None:
        """Save beside the window; while a save runs, wait for its end and look again."""
        session = self._session
        if session is None:
            return
        if self._task is not None:
            self.save_soon()
            return
        snapshot = session.snapshot()
        if snapshot.documents:
            self._written = snapshot
            self._task = BackgroundTask(lambda: session.write(snapshot), self)
            self._task.succeeded.connect(self._succeeded)
            self._task.failed.connect(self._failed)
            self._task.start()

    def save_now(self) -> None:
        """Write what is not written yet and wait for that; what goes wrong is said."""
        if self._session is None:
            return
        self.wait()
        try:
            self._session.save()
        except TandemError as error:
            self.say_unsaved(error)
        else:
            self._note_saved()

    def say_unsaved(self, error: Exception, *, closing: bool = False) -> None:
        """Say that files could not be written, and what that means for the work.

        Where edits are in memory only, their banner says what to do. `closing` says what it would
        mean to close the window all the same.
        """
        if unkept := self.rescue.unkept():
            entries = "1 entry that is" if unkept == 1 else f"{unkept} entries that are"
            self.rescue.edited()
            if closing:
                self.said.emit(f"Closing the window again loses {entries} in memory only.")
            return
        self._label.setText("Kept in the journal, not yet in the files")
        trouble = "Everything is in the journal; Tandem keeps trying to write the files."
        if closing:
            trouble += " Closing the window again leaves them as they are."
        self._banner.show_message(f"{sentence(error)} {trouble}", Tone.WARNING)

    def _succeeded(self) -> None:
        if self.sender() is not self._task or self._session is None or self._written is None:
            return  # closed meanwhile: the session has saved what was left itself
        try:
            self._session.saved(self._written)
        except TandemError as error:
            self._failed(error)
        else:
            self._task = None
            self._note_saved()

    def _failed(self, error: Exception) -> None:
        if self.sender() is self._task:
            self._task = None
            self._soon.start(_RETRY_MS)
            self.say_unsaved(error)

    def _note_saved(self) -> None:
        if self._session is None or not self._session.unsaved:
            self._label.setText(f"Saved {datetime.now().astimezone():%H:%M:%S}")
        self.saved.emit()

    def _note_waiting(self, count: int) -> None:
        self._label.setText(f"{count:,} in memory only" if count else KEPT)
