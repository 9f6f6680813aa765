"""A training that runs, in the status bar: what it is, how far, and a button that ends it."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QProgressBar,
    QSizePolicy,
    QToolButton,
    QWidget,
)


class TrainingBox(QWidget):
    """Hidden until it is told how far a training is. Signals: `stopped` by the button.

    `name` is its object name, from which that of the button follows: stopName.
    """

    stopped = Signal()

    def __init__(self, window: QMainWindow, name: str, title: str, stop_tip: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._bar = _bar(title)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        for part in (QLabel(title), self._bar, self._button(name, stop_tip)):
            row.addWidget(part)
        window.statusBar().addPermanentWidget(self)
        self.hide()

    def show_done(self, done: float) -> None:
        """Show a share from 0 to 1; with 0, that nobody knows yet."""
        self._bar.setRange(0, 100 if done else 0)
        self._bar.setValue(round(done * 100))
        self.show()

    def _button(self, name: str, tip: str) -> QToolButton:
        stop = QToolButton()
        stop.setObjectName(f"stop{name[0].upper()}{name[1:]}")
        stop.setText("Stop")
        stop.setAutoRaise(True)
        stop.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        stop.setToolTip(tip)
        stop.clicked.connect(self.stopped)
        return stop


def _bar(title: str) -> QProgressBar:
    bar = QProgressBar()
    bar.setAccessibleName(title)
    bar.setFixedWidth(90)
    bar.setTextVisible(False)
    bar.setMaximumHeight(10)
    return bar
