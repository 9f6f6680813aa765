"""The patients of a project, as the adjudicator has to do them."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from random import Random
from typing import NamedTuple

from adjudicator.decisions import SIDES
from shared.errors import FileError, RequestError
from shared.project.assignments import Assignment, State
from shared.project.files import FileSignature, signature_of
from shared.project.journal import read_journal
from shared.project.listed_work import ListedWork
from shared.project.project import Project
from shared.project.settings import GOLD


class Stage(StrEnum):
    """How far the adjudication of a patient is."""

    WAITING = "waiting"
    """An annotator has not finished, or has begun again."""
    READY = "to do"
    BEGUN = "begun"
    DONE = "done"
    SKIPPED = "skipped"
    """Left out for now by the adjudicator."""
    BROKEN = "broken"
    """The decisions cannot be read."""


@dataclass(frozen=True, slots=True)
class AdjudicationTask:
    """One patient; `waits_for` names the annotators who have not finished.

    `changed_by` names those who edited it after the adjudicator was done, `reason` says why it was
    skipped.
    """

    patient_id: str
    stage: Stage
    waits_for: tuple[str, ...] = ()
    changed_by: tuple[str, ...] = ()
    reason: str = ""

    @property
    def state_words(self) -> str:
        """How far it is, as windows and commands say it."""
        return changed_words(self.stage) if self.changed_by else self.stage.value


def changed_words(stage: Stage) -> str:
    """How far a patient is that was changed after that."""
    return f"{stage.value}, changed since"


@dataclass(frozen=True, slots=True)
class AdjudicationWorklist:
    """The patients in the order of the project."""

    works: tuple[AdjudicationTask, ...]

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


_CLOCKS_DIFFER = 24 * 60 * 60
"""Seconds that the clock of a file's folder may be behind that of who wrote the file."""


class _GoldStage(NamedTuple):
    """How far a patient is, as the journal of its gold standard says."""

    stage: Stage
    reason: str = ""
    came_with_records: bool = False


