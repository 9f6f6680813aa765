"""Opens the agreement window beside the adjudication window, and shows its places there."""

from typing import TYPE_CHECKING

from adjudicator.session import AdjudicationSession
from adjudicator.ui.companion_window import CompanionWindow, MainWindow
from adjudicator.ui.disagreement_controller import DisagreementController
from shared.model import Span
from shared.project.project import Project

if TYPE_CHECKING:
    from adjudicator.agreement.tags_behind import TagEvidence
    from adjudicator.ui.agreement.window import AgreementWindow
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from adjudicator.ui.release.window import ReleaseWindow


class AgreementOpener(CompanionWindow["AgreementWindow"]):
    """Leads to the agreement as it is now, and from a place of it to its disagreement."""

    action = "agreement"

    def __init__(
        self, project: Project, main: MainWindow, disagreements: DisagreementController
    ) -> None:
        super().__init__(project, main)
        self._disagreements = disagreements

    def _make(self) -> "AgreementWindow":
        from adjudicator.ui.agreement.window import AgreementWindow

        agreement = AgreementWindow(self._project)
        agreement.place_chosen.connect(self._show_place)
        return agreement

    def _begin(self, second: "AgreementWindow") -> None:
        second.measure(hidden=self._main.actions_table.action("hide_names").isChecked())

    def _show_place(self, place: "TagEvidence") -> None:
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
        changed_disagreements = [each for each in session.queue if each.span.overlaps(span)]
        if changed_disagreements:
            self._disagreements.show(min(changed_disagreements, key=lambda each: each.span != span))
        return bool(changed_disagreements)


class ReleaseOpener(CompanionWindow["ReleaseWindow"]):
    """Leads to the release of the project as its gold standard is now."""

    action = "release"

    def _make(self) -> "ReleaseWindow":
        from adjudicator.ui.release.window import ReleaseWindow

        release = ReleaseWindow(self._project)
        release.place_chosen.connect(self._show_place)
        release.about_to_read.connect(self._main.save_now)
        return release

    def _begin(self, second: "ReleaseWindow") -> None:
        session = self._main.session
        second.begin(session.patient_id if session else "")

    def _show_place(self, patient_id: str, record_id: str, span: Span | None) -> None:
        """Open the patient and bring the place, or at least the record, into sight."""
        session = self._go_to(patient_id)
        if session is None:
            return
        view = self._main.view
        if record_id:
            place = session.view.merged_span(record_id, span or Span(0, 1))
            view.reveal(place)
            if span is not None:
                view.select(place)
        view.setFocus()
