"""The patients that an annotator has to do, and how far each is.

Which of those to do a model would learn most from: those whose suggestions are least certain.

Uncertainty sampling (Lewis and Gale 1994) over patients: the mean uncertainty of what is suggested,
where uncertainty is 0 for a suggestion that is certain, either way, and 1 for one that is even.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import partial

from annotator.recognizer_process import RecognizerProcess
from annotator.rejections import PlacedSuggestion
from shared.errors import FileError
from shared.model import MergedView
from shared.project.assignments import Assignment, State
from shared.project.files import FileSignature, signature_of
from shared.project.project import Project
from shared.project.settings import GOLD, Policy
from shared.project.training_rounds import unfinished_round


@dataclass(frozen=True, slots=True)
class AnnotatorWorklist:
    """An annotator's patients in the order of the project."""

    works: tuple[Assignment, ...]

    @classmethod
    def of(cls, project: Project, annotator: str) -> "AnnotatorWorklist":
        """Read them; of a training round first, and what is not begun after it.

        Raises FileError.
        """
        works = project.assigned_to(annotator)
        journal_of = partial(project.journal_path, annotator)
        training = unfinished_round(project.plan.training_of(annotator), journal_of)
        if training is None:
            return cls(works)
        first = tuple(each for each in works if each.patient_id in training)
        begun = (each for each in works if each.state is not State.TO_DO)
        return cls((*first, *(each for each in begun if each not in first)))

    def next_open(self, after: str | None = None) -> str | None:
        """The first patient not yet done, looking from the one after `after` and around."""
        ids = [work.patient_id for work in self.works]
        start = ids.index(after) + 1 if after in ids else 0
        around = (*self.works[start:], *self.works[:start])
        return next((work.patient_id for work in around if work.state is not State.DONE), None)


class AdjudicatedPatients:
    """The patients that can be compared with the gold standard, where the project shows it.

    A journal is read again only where it has changed.
    """

    def __init__(self, project: Project, annotator: str) -> None:
        self._project = project
        self._annotator = annotator
        self._known: dict[str, tuple[FileSignature, bool]] = {}

    def __contains__(self, patient_id: str) -> bool:
        if not self._project.shows_gold:
            return False
        known = self._project.known_answers.pairs()
        return (patient_id, self._annotator) not in known and self._is_adjudicated(patient_id)

    def _is_adjudicated(self, patient_id: str) -> bool:
        stamp = signature_of(self._project.journal_path(GOLD, patient_id))
        before = self._known.get(patient_id)
        if stamp is not None and before is not None and before[0] == stamp:
            return before[1]
        try:
            found = self._project.is_adjudicated(patient_id)
        except FileError:
            return False
        if stamp is not None:
            self._known[patient_id] = stamp, found
        return found


def mean_uncertainty(suggestions: Iterable[PlacedSuggestion]) -> float:
    """The mean uncertainty of these suggestions, from 0 to 1; 0 where there are none."""
    uncertainties = [1 - abs(2 * each.confidence - 1) for each in suggestions]
    return sum(uncertainties) / len(uncertainties) if uncertainties else 0.0


def uncertainties(
    project: Project, annotator: str, patient_ids: Iterable[str], recognizers: RecognizerProcess
) -> dict[str, float]:
    """The mean uncertainty on each patient on whom the annotator sees what was learnt.

    Raises FileError where a record cannot be read, RequestError where recognizers cannot go on.
    """
    made: dict[str, float] = {}
    for patient_id in patient_ids:
        policy = project.suggestions.of(annotator, patient_id)
        if policy is Policy.ON:
            view = MergedView(project.patient(patient_id))
            found = list(recognizers.suggest(view, policy))
            made[patient_id] = mean_uncertainty(found[-1].suggestions) if found else 0.0
    return made


def in_order(
    worklist: AnnotatorWorklist, uncertainty_by_patient: dict[str, float]
) -> AnnotatorWorklist:
    """What was begun or done first, as it was; then what is to do, the most doubtful first."""

    def rank(work: Assignment) -> tuple[bool, float]:
        to_do = work.state is State.TO_DO
        return to_do, -uncertainty_by_patient.get(work.patient_id, 0.0) if to_do else 0.0

    return replace(worklist, works=tuple(sorted(worklist.works, key=rank)))
