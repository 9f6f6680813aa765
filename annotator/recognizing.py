"""Which recognizers serve an annotator, and what they find in a patient.

Rules always, and beside them the model that learnt from the annotator's own patients or from the
gold standard; before there is one, a model trained on fabricated patients where the user has it,
or lists of names and places. Beside a model, the rules are as sure as they earned where it learnt.
Nothing here needs a window; `suggest` may run on a thread, and
what recognizers are made of is imported there, for a window to open at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.rejections import PlacedSuggestion
from shared.errors import TandemError
from shared.model import Document, MergedView, PhiType, Schema, Section
from shared.project.atomic_file import read_file
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.suggestion_policy import LearnFrom, Policy
from shared.recognition.suggestion import Recognizer, Suggestion, apart

if TYPE_CHECKING:
    from shared.recognition.card import Card
    from shared.recognition.earned import Earned
    from shared.recognition.registry import Choice

MODELS = "models"
LOOKED_UP = 0.3
"""How often what stands in a list of names or places is PHI, where nothing else says so."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was suggested, by whom in words, and what went wrong with a model, if anything did."""

    suggestions: tuple[PlacedSuggestion, ...]
    by: str
    problem: str = ""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A model, what it is in words, and what the rules earned on the patients it learnt from."""

    folder: Path
    card: bytes
    recognizer: Recognizer
    by: str
    earned: "Earned"


class Recognizers:
    """The recognizers of one annotator in a project; a model is read again when it is another.

    `practised`: where the model of fabricated patients lies, if it is to be used.
    """

    def __init__(self, project: Project, annotator: str, practised: Path | None = None) -> None:
        self._project = project
        self._schema = project.schema
        self._learnt = learnt_folder(project, annotator)
        self._practised = practised
        self._rules: Recognizer | None = None
        self._lists: Recognizer | None = None
        self._model: _Opened | None = None

    def suggest(self, view: MergedView, policy: Policy) -> Iterator[Found]:
        """Yield what is found, more each time; nothing where the policy is off."""
        if policy is Policy.OFF:
            return
        documents = view.patient.documents
        rules = self._opened_rules().suggest(documents)
        found = Found(placed(view, rules), "the rules")
        if policy is Policy.RULES:
            yield found
            return
        try:
            model = self._opened_model()
        except TandemError as error:
            yield replace(found, problem=str(error))
            return
        if model is None:
            lists = self._opened_lists().suggest(documents)
            doubtful = [[replace(one, confidence=LOOKED_UP) for one in each] for each in lists]
            yield Found(placed(view, rules, doubtful), "the rules and lists of names")
            return
        yield replace(found, suggestions=placed(view, model.earned.weighed(rules)))
        by_model = model.recognizer.suggest(documents)
        rules = model.earned.weighed(rules, by_model)
        yield Found(placed(view, rules, by_model), f"the rules and {model.by}")

    def _opened_rules(self) -> Recognizer:
        from shared.recognition.registry import open_recognizer

        if self._rules is None:
            self._rules = open_recognizer(project_rules(self._project))
        return self._rules

    def _opened_lists(self) -> Recognizer:
        from shared.recognition.registry import DICTIONARIES, Choice, open_recognizer

        if self._lists is None:
            self._lists = open_recognizer(Choice((DICTIONARIES,), _types(self._schema)))
        return self._lists

    def _opened_model(self) -> _Opened | None:
        for folder in (self._learnt, self._practised):
            if folder is not None and folder.is_dir():
                return self._read_model(folder)
        return None

    def _read_model(self, folder: Path) -> _Opened:
        from shared.recognition.card import CARD
        from shared.recognition.model_folder import load_model, read_earned

        card = read_file(folder / CARD) or b""
        if self._model is None or (self._model.folder, self._model.card) != (folder, card):
            model: Recognizer
            if folder == self._practised:
                model = _Within(load_model(folder), self._schema)
                by = "a model of fabricated patients"
            else:
                model = load_model(folder, self._schema)
                by = _origin(folder, model.card)
            self._model = _Opened(folder, card, model, by, read_earned(folder))
        return self._model


@dataclass(frozen=True, slots=True)
class _Within:
    """A recognizer of a larger schema, of whose suggestions those stay that this one has."""

    recognizer: Recognizer
    schema: Schema

    @property
    def name(self) -> str:
        return self.recognizer.name

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        found = self.recognizer.suggest(documents)
        return [tuple(one for one in each if one.phi_type in self.schema) for each in found]


def project_rules(project: Project) -> "Choice":
    """The rules of a project, its own patterns first."""
    own = sorted(map(str, (project.root / MODELS / "locales").glob("*.toml")))
    return shipped_rules(project.schema, own)


def shipped_rules(schema: Schema, own: Iterable[str] = ()) -> "Choice":
    """The rules that come with Tandem, after those in `own` files of patterns."""
    from shared.recognition.registry import RULES, Choice

    return Choice((*own, RULES), _types(schema))


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


def placed(
    view: MergedView, *findings: Sequence[Iterable[Suggestion]]
) -> tuple[PlacedSuggestion, ...]:
    """Put what recognizers found in each document into the merged view, the surer first."""
    return tuple(
        _placed(view.section(document.record_id), each)
        for document, *of_document in zip(view.patient.documents, *findings, strict=True)
        for each in apart(one for finding in of_document for one in finding)
    )


def _placed(section: Section, found: Suggestion) -> PlacedSuggestion:
    return PlacedSuggestion(
        section.start + found.start,
        section.start + found.end,
        section.record_id,
        found.phi_type,
        found.confidence,
        found.recognizer,
    )


def _types(schema: Schema) -> tuple[PhiType, ...]:
    return tuple(each.phi_type for each in schema.types())


def _origin(folder: Path, card: "Card") -> str:
    patients = f"{card.patients} patient{'' if card.patients == 1 else 's'}"
    whose = "with a gold standard" if folder.name == GOLD else "of yours"
    return f"a model of {patients} {whose}"
