"""Lets a window come back as it was left: its arrangement, the patient, the place in its text."""

from pathlib import Path

from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QMainWindow

from shared.widgets.document.document_view import DocumentView
from shared.widgets.settings.user_folders import state_folder
from shared.widgets.settings.window_state import (
    ViewPosition,
    ViewPositions,
    read_table,
    write_table,
)


class WindowStateKeeper:
    """Remembers the arrangement of windows of this `kind`, and the places of `who` in a project."""

    def __init__(
        self, window: QMainWindow, view: DocumentView, kind: str, project: Path, who: str
    ) -> None:
        self._window = window
        self._view = view
        self._path = state_folder() / f"{kind}-window.json"
        self.places = ViewPositions(project, who)
        self._patient_id = ""
        self._is_arranged = False

    def resume(self, patient_id: str) -> None:
        """Go to where one was in a patient, which the view has just opened."""
        self._patient_id = patient_id
        place = self.places.find(patient_id)
        if place is not None and max(place) < len(self._view.merged_view.text):
            self._view.set_caret(place.caret)
            self._view.scroll_to(place.top, 0)

    def keep(self) -> None:
        """Take note of where one is in the patient that is open."""
        if self._patient_id:
            visible, caret = self._view.visible_span(), self._view.caret()
            top = visible.start if visible else caret
            self.places.keep(self._patient_id, ViewPosition(caret, top))

    def leave(self) -> None:
        """Take note of where one is; the patient is closed after this."""
        self.keep()
        self._patient_id = ""

    def arrange(self) -> None:
        """Arrange the window, which is about to be shown first, as it was when last closed."""
        if self._is_arranged:
            return
        self._is_arranged = True
        table = read_table(self._path)
        for name, restore in (
            ("geometry", self._window.restoreGeometry),
            ("state", self._window.restoreState),
        ):
            value = table.get(name)
            if isinstance(value, str):
                restore(QByteArray.fromBase64(value.encode("ascii", "ignore")))

    def keep_arrangement(self) -> None:
        """Take note of how the window is arranged, which is about to be closed."""
        window = self._window
        if window.isVisible():
            arrangement = {"geometry": window.saveGeometry(), "state": window.saveState()}
            write_table(
                self._path,
                {name: each.toBase64().toStdString() for name, each in arrangement.items()},
            )
