"""Goes from record to record of a patient, and to what of them was not on the screen yet."""

from bisect import bisect_right
from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QTimer, Signal

from shared.language.languages import Language
from shared.model import Span
from shared.project.edits import Edit
from shared.project.patient_session import PatientSession
from shared.project.record_summaries import RecordSummaries
from shared.widgets.document.document_view import DocumentView
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.records.record_pane import RecordPane, percent
from shared.widgets.records.view_tracker import ViewTracker

BELOW_TOP = 0.08
"""Where on the page one reads on, so that the line before is in sight."""
_PAINTED_MS = 100
"""By then an opened patient is on the screen."""


def unread_sentence(unread: Sequence[str]) -> str:
    """What is to be said of records not all of whose text was on the screen; of one at least."""
    shown = ", ".join(unread[:3])
    more = f" and {len(unread) - 3} more" if len(unread) > 3 else ""
    have = "1 record has" if len(unread) == 1 else f"{len(unread)} records have"
    return f"{have} text that has not been on the screen: {shown}{more}."


class RecordController(QObject):
    """Keeps the list of records in step with what is on the screen, and with the tags.

    The current record is that of the caret, or, where the caret is out of sight, the one at the top
    of the page. Signals: `said` (str) for the status line; `share_told` (str) how much was read;
    `left` when the text is to be looked at.
    """

    said = Signal(str)
    share_told = Signal(str)
    left = Signal()

    def __init__(self, view: DocumentView, pane: RecordPane, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._pane = pane
        self._session: PatientSession | None = None
        self._about: RecordSummaries | None = None
        self._task: BackgroundTask | None = None
        self._starts: list[int] = []
        self._visible: Span | None = None
        self.tracker = ViewTracker(view, self)
        self.tracker.looked.connect(self._looked)
        view.visible_changed.connect(self._scrolled)
        view.caret_moved.connect(self._mark_current)
        pane.record_chosen.connect(self._choose)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on records, by their names."""
        return {
            "next_record": lambda: self._step(1),
            "previous_record": lambda: self._step(-1),
            "read_on": self.read_on,
        }

    def open(self, session: PatientSession, *, tracked: bool = True) -> None:
        """Show the records of a session whose text the document view has open.

        Unless it is `tracked`, as where the session is closed, what is on the screen counts not.
        """
        self._session = session
        self._about = about = RecordSummaries(session)
        self._starts = [each.start for each in session.view.sections]
        self._visible = self._view.visible_span()
        self._pane.model.open(about)
        QTimer.singleShot(0, self, self._tell_read)  # counting 5 MB takes longer than a page
        self._mark_current()
        if tracked:
            self.tracker.open(session)
        self._task = BackgroundTask(lambda: session.language, self)
        self._task.succeeded.connect(self._language_read)
        QTimer.singleShot(_PAINTED_MS, self._task, self._task.start)

    def close(self) -> None:
        self.tracker.close()
        if self._task is not None:
            self._task.wait()
        self._session = self._about = self._task = None
        self._starts = []
        self._pane.model.open(None)
        self._pane.show_line("")

    def apply_edit(self, edit: Edit) -> None:
        """Show a change of the tags."""
        if self._about is not None:
            for record_id in self._about.apply_edit(edit):
                self._redraw(record_id)

    def read_on(self) -> None:
        """Take this page as read, and show the next text that was not."""
        if self._session is None:
            return
        self.tracker.look()
        offset = self._session.reading.first_unread()
        if offset is None:
            self.said.emit("All text of this patient has been on the screen.")
        else:
            self._go(offset, BELOW_TOP)

    def unread_records(self) -> list[str]:
        """The ids of the records not all of whose text was on the screen, in their order."""
        self.tracker.look()
        return self._session.reading.unread_records() if self._session else []

    def current(self) -> int:
        """The number of the current record, from 0."""
        caret, visible = self._view.caret(), self._visible
        if visible is not None and not visible.start <= caret <= visible.end:
            caret = visible.start
        return max(0, bisect_right(self._starts, caret) - 1)

    def _language_read(self, language: Language) -> None:
        if self.sender() is self._task and self._about is not None:
            self._about.language = language
            self._pane.model.redraw()

    def _step(self, by: int) -> None:
        if self._session is None:
            return
        number = self.current() + by
        if not 0 <= number < len(self._starts):
            which = "last" if by > 0 else "first"
            self.said.emit(f"This is the {which} record of the patient.")
        else:
            self._go(self._starts[number])

    def _choose(self, record_id: str) -> None:
        if self._session is not None:
            self._go(self._session.view.section(record_id).start)
            self.left.emit()

    def _go(self, offset: int, below_top: float = 0.0) -> None:
        self._view.set_caret(offset)
        self._view.scroll_to(offset, below_top)
        self._scrolled(self._view.visible_span())

    def _scrolled(self, visible: Span | None) -> None:
        self._visible = visible
        self._mark_current()

    def _mark_current(self) -> None:
        if self._starts:
            self._pane.set_current(self.current())

    def _looked(self) -> None:
        session, visible = self._session, self._view.visible_span()
        if session is None or visible is None:
            return
        first, last = (bisect_right(self._starts, at) - 1 for at in (visible.start, visible.end))
        for section in session.view.sections[first : last + 1]:
            self._redraw(section.record_id)
        self._tell_read()

    def _redraw(self, record_id: str) -> None:
        if self._session is not None:
            start = self._session.view.section(record_id).start
            self._pane.model.changed(bisect_right(self._starts, start) - 1)

    def _tell_read(self) -> None:
        if self._session is None:
            return
        reading, records = self._session.reading, len(self._starts)
        read, share = records - len(reading.unread_records()), percent(reading.share())
        self._pane.show_line(f"{read:,} of {records:,} records read, {share} of the text")
        self.share_told.emit(f"{share} read")
