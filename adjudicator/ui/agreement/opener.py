"""Opens the agreement window beside the adjudication window, and shows its places there."""

from typing import TYPE_CHECKING

from adjudicator.session import AdjudicationSession
from adjudicator.ui.beside import Beside, MainWindow
from adjudicator.ui.disagreement_guide import DisagreementGuide
from shared.model import Span
from shared.project.project import Project

if TYPE_CHECKING:
    from adjudicator.agreement.places import Behind
    from adjudicator.ui.agreement.window import AgreementWindow


class AgreementOpener(Beside["AgreementWindow"]):
    """Leads to the agreement as it is now, and from a place of it to its disagreement."""

    action = "agreement"

    def __init__(self, project: Project, main: MainWindow, guide: DisagreementGuide) -> None:
        super().__init__(project, main)
        self._guide = guide

    def _make(self) -> "AgreementWindow":
        from adjudicator.ui.agreement.window import AgreementWindow

        agreement = AgreementWindow(self._project)
        agreement.place_chosen.connect(self._show_place)
        return agreement

    def _begin(self, second: "AgreementWindow") -> None:
        second.measure(hidden=self._main.actions_table.action("hide_names").isChecked())

    def _show_place(self, place: "Behind") -> None:
        """Open the patient and bring the place into sight, with its disagreement if it has one."""
        session = self._go_to(place.patient_id)
        if session is None:
            return
        span = session.view.merged_span(place.record_id, place.span)
        view = self._main.view
        if not self._show_disagreement(session, span):
            view.reveal(span)
            view.select(span)
        view.setFocus()

    def _show_disagreement(self, session: AdjudicationSession, span: Span) -> bool:
        touched = [each for each in session.queue if each.span.overlaps(span)]
        if touched:
            self._guide.show(min(touched, key=lambda each: each.span != span))
        return bool(touched)
