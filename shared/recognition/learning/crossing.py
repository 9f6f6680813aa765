"""What CRFs make of patients that they were not trained on.

Here the judge learns when to trust them, and here all scores of cross-validation come from.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from shared.recognition.candidates import Candidate, candidates
from shared.recognition.cover import outside
from shared.recognition.crf.chain import Floats
from shared.recognition.crf.crfs import Crfs
from shared.recognition.crf.crfsuite_file import read_weights
from shared.recognition.crf.reading import Place, Reading
from shared.recognition.evaluation import counts_row, strict_counts
from shared.recognition.example import Example
from shared.recognition.judge import Judge, train_judge
from shared.recognition.labels import type_name
from shared.recognition.model import Part, batches, by_patient, chosen_from, confidences

PRECISION_OF_RECALL = 0.96
"""Recall mode covers as much as it can with this share of PHI among the tokens it covers.

It is told from models of parts of the records; that of all of them has a somewhat larger share.
"""
LEAST_SURE, MOST_SURE = 0.5, 0.995
"""Between these lies the level at which recall mode covers a token."""


@dataclass(frozen=True, slots=True)
class Unseen:
    """A patient in parts: candidates, and the right places of each part.

    `chances` holds, for all tokens one after the other, the probability that they are no PHI, and
    `is_phi` whether they are.
    """

    fold: int
    found: list[Candidate]
    gold: list[set[Place]]
    chances: Floats
    is_phi: Floats

    def right(self) -> list[bool]:
        return [candidate.place in self.gold[candidate.document] for candidate in self.found]


def unseen_patients(examples: Sequence[Example], fold: int, crfs: Crfs) -> Iterator[Unseen]:
    """Read the examples of one fold with CRFs that were trained on the others."""
    documents = [example.document for example in examples]
    for batch in batches(documents):
        for parts, readings in by_patient(documents, batch, crfs):
            yield _unseen(examples, fold, parts, readings)


def cross_scores(
    patients: Sequence[Unseen], folder: Path, threshold: float
) -> dict[str, dict[str, float]]:
    """Return strict scores per type, of each fold by a judge that learnt from the others."""
    pairs: list[tuple[set[Place], set[Place]]] = []
    for fold in sorted({patient.fold for patient in patients}):
        own = [patient for patient in patients if patient.fold == fold]
        judge = trained_judge(
            [each for each in patients if each.fold != fold],
            folder / f"fold-{fold}" / "judge.crfsuite",
        )
        for patient in own:
            pairs += zip(_chosen(patient, judge, threshold), patient.gold, strict=True)
    return {name: counts_row(counts) for name, counts in sorted(strict_counts(pairs).items())}


def trained_judge(patients: Sequence[Unseen], path: Path) -> Judge | None:
    """Train a judge and write it to `path`; None where there is nothing to tell right from."""
    verdicts = {is_right for patient in patients for is_right in patient.right()}
    if len(verdicts) < 2:
        return None
    train_judge(((each.found, each.right()) for each in patients), path)
    return Judge(read_weights(path))


def recall_level(patients: Sequence[Unseen]) -> float:
    """Return the highest level at which recall mode is still precise enough."""
    chances = np.concatenate([patient.chances for patient in patients])
    is_phi = np.concatenate([patient.is_phi for patient in patients])
    order = np.argsort(chances, kind="stable")
    precision = np.cumsum(is_phi[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(precision >= PRECISION_OF_RECALL)
    level = float(chances[order[enough[-1]]]) if len(enough) else LEAST_SURE
    return min(max(level, LEAST_SURE), MOST_SURE)


def _unseen(
    examples: Sequence[Example],
    fold: int,
    parts: Sequence[Part],
    readings: Sequence[Sequence[Reading]],
) -> Unseen:
    texts = [part.text for part in parts]
    gold = [_gold_places(examples[part.number], part) for part in parts]
    return Unseen(
        fold,
        candidates(texts, readings),
        gold,
        np.concatenate(
            [outside(part.sheet, each) for part, each in zip(parts, readings, strict=True)]
        ),
        np.concatenate([_is_phi(part, places) for part, places in zip(parts, gold, strict=True)]),
    )


def _gold_places(example: Example, part: Part) -> set[Place]:
    end = part.offset + len(part.text)
    return {
        Place(tag.start - part.offset, tag.end - part.offset, type_name(tag.phi_type))
        for tag in example.tags
        if part.offset <= tag.start and tag.end <= end
    }


def _is_phi(part: Part, places: set[Place]) -> Floats:
    inside = np.zeros(len(part.sheet))
    for place in places:
        first, last = part.sheet.between(place.start, place.end)
        inside[first:last] = 1
    return inside


def _chosen(patient: Unseen, judge: Judge | None, threshold: float) -> list[set[Place]]:
    sure = confidences(patient.found, judge)
    return [
        {
            Place(each.start, each.end, type_name(each.phi_type))
            for each in chosen_from(patient.found, sure, part, threshold, "")
        }
        for part in range(len(patient.gold))
    ]
