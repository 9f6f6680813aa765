"""Opens the release window beside the adjudication window, and shows its places there."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QHideEvent

from adjudicator.session import AdjudicationSession
from adjudicator.ui.panes import Panes
from shared.model import Span
from shared.project.project import Project
from shared.widgets.patient_window import PatientWindow

if TYPE_CHECKING:
    from adjudicator.ui.release_window import ReleaseWindow


class ReleaseOpener(QObject):
    """Holds the release window of an adjudication window; it goes when that one goes."""

    def __init__(self, project: Project, window: PatientWindow[AdjudicationSession, Panes]) -> None:
        super().__init__(window)
        self._project = project
        self._window = window
        self._release: ReleaseWindow | None = None
        window.installEventFilter(self)

    @property
    def window(self) -> "ReleaseWindow | None":
        """The release window, None while there is none."""
        return self._release

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"release": self.open}

    def open(self) -> None:
        """Show the release of the project as its gold standard is now."""
        if self._release is None:
            from adjudicator.ui.release_window import ReleaseWindow

            self._release = ReleaseWindow(self._project)
            self._release.place_chosen.connect(self._show_place)
            self._release.about_to_read.connect(self._save)
        release = self._release
        if not release.isVisible():
            session = self._window.session
            release.begin(session.patient_id if session else "")
        release.show()
        release.raise_()
        release.activateWindow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self._window
            and isinstance(event, QHideEvent)
            and not event.spontaneous()
            and self._release is not None
        ):
            self._release.close()
            self._release.deleteLater()
            self._release = None
        return False

    def _save(self) -> None:
        """Let the files have what the adjudicator did last."""
        self._window.actions_table.action("save").trigger()

    def _show_place(self, patient_id: str, record_id: str, span: Span | None) -> None:
        """Open the patient and bring the place, or at least the record, into sight."""
        window = self._window
        window.open_patient(patient_id)
        window.raise_()
        window.activateWindow()
        session = window.session
        if session is None or session.patient_id != patient_id:
            if self._release is not None:
                self._release.say(
                    f"Patient {patient_id} was not opened; the adjudication window says why."
                )
            return
        if record_id:
            place = session.view.merged_span(record_id, span or Span(0, 1))
            window.view.reveal(place)
            if span is not None:
                window.view.select(place)
        window.view.setFocus()
