"""Which recognizers serve an annotator, and what they find in a patient.

Rules always, and beside them the models that are active, or lists of names and places where there
are none. Nothing here needs a window; `suggest` may run on a thread, and what recognizers are made
of is imported there, for a window to open at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.foreign_model import ForeignModel, Suggested
from annotator.named_recognizers import NamedRecognizers
from annotator.placed_imports import PlacedImports, SuggestionBatch
from annotator.rejections import PlacedSuggestion
from shared.errors import TandemError
from shared.language.detection import AUTO
from shared.model import Document, MergedView, Schema
from shared.project.files import read_file
from shared.project.project import Project
from shared.project.settings import GOLD, LearnFrom, Policy
from shared.recognition.recognizer import Recognizer, Suggestion, keep_most_confident
from shared.text.blocks import counted

if TYPE_CHECKING:
    from shared.language.languages import Language
    from shared.recognition.dictionary_recognizer import DictionaryRecognizer
    from shared.recognition.ensemble_weights import EnsembleWeights
    from shared.recognition.model_card import ModelCard
    from shared.recognition.registry import RecognizerSpec


MODELS = "models"
_FABRICATED = "a model of fabricated patients"
_ELSEWHERE = "other mentions"
"""Who suggests what no recognizer did, but for what they found elsewhere in the records."""
AFTER_MODELS = ("mention_propagation", "name_completion", "name_roles")
"""The passes over what rules and models suggest together: a name is of one type in a patient."""
AFTER_RULES = ("name_completion",)
"""Those over what rules alone suggest: a name over a line end that stands whole elsewhere is.

Then it is looked for elsewhere.
"""


@dataclass(frozen=True, slots=True)
class ActiveModels:
    """The models that are active, in words `by` with the rules, and why another is not.

    Behind `foreign`, fabricated patients have little say.
    """

    ensemble: "EnsembleWeights"
    pretrained: Recognizer | None
    trained: Recognizer | None
    by: str
    problem: str = ""
    foreign: ForeignModel | None = None
    pretrained_languages: frozenset[str] = frozenset()

    def in_another_language(self, spoken: "Language", schema: Schema) -> "ActiveModels":
        """Return these for records in a language, in which perhaps no fabricated patient is."""
        from shared.language.languages import FABRICATED_LANGUAGE, language
        from shared.recognition.ensemble_weights import EnsembleWeights

        if self.pretrained is None or spoken.code in self.pretrained_languages:
            return self
        ensemble = self.ensemble if self.trained else EnsembleWeights()
        by = self.by.replace(_FABRICATED, f"{_FABRICATED} in {language(FABRICATED_LANGUAGE).name}")
        return replace(self, ensemble=ensemble, by=by, foreign=ForeignModel(spoken, schema))

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
        if pretrained is not None and self.foreign:
            pretrained = self.foreign.heard(documents, rules, pretrained)
        return self.ensemble.combine(Predictions(rules, pretrained, trained))


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model as it was read, of whom it learnt, and what each earned that suggests beside it."""

    card: bytes
    recognizer: Recognizer
    patients: str
    ensemble: "EnsembleWeights"
    languages: frozenset[str]
    """In which fabricated patients were learnt, if they were."""


class Models:
    """The models of one annotator in a project; one is read again when it is another.

    `pretrained`: where the model of fabricated patients lies, if it is to be used.
    """

    def __init__(self, project: Project, annotator: str, pretrained: Path | None = None) -> None:
        self._schema = project.schema
        self._locales = project_locales(project)
        self._learnt = trained_folder(project, annotator)
        self._pretrained = pretrained
        self._read: dict[Path, LoadedModel] = {}

    def active(self) -> ActiveModels | None:
        """Return the models that are active now; None where there is none. Raises TandemError."""
        pretrained, other_problem = self._opened(self._pretrained)
        trained, problem = self._opened(self._learnt)
        problem = problem or other_problem
        said = str(problem or "")
        of_fabricated = pretrained.languages if pretrained else frozenset[str]()
        if trained is not None:
            active = _active_beside(trained, pretrained, said)
            return replace(active, pretrained_languages=of_fabricated)
        if pretrained is not None:
            by = f"the rules and {_FABRICATED}"
            active = ActiveModels(pretrained.ensemble, pretrained.recognizer, None, by, said)
            return replace(active, pretrained_languages=of_fabricated)
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

        if folder == self._pretrained:
            spec = RecognizerSpec((str(folder),), self._schema, locales=self._locales)
            recognizer = open_recognizer(spec)
        else:
            model = load_model(folder, self._schema)
            recognizer = replace(model, locales=self._locales)
        about = read_card(folder)
        patients, weights = _patients(folder, about), read_ensemble_weights(folder)
        return LoadedModel(content, recognizer, patients, weights, _languages(about))


