"""What CRFs make of patients that they were not trained on.

The confidence model is fitted to it, and all scores of cross-validation come from it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from shared.recognition.candidates import PhiCandidate, candidates
from shared.recognition.confidence_model import ConfidenceModel, fit_confidence_model
from shared.recognition.crf.crfs import Crfs
from shared.recognition.crf.forward_backward import Floats
from shared.recognition.crf.marginals import CrfMarginals, LabelledSpan
from shared.recognition.crf_recognizer import (
    DocumentPart,
    batches,
    chosen_suggestions,
    confidences,
    predict_by_patient,
)
from shared.recognition.evaluation import counts_row, labelled_spans, strict_counts
from shared.recognition.labels import type_name
from shared.recognition.recall_mode import outside
from shared.recognition.recognizer import Example

PRECISION_OF_RECALL = 0.96
"""Recall mode covers as much as it can with this share of PHI among the tokens it covers.

It is measured by models of parts of the records; that of all has a somewhat larger share.
"""
LEAST_SURE, MOST_SURE = 0.5, 0.995
"""Between these lies the level at which recall mode covers a token."""


@dataclass(frozen=True, slots=True)
class HeldoutPatient:
    """A patient in parts: candidates, and the right places of each part.

    `chances` holds, for all tokens one after the other, the probability that they are no PHI, and
    `is_phi` whether they are.
    """

    fold: int
    found: list[PhiCandidate]
    gold: list[set[LabelledSpan]]
    chances: Floats
    is_phi: Floats

    def right(self) -> list[bool]:
        return [candidate.place in self.gold[candidate.document] for candidate in self.found]


def folds_of_patients(examples: Sequence[Example], count: int, seed: int) -> dict[str, int]:
    """Return the fold of each patient, drawn at random; empty where there would be but one."""
    patients = [example.document.patient_id for example in examples]
    count = min(count, len(set(patients)))
    if count < 2:
        return {}
    splitter: Any = import_module("sklearn.model_selection").GroupKFold(
        count, shuffle=True, random_state=seed
    )
    folds = enumerate(splitter.split(patients, groups=patients))
    return {patients[at]: fold for fold, (_, heldout) in folds for at in heldout}


def heldout_patients(
    examples: Sequence[Example], fold: int, crfs: Crfs
) -> Iterator[HeldoutPatient]:
    """Read the examples of one fold with CRFs that were trained on the others."""
    documents = [example.document for example in examples]
    for batch in batches(documents):
        for parts, predictions in predict_by_patient(documents, batch, crfs):
            yield _heldout(examples, fold, parts, predictions)


def cross_validated_scores(
    patients: Sequence[HeldoutPatient], threshold: float
) -> dict[str, dict[str, float]]:
    """Return strict scores per type, of each fold by a confidence model fitted to the others."""
    pairs: list[tuple[set[LabelledSpan], set[LabelledSpan]]] = []
    for fold in sorted({patient.fold for patient in patients}):
        own = [patient for patient in patients if patient.fold == fold]
        confidence_model = confidence_model_of([each for each in patients if each.fold != fold])
        for patient in own:
            pairs += zip(_chosen(patient, confidence_model, threshold), patient.gold, strict=True)
    return {name: counts_row(counts) for name, counts in sorted(strict_counts(pairs).items())}


def confidence_model_of(patients: Sequence[HeldoutPatient]) -> ConfidenceModel | None:
    """Fit a confidence model; None where there is nothing to tell right from wrong by."""
    return fit_confidence_model([(each.found, each.right()) for each in patients])


def recall_level(patients: Sequence[HeldoutPatient]) -> float:
    """Return the highest level at which recall mode is still precise enough."""
    chances = np.concatenate([patient.chances for patient in patients])
    is_phi = np.concatenate([patient.is_phi for patient in patients])
    order = np.argsort(chances, kind="stable")
    precision = np.cumsum(is_phi[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(precision >= PRECISION_OF_RECALL)
    level = float(chances[order[enough[-1]]]) if len(enough) else LEAST_SURE
    return min(max(level, LEAST_SURE), MOST_SURE)


def _heldout(
    examples: Sequence[Example],
    fold: int,
    parts: Sequence[DocumentPart],
    predictions: Sequence[Sequence[CrfMarginals]],
) -> HeldoutPatient:
    texts = [part.text for part in parts]
    gold = [_gold_places(examples[part.number], part) for part in parts]
    return HeldoutPatient(
        fold,
        candidates(texts, predictions),
        gold,
        np.concatenate(
            [outside(part.tokenized, each) for part, each in zip(parts, predictions, strict=True)]
        ),
        np.concatenate([_is_phi(part, places) for part, places in zip(parts, gold, strict=True)]),
    )


def _gold_places(example: Example, part: DocumentPart) -> set[LabelledSpan]:
    end = part.offset + len(part.text)
    return {
        LabelledSpan(tag.start - part.offset, tag.end - part.offset, type_name(tag.phi_type))
        for tag in example.tags
        if part.offset <= tag.start and tag.end <= end
    }


def _is_phi(part: DocumentPart, places: set[LabelledSpan]) -> Floats:
    inside = np.zeros(len(part.tokenized))
    for place in places:
        first, last = part.tokenized.between(place.start, place.end)
        inside[first:last] = 1
    return inside


def _chosen(
    patient: HeldoutPatient, confidence_model: ConfidenceModel | None, threshold: float
) -> list[set[LabelledSpan]]:
    sure = confidences(patient.found, confidence_model)
    return [
        labelled_spans(chosen_suggestions(patient.found, sure, part, threshold, ""))
        for part in range(len(patient.gold))
    ]