class WorklistReader:
    """Reads the worklist of a project over and over, and a journal only where it has changed."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._read: dict[str, tuple[FileSignature | None, _GoldStage]] = {}
        self._edited: dict[tuple[str, str], tuple[FileSignature, str]] = {}
        """When each annotator edited a patient last, with the journal that says so."""
        self._journal_path = cache(project.journal_path)

    def read(
        self,
        known: Mapping[str, Stage] | None = None,
        assignments: Sequence[Assignment] | None = None,
    ) -> AdjudicationWorklist:
        """Read how far every patient is but for those that are `known`, and the assignments.

        Raises FileError where nobody's assignments are there.
        """
        if assignments is None:
            assignments = self._project.assignments()
        waiting, having = _waiting(assignments), _annotators(self._project, assignments)
        begun, listed = _begun(assignments), ListedWork(self._project)
        tasks: list[AdjudicationTask] = []
        for patient_id in self._project.patient_ids:
            told = (known or {}).get(patient_id)
            status = self._status(patient_id, listed, is_known=bool(told))
            stage, reason = (told, "") if told else (status.stage, status.reason)
            is_waited_for = patient_id in begun or not status.came_with_records
            waits_for = waiting.get(patient_id, ()) if is_waited_for else ()
            if waits_for and stage in (Stage.READY, Stage.BEGUN):
                stage = Stage.WAITING
            changed_by: tuple[str, ...] = ()
            if stage is Stage.DONE:
                changed_by = self._changed_by(patient_id, having.get(patient_id, ()))
            tasks.append(AdjudicationTask(patient_id, stage, waits_for, changed_by, reason))
        return AdjudicationWorklist(tuple(tasks))

    def _status(self, patient_id: str, listed: ListedWork, *, is_known: bool) -> _GoldStage:
        """What the journal says; of a patient whose stage `is_known`, what it said before."""
        before = self._read.get(patient_id)
        if is_known and before is not None:
            return before[1]
        if listed.is_none(GOLD, patient_id):
            return _GoldStage(Stage.READY)
        stamp = signature_of(self._journal_path(GOLD, patient_id))
        if stamp is None or before is None or before[0] != stamp:
            before = self._read[patient_id] = stamp, _status(self._project, patient_id)
        return before[1]

    def _changed_by(self, patient_id: str, annotators: Iterable[str]) -> tuple[str, ...]:
        """Who edited a patient after it was done; only journals written since then are read."""
        finished = self._last_said(GOLD, patient_id, ("done",), 0)
        try:
            since = datetime.fromisoformat(finished).timestamp() - _CLOCKS_DIFFER
        except ValueError:
            return ()
        return tuple(
            each
            for each in annotators
            if self._last_said(each, patient_id, ("edit", "undo", "redo"), since) > finished
        )

    def _last_said(
        self, name: str, patient_id: str, operations: Collection[str], since: float
    ) -> str:
        """When a journal last says one of these, read again where it has changed.

        "" where it does not, cannot be read, or was not written `since`, in seconds.
        """
        path = self._journal_path(name, patient_id)
        stamp = signature_of(path)
        if stamp is None or stamp[0] < since * 1e9:
            return ""
        before = self._edited.get((name, patient_id))
        if before is None or before[0] != stamp:
            times: list[str] = []
            with suppress(FileError):
                lines = (line for line in read_journal(path) if line.get("op") in operations)
                times = [str(line.get("at", "")) for line in lines]
            before = self._edited[name, patient_id] = stamp, max(times, default="")
        return before[1]


def annotators_by_patient(
    project: Project, assignments: Iterable[Assignment] | None = None
) -> dict[str, tuple[str, ...]]:
    """Who has each patient, in the order of the project's annotators, by what is assigned.

    Raises FileError where that is to be read and cannot be.
    """
    return _annotators(project, project.assignments() if assignments is None else assignments)


def _annotators(project: Project, assignments: Iterable[Assignment]) -> dict[str, tuple[str, ...]]:
    having: dict[str, set[str]] = {}
    for each in assignments:
        having.setdefault(each.patient_id, set()).add(each.annotator)
    annotators = project.annotators
    return {
        patient_id: tuple(each for each in annotators if each in names)
        for patient_id, names in having.items()
    }


def most_annotators(project: Project) -> int:
    """How many annotators the patient with the most of them has, two at least.

    Where it cannot be read who has which patient, opening one says so.
    """
    try:
        return max([2, *map(len, annotators_by_patient(project).values())])
    except FileError:
        return 2


def _waiting(assignments: Iterable[Assignment]) -> dict[str, tuple[str, ...]]:
    waiting: dict[str, tuple[str, ...]] = {}
    for each in assignments:
        if each.state is not State.DONE:
            waiting[each.patient_id] = (*waiting.get(each.patient_id, ()), each.annotator)
    return waiting


def _begun(assignments: Iterable[Assignment]) -> set[str]:
    """The patients on which an annotator has worked."""
    return {each.patient_id for each in assignments if each.state is not State.TO_DO}


def _status(project: Project, patient_id: str) -> _GoldStage:
    try:
        status = project.gold_status(patient_id)
    except FileError:
        return _GoldStage(Stage.BROKEN)
    return _GoldStage(Stage(status.state.value), status.reason, status.came_with_records)


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """How to open a patient.

    `force` opens one whose annotators have not all finished, `review_agreements` asks about what
    they agree on too, `blind` hides who said what and puts them in random order.
    """

    force: bool = False
    review_agreements: bool = False
    blind: bool = False


def refuse_unfinished(project: Project, patient_id: str) -> None:
    """Raises RequestError where somebody has not finished the patient, and says who.

    Not for one that is adjudicated, or whose gold standard came with the records, edited or not,
    while no annotator has begun: there is nobody to wait for.
    """
    assignments = project.assignments()
    waiting = _waiting(assignments).get(patient_id)
    status = _status(project, patient_id)
    is_alone = status.came_with_records and patient_id not in _begun(assignments)
    if waiting and status.stage is not Stage.DONE and not is_alone:
        have = "has" if len(waiting) == 1 else "have"
        raise RequestError(
            f"patient {patient_id}: {' and '.join(waiting)} {have} not finished; "
            "wait for that, or open the patient anyway"
        )


def annotator_order(
    project: Project, patient_id: str, number: int, *, blind: bool
) -> tuple[int, ...]:
    """Return the order of the annotators: their own, or one drawn for this patient for good.

    Nobody has a patient who came with a gold standard later. Raises RequestError for one annotator,
    or more than can be adjudicated.
    """
    if number and not 2 <= number <= len(SIDES):
        raise RequestError(
            f"patient {patient_id} has {number} annotators; adjudication is for 2 to {len(SIDES)}"
        )
    order = list(range(number))
    if blind:
        Random(f"{project.title} {patient_id}").shuffle(order)
    return tuple(order)


class AnnotatorNames:
    """What the annotators of a patient are called: by name, or First, Second … where `hidden`."""

    def __init__(self, project: Project, *, blind: bool) -> None:
        self._project = project
        self._blind = blind
        self.hidden = blind

    def of(self, patient_id: str, annotator: str) -> str:
        if not self.hidden:
            return annotator
        try:
            having = annotators_by_patient(self._project).get(patient_id, ())
            order = annotator_order(self._project, patient_id, len(having), blind=self._blind)
            return SIDES[order.index(having.index(annotator))].value.capitalize()
        except (FileError, RequestError, ValueError):
            return "An annotator"  # whose patient it is no more
