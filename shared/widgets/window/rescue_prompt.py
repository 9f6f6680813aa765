"""What a window says and offers while edits cannot be written to the journal."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from shared.errors import TandemError
from shared.project.patient_session import PatientSession
from shared.widgets.parts.messages import StatusBanner, Tone, sentence

_RETRY_MS = 5000


class RescuePrompt(QObject):
    """Watches the journal of the session that is open.

    Signals: `waiting` (int) with the number of edits that are in memory only, 0 when all are kept
    again; `taken_up` (int) when what a rescue file holds was done again, and how much was new.
    """

    waiting = Signal(int)
    taken_up = Signal(int)

    def __init__(self, banner: StatusBanner, window: QWidget) -> None:
        super().__init__(window)
        self._banner = banner
        self._window = window
        self._session: PatientSession | None = None
        self._again = QTimer(self, interval=_RETRY_MS)
        self._again.timeout.connect(self._retry)

    def open(self, session: PatientSession) -> None:
        self._session = session
        session.journal.changed = self._changed
        if session.journal.waiting:
            self._changed()

    def close(self) -> None:
        self._again.stop()
        self._session = None

    def edited(self) -> None:
        """Tell how many edits wait by now."""
        if self._session is not None and self._session.journal.waiting:
            self._show(self._session)

    def unkept(self) -> int:
        """How many edits would be lost with the window."""
        journal = self._session.journal if self._session else None
        return 0 if journal is None or journal.is_rescued else journal.waiting

    def choose_rescue_file(self) -> None:
        """Ask where to take rescued work up from."""
        mode = QFileDialog.FileMode.ExistingFile
        self._ask("Recover edits from a file", self.replay_rescue_file, mode)

    def replay_rescue_file(self, path: str) -> None:
        """Make the edits of a rescue file; what is wrong with it is said."""
        if self._session is not None:
            try:
                self.taken_up.emit(self._session.replay_rescue_file(Path(path)))
            except TandemError as error:
                self._banner.show_error(error)

    def write_rescue_file(self, path: str) -> None:
        """Keep what waits, and what comes, in a file of the user's."""
        if self._session is not None:
            try:
                self._session.journal.write_rescue_file(Path(path))
            except TandemError as error:
                self._banner.show_error(error)
            else:
                self._show(self._session)

    def _changed(self) -> None:
        if self._session is None:
            return
        if self._session.journal.waiting:
            self._again.start()
            self._show(self._session)
        else:
            self._again.stop()
            self._banner.show_message("The journal is back and has everything.")
            self.waiting.emit(0)

    def _retry(self) -> None:
        if self._session is not None:
            self._session.journal.retry()

    def _show(self, session: PatientSession) -> None:
        journal = session.journal
        count, trouble = journal.waiting, journal.trouble
        entries = "entry is" if count == 1 else "entries are"
        rescue = journal.rescue_file
        where = f"in your rescue file {rescue.name}" if rescue else "in memory only"
        reason = sentence(trouble) if trouble else ""
        buttons = {"Try again": self._retry}
        if not journal.is_rescued:
            buttons["Save them to a file…"] = self._choose_new_file
        self._banner.show_message(
            f"{reason} {count} {entries} {where}; you can go on working.", Tone.WARNING, buttons
        )
        self.waiting.emit(count)

    def _choose_new_file(self) -> None:
        mode = QFileDialog.FileMode.AnyFile
        self._ask("Save the edits to a file", self.write_rescue_file, mode)

    def _ask(self, title: str, take: Callable[[str], None], mode: QFileDialog.FileMode) -> None:
        """Ask for a rescue file, non-modal as everything else."""
        dialog = QFileDialog(self._window, title, "", "Rescue files (*.jsonl *.rescue)")
        if mode is QFileDialog.FileMode.AnyFile:
            dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            dialog.setDefaultSuffix("jsonl")
        dialog.setFileMode(mode)
        dialog.fileSelected.connect(take)
        dialog.open()


def recovered_words(count: int) -> str:
    """Say how much of a rescue file was not there already."""
    if not count:
        return "All that the file holds is here already."
    changes = "1 change was" if count == 1 else f"{count:,} changes were"
    return f"{changes} recovered from the file."
