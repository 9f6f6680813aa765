"""The patients that an annotator has to do, and how far each is."""

from dataclasses import dataclass

from shared.project.assignments import State
from shared.project.project import Project


@dataclass(frozen=True, slots=True)
class Work:
    """One patient of an annotator's."""

    patient_id: str
    state: State


@dataclass(frozen=True, slots=True)
class Worklist:
    """An annotator's patients in the order of the project."""

    works: tuple[Work, ...]

    @classmethod
    def of(cls, project: Project, annotator: str) -> "Worklist":
        return cls(
            tuple(
                Work(each.patient_id, each.state)
                for each in project.assignments()
                if each.annotator == annotator
            )
        )

    @property
    def done(self) -> int:
        return sum(work.state is State.DONE for work in self.works)

    def next_open(self, after: str | None = None) -> str | None:
        """The first patient not yet done, looking from the one after `after` and around."""
        ids = [work.patient_id for work in self.works]
        start = ids.index(after) + 1 if after in ids else 0
        around = (*self.works[start:], *self.works[:start])
        return next((work.patient_id for work in around if work.state is not State.DONE), None)
