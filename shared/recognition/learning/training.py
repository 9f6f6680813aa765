"""Training a recognizer: a function of examples and settings, whatever the machine."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future, as_completed
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from shared.errors import RequestError
from shared.processes import process_pool
from shared.recognition.card import THRESHOLD, Card, corpus_hash, now
from shared.recognition.crf.crfs import crfs_from
from shared.recognition.dictionaries import dictionaries_of
from shared.recognition.example import Example
from shared.recognition.features import together
from shared.recognition.labels import Scheme, type_name
from shared.recognition.learning.crossing import (
    Unseen,
    cross_scores,
    recall_level,
    trained_judge,
    unseen_patients,
)
from shared.recognition.learning.material import Material
from shared.recognition.learning.probation import asked_about_others, few, judged
from shared.recognition.merging import Merging
from shared.recognition.model_folder import (
    JUDGE,
    LESSON,
    read_lesson,
    write_card,
    write_dictionaries,
    write_lesson,
    write_standing,
)
from shared.recognition.settings import CrfSettings, Settings, Units
from shared.recognition.standing import Beside

Scores = dict[str, dict[str, float]]
"""Precision, recall, F1 and count per type, and of all together under "all"."""

Progress = Callable[[float, str], None]
"""Told how much is done (0 to 1) and what has been done."""


@dataclass(frozen=True, slots=True)
class Job:
    """CRFs to train on the examples outside one fold (None: on all), into a folder."""

    fold: int | None
    crf: CrfSettings
    seed: int
    folder: Path


def train(  # noqa: PLR0913  what it is made of, and how
    examples: Sequence[Example],
    settings: Settings,
    folder: Path,
    *,
    schema: str = "auto",
    beside: Beside | None = None,
    cores: int = 1,
    on_progress: Progress | None = None,
) -> Card:
    """Train on `examples` and write the model into `folder`, which must be there and empty.

    What those `beside` it earned on the examples is written into the model's folder. The outcome
    depends on examples and settings alone, not on order or cores. Raises RequestError where there
    is nothing to learn from, StorageError where a file cannot be written.
    """
    examples = _ordered(examples)
    crossed = settings if settings.folds or beside is None else asked_about_others(settings)
    fold_of = folds(examples if crossed is settings else few(examples, settings.seed), crossed)
    final = [Job(None, crf, settings.seed, folder) for crf in settings.crfs]
    jobs = [*final, *_fold_jobs(fold_of, crossed, folder)]
    jobs.sort(key=_expected_length, reverse=True)  # the longest first, so that no core waits long
    _run(jobs, examples, fold_of, cores, on_progress)
    write_lesson(folder / LESSON, Material(examples, settings.seed).lesson)
    _keep_dictionaries(settings, folder)
    card = _card(examples, settings, schema)
    if settings.folds and fold_of:
        patients = _unseen(examples, fold_of, settings, folder)
        card = replace(
            card,
            scores=cross_scores(patients, folder, card.threshold),
            recall_level=recall_level(patients),
            judged=trained_judge(patients, folder / JUDGE) is not None,
        )
    if beside is not None:
        asked = replace(card, settings=crossed)
        write_standing(folder, judged(beside, examples, fold_of, asked, folder))
    write_card(folder, card)
    return card


def cross_validate(
    examples: Sequence[Example],
    settings: Settings,
    folder: Path,
    *,
    cores: int = 1,
    on_progress: Progress | None = None,
) -> Scores:
    """Return strict scores per type of patients left out by turns; `folder` is to work in.

    Raises RequestError where there are fewer than two folds or patients.
    """
    examples = _ordered(examples)
    fold_of = folds(examples, settings)
    if not fold_of:
        raise RequestError("cross-validation needs two folds and two patients or more")
    _run(_fold_jobs(fold_of, settings, folder), examples, fold_of, cores, on_progress)
    return cross_scores(_unseen(examples, fold_of, settings, folder), folder, THRESHOLD)


def folds(examples: Sequence[Example], settings: Settings) -> dict[str, int]:
    """Return the fold of each patient, drawn at random; empty where there is no judge to train."""
    patients = sorted({each.document.patient_id for each in examples})
    count = min(settings.folds, len(patients))
    if count < 2:
        return {}
    Random(settings.seed).shuffle(patients)
    return {patient: number % count for number, patient in enumerate(patients)}


def _unseen(
    examples: Sequence[Example], fold_of: dict[str, int], settings: Settings, folder: Path
) -> list[Unseen]:
    found: list[Unseen] = []
    for fold in sorted(set(fold_of.values())):
        part = folder / f"fold-{fold}"
        crfs = crfs_from(part, settings.crfs, read_lesson(part / LESSON))
        held_out = [each for each in examples if fold_of[each.document.patient_id] == fold]
        found += unseen_patients(held_out, fold, crfs)
    return found


def _ordered(examples: Sequence[Example]) -> list[Example]:
    if not any(each.tags for each in examples):
        raise RequestError("there is nothing to learn from: no record has a tag; tag some first")
    return sorted(examples, key=lambda each: each.document.record_id)


def _keep_dictionaries(settings: Settings, folder: Path) -> None:
    sets = [crf.features for crf in settings.crfs if crf.units is Units.TOKENS]
    if any(each.looks_up for each in sets):
        write_dictionaries(folder, dictionaries_of(together(sets).locales))


def _expected_length(job: Job) -> tuple[int, int, int]:
    crf = job.crf
    is_bioes = crf.scheme is Scheme.BIOES
    return crf.units is Units.CHARACTERS, is_bioes, len(crf.features.groups)


def _fold_jobs(fold_of: dict[str, int], settings: Settings, folder: Path) -> list[Job]:
    return [
        Job(fold, crf, settings.seed, folder / f"fold-{fold}")
        for fold in sorted(set(fold_of.values()))
        for crf in settings.crfs
    ]


def _card(examples: Sequence[Example], settings: Settings, schema: str) -> Card:
    return Card(
        settings=settings,
        schema=schema,
        types=tuple(sorted({type_name(tag.phi_type) for each in examples for tag in each.tags})),
        records=len(examples),
        patients=len({each.document.patient_id for each in examples}),
        corpus=corpus_hash(examples),
        trained=now(),
        threshold=THRESHOLD if settings.merging is Merging.JUDGED else 0.0,
    )


def _run(
    jobs: Sequence[Job],
    examples: Sequence[Example],
    fold_of: dict[str, int],
    cores: int,
    on_progress: Progress | None,
) -> None:
    def examples_of(job: Job) -> list[Example]:
        if job.fold is None:
            return list(examples)
        others = {patient for patient, fold in fold_of.items() if fold != job.fold}
        return [each for each in examples if each.document.patient_id in others]

    for done, job in enumerate(_finished(jobs, examples_of, cores), start=1):
        if on_progress:
            on_progress(done / (len(jobs) + 1), job.crf.name)


def _finished(
    jobs: Sequence[Job], examples_of: Callable[[Job], list[Example]], cores: int
) -> Iterator[Job]:
    """Do the jobs, the longest first where there is a choice, and yield each when it is done."""
    if cores < 2 or len(jobs) < 2:
        for job in jobs:
            yield _do(job, examples_of(job))
        return
    with process_pool(min(cores, len(jobs))) as pool:
        try:
            running: list[Future[Job]] = [pool.submit(_do, job, examples_of(job)) for job in jobs]
            for future in as_completed(running):
                yield future.result()
        except BrokenExecutor:
            raise RequestError(
                "a process that trained has ended unexpectedly, perhaps for want of memory; "
                "try again, on fewer cores or with fewer records"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _do(job: Job, examples: list[Example]) -> Job:
    job.folder.mkdir(mode=0o700, exist_ok=True)
    material = Material(examples, job.seed)
    material.train(job.crf, job.folder / job.crf.file)
    if job.fold is not None:
        write_lesson(job.folder / LESSON, material.lesson)
    return job
