"""What CRFs make of patients that they were not trained on.

The confidence model is fitted to it, and all scores of cross-validation come from it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from shared.recognition.confidence.confidence_model import (
    GROUPS,
    ConfidenceModel,
    JudgedPatient,
    fit_confidence_model,
)
from shared.recognition.confidence.proposals import Proposals
from shared.recognition.confidence.tagged_words import TaggedWords, count_tagged_words
from shared.recognition.crf.forward_backward import Floats
from shared.recognition.crf.marginals import CrfMarginals, LabelledSpan
from shared.recognition.crf_recognizer import (
    DocumentPart,
    batches,
    chosen_suggestions,
    predict_by_patient,
)
from shared.recognition.evaluation import counts_row, labelled_spans, strict_counts
from shared.recognition.features import TokenizedDocument
from shared.recognition.labels import type_name
from shared.recognition.logistic_curve import fitted_curve
from shared.recognition.model_crfs import Crfs
from shared.recognition.recall_mode import outside
from shared.recognition.recognizer import Example

PRECISION_OF_RECALL = 0.96
"""Recall mode covers as much as it can with this share of PHI among the tokens it covers.

It is measured by models of parts of the records; that of all has a somewhat larger share.
"""
LEAST_PATIENTS = 50
"""Of fewer, how sure trees were says too little of how sure they should be."""
_SURE = 1e-7, 1 - 1e-7
LEAST_SURE, MOST_SURE = 0.5, 0.995
"""Between these lies the level at which recall mode covers a token."""


@dataclass(frozen=True, slots=True)
class HeldoutPatient:
    """What is made of a patient by CRFs that were trained without the patients of its `fold`.

    `chances` holds, for all tokens one after the other, the probability that they are no PHI, and
    `is_phi` whether they are.
    """

    fold: int
    judged: JudgedPatient
    chances: Floats
    is_phi: Floats


def folds_of_patients(examples: Sequence[Example], count: int, seed: int) -> dict[str, int]:
    """Return the fold of each patient, drawn at random; empty where there would be but one."""
    patients = [example.document.patient_id for example in examples]
    count = min(count, len(set(patients)))
    if count < 2:
        return {}
    drawn = np.random.RandomState(seed).permutation(np.unique(patients))
    folds = enumerate(np.array_split(drawn, count))
    return {str(patient): fold for fold, own in folds for patient in own}


def tagged_words(examples: Sequence[Example]) -> TaggedWords:
    """Count the words in and around the tags of examples."""
    return count_tagged_words(
        (TokenizedDocument(each.document.text), labelled_spans(each.tags)) for each in examples
    )


@dataclass(frozen=True, slots=True)
class CountGroups:
    """In which group each patient is, and what the tags of the other groups' patients tell."""

    group_of: Mapping[str, int]
    tagged: Sequence[TaggedWords]
    proposals: Sequence[Proposals]

    @classmethod
    def of(cls, examples: Sequence[Example]) -> "CountGroups":
        patients = sorted({each.document.patient_id for each in examples})
        group_of = {patient: number % GROUPS for number, patient in enumerate(patients)}
        tagged = [
            tagged_words([each for each in examples if group_of[each.document.patient_id] != group])
            for group in range(GROUPS)
        ]
        return cls(group_of, tagged, list(map(Proposals, tagged)))


def heldout_patients(
    examples: Sequence[Example], fold: int, crfs: Crfs, groups: CountGroups
) -> Iterator[HeldoutPatient]:
    """Read the examples of one fold with CRFs that were trained on the others."""
    documents = [example.document for example in examples]
    for batch in batches(documents):
        for parts, predictions in predict_by_patient(documents, batch, crfs):
            gold = [_gold_places(examples[part.number], part) for part in parts]
            group = groups.group_of[documents[parts[0].number].patient_id]
            tokenized = [part.tokenized for part in parts]
            found = groups.proposals[group].candidates(tokenized, predictions)
            judged = JudgedPatient(found, gold, group, groups.tagged[group])
            yield HeldoutPatient(fold, judged, *_chances(parts, predictions, gold))


