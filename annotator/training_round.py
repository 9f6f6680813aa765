"""A training round: what comes before real work, and what an annotator is told after each patient.

What came of a patient is in its journal before anything of the gold standard is shown.
"""

from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from annotator.gold_comparison import GoldComparison, compare_with_gold
from annotator.session import AnnotationSession
from shared.errors import TandemError
from shared.metrics.alignment import DifferenceKind
from shared.project.assignments import State
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.training_rounds import TrainingProgress, TrainingResult

_KINDS = {
    DifferenceKind.TYPE: "type",
    DifferenceKind.EXTENT: "extent",
    DifferenceKind.TYPE_AND_EXTENT: "type_and_extent",
    DifferenceKind.SPLIT_OR_MERGE: "split",
}


@dataclass(frozen=True, slots=True)
class TrainingFeedback:
    """A patient of a round beside the gold standard, what came of it, and how the round goes."""

    comparison: GoldComparison
    result: TrainingResult
    progress: TrainingProgress

    @property
    def sentence(self) -> str:
        """What to tell the annotator, below what the comparison shows."""
        done, every = len(self.progress.results), len(self.progress.round.patients)
        said = f"Training, patient {done} of {every}: {result_in_words(self.result)}."
        if not self.progress.is_finished:
            return f"{said} Look at each difference, then go on."
        f1, mark = self.progress.f1 or 0.0, self.progress.round.pass_mark
        if self.progress.is_passed:
            return f"{said} The round is passed: F1 {f1:.2f}, {mark:.2f} was needed."
        return (
            f"{said} The round is not passed: F1 {f1:.2f}, {mark:.2f} was needed. "
            "Your project lead decides how to go on."
        )


def result_in_words(result: TrainingResult) -> str:
    """How many tags are right, and what is wrong with the others."""
    wrong = {
        "missed": result.missed,
        "too many": result.extra,
        "of another type": result.type,
        "too long or short": result.extent,
        "of another type and length": result.type_and_extent,
        "in other pieces": result.split,
    }
    counted = [f"{number} {words}" for words, number in wrong.items() if number]
    return ", ".join((f"{result.right} of {result.gold} tags right", *counted))


def training_feedback(session: AnnotationSession) -> TrainingFeedback | None:
    """What to tell of a patient that was just marked as done, None where it is of no round.

    The first time, what came of it goes into the journal. Raises FileError, RequestError.
    """
    project, name, patient_id = session.project, session.annotator, session.patient_id
    rounds = project.plan.training_of(name)
    found = [each for each in rounds if patient_id in each.patients]
    if not found:
        return None
    comparison = compare_with_gold(project, name, patient_id, session.tags)
    result = result_of(comparison)
    if not _is_noted(project, name, patient_id):
        session.layer.note(result.to_entry())
    catch_up_results(project, name)
    progress = TrainingProgress.read(found[-1], partial(project.journal_path, name))
    return TrainingFeedback(comparison, result, progress)


def catch_up_results(project: Project, annotator: str) -> None:
    """Note what came of patients of rounds that are done, where no journal tells.

    A process may end between the two. A patient that cannot be read or is open elsewhere is left:
    what is wrong with it is said where it is opened.
    """
    rounds = project.plan.training_of(annotator)
    if not rounds:
        return
    patients = {patient_id for each in rounds for patient_id in each.patients}
    for each in project.assigned_to(annotator):
        patient_id = each.patient_id
        if patient_id not in patients or each.state is not State.DONE:
            continue
        with suppress(TandemError):
            if not _is_noted(project, annotator, patient_id):
                with AnnotationSession(project, annotator, patient_id) as session:
                    comparison = compare_with_gold(project, annotator, patient_id, session.tags)
                    session.layer.note(result_of(comparison).to_entry())


def _is_noted(project: Project, annotator: str, patient_id: str) -> bool:
    path = project.journal_path(annotator, patient_id)
    return TrainingResult.from_journal(read_journal(path), path) is not None


def result_of(comparison: GoldComparison) -> TrainingResult:
    """Count what a comparison shows."""
    same, differences = len(comparison.same), comparison.differences
    kinds = Counter(
        ("missed" if each.gold else "extra") if not (each.own and each.gold) else _KINDS[each.kind]
        for each in differences
    )
    return TrainingResult(
        right=same,
        own=same + sum(len(each.own) for each in differences),
        gold=same + sum(len(each.gold) for each in differences),
        **kinds,
    )
