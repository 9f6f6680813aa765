"""Lets a window come back as it was left: its arrangement, the patient, the place in its text."""

from pathlib import Path

from PySide6.QtCore import QByteArray, QObject
from PySide6.QtWidgets import QMainWindow

from shared.widgets.document.document_view import DocumentView
from shared.widgets.settings.user_folders import state_folder
from shared.widgets.settings.window_state import (
    ViewPosition,
    ViewPositions,
    read_table,
    write_table,
)


class WindowStateKeeper(QObject):
    """Remembers for a window; `name` is that of its arrangement, `who` whose places they are."""

    def __init__(self, window: QMainWindow, view: DocumentView, name: str) -> None:
        super().__init__(window)
        self._window = window
        self._view = view
        self._path = state_folder() / f"{name}-window.json"
        self._places: ViewPositions | None = None
        self._patient_id = ""

    def follow(self, project: Path, who: str) -> None:
        """Remember the places of somebody in a project."""
        self._places = ViewPositions(project, who)

    def last_patient(self, patient_ids: list[str]) -> str | None:
        """The patient that was open last, where it is one of these."""
        return self._places.last(patient_ids) if self._places else None

    def resume(self, patient_id: str) -> None:
        """Go to where one was in a patient, which the view has just opened."""
        self._patient_id = patient_id
        place = self._places.find(patient_id) if self._places else None
        length = len(self._view.merged_view.text)
        if place is not None and max(place.caret, place.top) < length:
            show_place(self._view, place)

    def keep(self) -> None:
        """Take note of where one is in the patient that is open."""
        visible = self._view.visible_span()
        if self._patient_id and self._places:
            top = visible.start if visible else self._view.caret()
            self._places.keep(self._patient_id, ViewPosition(self._view.caret(), top))

    def leave(self) -> None:
        """Take note of where one is; the patient is closed after this."""
        self.keep()
        self._patient_id = ""

    def arrange(self) -> None:
        """Arrange the window, which is about to be shown, as it was when it was last closed."""
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
            write_table(
                self._path,
                {"geometry": _text(window.saveGeometry()), "state": _text(window.saveState())},
            )


def show_place(view: DocumentView, place: ViewPosition) -> None:
    """Put the caret where it was, and the line at the top where it was."""
    view.set_caret(place.caret)
    view.scroll_to(place.top, 0)


def _text(data: QByteArray) -> str:
    return bytes(data.toBase64().data()).decode("ascii")
