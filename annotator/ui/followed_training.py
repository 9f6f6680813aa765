"""A training beside the window: begun, followed in the status bar, stopped, and what it came to."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QMainWindow

from annotator.ui.training_box import TrainingBox
from shared.errors import RequestError, TandemError
from shared.widgets.parts.messages import sentence

if TYPE_CHECKING:
    from shared.recognition.training.background import TrainingState

_LOOK_MS = 250


class Training(Protocol):
    """What trains; `look` has to be called every now and then while it is running."""

    @property
    def running(self) -> bool: ...

    def start(self) -> bool: ...

    def look(self) -> "TrainingState": ...

    def cancel(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Words:
    """How a training is spoken of: its box, its button, and how it can end other than well.

    `name` is the object name of the box; what went wrong follows after `failed`.
    """

    name: str
    title: str
    stop_tip: str
    stopped: str
    failed: str


class FollowedTraining(QObject):
    """Starts, follows and ends trainings; the person at the window is never kept waiting.

    Signals: `said` (str) for the status line; `learnt` when there is another model.
    """

    said = Signal(str)
    learnt = Signal()

    def __init__(self, training: Training, window: QMainWindow, words: Words) -> None:
        super().__init__(window)
        self._training = training
        self._words = words
        self._closed = False
        self._box = TrainingBox(window, words.name, words.title, words.stop_tip)
        self._box.stopped.connect(self.cancel)
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
        self.said.emit(self._words.stopped)

    def close(self) -> None:
        """End without a word."""
        self._closed = True
        self._timer.stop()
        self._training.cancel()

    def news(self) -> str:
        """What is said once a training has ended well."""
        return "Training has ended."

    def _follow(self) -> None:
        self._box.show_done(0)
        self._timer.start()

    def _look(self) -> None:
        if not self._training.running:
            self._stop()
            return
        state = self._training.look()
        if state.running:
            self._box.show_done(state.done)
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
        self.said.emit(f"{self._words.failed} {sentence(error)}")

    def _stop(self) -> None:
        self._timer.stop()
        self._box.hide()
