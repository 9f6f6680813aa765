"""How far the measuring is, in a status bar, with a button that ends it."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QStatusBar, QToolButton


class ProgressLine(QLabel):
    """Words, a bar and a button at the right of a status bar, in sight while something runs.

    `cancelled` when the user wants it to end.
    """

    cancelled = Signal()

    def __init__(self, status_bar: QStatusBar) -> None:
        super().__init__()
        self._bar = QProgressBar()
        self._bar.setObjectName("agreementProgress")
        self._bar.setAccessibleName("Progress")
        self._bar.setFixedWidth(180)
        self._bar.setTextVisible(False)
        self._button = QToolButton()
        self._button.setObjectName("agreementCancel")
        self._button.setText("Cancel")
        self._button.clicked.connect(self.cancelled)
        for part in (self, self._bar, self._button):
            status_bar.addPermanentWidget(part)
        self.rest()

    def show_progress(self, what: str, done: int, total: int) -> None:
        """Say that so much of all is done; once all of it is, that it goes on."""
        self.setText(f"{what}: {done:,} of {total:,}")
        self._bar.setRange(0, total if done < total else 0)
        self._bar.setValue(done)
        self._set_visible(True)

    def rest(self) -> None:
        """Show nothing."""
        self._set_visible(False)

    def _set_visible(self, visible: bool) -> None:
        for part in (self, self._bar, self._button):
            part.setVisible(visible)
