"""The training of the annotator's model, in the status bar: how far it is, and a way to end it."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from annotator.learning import Learner
from annotator.ui.suggestion_model import percent
from annotator.ui.training_box import TrainingBox
from shared.errors import TandemError
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.messages import sentence

if TYPE_CHECKING:
    from shared.recognition.background import TrainingState

_LOOK_MS = 250
_FIRST_MS = 600
"""A window that was just opened has other things to do first."""


class Learning(QObject):
    """Starts, follows and ends trainings; the person at the window is never kept waiting.

    Signals: `said` (str) for the status line; `learnt` when there is another model.
    """

    said = Signal(str)
    learnt = Signal()

    def __init__(self, learner: Learner, window: QMainWindow) -> None:
        super().__init__(window)
        self._learner = learner
        self._closed = False
        tip = "Stop learning; the suggestions stay as they are"
        self._box = TrainingBox(window, "learning", "Learning", tip)
        self._box.stopped.connect(self.cancel)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def running(self) -> bool:
        return self._learner.running

    def catch_up_soon(self) -> None:
        """Learn from what was finished when the window was last closed, and not learnt from."""
        QTimer.singleShot(_FIRST_MS, self, self._catch_up)

    def start(self) -> bool:
        """Train on what is finished by now; False where nothing is to be learnt from."""
        try:
            begun = self._learner.start()
        except TandemError as error:
            self.said.emit(f"Nothing was learnt. {sentence(error)}")
            return False
        if begun:
            self._box.show_done(0)
            self._timer.start()
        return begun

    def cancel(self) -> None:
        """End the training; the model that was there stays."""
        self._learner.cancel()
        self._stop()
        self.said.emit("Learning was stopped; suggestions come from what was there before.")

    def close(self) -> None:
        """End without a word; what was not learnt now is learnt when the window opens again."""
        self._closed = True
        self._timer.stop()
        self._learner.cancel()

    def _catch_up(self) -> None:
        self._task = BackgroundTask(self._learner.is_behind, self)
        self._task.succeeded.connect(self._start_if)  # else whoever opens a patient is told
        self._task.start()

    def _start_if(self, behind: bool) -> None:
        if behind and not self._closed and not self._learner.running:
            self.start()

    def _look(self) -> None:
        if not self._learner.running:
            self._stop()
            return
        state = self._learner.look()
        if state.running:
            self._box.show_done(state.done)
        else:
            self._ended(state)

    def _ended(self, state: "TrainingState") -> None:
        self._stop()
        if state.problem:
            self.said.emit(f"Nothing was learnt: {state.problem}")
            return
        self.said.emit(self._news())
        self.learnt.emit()
        try:
            more = self._learner.go_on()
        except TandemError:
            return
        if more:
            self._box.show_done(0)
            self._timer.start()

    def _news(self) -> str:
        card = self._learner.card()
        if card is None:
            return "Learning has ended."
        patients = f"{card.patients} patient{'' if card.patients == 1 else 's'}"
        f1 = card.scores.get("all", {}).get("f1")
        good = f"; {percent(f1)} F1 on patients that it had not seen" if f1 is not None else ""
        return f"Learnt from {patients}{good}; serves from the next patient on (here: Ctrl+F8)."

    def _stop(self) -> None:
        self._timer.stop()
        self._box.hide()
