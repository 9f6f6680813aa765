"""Sees to it that the journal knows what was on the screen and when somebody was at work."""

import contextlib

from PySide6.QtCore import QElapsedTimer, QEvent, QObject, QTimer, Signal

from shared.errors import TandemError
from shared.project.patient_session import PatientSession
from shared.project.reading_progress import LOOK
from shared.widgets.document.document_view import DocumentView

LOOK_MS = round(LOOK.total_seconds() * 1000)
_SIGN_MS = 15_000
"""Signs of work are noted no closer together than this."""
_SIGNS = frozenset(
    {
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.Wheel,
        QEvent.Type.MouseMove,
    }
)


class ViewTracker(QObject):
    """Watches a document view for the session that is open in it; `looked` after every look."""

    looked = Signal()

    def __init__(self, view: DocumentView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._session: PatientSession | None = None
        self._since_sign = QElapsedTimer()
        self._look = QTimer(self, singleShot=True, interval=LOOK_MS)
        self._look.timeout.connect(self.look)
        view.visible_changed.connect(self._look_soon)
        view.installEventFilter(self)
        view.viewport().installEventFilter(self)

    def open(self, session: PatientSession) -> None:
        self._session = session
        self._since_sign.invalidate()
        self._look_soon()

    def close(self) -> None:
        self._look.stop()
        self._session = None

    def look(self) -> None:
        """Take what is on the screen as seen; the next edit reports an unwritable journal."""
        is_seen = self._view.isVisible() and not self._view.window().isMinimized()
        visible = self._view.visible_span() if is_seen else None
        if self._session is not None and visible is not None:
            with contextlib.suppress(TandemError):
                self._session.record_visible(visible)
            self.looked.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _SIGNS and self._session is not None and self._sign_is_due():
            self._since_sign.start()
            with contextlib.suppress(TandemError):
                self._session.record_activity()
        return super().eventFilter(watched, event)

    def _sign_is_due(self) -> bool:
        return not self._since_sign.isValid() or self._since_sign.hasExpired(_SIGN_MS)

    def _look_soon(self) -> None:
        if self._session is not None:
            self._look.start()
