"""The agreement and the release window beside the adjudication window, which shows their places."""

from abc import abstractmethod
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QMainWindow

from adjudicator.session import AdjudicationSession
from adjudicator.ui.disagreement_controller import DisagreementController
from adjudicator.ui.panes import AdjudicatorPanes
from shared.errors import RequestError
from shared.model import Span
from shared.project.current_user import current_user
from shared.project.project import Project
from shared.widgets.window.application import show_within_screen
from shared.widgets.window.patient_window import PatientWindow

if TYPE_CHECKING:
    from adjudicator.agreement.tags_behind import TagEvidence
    from adjudicator.listed_places import ListedPlace
    from adjudicator.ui.agreement.window import AgreementWindow
    from adjudicator.ui.audit.dialog import RiskDialog
    from adjudicator.ui.audit.window import AuditWindow
    from adjudicator.ui.release.window import ReleaseWindow


MainWindow = PatientWindow[AdjudicationSession, AdjudicatorPanes]
Second = TypeVar("Second", bound=QMainWindow)

_SAID_MS = 8000


class CompanionWindow(QObject, Generic[Second]):
    """Opens the second window and holds it; it goes when the adjudication window goes."""

    def __init__(self, project: Project, main: MainWindow) -> None:
        super().__init__(main)
        self._project = project
        self._main = main
        self.window: Second | None = None
        """The second window, None while there is none."""
        main.installEventFilter(self)

    def open(self) -> None:
        """Show the second window in front, with what there is now."""
        second = self.window = self.window or self._make()
        if not second.isVisible():
            self._begin(second)
            show_within_screen(second)
        second.raise_()
        second.activateWindow()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        is_going = isinstance(event, QHideEvent) and not event.spontaneous()
        if watched is self._main and is_going and self.window is not None:
            self.window.close()
            self.window.deleteLater()
            self.window = None
        return False

    @abstractmethod
    def _make(self) -> Second:
        """Make the second window; what it is made with is loaded only here."""

    @abstractmethod
    def _begin(self, second: Second) -> None:
        """Let the second window, which is not in sight yet, look at the project."""

    def _go_to(self, patient_id: str) -> AdjudicationSession | None:
        """Open a patient in front; None where it could not be, which the second window says."""
        main = self._main
        main.open_patient(patient_id)
        main.raise_()
        main.activateWindow()
        session = main.session
        if session is not None and session.patient_id == patient_id:
            return session
        if self.window is not None:
            said = f"Patient {patient_id} was not opened; the adjudication window says why."
            self.window.statusBar().showMessage(said, _SAID_MS)
        return None

    def _show_place_in(self, patient_id: str, record_id: str, span: Span | None) -> None:
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


class AgreementOpener(CompanionWindow["AgreementWindow"]):
    """Leads to the agreement as it is now, and from a place of it to its disagreement."""

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
        if not self._disagreements.show_at(span):
            view.reveal(span)
            view.select(span)
        view.setFocus()


class AuditOpener(CompanionWindow["AuditWindow"]):
    """Shows what may be left, and leads from there to the records that were drawn for an audit."""

    _left = False
    """Whether the adjudication window has let go of a patient for the audit."""
    _dialog: "RiskDialog | None" = None

    def show_risk(self, out: Path | None = None) -> None:
        """Show what is known of what may be left, of a release too, and let records be drawn."""
        dialog = self._dialog = self._dialog or self._make_dialog()
        if out is not None:
            dialog.show_release(out)
        if not dialog.isVisible():
            dialog.show()
            dialog.look_again()
        dialog.raise_()
        dialog.activateWindow()

    def _make_dialog(self) -> "RiskDialog":
        from adjudicator.ui.audit.dialog import RiskDialog

        dialog = RiskDialog(self._project, self._main)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.reading_wanted.connect(partial(self._read_from, dialog))
        dialog.about_to_read.connect(self._main.save_now)
        dialog.place_wanted.connect(self._show_listed)
        dialog.finished.connect(self._forget_dialog)
        self._main.closed.connect(dialog.close)
        return dialog

    def _forget_dialog(self) -> None:
        self._dialog = None

    def _show_listed(self, place: "ListedPlace") -> None:
        self._show_place_in(place.patient_id, place.record_id, place.span)

    def _read_from(self, dialog: "RiskDialog") -> None:
        dialog.close()
        self.read()

    def read(self) -> None:
        """Open the records of the latest draw, another window where that is a new draw."""
        from adjudicator.audit_book import AuditBook

        latest = AuditBook(self._project).latest()
        if self.window is not None and latest and self.window.draw != latest.draw:
            self.window.close()
            self.window.deleteLater()
            self.window = None
        self.open()

    def _make(self) -> "AuditWindow":
        from adjudicator.audit_book import AuditBook
        from adjudicator.audit_session import DrawnRecords
        from adjudicator.ui.audit.window import AuditWindow

        latest = AuditBook(self._project).latest()
        if latest is None:
            raise RequestError("no records were drawn yet; draw some first")
        audit = AuditWindow(DrawnRecords.of(self._project, latest.draw), current_user())
        audit.gold_wanted.connect(self._leave)
        audit.gold_left.connect(self._come_back)
        return audit

    def _begin(self, second: "AuditWindow") -> None:
        second.open_patient(None)

    def _leave(self, patient_id: str) -> None:
        """Let go of a patient in the adjudication window, whose gold standard an audit wants."""
        session = self._main.session
        self._left = session is not None and session.patient_id == patient_id
        if self._left:
            self._main.close_patient()

    def _come_back(self, patient_id: str) -> None:
        if self._left:
            self._main.open_patient(patient_id)
            self._left = False


class ReleaseOpener(CompanionWindow["ReleaseWindow"]):
    """Leads to the release of the project as its gold standard is now."""

    def __init__(self, project: Project, main: MainWindow, audit: AuditOpener) -> None:
        super().__init__(project, main)
        self._audit = audit

    def _make(self) -> "ReleaseWindow":
        from adjudicator.ui.release.window import ReleaseWindow

        release = ReleaseWindow(self._project)
        release.place_chosen.connect(self._show_place_in)
        release.about_to_read.connect(self._main.save_now)
        release.risk_wanted.connect(self._audit.show_risk)
        return release

    def _begin(self, second: "ReleaseWindow") -> None:
        session = self._main.session
        second.begin(session.patient_id if session else "")
