"""Which of the patients to do a model would learn most from: those whose suggestions it doubts.

Uncertainty sampling (Lewis and Gale 1994) over patients: the mean doubt of what is suggested,
where doubt is 0 for a suggestion that is certain, either way, and 1 for one that is even.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Protocol

from annotator.recognizing import Found
from annotator.rejections import PlacedSuggestion
from annotator.worklist import Work, Worklist
from shared.model import MergedView
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.suggestion_policy import Policy


class Suggesting(Protocol):
    """What finds suggestions; what `suggest` returns may be gone through on a thread."""

    def suggest(self, view: MergedView, policy: Policy) -> Iterator[Found]: ...


def mean_doubt(suggestions: Iterable[PlacedSuggestion]) -> float:
    """The mean doubt of these suggestions, from 0 to 1; 0 where there are none."""
    doubts = [1 - abs(2 * each.confidence - 1) for each in suggestions]
    return sum(doubts) / len(doubts) if doubts else 0.0


def doubts(
    project: Project, annotator: str, patient_ids: Iterable[str], recognizers: Suggesting
) -> dict[str, float]:
    """The mean doubt on each patient on whom the annotator sees what was learnt.

    Raises FileError where a record cannot be read, RequestError where recognizers cannot go on.
    """
    made: dict[str, float] = {}
    for patient_id in patient_ids:
        policy = project.suggestions.of(annotator, patient_id)
        if policy is Policy.ON:
            view = MergedView(project.patient(patient_id))
            found = list(recognizers.suggest(view, policy))
            made[patient_id] = mean_doubt(found[-1].suggestions) if found else 0.0
    return made


def in_order(worklist: Worklist, predict_by_patient: dict[str, float]) -> Worklist:
    """What was begun or done first, as it was; then what is to do, the most doubtful first."""

    def rank(work: Work) -> tuple[bool, float]:
        to_do = work.state is State.TO_DO
        return to_do, -predict_by_patient.get(work.patient_id, 0.0) if to_do else 0.0

    return replace(worklist, works=tuple(sorted(worklist.works, key=rank)))