JudgedCandidates = Sequence[tuple[HeldoutPatient, list[float]]]
"""Patients, each with how sure to be of its candidates, part by part."""


def cross_validated_confidences(
    patients: Sequence[HeldoutPatient], seed: int
) -> list[tuple[HeldoutPatient, list[float]]]:
    """Judge the candidates of each fold by a confidence model fitted to the other folds."""
    judged: list[tuple[HeldoutPatient, list[float]]] = []
    for fold in sorted({patient.fold for patient in patients}):
        own = [patient for patient in patients if patient.fold == fold]
        others = [each.judged for each in patients if each.fold != fold]
        confidence_model = fit_confidence_model(others, own[0].judged.tagged, seed)
        judged += ((each, _confidences(each.judged, confidence_model)) for each in own)
    return judged


def cross_validated_scores(
    judged: JudgedCandidates, threshold: float
) -> dict[str, dict[str, float]]:
    """Return strict scores per type."""
    counts = strict_counts(chosen_and_right(judged, threshold))
    return {name: counts_row(of_type) for name, of_type in sorted(counts.items())}


def chosen_and_right(
    judged: JudgedCandidates, threshold: float
) -> list[tuple[set[LabelledSpan], set[LabelledSpan]]]:
    """Return, for each part of a record, what is suggested and what is right."""
    pairs: list[tuple[set[LabelledSpan], set[LabelledSpan]]] = []
    for patient, sure in judged:
        found = [each for part in patient.judged.parts for each in part.found]
        for number, gold in enumerate(patient.judged.gold):
            chosen = chosen_suggestions(found, sure, number, threshold, "")
            pairs.append((labelled_spans(chosen), gold))
    return pairs


def confidence_model_of(
    judged: JudgedCandidates, tagged: TaggedWords, seed: int
) -> ConfidenceModel | None:
    """Fit a confidence model; None where there is nothing to tell right from wrong by.

    It is as sure as models of its kind were right of patients that they were not fitted to, who
    have been `judged` by these: trees are too sure of what they have not seen.
    """
    model = fit_confidence_model([each.judged for each, _ in judged], tagged, seed)
    if model is None or len(judged) < LEAST_PATIENTS:
        return model
    sure = np.clip(np.concatenate([own for _, own in judged]), *_SURE)
    right = [is_right for each, _ in judged for is_right in each.judged.right()]
    curve = fitted_curve(np.log(sure / (1 - sure)), np.array(right, np.float64))
    return replace(model, trees=model.trees.on_curve(*curve))


def recall_level(patients: Sequence[HeldoutPatient]) -> float:
    """Return the highest level at which recall mode is still precise enough."""
    chances = np.concatenate([patient.chances for patient in patients])
    is_phi = np.concatenate([patient.is_phi for patient in patients])
    order = np.argsort(chances, kind="stable")
    precision = np.cumsum(is_phi[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(precision >= PRECISION_OF_RECALL)
    level = float(chances[order[enough[-1]]]) if len(enough) else LEAST_SURE
    return min(max(level, LEAST_SURE), MOST_SURE)


def _chances(
    parts: Sequence[DocumentPart],
    predictions: Sequence[Sequence[CrfMarginals]],
    gold: Sequence[set[LabelledSpan]],
) -> tuple[Floats, Floats]:
    """For all tokens one after the other: the probability to be no PHI, and whether it is."""
    read = zip(parts, predictions, strict=True)
    places = zip(parts, gold, strict=True)
    return (
        np.concatenate([outside(part.tokenized, each) for part, each in read]),
        np.concatenate([_is_phi(part, each) for part, each in places]),
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


def _confidences(patient: JudgedPatient, model: ConfidenceModel | None) -> list[float]:
    if model is None:
        return [each.mean for part in patient.parts for each in part.found]
    return model.confidences(patient.parts)