def _languages(card: "ModelCard") -> frozenset[str]:
    """The languages of fabricated patients that a model of them looks words up in."""
    from shared.language.languages import FABRICATED_LANGUAGE
    from shared.synthetic.letters import letter_languages

    looked_up = {code for crf in card.settings.crfs for code in crf.features.locales}
    return frozenset({FABRICATED_LANGUAGE, *looked_up.intersection(letter_languages())})


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


def _active_beside(
    trained: LoadedModel, pretrained: LoadedModel | None, problem: str
) -> ActiveModels:
    ensemble = trained.ensemble
    model = f"a model of {trained.patients}"
    unproven = "" if ensemble.is_proven else ", not proven yet"
    if pretrained is None or not ensemble.uses_pretrained:
        by = f"the rules and {model}{unproven}"
        return ActiveModels(ensemble, None, trained.recognizer, by, problem)
    if not ensemble.uses_trained:
        by = f"the rules and {_FABRICATED}, calibrated on {trained.patients}{unproven}"
        return ActiveModels(ensemble, pretrained.recognizer, None, by, problem)
    by = f"the rules, {model} and {_FABRICATED}{unproven}"
    return ActiveModels(ensemble, pretrained.recognizer, trained.recognizer, by, problem)


def _patients(folder: Path, card: "ModelCard") -> str:
    whose = "with a gold standard" if folder.name == GOLD else "of yours"
    return f"{counted(card.patients, 'patient')} {whose}"


LOOKED_UP = 0.3
"""How often what stands in a list of names or places is PHI, where nothing else says so."""


class Recognizers:
    """The recognizers of one annotator in a project.

    `pretrained`: where the model of fabricated patients lies, if it is to be used.
    """

    def __init__(self, project: Project, annotator: str, pretrained: Path | None = None) -> None:
        self._project = project
        self._schema = project.schema
        self._locales = project_locales(project)
        self._models = Models(project, annotator, pretrained)
        learnt = trained_folder(project, annotator)
        self._named = NamedRecognizers(self._schema, self._locales, learnt, pretrained)
        self._imports = PlacedImports(project)
        self._rules: Recognizer | None = None
        self._lists: DictionaryRecognizer | None = None

    def suggest(
        self, view: MergedView, policy: Policy, named: str = ""
    ) -> Iterator[SuggestionBatch]:
        """Yield what is found, more each time; nothing where the policy is off.

        Where it is on, a recognizer that is `named` suggests alone.
        """
        if named and policy is Policy.ON:
            yield self._imports.beside(self._by_name(view, named), view)
            return
        for found in self._recognized(view, policy):
            yield found if policy is Policy.RULES else self._imports.beside(found, view)

    def _by_name(self, view: MergedView, name: str) -> SuggestionBatch:
        try:
            found = self._named.suggest(name, view.patient.documents)
        except TandemError as error:
            return SuggestionBatch((), f"no recognizer: {name}", str(error))
        return SuggestionBatch(placed(view, found), name)

    def _recognized(self, view: MergedView, policy: Policy) -> Iterator[SuggestionBatch]:
        if policy is Policy.OFF:
            return
        documents = view.patient.documents
        rules = self._whole(documents, self._opened_rules().suggest(documents))
        alone = self._elsewhere(documents, self._whole(documents, rules, AFTER_RULES))
        found = SuggestionBatch(placed(view, alone), "the rules")
        if policy is Policy.RULES:
            yield found
            return
        try:
            models = self._models.active()
        except TandemError as error:
            yield replace(found, problem=str(error))
            return
        if models is None:
            lists = self._opened_lists().look_up(documents)
            doubtful = [[replace(one, confidence=LOOKED_UP) for one in each] for each in lists]
            yield SuggestionBatch(placed(view, alone, doubtful), "the rules and lists of names")
            return
        spoken = self._language_of(documents)
        models = models.in_another_language(spoken, self._schema)
        yield replace(found, suggestions=placed(view, models.calibrated(rules)))
        together = self._whole(documents, models.combine(rules, documents), AFTER_MODELS)
        yield SuggestionBatch(placed(view, together), models.by, models.problem)

    def _language_of(self, documents: Sequence[Document]) -> "Language":
        from shared.recognition.dictionaries import language_of

        return language_of((each.text for each in documents), self._locales)

    def _whole(
        self, documents: Sequence[Document], found: Suggested, passes: Sequence[str] = ()
    ) -> Suggested:
        return after_passes(documents, found, self._schema, self._locales, passes)

    def _elsewhere(self, documents: Sequence[Document], found: Suggested) -> Suggested:
        from shared.recognition.rules import found_elsewhere

        return found_elsewhere(documents, found, self._schema, self._locales)

    def _opened_rules(self) -> Recognizer:
        from shared.recognition.registry import open_recognizer

        if self._rules is None:
            self._rules = open_recognizer(project_rules(self._project))
        return self._rules

    def _opened_lists(self) -> "DictionaryRecognizer":
        from shared.recognition.dictionary_recognizer import DictionaryRecognizer

        if self._lists is None:
            self._lists = DictionaryRecognizer(self._schema, self._locales)
        return self._lists


