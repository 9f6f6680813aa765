"""Which recognizers serve an annotator, and what they find in a patient.

Rules always, and beside them the models that are heard, or lists of names and places where there
are none. Nothing here needs a window; `suggest` may run on a thread, and what recognizers are made
of is imported there, for a window to open at once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from annotator.models import MODELS, Models
from annotator.rejections import PlacedSuggestion
from shared.errors import TandemError
from shared.language.detection import AUTO
from shared.model import MergedView, Schema, Section
from shared.project.project import Project
from shared.project.suggestion_policy import Policy
from shared.recognition.recognizer import Recognizer, Suggestion, keep_most_confident

if TYPE_CHECKING:
    from shared.recognition.dictionary_recognizer import DictionaryRecognizer
    from shared.recognition.registry import RecognizerSpec

LOOKED_UP = 0.3
"""How often what stands in a list of names or places is PHI, where nothing else says so."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was suggested, by whom in words, and what went wrong with a model, if anything did."""

    suggestions: tuple[PlacedSuggestion, ...]
    by: str
    problem: str = ""


class Recognizers:
    """The recognizers of one annotator in a project.

    `pretrained`: where the model of fabricated patients lies, if it is to be used.
    """

    def __init__(self, project: Project, annotator: str, pretrained: Path | None = None) -> None:
        self._project = project
        self._schema = project.schema
        self._models = Models(project, annotator, pretrained)
        self._rules: Recognizer | None = None
        self._lists: DictionaryRecognizer | None = None

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
            models = self._models.heard()
        except TandemError as error:
            yield replace(found, problem=str(error))
            return
        if models is None:
            lists = self._opened_lists().look_up(documents)
            doubtful = [[replace(one, confidence=LOOKED_UP) for one in each] for each in lists]
            yield Found(placed(view, rules, doubtful), "the rules and lists of names")
            return
        yield replace(found, suggestions=placed(view, models.calibrated(rules)))
        combine = models.combine(rules, documents)
        yield Found(placed(view, combine), models.by, models.problem)

    def _opened_rules(self) -> Recognizer:
        from shared.recognition.registry import open_recognizer

        if self._rules is None:
            self._rules = open_recognizer(project_rules(self._project))
        return self._rules

    def _opened_lists(self) -> "DictionaryRecognizer":
        from shared.recognition.dictionary_recognizer import DictionaryRecognizer

        if self._lists is None:
            self._lists = DictionaryRecognizer(self._schema)
        return self._lists


def project_rules(project: Project) -> "RecognizerSpec":
    """The rules of a project, its own patterns first."""
    own = sorted(map(str, (project.root / MODELS / "locales").glob("*.toml")))
    spec = shipped_rules(project.schema, own)
    return spec if project.language == AUTO else replace(spec, locales=(project.language,))


def shipped_rules(schema: Schema, own: Iterable[str] = ()) -> "RecognizerSpec":
    """The rules that come with Tandem, after those in `own` files of patterns."""
    from shared.recognition.registry import RULES, RecognizerSpec

    return RecognizerSpec((*own, RULES), schema)


def placed(
    view: MergedView, *findings: Sequence[Iterable[Suggestion]]
) -> tuple[PlacedSuggestion, ...]:
    """Put what recognizers found in each document into the merged view, the surer first."""
    return tuple(
        _placed(view.section(document.record_id), each)
        for document, *of_document in zip(view.patient.documents, *findings, strict=True)
        for each in keep_most_confident(one for finding in of_document for one in finding)
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
