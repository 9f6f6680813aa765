"""What a model may learn from, and the training that follows an annotator's finished patients.

Blind: of the annotators, only this one's own layers are named to the trainer; with the policy
`learn_from = "gold"`, only the gold standard of patients that this annotator has no more to do.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from annotator.named_recognizers import folder_of, is_trained, settings_of
from annotator.pretraining import supports_schema
from annotator.recognizers import project_rules, trained_folder
from annotator.training_lock import ExclusiveTraining
from shared.errors import TandemError
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.settings import GOLD, LearnFrom

if TYPE_CHECKING:
    from shared.recognition.model_card import ModelCard
    from shared.recognition.training.background import RecordPath
    from shared.recognition.training_settings import RecognizerSettings


def finished_records(project: Project, annotator: str) -> "list[RecordPath]":
    """The layers that this annotator's model is to learn from. Raises FileError."""
    from shared.recognition.training.background import RecordPath

    from_gold = project.suggestions.learn_from is LearnFrom.GOLD
    return [
        RecordPath(project.layer_path(GOLD if from_gold else annotator, record_id), record_id, each)
        for each in _patients(project, annotator)
        for record_id in project.record_ids(each)
    ]


def _patients(project: Project, annotator: str) -> list[str]:
    if project.suggestions.learn_from is LearnFrom.OWN:
        own = project.assigned_to(annotator)
        return [each.patient_id for each in own if each.state is State.DONE]
    # of nobody, where it may be an answer: the model is that of all
    to_do = {each.patient_id for each in project.all_assignments() if each.state is not State.DONE}
    return [
        patient_id
        for patient_id in project.patient_ids
        if patient_id not in to_do and project.is_adjudicated(patient_id)
    ]


class PatientTrainer(ExclusiveTraining):
    """Trains for one annotator, one training at a time.

    `pretrained`: where the model of fabricated patients lies, if it is to suggest, too.
    """

    def __init__(
        self,
        project: Project,
        annotator: str,
        pretrained: Path | None = None,
        settings: "RecognizerSettings | None" = None,
    ) -> None:
        super().__init__(project, annotator, settings)
        self._pretrained = pretrained
        self._once_more = False
        self.named = ""
        """The recognizer to train, where one was asked for by name."""

    @property
    def folder(self) -> Path:
        return folder_of(trained_folder(self._project, self._annotator), self.named)

    def is_behind(self) -> bool:
        """True where there is something to learn that the model does not know. Raises FileError.

        More finished patients, or what a model of fabricated ones is worth in them.
        """
        patients = len(
            {each.patient_id for each in finished_records(self._project, self._annotator)}
        )
        card = self.card()
        if patients > (card.patients if card else 0):
            return True
        return bool(patients) and not is_trained(self.named) and self._pretraining_is_unjudged()

    def start(self) -> bool:
        """Begin to train; after the training that runs, if one does. False where none is to be.

        Raises FileError where the project cannot be read or the model's folder not be made.
        """
        if not self._project.suggestions.ever_on(self._annotator):
            return False
        if self.running:
            self._once_more = True
            return True
        records = finished_records(self._project, self._annotator)
        return bool(records) and self._train(records)

    def card(self) -> "ModelCard | None":
        """What the model that is there says about itself."""
        from shared.recognition.model_card import read_card

        try:
            return read_card(self.folder)
        except TandemError:
            return None

    def cancel(self) -> None:
        """End the training; the model that was there stays."""
        self._once_more = False
        super().cancel()

    def go_on(self) -> bool:
        """Begin the training that was asked for while another ran. Raises FileError."""
        wanted, self._once_more = self._once_more, False
        return wanted and self.start()

    def _train(self, records: "list[RecordPath]") -> bool:
        from shared.recognition.training.background import CompanionSpec, XmlExamples

        settings = self._settings or settings_of(self.named, len(records))
        alone = is_trained(self.named)
        companions = CompanionSpec(project_rules(self._project), self._suggesting_too())
        return self.begin(
            XmlExamples(tuple(records)),
            settings,
            self.folder,
            self._project.schema.name,
            None if alone else companions,
        )

    def _suggesting_too(self) -> Path | None:
        """The folder of the model of fabricated patients, where it is there and can be of use."""
        there = self._pretrained is not None and _version(self._pretrained)
        return self._pretrained if there and supports_schema(self._project.schema) else None

    def _pretraining_is_unjudged(self) -> bool:
        from shared.recognition.model_folder import read_ensemble_weights

        pretrained = self._suggesting_too()
        try:
            judged = read_ensemble_weights(self.folder).model_version
        except TandemError:
            return True
        return pretrained is not None and _version(pretrained) != judged


def _version(folder: Path) -> str:
    """Which model lies in a folder; "" for none that can be read."""
    from shared.recognition.model_card import model_version

    try:
        return model_version(folder)
    except TandemError:
        return ""
