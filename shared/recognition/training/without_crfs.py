"""Training what has no CRFs: the hidden Markov model of IdentiFinder, linear models of words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from shared.recognition.dictionaries import dictionaries_of
from shared.recognition.evaluation import counts_row, strict_scores
from shared.recognition.hmm_recognizer import HmmRecognizer, train_hmm
from shared.recognition.labels import type_name
from shared.recognition.linear_recognizer import LinearRecognizer, train_linear
from shared.recognition.model_card import ModelCard
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.training_settings import Learner


def trained_without_crfs(
    examples: Sequence[Example], card: ModelCard
) -> HmmRecognizer | LinearRecognizer:
    """Train what a card describes on examples, in order. Raises RequestError for too many types."""
    if card.settings.learner is Learner.HMM:
        return HmmRecognizer(card, train_hmm(examples, card.types))
    known = dictionaries_of(card.settings.features.locales)
    return LinearRecognizer(card, train_linear(examples, card.settings, card.types, known), known)


def scores_without_crfs(
    examples: Sequence[Example], card: ModelCard, fold_of: Mapping[str, int]
) -> dict[str, dict[str, float]]:
    """Return strict scores per type of patients left out by turns, fold by fold."""
    judged: list[Example] = []
    found: list[tuple[Suggestion, ...]] = []
    for fold in sorted(set(fold_of.values())):
        others = [each for each in examples if fold_of[each.document.patient_id] != fold]
        types = {type_name(tag.phi_type) for each in others for tag in each.tags}
        recognizer = trained_without_crfs(others, replace(card, types=tuple(sorted(types))))
        own = [each for each in examples if fold_of[each.document.patient_id] == fold]
        found += recognizer.suggest([each.document for each in own])
        judged += own
    return {name: counts_row(counts) for name, counts in strict_scores(judged, found).items()}