def after_passes(
    documents: Sequence[Document],
    found: Suggested,
    schema: Schema,
    locales: tuple[str, ...],
    passes: Sequence[str] = AFTER_MODELS,
) -> Suggested:
    """Return what all recognizers together found in a patient's documents, after passes over it.

    Whatever they are, what is broken over two lines is whole.
    """
    from shared.recognition.dictionaries import language_of
    from shared.recognition.passes import apply_passes
    from shared.recognition.postprocessing.broken_lines import join_broken_mentions
    from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions

    texts, made = tuple(each.text for each in documents), tuple(map(tuple, found))
    patient = PatientSuggestions(texts, made, schema, _ELSEWHERE, language_of(texts, locales))
    return join_broken_mentions(apply_passes(patient, passes)).found


def project_rules(project: Project) -> "RecognizerSpec":
    """The rules of a project, its own patterns first."""
    own = sorted(map(str, (project.root / MODELS / "locales").glob("*.toml")))
    return replace(shipped_rules(project.schema, own), locales=project_locales(project))


def project_locales(project: Project) -> tuple[str, ...]:
    """What recognizers read: the language of a project, or the usual ones where records tell it."""
    from shared.recognition.dictionaries import LOCALES

    return LOCALES if project.language == AUTO else (project.language,)


def shipped_rules(schema: Schema, own: Iterable[str] = ()) -> "RecognizerSpec":
    """The rules that come with Tandem, after those in `own` files of patterns.

    What they find is not looked for elsewhere yet: that is done once all suggest together.
    """
    from shared.recognition.passes import MENTION_PROPAGATION
    from shared.recognition.registry import RULES, RecognizerSpec

    return RecognizerSpec((*own, RULES), schema, without=(MENTION_PROPAGATION,))


def placed(
    view: MergedView, *findings: Sequence[Iterable[Suggestion]]
) -> tuple[PlacedSuggestion, ...]:
    """Put what recognizers found in each document into the merged view, the surer first."""
    made: list[PlacedSuggestion] = []
    for document, *of_document in zip(view.patient.documents, *findings, strict=True):
        section = view.section(document.record_id)
        made += (
            PlacedSuggestion(
                section.start + each.start,
                section.start + each.end,
                section.record_id,
                each.phi_type,
                each.confidence,
                each.recognizer,
            )
            for each in keep_most_confident(chain.from_iterable(of_document))
        )
    return tuple(made)
