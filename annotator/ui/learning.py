"""The training of the annotator's model, in the status bar: how far it is, and a way to end it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMainWindow

from annotator.learning import Learner
from annotator.ui.followed_training import FollowedTraining, Words
from annotator.ui.suggestion_model import percent
from shared.errors import TandemError
from shared.widgets.parts.background_task import BackgroundTask

if TYPE_CHECKING:
    from shared.recognition.training.background import TrainingState

_FIRST_MS = 600
"""A window that was just opened has other things to do first."""
_WORDS = Words(
    "learning",
    "Learning",
    "Stop training; the suggestions stay as they are",
    stopped="Training was stopped; the earlier model stays.",
    failed="Training failed; the earlier model stays.",
)


class Learning(FollowedTraining):
    """Trains on what the annotator has finished."""

    def __init__(self, learner: Learner, window: QMainWindow) -> None:
        super().__init__(learner, window, _WORDS)
        self._learner = learner

    def catch_up_soon(self) -> None:
        """Learn from what was finished when the window was last closed, and not learnt from."""
        QTimer.singleShot(_FIRST_MS, self, self._catch_up)

    def news(self) -> str:
        card = self._learner.card()
        if card is None:
            return super().news()
        patients = f"{card.patients} patient{'' if card.patients == 1 else 's'}"
        f1 = card.scores.get("all", {}).get("f1")
        good = f"; {percent(f1)} F1 on unseen patients" if f1 is not None else ""
        return f"Trained on {patients}{good}; used from the next patient on (here: Ctrl+F8)."

    def _catch_up(self) -> None:
        self._task = BackgroundTask(self._learner.is_behind, self)
        self._task.succeeded.connect(self._start_if)  # else whoever opens a patient is told
        self._task.start()

    def _start_if(self, behind: bool) -> None:
        if behind and not self._closed and not self._learner.running:
            self.start()

    def _ended(self, state: "TrainingState") -> None:
        super()._ended(state)
        try:
            more = self._learner.go_on()
        except TandemError:
            return
        if more:
            self._follow()
