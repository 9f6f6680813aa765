"""Trainings beside the window, in the status bar: begun, followed, stopped, and what they came to.

The annotator's own model is trained on what they have finished; the one of fabricated patients is
trained once for each user, for all projects.
"""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMainWindow, QProgressBar, QToolButton, QWidget

from annotator.pretraining import Pretraining
from annotator.training import PatientTrainer
from annotator.training_lock import ExclusiveTraining
from annotator.ui.suggestion_model import percent
from shared.errors import RequestError, TandemError
from shared.text.blocks import counted
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.messages import sentence

if TYPE_CHECKING:
    from shared.recognition.training.background import TrainingState

_LOOK_MS = 250
_TRAINING_STARTS_MS = 600
_PRETRAINING_STARTS_MS = 800
"""A window that was just opened has other things to do first."""
_AGAIN_MS = 3000
"""How often to see how far another window is that trains the same model."""


class TrainingStatus(QObject):
    """Starts, follows and ends trainings; the person at the window is never kept waiting.

    Signals: `said` (str) for the status line; `learnt` when there is another model.
    """

    said = Signal(str)
    learnt = Signal()

    name = ""
    """The object name of the box in the status bar, from which that of its button follows."""
    title = ""
    stop_tip = ""
    stopped = ""
    failed = ""
    """What went wrong follows."""

    def __init__(self, training: ExclusiveTraining, window: QMainWindow) -> None:
        super().__init__(window)
        self._training = training
        self._closed = False
        self._bar = QProgressBar(textVisible=False)
        self._bar.setAccessibleName(self.title)
        self._bar.setFixedWidth(90)
        self._bar.setMaximumHeight(10)
        self._box = self._make_box()
        window.statusBar().addPermanentWidget(self._box)
        self._timer = QTimer(self, interval=_LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def running(self) -> bool:
        return self._training.running

    def start(self) -> bool:
        """Begin to train; False where that is of no use or cannot be, which is said."""
        try:
            begun = self._training.start()
        except TandemError as error:
            self._fail(error)
            return False
        if begun:
            self._follow()
        return begun

    def cancel(self) -> None:
        """End the training; the model that was there stays."""
        self._training.cancel()
        self._stop()
        self.said.emit(self.stopped)

    def close(self) -> None:
        """End without a word."""
        self._closed = True
        self._timer.stop()
        self._training.cancel()

    def news(self) -> str:
        """What is said once a training has ended well."""
        return "Training has ended."

    def _make_box(self) -> QWidget:
        box = QWidget()
        box.setObjectName(self.name)
        stop = QToolButton(autoRaise=True)
        stop.setObjectName(f"stop{self.name.capitalize()}")
        stop.setText("Stop")
        stop.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        stop.setToolTip(self.stop_tip)
        stop.clicked.connect(self.cancel)
        row = QHBoxLayout(box)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSizeConstraint(QHBoxLayout.SizeConstraint.SetFixedSize)
        for part in (QLabel(self.title, textFormat=Qt.TextFormat.PlainText), self._bar, stop):
            row.addWidget(part)
        box.hide()
        return box

    def _show_done(self, done: float) -> None:
        """Show a share from 0 to 1; with 0, that nobody knows yet."""
        self._bar.setRange(0, 100 if done else 0)
        self._bar.setValue(round(done * 100))
        self._box.show()

    def _follow(self) -> None:
        self._show_done(0)
        self._timer.start()

    def _look(self) -> None:
        if not self._training.running:
            self._stop()
            return
        state = self._training.look()
        if state.running:
            self._show_done(state.done)
        else:
            self._ended(state)

    def _ended(self, state: "TrainingState") -> None:
        self._stop()
        if state.problem:
            self._fail(RequestError(state.problem))
        else:
            self._tell()

    def _tell(self) -> None:
        """There is another model."""
        self.said.emit(self.news())
        self.learnt.emit()

    def _fail(self, error: TandemError) -> None:
        self.said.emit(f"{self.failed} {sentence(error)}")

    def _stop(self) -> None:
        self._timer.stop()
        self._box.hide()


class PatientTrainingStatus(TrainingStatus):
    """Trains on what the annotator has finished."""

    name = "learning"
    title = "Training on your patients"
    stop_tip = "Stop training; the suggestions stay as they are"
    stopped = "Training was stopped; the earlier model stays."
    failed = "Training failed; the earlier model stays."

    def __init__(self, learner: PatientTrainer, window: QMainWindow) -> None:
        super().__init__(learner, window)
        self._learner = learner

    def catch_up_soon(self) -> None:
        """Learn from what was finished when the window was last closed, and not learnt from."""
        QTimer.singleShot(_TRAINING_STARTS_MS, self, self._catch_up)

    def news(self) -> str:
        card = self._learner.card()
        if card is None:
            return super().news()
        patients = counted(card.patients, "patient")
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


class PretrainingStatus(TrainingStatus):
    """Trains on fabricated patients where nobody has yet, or waits for another window that does."""

    name = "pretraining"
    title = "Training on fabricated patients"
    stop_tip = "Stop; the suggestions stay as they are"
    stopped = "Training on fabricated patients was stopped; the suggestions stay as they are."
    failed = "Training on fabricated patients failed."

    def __init__(self, pretraining: Pretraining, window: QMainWindow) -> None:
        super().__init__(pretraining, window)
        self._pretraining = pretraining
        self._heard = 0
        """How many fabricated patients the model has learnt that the window knows of."""
        self._is_stopped_by_hand = False
        """Whether the annotator ended it, who is not overruled: `start` alone begins again."""
        self._first = QTimer(self, interval=_PRETRAINING_STARTS_MS, singleShot=True)
        self._first.timeout.connect(self._begin)

    def start(self) -> bool:
        self._is_stopped_by_hand = False
        return super().start()

    def cancel(self) -> None:
        self._is_stopped_by_hand = True
        super().cancel()

    def begin_soon(self) -> None:
        """Begin a little later, if there is something left to learn by then."""
        self._heard = self._pretraining.patients()
        self._first.start()

    def adapt(self) -> None:
        """Begin soon, or end without a word, as the recognizer that is named now wants it."""
        if not self._pretraining.is_wanted():
            self._first.stop()
            self._pretraining.cancel()
            self._stop()
        elif not (self.running or self._is_stopped_by_hand):
            self.begin_soon()

    def close(self) -> None:
        self._first.stop()
        super().close()

    def news(self) -> str:
        if self._pretraining.is_complete():
            return "Trained on fabricated patients; those you finish will show how far to trust it."
        return "Trained on the first fabricated patients; suggestions get better as it goes on."

    def _begin(self) -> None:
        """Begin if there is something left to learn, and tell what another window has trained."""
        begun = self.start()
        if self._pretraining.patients() > self._heard:  # asked last: it may have ended just now
            self._tell()
        if begun:
            return
        if self._pretraining.is_trained_elsewhere:
            self._first.start(_AGAIN_MS)
        elif why := self._pretraining.why_not():
            self.said.emit(why)

    def _ended(self, state: "TrainingState") -> None:
        super()._ended(state)
        if not state.problem:
            self._begin()

    def _tell(self) -> None:
        self._heard = self._pretraining.patients()
        super()._tell()
