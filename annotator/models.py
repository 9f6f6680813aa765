"""The models that suggest to an annotator: where they lie, and which of them are heard.

One learnt from the annotator's own patients or from the gold standard, one practised on fabricated
patients. Before there is the first, the second is heard alone; beside each other, both are as sure
as they were right on finished patients, and what was not judged there yet is not heard.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from shared.errors import TandemError
from shared.model import Document
from shared.project.atomic_file import read_file
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.suggestion_policy import LearnFrom
from shared.recognition.recognizer import Recognizer, Suggestion

if TYPE_CHECKING:
    from shared.recognition.ensemble_weights import EnsembleWeights
    from shared.recognition.model_card import ModelCard

MODELS = "models"
_FABRICATED = "a model of fabricated patients"

Suggested = Sequence[Sequence[Suggestion]]


@dataclass(frozen=True, slots=True)
class ActiveModels:
    """The models that are heard, in words `by` with the rules, and why another is not."""

    ensemble: "EnsembleWeights"
    pretrained: Recognizer | None
    trained: Recognizer | None
    by: str
    problem: str = ""

    def calibrated(self, rules: Suggested) -> Suggested:
        """Return what the rules suggest, as sure as they were right."""
        from shared.recognition.ensemble_weights import Predictions

        return self.ensemble.combine(Predictions(rules))

    def combine(self, rules: Suggested, documents: Sequence[Document]) -> Suggested:
        """Return what the rules and the models suggest."""
        from shared.recognition.ensemble_weights import Predictions

        pretrained, trained = (
            model.suggest(documents) if model else None for model in (self.pretrained, self.trained)
        )
        return self.ensemble.combine(Predictions(rules, pretrained, trained))


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model as it was read, of whom it learnt, and what each earned that suggests beside it."""

    card: bytes
    recognizer: Recognizer
    patients: str
    ensemble: "EnsembleWeights"


class Models:
    """The models of one annotator in a project; one is read again when it is another.

    `pretrained`: where the model of fabricated patients lies, if it is to be used.
    """

    def __init__(self, project: Project, annotator: str, pretrained: Path | None = None) -> None:
        self._schema = project.schema
        self._learnt = trained_folder(project, annotator)
        self._practised = pretrained
        self._read: dict[Path, LoadedModel] = {}

    def heard(self) -> ActiveModels | None:
        """Return the models that are heard now; None where there is none. Raises TandemError."""
        pretrained, other_problem = self._opened(self._practised)
        trained, problem = self._opened(self._learnt)
        problem = problem or other_problem
        said = str(problem or "")
        if trained is not None:
            return _heard_beside(trained, pretrained, said)
        if pretrained is not None:
            by = f"the rules and {_FABRICATED}"
            return ActiveModels(pretrained.ensemble, pretrained.recognizer, None, by, said)
        if problem is not None:
            raise problem
        return None

    def _opened(self, folder: Path | None) -> tuple[LoadedModel | None, TandemError | None]:
        """Return the model in a folder, or what is wrong with it."""
        from shared.recognition.model_card import CARD

        if folder is None or not folder.is_dir():
            return None, None
        try:
            card = read_file(folder / CARD) or b""
            if folder not in self._read or self._read[folder].card != card:
                self._read[folder] = self._read_model(folder, card)
        except TandemError as error:
            return None, error
        return self._read[folder], None

    def _read_model(self, folder: Path, content: bytes) -> LoadedModel:
        from shared.recognition.model_card import read_card
        from shared.recognition.model_folder import load_model, read_ensemble_weights
        from shared.recognition.registry import RecognizerSpec, open_recognizer

        if folder == self._practised:
            recognizer = open_recognizer(RecognizerSpec((str(folder),), self._schema))
        else:
            recognizer = load_model(folder, self._schema)
        patients = _patients(folder, read_card(folder))
        return LoadedModel(content, recognizer, patients, read_ensemble_weights(folder))


def trained_folder(project: Project, annotator: str) -> Path:
    """Where the model lies that learnt what this annotator may be shown."""
    from_gold = project.suggestions.learn_from is LearnFrom.GOLD
    return project.root / MODELS / (GOLD if from_gold else annotator)


def trained_card(project: Project, annotator: str) -> "ModelCard | None":
    """What the annotator's model says about itself; None where there is none that can be read."""
    from shared.recognition.model_card import read_card

    try:
        return read_card(trained_folder(project, annotator))
    except TandemError:
        return None


def _heard_beside(
    trained: LoadedModel, pretrained: LoadedModel | None, problem: str
) -> ActiveModels:
    ensemble = trained.ensemble
    model = f"a model of {trained.patients}"
    if pretrained is None or not ensemble.uses_pretrained:
        return ActiveModels(ensemble, None, trained.recognizer, f"the rules and {model}", problem)
    if not ensemble.uses_trained:
        by = f"the rules and {_FABRICATED}, calibrated on {trained.patients}"
        return ActiveModels(ensemble, pretrained.recognizer, None, by, problem)
    by = f"the rules, {model} and {_FABRICATED}"
    return ActiveModels(ensemble, pretrained.recognizer, trained.recognizer, by, problem)


def _patients(folder: Path, card: "ModelCard") -> str:
    whose = "with a gold standard" if folder.name == GOLD else "of yours"
    return f"{card.patients} patient{'' if card.patients == 1 else 's'} {whose}"
