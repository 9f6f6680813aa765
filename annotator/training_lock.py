"""One training at a time of a model that several windows might want to train."""

from abc import ABC, abstractmethod
from pathlib import Path
from typing import TYPE_CHECKING

from shared.errors import LockedError, storage_errors
from shared.project.files import make_folder
from shared.project.lock import Lock, acquire_lock
from shared.project.project import Project

if TYPE_CHECKING:
    from shared.recognition.training.background import (
        BackgroundTraining,
        CompanionSpec,
        ExampleSource,
        TrainingState,
    )
    from shared.recognition.training_settings import RecognizerSettings


class ExclusiveTraining(ABC):
    """A training in a process of its own, which holds a lock beside the model meanwhile.

    `look` has to be called every now and then while `running`. `settings`: those to train with, if
    others than the usual ones.
    """

    def __init__(
        self, project: Project, annotator: str, settings: "RecognizerSettings | None"
    ) -> None:
        self._project = project
        self._annotator = annotator
        self._settings = settings
        self._training: BackgroundTraining | None = None
        self._lock: Lock | None = None
        self.is_trained_elsewhere = False
        """True where another window was training when this one last wanted to begin."""

    @property
    def running(self) -> bool:
        return self._training is not None

    @abstractmethod
    def start(self) -> bool:
        """Begin to train; False where none is to be, or another window does. Raises FileError."""

    def begin(
        self,
        source: "ExampleSource",
        settings: "RecognizerSettings",
        folder: Path,
        schema: str,
        companions_spec: "CompanionSpec | None",
    ) -> bool:
        """Begin to train the model in `folder`, and ask what those beside it are worth, if any.

        False where another window trains it. Raises FileError where the folder above it
        cannot be made or the system gives no process.
        """
        from shared.recognition.training.background import BackgroundTraining

        make_folder(folder.parent)
        try:
            self._lock = acquire_lock(lock_of(folder), self._annotator)
        except LockedError:
            self.is_trained_elsewhere = True
            return False
        self.is_trained_elsewhere = False
        try:
            with storage_errors(folder):
                self._training = BackgroundTraining(
                    source, settings, folder, schema=schema, companions_spec=companions_spec
                )
        finally:
            if self._training is None:
                self._end()
        return True

    def look(self) -> "TrainingState":
        """How far it is. A training that has ended is told once, and then no more."""
        from shared.recognition.training.background import TrainingState

        if self._training is None:
            return TrainingState(running=False)
        state = self._training.state
        if not state.running:
            self._training.clear()
            self._end()
        return state

    def cancel(self) -> None:
        """End the training; the model that was there stays."""
        if self._training is not None:
            self._training.cancel()
            self._end()

    def _end(self) -> None:
        self._training = None
        if self._lock is not None:
            self._lock.release()
            self._lock = None


def lock_of(folder: Path) -> Path:
    """The lock of the training of the model in `folder`."""
    return folder.with_name(f".{folder.name}.lock")
