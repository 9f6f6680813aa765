"""Whether somebody had the time to look at what is on the screen."""

from PySide6.QtCore import QElapsedTimer, QObject

from shared.model import Span
from shared.widgets.document.document_view import DocumentView
from shared.widgets.records.view_tracker import LOOK_MS


class ScreenWatch(QObject):
    """Knows how long the document view has shown the same lines, with the same suggestions."""

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view)
        self._view = view
        self._screen: Span | None = None
        self._since = QElapsedTimer()
        view.visible_changed.connect(self._moved)

    def begin_anew(self) -> None:
        """Take note that something else has come into sight."""
        self._screen = self._view.visible_span()
        self._since.start()

    def is_looked_at(self) -> bool:
        """Whether what is on the screen has been there as long as it takes to be looked at."""
        self._moved(self._view.visible_span())
        return self._since.isValid() and self._since.hasExpired(LOOK_MS)

    def _moved(self, visible: Span | None) -> None:
        if visible != self._screen or not self._since.isValid():
            self.begin_anew()
