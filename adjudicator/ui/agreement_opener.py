"""Opens the agreement window beside the adjudication window, and shows its places there."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QHideEvent

from adjudicator.session import AdjudicationSession
from shared.model import Span
from shared.project.project import Project

if TYPE_CHECKING:
    from adjudicator.agreement_places import Behind
    from adjudicator.ui.agreement_window import AgreementWindow
    from adjudicator.ui.main_window import AdjudicationWindow


class AgreementOpener(QObject):
    """Holds the agreement window of an adjudication window; it goes when that one goes."""

    def __init__(self, project: Project, window: "AdjudicationWindow") -> None:
        super().__init__(window)
        self._project = project
        self._window = window
        self._agreement: AgreementWindow | None = None
        window.installEventFilter(self)

    @property
    def window(self) -> "AgreementWindow | None":
        """The agreement window, None while there is none."""
        return self._agreement

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {"agreement": self.open}

    def open(self) -> None:
        """Show the agreement as it is now; what it is made with is loaded only here."""
        if self._agreement is None:
            from adjudicator.ui.agreement_window import AgreementWindow

            self._agreement = AgreementWindow(self._project)
            self._agreement.place_chosen.connect(self._show_place)
        agreement = self._agreement
        if not agreement.isVisible():
            agreement.measure(hidden=self._window.actions_table.action("hide_names").isChecked())
        agreement.show()
        agreement.raise_()
        agreement.activateWindow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self._window
            and isinstance(event, QHideEvent)
            and not event.spontaneous()
            and self._agreement is not None
        ):
            self._agreement.close()
            self._agreement.deleteLater()
            self._agreement = None
        return False

    def _show_place(self, place: "Behind") -> None:
        """Open the patient and bring the place into sight, with its disagreement if it has one."""
        window = self._window
        window.open_patient(place.patient_id)
        window.raise_()
        window.activateWindow()
        session = window.session
        if session is None or session.patient_id != place.patient_id:
            if self._agreement is not None:
                self._agreement.say(
                    f"Patient {place.patient_id} was not opened; the adjudication window says why."
                )
            return
        span = session.view.merged_span(place.record_id, place.span)
        if not self._show_disagreement(session, span):
            window.view.reveal(span)
            window.view.select(span)
        window.view.setFocus()

    def _show_disagreement(self, session: AdjudicationSession, span: Span) -> bool:
        touched = [each for each in session.queue if each.span.overlaps(span)]
        if touched:
            self._window.decider.show(min(touched, key=lambda each: each.span != span))
        return bool(touched)
