"""Training a recognizer: a function of examples and settings, whatever the machine."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, as_completed
from dataclasses import dataclass, replace
from itertools import starmap
from pathlib import Path

from shared.errors import RequestError
from shared.processes import process_pool
from shared.recognition.dictionaries import dictionaries_of, language_of
from shared.recognition.ensemble_weights import CompanionRecognizers
from shared.recognition.features import together
from shared.recognition.labels import Scheme, type_name
from shared.recognition.linear_recognizer import LinearRecognizer
from shared.recognition.model_card import THRESHOLD, ModelCard, corpus_hash, now
from shared.recognition.model_crfs import crfs_from
from shared.recognition.model_folder import (
    TERM_COUNTS,
    read_term_counts,
    write_card,
    write_confidence_model,
    write_dictionaries,
    write_ensemble_weights,
    write_term_counts,
    write_without_crfs,
)
from shared.recognition.recognizer import Example
from shared.recognition.training.cross_validation import (
    CountGroups,
    HeldoutPatient,
    confidence_model_of,
    cross_validated_confidences,
    cross_validated_scores,
    folds_of_patients,
    heldout_patients,
    recall_level,
    tagged_words,
)
from shared.recognition.training.heldout_evaluation import (
    evaluate_companions,
    half_split_settings,
    sample_patients,
)
from shared.recognition.training.training_data import TrainingData
from shared.recognition.training.without_crfs import scores_without_crfs, trained_without_crfs
from shared.recognition.training_settings import (
    CombinationMethod,
    CrfSettings,
    Learner,
    NetworkSettings,
    RecognizerSettings,
    Units,
    settings_for_language,
)

Scores = dict[str, dict[str, float]]
"""Precision, recall, F1 and count per type, and of all together under "all"."""

Progress = Callable[[float, str], None]
"""Told how much is done (0 to 1) and what has been done."""


@dataclass(frozen=True, slots=True)
class TrainingJob:
    """A CRF to train on the examples outside one fold (None: on all), into a folder."""

    fold: int | None
    crf: CrfSettings | NetworkSettings
    seed: int
    folder: Path


def train(  # noqa: PLR0913  what it is made of, and how
    examples: Sequence[Example],
    settings: RecognizerSettings,
    folder: Path,
    *,
    schema: str = "auto",
    companions: CompanionRecognizers | None = None,
    cores: int = 1,
    on_progress: Progress | None = None,
) -> ModelCard:
    """Train on `examples` and write the model into `folder`, which must be there and empty.

    How often its `companions` are right in the examples is written into the model's folder. The
    outcome depends on examples and settings alone, not on order or cores. Raises RequestError
    where there is nothing to train on, what has no CRFs is to weigh companions or PyTorch is wanted
    and not installed, StorageError where a file cannot be written.
    """
    examples = _ordered(examples)
    settings = settings_for_language(settings, _languages(examples))
    if settings.learner is not Learner.CRF:
        return _train_without_crfs(examples, settings, folder, schema, companions)
    crossed = settings if settings.folds or companions is None else half_split_settings(settings)
    asked = examples if crossed is settings else sample_patients(examples, settings.seed)
    fold_of = folds_of_patients(asked, crossed.folds, settings.seed)
    final = [TrainingJob(None, crf, settings.seed, folder) for crf in settings.members]
    jobs = [*final, *_fold_jobs(fold_of, crossed, folder)]
    jobs.sort(key=_expected_length, reverse=True)  # the longest first, so that no core waits long
    _run(jobs, examples, fold_of, cores, on_progress)
    write_term_counts(folder / TERM_COUNTS, TrainingData(examples, settings.seed).term_counts)
    _keep_dictionaries(settings, folder)
    card = _card(examples, settings, schema)
    if settings.folds and fold_of:
        patients = _heldout(examples, fold_of, settings, folder)
        judged = cross_validated_confidences(patients, settings.seed)
        confidence_model = confidence_model_of(judged, tagged_words(examples), settings.seed)
        if confidence_model is not None:
            write_confidence_model(folder, confidence_model)
        card = replace(
            card,
            scores=cross_validated_scores(judged, card.threshold),
            recall_level=recall_level(patients),
            has_confidence_model=confidence_model is not None,
        )
    if companions is not None:
        of_folds = replace(card, settings=crossed)
        weights = evaluate_companions(companions, examples, fold_of, of_folds, folder)
        write_ensemble_weights(folder, weights)
    write_card(folder, card)
    return card


def _train_without_crfs(
    examples: Sequence[Example],
    settings: RecognizerSettings,
    folder: Path,
    schema: str,
    companions: CompanionRecognizers | None,
) -> ModelCard:
    if companions is not None:
        raise RequestError(f"{settings.name} weighs no recognizers beside it; train it without")
    card = replace(_card(examples, settings, schema), threshold=0.0)
    recognizer = trained_without_crfs(examples, card)
    write_without_crfs(folder, recognizer.model)
    if isinstance(recognizer, LinearRecognizer):
        write_dictionaries(folder, recognizer.dictionaries)
    if fold_of := folds_of_patients(examples, settings.folds, settings.seed):
        card = replace(card, scores=scores_without_crfs(examples, card, fold_of))
    write_card(folder, card)
    return card


def cross_validate(
    examples: Sequence[Example],
    settings: RecognizerSettings,
    folder: Path,
    *,
    cores: int = 1,
    on_progress: Progress | None = None,
) -> Scores:
    """Return strict scores per type of patients left out by turns; `folder` is to work in.

    Raises RequestError where there are fewer than two folds or patients.
    """
    examples = _ordered(examples)
    settings = settings_for_language(settings, _languages(examples))
    fold_of = folds_of_patients(examples, settings.folds, settings.seed)
    if not fold_of:
        raise RequestError("cross-validation needs two folds and two patients or more")
    if settings.learner is not Learner.CRF:
        return scores_without_crfs(examples, _card(examples, settings, ""), fold_of)
    _run(_fold_jobs(fold_of, settings, folder), examples, fold_of, cores, on_progress)
    patients = _heldout(examples, fold_of, settings, folder)
    judged = cross_validated_confidences(patients, settings.seed)
    return cross_validated_scores(judged, THRESHOLD)


def _heldout(
    examples: Sequence[Example], fold_of: dict[str, int], settings: RecognizerSettings, folder: Path
) -> list[HeldoutPatient]:
    found: list[HeldoutPatient] = []
    groups = CountGroups.of(examples)
    for fold in sorted(set(fold_of.values())):
        part = folder / f"fold-{fold}"
        crfs = crfs_from(part, settings, read_term_counts(part / TERM_COUNTS))
        held_out = [each for each in examples if fold_of[each.document.patient_id] == fold]
        found += heldout_patients(held_out, fold, crfs, groups)
    return found


def _ordered(examples: Sequence[Example]) -> list[Example]:
    if not any(each.tags for each in examples):
        raise RequestError("there is nothing to train on: no record has a tag; tag some first")
    return sorted(examples, key=lambda each: each.document.record_id)


def _languages(examples: Sequence[Example]) -> tuple[str, ...]:
    """The codes of the languages that a twentieth of the patients or more have records in."""
    texts: defaultdict[str, list[str]] = defaultdict(list)
    for each in examples:
        texts[each.document.patient_id].append(each.document.text)
    told = Counter(code for own in texts.values() for code in language_of(own).codes)
    return tuple(sorted(code for code, count in told.items() if 20 * count >= len(texts)))


def _keep_dictionaries(settings: RecognizerSettings, folder: Path) -> None:
    sets = [
        crf.features
        for crf in settings.members
        if isinstance(crf, NetworkSettings) or crf.units is not Units.CHARACTERS
    ]
    if any(each.looks_up for each in sets):
        write_dictionaries(folder, dictionaries_of(together(sets).locales))


def _expected_length(job: TrainingJob) -> tuple[bool, bool, bool, int]:
    crf = job.crf
    if isinstance(crf, NetworkSettings):
        return True, False, False, 0
    is_bioes = crf.scheme is Scheme.BIOES
    return False, crf.units is Units.CHARACTERS, is_bioes, len(crf.features.groups)


def _fold_jobs(
    fold_of: dict[str, int], settings: RecognizerSettings, folder: Path
) -> list[TrainingJob]:
    return [
        TrainingJob(fold, crf, settings.seed, folder / f"fold-{fold}")
        for fold in sorted(set(fold_of.values()))
        for crf in settings.members
    ]


def _card(examples: Sequence[Example], settings: RecognizerSettings, schema: str) -> ModelCard:
    return ModelCard(
        settings=settings,
        schema=schema,
        types=tuple(sorted({type_name(tag.phi_type) for each in examples for tag in each.tags})),
        records=len(examples),
        patients=len({each.document.patient_id for each in examples}),
        corpus=corpus_hash(examples),
        trained=now(),
        threshold=THRESHOLD if settings.combination is CombinationMethod.STACKED else 0.0,
    )


def _run(
    jobs: Sequence[TrainingJob],
    examples: Sequence[Example],
    fold_of: dict[str, int],
    cores: int,
    on_progress: Progress | None,
) -> None:
    def examples_of(job: TrainingJob) -> list[Example]:
        if job.fold is None:
            return list(examples)
        folds = (fold_of.get(each.document.patient_id, job.fold) for each in examples)
        return [each for each, fold in zip(examples, folds, strict=True) if fold != job.fold]

    work = ((job, examples_of(job)) for job in jobs)
    finished = starmap(_do, work) if min(cores, len(jobs)) < 2 else _done_by_others(work, cores)
    for done, job in enumerate(finished, start=1):
        if on_progress:
            on_progress(done / (len(jobs) + 1), job.crf.name)


def _done_by_others(
    work: Iterable[tuple[TrainingJob, list[Example]]], cores: int
) -> Iterator[TrainingJob]:
    """Yield each job when a process has done it. Raises RequestError where one dies."""
    with process_pool(cores) as pool:
        try:
            for future in as_completed([pool.submit(_do, *each) for each in work]):
                yield future.result()
        except BrokenExecutor:
            raise RequestError(
                "a process that trained has ended unexpectedly, perhaps for want of memory; "
                "try again, on fewer cores or with fewer records"
            ) from None
        finally:
            pool.shutdown(cancel_futures=True)


def _do(job: TrainingJob, examples: list[Example]) -> TrainingJob:
    job.folder.mkdir(mode=0o700, exist_ok=True)
    training_data = TrainingData(examples, job.seed)
    training_data.train(job.crf, job.folder / job.crf.file)
    if job.fold is not None:
        write_term_counts(job.folder / TERM_COUNTS, training_data.term_counts)
    return job
