"""The training on fabricated patients, in the status bar: only where there is no other model."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from annotator.practice import Practice
from annotator.ui.training_box import TrainingBox
from shared.errors import TandemError
from shared.widgets.parts.messages import sentence

if TYPE_CHECKING:
    from shared.recognition.background import TrainingState

_LOOK_MS = 250
_FIRST_MS = 800
"""A window that was just opened has other things to do first."""


class Practising(QObject):
    """Starts, follows and ends the training.

    Signals: `said` (str) for the status line; `ready` when the model is there.
    """

    said = Signal(str)
    ready = Signal()

    def __init__(self, practice: Practice, window: QMainWindow) -> None:
        super().__init__(window)
        self._practice = practice
        self._box = TrainingBox(
            window,
            "practising",
            "Learning from fabricated patients",
            "Stop; rules and lists of names suggest until a patient is done",
        )
        self._box.stopped.connect(self.cancel)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._first = QTimer(self, interval=_FIRST_MS, singleShot=True)
        self._first.timeout.connect(self._begin)

    @property
    def running(self) -> bool:
        return self._practice.running

    def begin_soon(self) -> None:
        """Begin a little later, if there is no model by then."""
        self._first.start()

    def start(self) -> bool:
        """Begin to train; False where that is of no use or cannot be."""
        try:
            begun = self._practice.start()
        except TandemError as error:
            self._failed(sentence(error))
            return False
        if begun:
            self._box.show_done(0)
            self._timer.start()
        return begun

    def cancel(self) -> None:
        """End the training, which begins anew when a window is opened next time."""
        self._practice.cancel()
        self._stop()
        self.said.emit("Learning from fabricated patients was stopped; rules and lists suggest.")

    def close(self) -> None:
        """End without a word."""
        self._first.stop()
        self._timer.stop()
        self._practice.cancel()

    def _begin(self) -> None:
        if not self.start() and (why := self._practice.why_not()):
            self.said.emit(why)

    def _look(self) -> None:
        state = self._practice.look()
        if state.running:
            self._box.show_done(state.done)
        else:
            self._ended(state)

    def _ended(self, state: "TrainingState") -> None:
        self._stop()
        if state.problem:
            self._failed(f"{state.problem[0].upper()}{state.problem[1:]}.")
            return
        self.said.emit("Learnt from fabricated patients; they suggest until a patient is done.")
        self.ready.emit()

    def _failed(self, why: str) -> None:
        self.said.emit(f"Nothing was learnt from fabricated patients. {why}")

    def _stop(self) -> None:
        self._timer.stop()
        self._box.hide()
