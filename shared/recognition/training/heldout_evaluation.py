"""What those are worth that will suggest beside a model, on patients that were held out.

They were not trained on the finished patients, which are fair to them; models are asked
only about patients that they were not trained on. Where no such models are trained anyway, a quick
one is asked about a few patients, for the training to stay short.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

from shared.recognition.crf_recognizer import CrfRecognizer
from shared.recognition.ensemble_weights import (
    CompanionRecognizers,
    EnsembleWeights,
    Predictions,
    fit_ensemble_weights,
)
from shared.recognition.model_card import ModelCard
from shared.recognition.model_crfs import crfs_from
from shared.recognition.model_folder import (
    TERM_COUNTS,
    read_confidence_model,
    read_term_counts,
)
from shared.recognition.recognizer import Example
from shared.recognition.training_settings import RecognizerSettings

MIN_RECORDS = 15
"""About so many records are enough to ask about."""
ITERATIONS = 25


def half_split_settings(settings: RecognizerSettings) -> RecognizerSettings:
    """What to train on either half of a few patients, to ask it about the other half."""
    quick = replace(settings.crfs[0], iterations=ITERATIONS)
    return replace(settings, crfs=(quick,), networks=(), folds=2)


def sample_patients(examples: Sequence[Example], seed: int) -> list[Example]:
    """Return the examples of patients drawn at random, two of them at least."""
    patients = sorted({each.document.patient_id for each in examples})
    Random(seed).shuffle(patients)
    chosen: list[Example] = []
    for number, patient in enumerate(patients):
        if number < 2 or len(chosen) < MIN_RECORDS:
            chosen += [each for each in examples if each.document.patient_id == patient]
    return chosen


def evaluate_companions(
    companions: CompanionRecognizers,
    examples: Sequence[Example],
    fold_of: Mapping[str, int],
    card: ModelCard,
    folder: Path,
) -> EnsembleWeights:
    """Count how often those beside a model, and models of its kind, are right in the examples.

    `card` describes the models of the folds that lie in `folder`. Of patients of no fold only
    rules are asked, unless there is no other.
    """
    count = len(card.settings.members)
    confidence_model = read_confidence_model(folder, count) if card.has_confidence_model else None
    parts: list[tuple[list[Example], Predictions]] = []
    for fold in sorted({None, *fold_of.values()}, key=str):
        own = [each for each in examples if fold_of.get(each.document.patient_id) == fold]
        documents = [each.document for each in own]
        pretrained = trained = None
        if companions.pretrained is not None and (fold is not None or not fold_of):
            pretrained = companions.pretrained.suggest(documents)
        if fold is not None:
            part = folder / f"fold-{fold}"
            crfs = crfs_from(part, card.settings, read_term_counts(part / TERM_COUNTS))
            trained = CrfRecognizer(card, crfs, confidence_model).suggest(documents)
        by_rules = companions.rules.suggest(documents)
        parts.append((own, Predictions(by_rules, pretrained, trained)))
    return fit_ensemble_weights(parts, companions.model_version)
