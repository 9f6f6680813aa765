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
from shared.model import Document, PhiType, Schema
from shared.project.atomic_file import read_file
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.suggestion_policy import LearnFrom
from shared.recognition.suggestion import Recognizer, Suggestion

if TYPE_CHECKING:
    from shared.recognition.card import Card
    from shared.recognition.standing import Standing

MODELS = "models"
_FABRICATED = "a model of fabricated patients"

Suggested = Sequence[Sequence[Suggestion]]


@dataclass(frozen=True, slots=True)
class Heard:
    """The models that are heard, in words `by` with the rules, and why another is not."""

    standing: "Standing"
    practised: Recognizer | None
    learnt: Recognizer | None
    by: str
    problem: str = ""

    def weighed(self, rules: Suggested) -> Suggested:
        """Return what the rules suggest, as sure as they were right."""
        from shared.recognition.standing import Voices

        return self.standing.together(Voices(rules))

    def together(self, rules: Suggested, documents: Sequence[Document]) -> Suggested:
        """Return what the rules and the models suggest."""
        from shared.recognition.standing import Voices

        practised, learnt = (
            model.suggest(documents) if model else None for model in (self.practised, self.learnt)
        )
        return self.standing.together(Voices(rules, practised, learnt))


@dataclass(frozen=True, slots=True)
class _Opened:
    """A model as it was read, of whom it learnt, and what each earned that suggests beside it."""

    card: bytes
    recognizer: Recognizer
    patients: str
    standing: "Standing"


class Models:
    """The models of one annotator in a project; one is read again when it is another.

    `practised`: where the model of fabricated patients lies, if it is to be used.
    """

    def __init__(self, project: Project, annotator: str, practised: Path | None = None) -> None:
        self._schema = project.schema
        self._learnt = learnt_folder(project, annotator)
        self._practised = practised
        self._read: dict[Path, _Opened] = {}

    def heard(self) -> Heard | None:
        """Return the models that are heard now; None where there is none. Raises TandemError."""
        practised, other_problem = self._opened(self._practised)
        learnt, problem = self._opened(self._learnt)
        problem = problem or other_problem
        said = str(problem or "")
        if learnt is not None:
            return _heard_beside(learnt, practised, said)
        if practised is not None:
            by = f"the rules and {_FABRICATED}"
            return Heard(practised.standing, practised.recognizer, None, by, said)
        if problem is not None:
            raise problem
        return None

    def _opened(self, folder: Path | None) -> tuple[_Opened | None, TandemError | None]:
        """Return the model in a folder, or what is wrong with it."""
        from shared.recognition.card import CARD

        if folder is None or not folder.is_dir():
            return None, None
        try:
            card = read_file(folder / CARD) or b""
            if folder not in self._read or self._read[folder].card != card:
                self._read[folder] = self._read_model(folder, card)
        except TandemError as error:
            return None, error
        return self._read[folder], None

    def _read_model(self, folder: Path, content: bytes) -> _Opened:
        from shared.recognition.card import read_card
        from shared.recognition.model_folder import load_model, read_standing
        from shared.recognition.registry import Choice, open_recognizer

        if folder == self._practised:
            types = types_of(self._schema)
            recognizer = open_recognizer(Choice((str(folder),), types))
        else:
            recognizer = load_model(folder, self._schema)
        patients = _patients(folder, read_card(folder))
        return _Opened(content, recognizer, patients, read_standing(folder))


def learnt_folder(project: Project, annotator: str) -> Path:
    """Where the model lies that learnt what this annotator may be shown."""
    from_gold = project.suggestions.learn_from is LearnFrom.GOLD
    return project.root / MODELS / (GOLD if from_gold else annotator)


def learnt_card(project: Project, annotator: str) -> "Card | None":
    """What the annotator's model says about itself; None where there is none that can be read."""
    from shared.recognition.card import read_card

    try:
        return read_card(learnt_folder(project, annotator))
    except TandemError:
        return None


def types_of(schema: Schema) -> tuple[PhiType, ...]:
    return tuple(each.phi_type for each in schema.types())


def _heard_beside(learnt: _Opened, practised: _Opened | None, problem: str) -> Heard:
    standing = learnt.standing
    model = f"a model of {learnt.patients}"
    if practised is None or not standing.hears_practised:
        return Heard(standing, None, learnt.recognizer, f"the rules and {model}", problem)
    if not standing.hears_learnt:
        by = f"the rules and {_FABRICATED}, weighed on {learnt.patients}"
        return Heard(standing, practised.recognizer, None, by, problem)
    by = f"the rules, {model} and {_FABRICATED}"
    return Heard(standing, practised.recognizer, learnt.recognizer, by, problem)


def _patients(folder: Path, card: "Card") -> str:
    whose = "with a gold standard" if folder.name == GOLD else "of yours"
    return f"{card.patients} patient{'' if card.patients == 1 else 's'} {whose}"
