"""The patients of a project, as the adjudicator has to do them."""

from collections import Counter
from dataclasses import dataclass
from enum import StrEnum

from shared.errors import FileError
from shared.project.assignments import Assignment, State
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import GOLD


class Stage(StrEnum):
    """How far the adjudication of a patient is."""

    WAITING = "waiting"
    """An annotator has not finished, or has begun again."""
    READY = "to do"
    BEGUN = "begun"
    DONE = "done"
    BROKEN = "broken"
    """The decisions cannot be read."""


@dataclass(frozen=True, slots=True)
class Work:
    """One patient; `waits_for` names the annotators who have not finished."""

    patient_id: str
    stage: Stage
    waits_for: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Worklist:
    """The patients in the order of the project."""

    works: tuple[Work, ...]

    @classmethod
    def of(cls, project: Project) -> "Worklist":
        """Read how far every patient is. Raises FileError where nobody's assignments are there."""
        assignments = project.assignments()
        return cls(tuple(_work(project, each, assignments) for each in project.patient_ids))

    @property
    def done(self) -> int:
        return sum(work.stage is Stage.DONE for work in self.works)

    def next_open(self, after: str | None = None) -> str | None:
        """The first that can be worked on, looking from the one after `after` and around."""
        ids = [work.patient_id for work in self.works]
        start = ids.index(after) + 1 if after in ids else 0
        around = (*self.works[start:], *self.works[:start])
        able = (work for work in around if work.stage in (Stage.READY, Stage.BEGUN))
        return next((work.patient_id for work in able), None)


def annotators_of(project: Project, patient_id: str) -> tuple[str, ...]:
    """Who has the patient, in the order of the project's annotators."""
    having = {each.annotator for each in project.assignments() if each.patient_id == patient_id}
    return tuple(each for each in project.annotators if each in having)


def most_annotators(project: Project) -> int:
    """How many annotators the patient with the most of them has, two at least."""
    counts = Counter(each.patient_id for each in project.assignments())
    return max([2, *counts.values()])


def unfinished(project: Project, patient_id: str) -> tuple[str, ...]:
    """The annotators of the patient who have not finished it."""
    return _waits_for(patient_id, project.assignments())


def _work(project: Project, patient_id: str, assignments: tuple[Assignment, ...]) -> Work:
    waiting = _waits_for(patient_id, assignments)
    stage = _stage(project, patient_id)
    if waiting and stage in (Stage.READY, Stage.BEGUN):
        stage = Stage.WAITING
    return Work(patient_id, stage, waiting)


def _waits_for(patient_id: str, assignments: tuple[Assignment, ...]) -> tuple[str, ...]:
    return tuple(
        each.annotator
        for each in assignments
        if each.patient_id == patient_id and each.state is not State.DONE
    )


def _stage(project: Project, patient_id: str) -> Stage:
    path = project.journal_path(GOLD, patient_id)
    if not path.exists():
        return Stage.DONE if project.is_adjudicated(patient_id) else Stage.READY
    try:
        marks = [line["op"] for line in read_journal(path) if line.get("op") in ("done", "begun")]
    except FileError:
        return Stage.BROKEN
    return Stage.DONE if marks[-1:] == ["done"] else Stage.BEGUN
