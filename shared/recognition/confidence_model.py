"""How sure to be of a candidate: a model of when the CRFs are right.

It is learnt from what CRFs made of patients that they had not seen (stacking), so that its
confidence is calibrated, and it knows what a CRF cannot: what the other CRFs think, what competes
for the same characters, and what became of the same words elsewhere in the patient's records. It
is a maximum-entropy model, which to CRFsuite is a CRF over sequences of one.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from shared.recognition.candidates import PhiCandidate
from shared.recognition.crf.crfsuite_file import Weights
from shared.recognition.crf.trainer import fit
from shared.recognition.features import FeatureSet
from shared.recognition.training_settings import CrfSettings

RIGHT, WRONG = "right", "wrong"
SETTINGS = CrfSettings("judge", FeatureSet(()), iterations=200, c1=1.0, c2=0.3)
_EDGE = 1e-4

CandidateFeatures = dict[str, float]


def train_confidence_model(
    patients: Iterable[tuple[Sequence[PhiCandidate], Sequence[bool]]], path: Path
) -> None:
    """Learn from the candidates and whether they are right, patient by patient."""
    fit(_labelled(patients), path, SETTINGS)


def _labelled(
    patients: Iterable[tuple[Sequence[PhiCandidate], Sequence[bool]]],
) -> Iterator[tuple[list[CandidateFeatures], list[str]]]:
    for found, right in patients:
        for about, is_right in zip(candidate_features(found), right, strict=True):
            yield [about], [RIGHT if is_right else WRONG]


class ConfidenceModel:
    """A trained judge."""

    def __init__(self, weights: Weights) -> None:
        self._rows = weights.attributes
        right, wrong = weights.labels.index(RIGHT), weights.labels.index(WRONG)
        self._weights = (weights.states[:, right] - weights.states[:, wrong]).tolist()

    def confidences(self, found: Sequence[PhiCandidate]) -> list[float]:
        """Return how probable it is that each candidate of a patient is right."""
        return [self._confidence(about) for about in candidate_features(found)]

    def _confidence(self, about: CandidateFeatures) -> float:
        score = sum(
            value * self._weights[self._rows[name]]
            for name, value in about.items()
            if name in self._rows
        )
        return 1 / (1 + math.exp(-max(-50.0, min(50.0, score))))


def candidate_features(found: Sequence[PhiCandidate]) -> Iterator[CandidateFeatures]:
    """Yield what speaks for and against each candidate of a patient."""
    alike = _SameText(found)
    competing = _competing_candidates(found)
    for candidate, competitor in zip(found, competing, strict=True):
        about: CandidateFeatures = {"bias": 1.0}
        _about_votes(candidate, about)
        _about_competitor(candidate, competitor, about)
        _about_alike(candidate, alike, about)
        yield about


def _logit(probability: float) -> float:
    clipped = min(max(probability, _EDGE), 1 - _EDGE)
    return math.log(clipped / (1 - clipped)) / 3


def _about_votes(candidate: PhiCandidate, about: CandidateFeatures) -> None:
    phi_type = candidate.place.phi_type
    mean = _logit(candidate.mean)
    about |= {"mean": mean, f"mean|{phi_type}": mean, f"type={phi_type}": 1.0}
    for number, probability in enumerate(candidate.probabilities):
        about[f"crf{number}"] = _logit(probability)
    about["least"] = _logit(min(candidate.probabilities))
    about["most"] = _logit(max(candidate.probabilities))
    votes = candidate.best_of.bit_count()
    about[f"votes={votes}"] = about[f"votes={votes}|{phi_type}"] = 1.0


def _competing_candidates(found: Sequence[PhiCandidate]) -> list[PhiCandidate | None]:
    """For each candidate, the most probable other that overlaps it."""
    competing: list[PhiCandidate | None] = [None] * len(found)
    open_ones: list[int] = []
    for number, candidate in enumerate(found):
        open_ones = [
            other
            for other in open_ones
            if found[other].overlaps(candidate) and found[other].document == candidate.document
        ]
        for other in open_ones:
            for one, two in ((number, other), (other, number)):
                competitor = competing[one]
                if competitor is None or found[two].mean > competitor.mean:
                    competing[one] = found[two]
        open_ones.append(number)
    return competing


def _about_competitor(
    candidate: PhiCandidate, competitor: PhiCandidate | None, about: CandidateFeatures
) -> None:
    if competitor is None:
        about["no rival"] = 1.0
        return
    mine, its = candidate.place, competitor.place
    if mine[:2] == its[:2]:
        relation = "same"
    elif its.start <= mine.start and mine.end <= its.end:
        relation = "within"
    elif mine.start <= its.start and its.end <= mine.end:
        relation = "around"
    else:
        relation = "across"
    strength = _logit(competitor.mean)
    about |= {
        "rival": strength,
        f"rival|{mine.phi_type}": strength,
        "ahead": _logit(candidate.mean) - strength,
        f"rival={relation}": 1.0,
        f"rival={relation}|{mine.phi_type}|{its.phi_type}": 1.0,
    }


class _SameText:
    """For each text, in any case, the two most probable candidates of each type."""

    def __init__(self, found: Sequence[PhiCandidate]) -> None:
        self._best: defaultdict[str, dict[str, list[tuple[float, tuple[int, int]]]]]
        self._best = defaultdict(dict)
        for candidate in found:
            of_type = self._best[candidate.text.lower()].setdefault(candidate.place.phi_type, [])
            of_type.append((candidate.mean, _where(candidate)))
            of_type.sort(reverse=True)
            del of_type[2:]

    def elsewhere(self, candidate: PhiCandidate) -> Iterator[tuple[str, float]]:
        """Yield each type that the same text is elsewhere, and how probably at best."""
        here = _where(candidate)
        for phi_type, best in self._best[candidate.text.lower()].items():
            means = [mean for mean, where in best if where != here]
            if means:
                yield phi_type, means[0]


def _where(candidate: PhiCandidate) -> tuple[int, int]:
    return candidate.document, candidate.place.start


def _about_alike(candidate: PhiCandidate, alike: _SameText, about: CandidateFeatures) -> None:
    mine = candidate.place.phi_type
    elsewhere = list(alike.elsewhere(candidate))
    for name, same in (("alike", True), ("unlike", False)):
        means = [mean for phi_type, mean in elsewhere if (phi_type == mine) is same]
        if means:
            about[name] = _logit(max(means))
            about[f"has {name}"] = 1.0
