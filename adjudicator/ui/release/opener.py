"""Opens the release window beside the adjudication window, and shows its places there."""

from typing import TYPE_CHECKING

from adjudicator.ui.beside import Beside
from shared.model import Span

if TYPE_CHECKING:
    from adjudicator.ui.release.window import ReleaseWindow


class ReleaseOpener(Beside["ReleaseWindow"]):
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
