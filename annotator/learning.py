"""What a model may learn from, and the training that follows an annotator's finished patients.

Blind: of the annotators, only this one's own layers are named to the trainer; with the policy
`learn_from = "gold"`, only the gold standard of patients that this annotator has no more to do.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from annotator.locked_training import LockedTraining
from annotator.recognizing import learnt_card, learnt_folder, project_rules
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.suggestion_policy import LearnFrom

if TYPE_CHECKING:
    from shared.recognition.background import RecordPath, TrainingState
    from shared.recognition.card import Card
    from shared.recognition.settings import Settings


def lessons(project: Project, annotator: str) -> "list[RecordPath]":
    """The layers that this annotator's model is to learn from. Raises FileError."""
    from shared.recognition.background import RecordPath

    from_gold = project.suggestions.learn_from is LearnFrom.GOLD
    return [
        RecordPath(project.layer_path(GOLD if from_gold else annotator, record_id), record_id, each)
        for each in _patients(project, annotator)
        for record_id in project.record_ids(each)
    ]


def _patients(project: Project, annotator: str) -> list[str]:
    assignments = project.assignments()
    own = [each for each in assignments if each.annotator == annotator]
    if project.suggestions.learn_from is LearnFrom.OWN:
        return [each.patient_id for each in own if each.state is State.DONE]
    to_do = {each.patient_id for each in own if each.state is not State.DONE}
    return [
        patient_id
        for patient_id in project.patient_ids
        if patient_id not in to_do and project.is_adjudicated(patient_id)
    ]


class Learner:
    """Trains for one annotator, one training at a time, in a process of its own.

    `look` has to be called every now and then while `running`.
    """

    def __init__(
        self, project: Project, annotator: str, settings: "Settings | None" = None
    ) -> None:
        self._project = project
        self._annotator = annotator
        self._settings = settings
        self._training = LockedTraining()
        self._once_more = False

    @property
    def running(self) -> bool:
        return self._training.running

    @property
    def folder(self) -> Path:
        return learnt_folder(self._project, self._annotator)

    def is_behind(self) -> bool:
        """True where there are more finished patients than the model knows. Raises FileError."""
        patients = len({each.patient_id for each in lessons(self._project, self._annotator)})
        card = learnt_card(self._project, self._annotator)
        return patients > (card.patients if card else 0)

    def start(self) -> bool:
        """Begin to train; after the training that runs, if one does. False where none is to be.

        Raises FileError where the project cannot be read or the model's folder not be made.
        """
        if not self._project.suggestions.ever_on(self._annotator):
            return False
        if self.running:
            self._once_more = True
            return True
        records = lessons(self._project, self._annotator)
        return bool(records) and self._begin(records)

    def look(self) -> "TrainingState":
        """How far it is. A training that has ended is told once, and then no more."""
        return self._training.look()

    def card(self) -> "Card | None":
        """What the model that is there says about itself."""
        return learnt_card(self._project, self._annotator)

    def cancel(self) -> None:
        """End the training; the model that was there stays."""
        self._once_more = False
        self._training.cancel()

    def go_on(self) -> bool:
        """Begin the training that was asked for while another ran. Raises FileError."""
        wanted, self._once_more = self._once_more, False
        return wanted and self.start()

    def _begin(self, records: "list[RecordPath]") -> bool:
        from shared.recognition.background import Records
        from shared.recognition.settings import settings_for

        settings = self._settings or settings_for(len(records))
        return self._training.begin(
            Records(tuple(records)),
            settings,
            self.folder,
            schema=self._project.schema.name,
            rules=project_rules(self._project),
            who=self._annotator,
        )
