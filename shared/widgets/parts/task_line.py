"""What is being worked on in the background, how far it is, and a button that ends it."""

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QPushButton, QWidget

from shared.widgets.parts.background_task import BackgroundTask, ProgressTask

PATIENCE_MS = 500
"""What takes less is not worth a bar."""


class TaskLine(QWidget):
    """A line with words, a bar and perhaps a button, there while a task takes its time.

    `cancelled` when the user pressed the button; the task was told.
    """

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("taskLine")
        self._task: BackgroundTask | None = None
        self._words = QLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMaximumWidth(220)
        self._cancel = QPushButton("Cancel")
        self._cancel.setAutoDefault(False)
        self._cancel.clicked.connect(self._end)
        self._patience = QTimer(self, singleShot=True, interval=PATIENCE_MS)
        self._patience.timeout.connect(self.show)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._words)
        layout.addWidget(self._bar, 1)
        layout.addWidget(self._cancel)
        self.hide()

    @property
    def bar(self) -> QProgressBar:
        return self._bar

    def watch(self, task: BackgroundTask, what: str) -> None:
        """Show from now on how far this task is; a task that was shown before no more."""
        self._task = task
        self._words.setText(what)
        self._bar.setAccessibleName(what)
        self._cancel.setAccessibleName(f"Cancel: {what}")
        self._bar.setRange(0, 0)
        self._cancel.setVisible(isinstance(task, ProgressTask))
        if isinstance(task, ProgressTask):
            task.progressed.connect(self._show_progress)
        task.finished.connect(self._done)
        self._patience.start()

    def _show_progress(self, done: int, total: int) -> None:
        if self.sender() is self._task:
            self._bar.setRange(0, total)
            self._bar.setValue(done)

    def _done(self) -> None:
        if self.sender() is self._task:
            self._task = None
            self._patience.stop()
            self.hide()

    def _end(self) -> None:
        if isinstance(self._task, ProgressTask):
            self._task.cancel()
            self.cancelled.emit()
