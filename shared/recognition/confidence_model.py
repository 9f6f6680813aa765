"""How sure to be of a candidate: a model of when the CRFs are right.

It is fitted to what CRFs made of patients that they had not seen (stacking), so that its
confidence is calibrated, and it knows what a CRF cannot: what the other CRFs think, what competes
for the same characters, and what became of the same words elsewhere in the patient's records.
"""

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from shared.recognition.candidates import PhiCandidate

INVERSE_REGULARIZATION = 3.0
MAX_ITERATIONS = 1000
_MAX_SCORE = 50.0
_EDGE = 1e-4

CandidateFeatures = dict[str, float]


@dataclass(frozen=True, slots=True)
class ConfidenceModel:
    """A logistic regression: the weight of each feature of a candidate, and the intercept."""

    weights: Mapping[str, float]
    intercept: float = 0.0

    def confidences(self, found: Sequence[PhiCandidate]) -> list[float]:
        """Return how probable it is that each candidate of a patient is right."""
        return [self._confidence(features) for features in candidate_features(found)]

    def _confidence(self, features: CandidateFeatures) -> float:
        weights = self.weights
        score = self.intercept
        for name, value in features.items():
            if name in weights:
                score += value * weights[name]
        return 1 / (1 + math.exp(-max(-_MAX_SCORE, min(_MAX_SCORE, score))))


def fit_confidence_model(
    patients: Sequence[tuple[Sequence[PhiCandidate], Sequence[bool]]],
) -> ConfidenceModel | None:
    """Fit to the candidates of patients and whether they are right; None where all or none are."""
    right = [is_right for _, of_patient in patients for is_right in of_patient]
    if len(set(right)) < 2:
        return None
    features = [each for found, _ in patients for each in candidate_features(found)]
    vectorizer: Any = import_module("sklearn.feature_extraction").DictVectorizer()
    matrix = vectorizer.fit_transform(features)
    regression: Any = import_module("sklearn.linear_model").LogisticRegression(
        C=INVERSE_REGULARIZATION, max_iter=MAX_ITERATIONS
    )
    regression.fit(matrix, right)
    names: list[str] = vectorizer.get_feature_names_out().tolist()
    weights: list[float] = regression.coef_[0].tolist()
    return ConfidenceModel(dict(zip(names, weights, strict=True)), float(regression.intercept_[0]))


def confidence_table(model: ConfidenceModel) -> dict[str, Any]:
    """Return what a file says of it; `confidence_model_from` reads that."""
    return {"intercept": model.intercept, "weights": dict(model.weights)}


def confidence_model_from(table: Mapping[str, Any]) -> ConfidenceModel:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    weights = {str(name): _finite(weight) for name, weight in table["weights"].items()}
    return ConfidenceModel(weights, _finite(table["intercept"]))


def _finite(value: object) -> float:
    number = float(value)  # pyright: ignore[reportArgumentType]  what is no number is malformed
    if not math.isfinite(number):
        raise ValueError
    return number


def candidate_features(found: Sequence[PhiCandidate]) -> Iterator[CandidateFeatures]:
    """Yield what speaks for and against each candidate of a patient."""
    same_text = _SameText(found)
    competing = _competing_candidates(found)
    for candidate, competitor in zip(found, competing, strict=True):
        about: CandidateFeatures = {}
        _about_votes(candidate, about)
        _about_competitor(candidate, competitor, about)
        _about_same_text(candidate, same_text, about)
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


def _about_same_text(
    candidate: PhiCandidate, same_text: _SameText, about: CandidateFeatures
) -> None:
    mine = candidate.place.phi_type
    elsewhere = list(same_text.elsewhere(candidate))
    for name, same in (("alike", True), ("unlike", False)):
        means = [mean for phi_type, mean in elsewhere if (phi_type == mine) is same]
        if means:
            about[name] = _logit(max(means))
            about[f"has {name}"] = 1.0
