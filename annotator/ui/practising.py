"""The training on fabricated patients, in the status bar: once for each user, for all projects."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow

from annotator.practice import Practice
from annotator.ui.followed_training import FollowedTraining, Words

if TYPE_CHECKING:
    from shared.recognition.training.background import TrainingState

_FIRST_MS = 800
"""A window that was just opened has other things to do first."""
_AGAIN_MS = 3000
"""How often to see how far another window is that trains the same model."""
_WORDS = Words(
    "practising",
    "Training on fabricated patients",
    "Stop; the suggestions stay as they are",
    stopped="Training on fabricated patients was stopped; the suggestions stay as they are.",
    failed="Training on fabricated patients failed.",
)


class Practising(FollowedTraining):
    """Trains on fabricated patients where nobody has yet, or waits for another window that does."""

    def __init__(self, practice: Practice, window: QMainWindow) -> None:
        super().__init__(practice, window, _WORDS)
        self._practice = practice
        self._heard = 0
        """How many fabricated patients the model has learnt that the window knows of."""
        self._first = QTimer(self, interval=_FIRST_MS, singleShot=True)
        self._first.timeout.connect(self._begin)

    def begin_soon(self) -> None:
        """Begin a little later, if there is something left to learn by then."""
        self._heard = self._practice.patients()
        self._first.start()

    def close(self) -> None:
        self._first.stop()
        super().close()

    def news(self) -> str:
        if self._practice.is_complete():
            return "Trained on fabricated patients; those you finish will show how far to trust it."
        return "Trained on the first fabricated patients; suggestions get better as it goes on."

    def _begin(self) -> None:
        if self.start():
            return
        if self._practice.is_trained_elsewhere:
            self._first.start(_AGAIN_MS)
        elif why := self._practice.why_not():
            self.said.emit(why)
        if self._practice.patients() > self._heard:
            self._tell()

    def _ended(self, state: "TrainingState") -> None:
        super()._ended(state)
        if not state.problem:
            self.start()

    def _tell(self) -> None:
        self._heard = self._practice.patients()
        super()._tell()
