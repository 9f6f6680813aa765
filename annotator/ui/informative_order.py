"""The worklist in the order of what would be learnt; worked out beside the window, when asked."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from annotator.recognizer_process import RecognizerProcess
from annotator.worklist import AnnotatorWorklist, in_order, uncertainties
from shared.project.assignments import State
from shared.project.project import Project
from shared.widgets.parts.background_task import BackgroundTask
from shared.widgets.parts.messages import sentence


class InformativeOrder(QObject):
    """Signals: `said` (str) for the status line; `changed` when the order is another."""

    said = Signal(str)
    changed = Signal()

    def __init__(self, project: Project, annotator: str, pretrained: Path, parent: QObject) -> None:
        super().__init__(parent)
        self._project = project
        self._annotator = annotator
        self._pretrained = pretrained
        self._process: RecognizerProcess | None = None
        self._task: BackgroundTask | None = None
        self._uncertainties: dict[str, float] | None = None

    def turn(self) -> None:
        """Begin to order by what would be learnt, or go back to the order of the project."""
        if self._process is not None or self._uncertainties is not None:
            self.close()
            self._uncertainties = None
            self.said.emit("Patients are in the order of the project.")
            self.changed.emit()
        else:
            self._begin()

    def close(self) -> None:
        """End what is under way."""
        process, self._process, self._task = self._process, None, None
        if process is not None:
            process.close()

    def ordered(self, worklist: AnnotatorWorklist) -> AnnotatorWorklist:
        """The worklist as it is to be shown now."""
        return worklist if self._uncertainties is None else in_order(worklist, self._uncertainties)

    def hint(self, patient_id: str) -> str:
        """What is known of a patient, for the tooltip."""
        uncertainty = (self._uncertainties or {}).get(patient_id)
        return (
            "" if uncertainty is None else f"Mean uncertainty of the suggestions: {uncertainty:.2f}"
        )

    def _begin(self) -> None:
        works = AnnotatorWorklist.of(self._project, self._annotator).works
        to_do = [work.patient_id for work in works if work.state is State.TO_DO]
        self._process = RecognizerProcess(self._project.root, self._annotator, self._pretrained)
        look = partial(uncertainties, self._project, self._annotator, to_do, self._process)
        self._task = BackgroundTask(look, self)
        self._task.succeeded.connect(self._found)
        self._task.failed.connect(self._failed)
        self._task.start()
        self.said.emit(f"Looking through {len(to_do):,} patients for the most informative…")

    def _found(self, found: dict[str, float]) -> None:
        if self.sender() is self._task:
            self.close()
            self._uncertainties = found
            self.said.emit("The most informative patients come first.")
            self.changed.emit()

    def _failed(self, error: Exception) -> None:
        if self.sender() is self._task:
            self.close()
            self.said.emit(sentence(error))
