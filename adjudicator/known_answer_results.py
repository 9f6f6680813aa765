"""What came of training rounds and known-answer patients, by annotator: for the lead alone."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from shared.errors import FileError
from shared.model import Layer
from shared.project.assignments import State
from shared.project.gold_state import GoldState
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.project.training_rounds import TrainingProgress
from shared.risk.known_answers import LEAST_SHARE, KnownAnswer, KnownAnswerCheck


def training_progress(project: Project) -> dict[str, tuple[TrainingProgress, ...]]:
    """How far each annotator is with their rounds, oldest first. Raises FileError."""
    return {
        name: tuple(
            TrainingProgress.read(each, partial(project.journal_path, name)) for each in rounds
        )
        for name, rounds in project.plan.training.items()
    }


def known_answer_checks(
    project: Project, problems: list[FileError], least: float = LEAST_SHARE
) -> dict[str, KnownAnswerCheck]:
    """Check every annotator who has known-answer patients by those that are done.

    Patients that cannot be read are left out and told in `problems`, as are those whose gold
    standard is no more done. Raises FileError where the lists cannot be read.
    """
    known = project.known_answers.pairs()
    done: dict[str, list[tuple[str, str]]] = {name: [] for _, name in sorted(known)}
    for each in project.all_assignments():
        if (each.patient_id, each.annotator) in known and each.state is State.DONE:
            at = _done_at(project, each.annotator, each.patient_id)
            done[each.annotator].append((at, each.patient_id))
    return {
        name: KnownAnswerCheck.of(
            list(_answers(project, name, [each for _, each in sorted(patients)], problems)), least
        )
        for name, patients in done.items()
    }


def training_as_json(progress: TrainingProgress) -> dict[str, Any]:
    """A round as `tandem status --json` has it."""
    if progress.is_passed:
        state = "passed"
    elif progress.round.ended:
        state = "ended"
    else:
        state = "not passed" if progress.is_finished else "under way"
    return {
        "state": state,
        "patients": len(progress.round.patients),
        "done": len(progress.results),
        "f1": progress.f1,
        "pass_mark": progress.round.pass_mark,
    }


def check_as_json(annotator: str, check: KnownAnswerCheck) -> dict[str, Any]:
    """A check as `tandem status --json` has it."""
    return {
        "annotator": annotator,
        "done": len(check.answers),
        "patients": [each.patient_id for each in check.answers],
        "recall": check.recall,
        "recall_bound": check.recall_bound,
        "precision": check.precision,
        "precision_bound": check.precision_bound,
        "flagged_after": check.flagged_after,
    }


def _answers(
    project: Project, annotator: str, patient_ids: list[str], problems: list[FileError]
) -> Iterator[KnownAnswer]:
    for patient_id in patient_ids:
        try:
            if project.gold_status(patient_id).state is GoldState.DONE:
                yield KnownAnswer.of(patient_id, list(_sides(project, annotator, patient_id)))
        except FileError as problem:
            problems.append(problem)


def _sides(project: Project, annotator: str, patient_id: str) -> Iterator[tuple[Layer, Layer]]:
    for document in project.patient(patient_id).documents:
        gold, own = (project.read_layer(each, document).layer for each in (GOLD, annotator))
        yield gold, own


def _done_at(project: Project, annotator: str, patient_id: str) -> str:
    """When the patient was marked as done first, as its journal says."""
    entries = read_journal(project.journal_path(annotator, patient_id))
    return next((str(each.get("at", "")) for each in entries if each.get("op") == "done"), "")
