"""Reading for what all annotators missed: page by page, and nothing of it twice."""

from PySide6.QtCore import QObject, Signal

from adjudicator.session import AdjudicationSession
from shared.widgets.document.document_view import DocumentView
from shared.widgets.window.view_tracker import ViewTracker

_BELOW_TOP = 0.08
"""Where on the page unread text begins, so that the line before it is in sight."""


class ReadingCheck(QObject):
    """Remembers what was on the screen, and goes to what was not.

    Signals: `share_changed` (str) how much was read, `said` (str), both for the status line.
    """

    share_changed = Signal(str)
    said = Signal(str)

    def __init__(self, view: DocumentView, parent: QObject) -> None:
        super().__init__(parent)
        self._view = view
        self._session: AdjudicationSession | None = None
        self._witness = ViewTracker(view, self)
        self._witness.looked.connect(self._tell)

    def open(self, session: AdjudicationSession) -> None:
        self._session = session
        self._witness.open(session)
        self._tell()

    def close(self) -> None:
        self._witness.close()
        self._session = None

    def look(self) -> None:
        self._witness.look()

    def unread(self) -> list[str]:
        return self._session.reading.unread_records() if self._session else []

    def go_on(self) -> None:
        """Take this page as read, and show the next text that was not."""
        if self._session is None:
            return
        self._witness.look()
        offset = self._session.reading.first_unread()
        if offset is None:
            self.said.emit("All text of this patient has been on the screen.")
            return
        self._view.set_caret(offset)
        self._view.scroll_to(offset, _BELOW_TOP)

    def _tell(self) -> None:
        if self._session is not None:
            self.share_changed.emit(f"{self._session.reading.share():.0%} read")
