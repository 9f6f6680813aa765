"""What is kept of the work on a patient, where, and what a window says of it."""

from collections.abc import Callable
from datetime import datetime

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QLabel, QWidget

from shared.errors import TandemError
from shared.project.patient_session import PatientSession
from shared.widgets.parts.messages import StatusBanner, Tone, sentence
from shared.widgets.window.auto_saver import AutoSaver
from shared.widgets.window.rescue_prompt import RescuePrompt

KEPT = "Kept in the journal"


class SaveStatus(QObject):
    """Saves the files of the session that is open, and keeps its edits where the journal cannot.

    Signals: `saved` after a save; `taken_up` (int) when that many edits of a rescue file were
    made; `said` (str) for the status line.
    """

    saved = Signal()
    taken_up = Signal(int)
    said = Signal(str)

    def __init__(self, banner: StatusBanner, label: QLabel, window: QWidget) -> None:
        super().__init__(window)
        self._banner = banner
        self._label = label
        self._session: PatientSession | None = None
        self._saver = AutoSaver(self)
        self.rescue = RescuePrompt(banner, window)
        self._saver.saved.connect(self._note_saved)
        self._saver.failed.connect(self.say_unsaved)
        self.rescue.waiting.connect(self._note_waiting)
        self.rescue.taken_up.connect(self.taken_up)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on files, by their names."""
        return {"save": self._saver.save, "take_up_rescue": self.rescue.choose_rescue_file}

    def open(self, session: PatientSession) -> None:
        self._session = session
        self._saver.open(session)
        self.rescue.open(session)
        self._label.setText("All saved")

    def pause(self) -> None:
        """Wait for a save that is under way, and begin none until `go_on`."""
        self._saver.close()

    def go_on(self) -> None:
        if self._session is not None:
            self._saver.open(self._session)

    def close(self) -> None:
        """Let go of the session, which its owner closes."""
        self._saver.close()
        self.rescue.close()
        self._session = None

    def edited(self) -> None:
        """Take note of an edit, which the journal has where it can."""
        self._saver.edited()
        self._label.setText(KEPT)
        self.rescue.edited()

    def save_soon(self) -> None:
        """Save when it has been quiet for a while."""
        self._saver.edited()

    def save_now(self) -> None:
        """Write what is not written yet and wait for that; what goes wrong is said."""
        if self._session is None:
            return
        self.pause()
        try:
            self._session.save()
        except TandemError as error:
            self.say_unsaved(error)
        else:
            self._note_saved()
        finally:
            self.go_on()

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

    def _note_saved(self) -> None:
        if self._session is None or not self._session.unsaved:
            self._label.setText(f"Saved {datetime.now().astimezone():%H:%M:%S}")
        self.saved.emit()

    def _note_waiting(self, count: int) -> None:
        self._label.setText(f"{count:,} in memory only" if count else KEPT)
