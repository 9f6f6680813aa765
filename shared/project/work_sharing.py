"""Who has which patient, changed afterwards; no work that is there is ever touched.

What may change hands is an assignment that its annotator has not begun, of a patient whose
adjudication has not begun.
"""

import random
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import ceil

from shared.errors import RequestError
from shared.project import assignments, creation
from shared.project.assignments import Assignment, State
from shared.project.even_shares import Moves, OpenWork, Pair, even_shares
from shared.project.files import is_there
from shared.project.gold_state import GoldState
from shared.project.project import Project
from shared.project.project_log import write_logged
from shared.project.settings import LearnFrom, ProjectSettings, check_annotators
from shared.project.training_rounds import TrainingRound


@dataclass(frozen=True, slots=True)
class Staffing:
    """Who is to join, who to leave, and how many annotators each new patient gets.

    None for `per_patient` is as many as most patients have.
    """

    joining: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    per_patient: int | None = None

    def changed(self, plan: ProjectSettings) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the annotators and those of them who have left. Raises RequestError."""
        for name in self.leaving:
            if name not in plan.people:
                raise RequestError(f"{name} is not among the annotators {', '.join(plan.people)}")
            if name in self.joining:
                raise RequestError(f"{name} cannot join and leave at once")
        for name in self.joining:
            if name in plan.people:
                raise RequestError(f"{name} is an annotator of the project already")
        annotators = tuple(dict.fromkeys((*plan.annotators, *self.joining)))
        check_annotators(annotators)
        left = tuple(each for each in (*plan.left, *self.leaving) if each not in self.joining)
        if len(annotators) - len(left) < 2:
            raise RequestError("a project needs two annotators or more who have not left")
        return annotators, left


def planned_moves(
    project: Project, staffing: Staffing, seed: int, coming: Sequence[str] = ()
) -> Moves:
    """What would be given and taken back for shares to be even; `coming` are patients to be added.

    Raises RequestError where that cannot be, FileError.
    """
    annotators, left = staffing.changed(project.plan)
    people = [each for each in annotators if each not in left]
    having: dict[str, list[str]] = {each: [] for each in (*project.patient_ids, *coming)}
    for each in project.all_assignments():
        having[each.patient_id].append(each.annotator)
    work = project.assignments()
    waiting = {each for each in project.patient_ids if _may_change(project, each)}
    free = {
        (each.patient_id, each.annotator)
        for each in work
        if each.state is State.TO_DO
        and each.patient_id in waiting
        and not has_begun(project, each.annotator, each.patient_id)
    }
    counts = Counter(Counter(each.patient_id for each in work).values())
    usual = max(2, max(counts, key=lambda size: (counts[size], -size), default=2))
    wanted = usual if staffing.per_patient is None else staffing.per_patient
    nobodys = [each for each in project.patient_ids if each in waiting and not having[each]]
    new = [*nobodys, *coming]
    if new and not 2 <= wanted <= min(len(people), assignments.MOST_ANNOTATORS):
        raise RequestError(
            f"{wanted} annotators per patient cannot be drawn; there are {len(people)}, and a "
            f"patient needs 2 to {assignments.MOST_ANNOTATORS}"
        )
    return even_shares(OpenWork(having, free, dict.fromkeys(new, wanted)), people, seed)


def reassign(
    project: Project,
    give: Collection[Pair],
    take_back: Collection[Pair],
    *,
    dry_run: bool = False,
) -> None:
    """Give patients to annotators, and take patients back, by pairs of patient and annotator.

    With `dry_run` it is only seen whether that can be.
    Raises RequestError where that would touch work that is there, or `assignments.reassigned`
    says no, FileError, StorageError; nothing is changed then.
    """
    with project.lock_assignments("tandem assign"):
        for patient_id, name in (*give, *take_back):
            if name not in project.annotators:
                raise RequestError(
                    f"{name} is not an annotator of this project; its annotators are "
                    f"{', '.join(project.annotators)}"
                )
            if not _may_change(project, patient_id):
                raise RequestError(
                    f"the adjudication of patient {patient_id} has begun; its annotators stay"
                )
        for patient_id, name in take_back:
            if has_begun(project, name, patient_id):
                raise RequestError(f"{name} has begun patient {patient_id}; what is begun stays")
        before = project.all_assignments()
        had = {(each.patient_id, each.annotator) for each in before} - {*take_back}
        if again := sorted(had.intersection(give)):
            raise RequestError(_has_already(project, *again[0]))
        after = assignments.reassigned(before, give, take_back, project.annotators)
        if not dry_run:
            _write(project, after)


def begin_training(project: Project, annotator: str, one: TrainingRound) -> None:
    """Give an annotator a training round; its patients come first and are none of the work.

    Done again it goes on where it ended. Raises RequestError where a patient has no gold standard,
    or the annotator has or had it, FileError.
    """
    with project.lock_assignments("tandem assign"):
        rounds = project.plan.training_of(annotator)
        before = project.all_assignments()
        have = {each.patient_id for each in before if each.annotator == annotator}
        if rounds[-1:] != (one,):
            for patient_id in one.patients:
                _refuse_without_gold(project, patient_id)
                if patient_id in have:
                    said = _has_already(project, patient_id, annotator)
                    raise RequestError(f"{said}; train on others")
            rounds = (*rounds, one)
        if annotator not in project.plan.people:
            raise RequestError(f"{annotator} is not among the annotators of this project")
        project.set_staffing(training={**project.plan.training, annotator: rounds})
        new = (Assignment(each, annotator) for each in one.patients if each not in have)
        _write(project, (*new, *before))


def end_training(project: Project, annotator: str) -> None:
    """Let an annotator go on to real work, passed or not. Raises RequestError, FileError."""
    rounds = project.plan.training_of(annotator)
    if not rounds:
        raise RequestError(f"{annotator} has no training round")
    ended = (*rounds[:-1], replace(rounds[-1], ended=True))
    project.set_staffing(training={**project.plan.training, annotator: ended})


def set_known_answer_rate(project: Project, rate: float) -> None:
    """Want so many known-answer patients on each that is given out, from 0 to 1.

    Raises RequestError where suggestions would give the answers, FileError.
    """
    policy = project.plan.suggestions
    is_told = policy.learn_from is LearnFrom.GOLD and any(map(policy.ever_on, project.plan.people))
    if rate and is_told:
        raise RequestError(
            "models that learn from the gold standard would suggest the answers; let them learn "
            "from each annotator's own patients (learn_from)"
        )
    project.set_staffing(known_answer_rate=rate)


def mix_in_known_answers(project: Project, seed: int) -> tuple[tuple[Pair, ...], int]:
    """Give known-answer patients up to the rate of the project; what is not begun is then shuffled.

    So an annotator's list shows no more of a known-answer patient than of any other. Each gets so
    many for each patient of work that is not begun, from those with a gold standard that they never
    had. Those of who has left are taken out, as nothing else would be in their lists. Returns the
    pairs that were given and how many were wanting. Raises FileError.
    """
    with project.lock_assignments("tandem assign"):
        chance = random.Random(seed)
        listed = project.all_assignments()
        before = [each for each in listed if not _is_left_over(project, each)]
        drawn, wanting = _drawn_answers(project, before, chance)
        after = [*before, *(Assignment(*each) for each in drawn)]
        if drawn:
            project.known_answers.add(drawn, seed)  # first: what is listed alone would be work
        for name in dict.fromkeys(name for _, name in drawn):
            _shuffle_to_do(after, name, project.plan.training_pairs, chance)
        if drawn or len(before) < len(listed):
            _write(project, after)
        return tuple(drawn), wanting


def _is_left_over(project: Project, each: Assignment) -> bool:
    """Whether it is a known-answer patient of somebody who left without beginning it."""
    return (
        each.annotator in project.plan.left
        and each.state is State.TO_DO
        and (each.patient_id, each.annotator) in project.known_answers.pairs()
        and not has_begun(project, each.annotator, each.patient_id)
    )


def _drawn_answers(
    project: Project, listed: Sequence[Assignment], chance: random.Random
) -> tuple[list[Pair], int]:
    known, training = project.known_answers.pairs(), project.plan.training_pairs
    pool = [
        each for each in project.patient_ids if project.gold_status(each).state is GoldState.DONE
    ]
    drawn: list[Pair] = []
    wanting = 0
    for name in project.plan.people:
        mine = [each for each in listed if each.annotator == name]
        to_do = {(each.patient_id, name) for each in mine if each.state is State.TO_DO} - training
        wanted = max(
            0, ceil(project.plan.known_answer_rate * len(to_do - known)) - len(to_do & known)
        )
        have = {each.patient_id for each in mine}
        able = [each for each in pool if each not in have]
        chosen = chance.sample(able, min(wanted, len(able)))
        drawn += ((each, name) for each in chosen)
        wanting += wanted - len(chosen)
    return drawn, wanting


def _shuffle_to_do(
    listed: list[Assignment], name: str, fixed: Collection[Pair], chance: random.Random
) -> None:
    """Shuffle what an annotator has not begun within the places that it has in the list."""
    places = [
        at
        for at, each in enumerate(listed)
        if each.annotator == name
        and each.state is State.TO_DO
        and (each.patient_id, name) not in fixed
    ]
    for at, each in zip(
        places, chance.sample([listed[at] for at in places], len(places)), strict=True
    ):
        listed[at] = each


def _refuse_without_gold(project: Project, patient_id: str) -> None:
    if project.gold_status(patient_id).state is not GoldState.DONE:
        raise RequestError(f"patient {patient_id} has no gold standard that is done")


def has_begun(project: Project, annotator: str, patient_id: str) -> bool:
    """True where the annotator left anything of the patient, whatever states say.

    Raises RequestError, StorageError.
    """
    layers = (project.layer_path(annotator, each) for each in project.record_ids(patient_id))
    return any(map(is_there, (project.journal_path(annotator, patient_id), *layers)))


def _has_already(project: Project, patient_id: str, name: str) -> str:
    """Say that somebody has a patient, and as what, for whoever leads the project."""
    pair, how = (patient_id, name), "to annotate"
    if pair in project.plan.training_pairs:
        how = "to train on"
    elif pair in project.known_answers.pairs():
        how = "as a known-answer patient"
    return f"{name} has patient {patient_id} already, {how}"


def _may_change(project: Project, patient_id: str) -> bool:
    return project.gold_status(patient_id).state is GoldState.TO_DO


def _write(project: Project, after: Sequence[Assignment]) -> None:
    write_logged(project.root, project.root / creation.ASSIGNMENTS, assignments.to_csv(after))
