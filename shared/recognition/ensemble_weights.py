"""How far rules, a pretrained model and a trained one are trusted where they suggest together.

Rules and the model of fabricated patients ("pretrained") have seen nothing of the finished
patients, so that these are a fair test; the model that was trained on them ("trained") is tested
by models of its kind that were trained on half of a few. Each is as sure as it was right there,
given what the others make of the same place, and where they differ the surer goes first. So
fabricated patients fade where records are unlike them, and a model of few patients is no surer
than it was right.

All this has to prove better than what served before, on patients held out by turns. Until it does,
and on one patient's evidence it cannot, nothing is less sure than it was without.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shared.metrics.counts import MatchCounts
from shared.recognition.evaluation import ALL, above, strict_scores
from shared.recognition.recognizer import Example, Recognizer, Suggestion, keep_most_confident
from shared.recognition.rule_calibration import (
    MIN_CONFIDENCE,
    PRIOR_WEIGHT,
    RuleCalibration,
    SuggestionBatch,
    calibration_from,
    calibration_table,
    count_outcomes,
    summed,
)

SuggestionLists = list[tuple[Suggestion, ...]]

_RECOGNIZERS = ("rules", "pretrained", "trained")
_BANDS = (0.5, 0.8, 0.95)
"""A model's suggestions from one of these confidences to the next are counted as one rule's are."""

_TRAINED_PRIOR_WEIGHT = 2 * PRIOR_WEIGHT
"""A trained model is trusted more than was counted of models of fewer patients: it is better."""

_MOST_GROUPS = 10
"""Patients are held out one by one, or in so many groups."""


@dataclass(frozen=True, slots=True)
class CompanionRecognizers:
    """Recognizers that will suggest beside a model: rules, and perhaps a pretrained one.

    `model_version` says which one that is.
    """

    rules: Recognizer
    pretrained: Recognizer | None = None
    model_version: str = ""


@dataclass(frozen=True, slots=True)
class Predictions:
    """What each suggests in the same documents; None where it is not there or was not asked."""

    rules: SuggestionBatch
    pretrained: SuggestionBatch | None = None
    trained: SuggestionBatch | None = None

    def of(self, numbers: Sequence[int]) -> "Predictions":
        """Those in the documents of these numbers."""
        asked = (self.rules, self.pretrained, self.trained)
        rules, *models = (each and [each[number] for number in numbers] for each in asked)
        return Predictions(rules or (), *models)


EvaluatedPart = tuple[Sequence[Example], Predictions]
"""Examples, and what each suggests in them."""


@dataclass(frozen=True, slots=True)
class EnsembleWeights:
    """How often each was right, and which `model_version` of the pretrained one was asked.

    `is_proven`: that on held-out patients this was no worse than what served before.
    """

    rules: RuleCalibration = field(default_factory=RuleCalibration)
    pretrained: RuleCalibration = field(default_factory=RuleCalibration)
    trained: RuleCalibration = field(default_factory=RuleCalibration)
    model_version: str = ""
    is_proven: bool = True

    @property
    def uses_pretrained(self) -> bool:
        """Whether the pretrained model suggests beside the trained one: once it was evaluated."""
        return bool(self.pretrained.counts)

    @property
    def uses_trained(self) -> bool:
        """Whether the trained model suggests beside the pretrained one: once evaluated, too."""
        return bool(self.trained.counts) or not self.uses_pretrained

    def combine(self, votes: Predictions) -> SuggestionLists:
        """Return what is suggested in each document, as sure as it deserves."""
        models = self.of_models(votes)
        rules = self.rules.calibrated(votes.rules, models)
        calibrated = rules if models is None else _merged(rules, models)
        return calibrated if self.is_proven else _merged(_before(votes), calibrated)

    def of_models(self, votes: Predictions) -> SuggestionLists | None:
        """Return what the models suggest, None where none is there."""
        pretrained, trained = _banded(votes.pretrained), _banded(votes.trained)
        if pretrained is None or (trained is not None and not self.uses_pretrained):
            return trained
        if trained is None or not self.uses_trained:
            return self.pretrained.calibrated(pretrained)
        trusted = replace(self.trained, prior_weight=_TRAINED_PRIOR_WEIGHT)
        return _merged(
            trusted.calibrated(trained, pretrained), self.pretrained.calibrated(pretrained, trained)
        )


def fit_ensemble_weights(
    parts: Sequence[EvaluatedPart], model_version: str = ""
) -> EnsembleWeights:
    """Count how often each was right in the examples, part by part."""
    patients = list(_by_patient(parts))
    return replace(_fitted(patients), model_version=model_version, is_proven=_is_no_worse(patients))


def _fitted(parts: Sequence[EvaluatedPart]) -> EnsembleWeights:
    models = EnsembleWeights(
        pretrained=_earned(
            (each, _banded(found.pretrained), found.trained) for each, found in parts
        ),
        trained=_earned((each, _banded(found.trained), found.pretrained) for each, found in parts),
    )
    rules = _earned((each, found.rules, models.of_models(found)) for each, found in parts)
    return replace(models, rules=rules)


def _is_no_worse(patients: Sequence[EvaluatedPart]) -> bool:
    """Whether weights of other patients suggest at least as well as what served without any."""
    if len(patients) < 2:
        return False
    groups = min(len(patients), _MOST_GROUPS)
    before = after = MatchCounts()
    for group in range(groups):
        others = [each for number, each in enumerate(patients) if number % groups != group]
        weights = _fitted(others)
        for examples, votes in patients[group::groups]:
            if votes.pretrained is not None or votes.trained is not None:
                before += _shown(examples, _before(votes))
                after += _shown(examples, weights.combine(votes))
    return after.f1 >= before.f1


def _before(votes: Predictions) -> SuggestionLists:
    """What serves before any patient is finished: rules and fabricated patients at their word."""
    return EnsembleWeights().combine(Predictions(votes.rules, votes.pretrained))


def _shown(examples: Sequence[Example], found: SuggestionLists) -> MatchCounts:
    return strict_scores(examples, above(found, MIN_CONFIDENCE))[ALL]


def _by_patient(parts: Iterable[EvaluatedPart]) -> Iterator[EvaluatedPart]:
    for examples, votes in parts:
        numbers: defaultdict[str, list[int]] = defaultdict(list)
        for number, example in enumerate(examples):
            numbers[example.document.patient_id].append(number)
        for own in numbers.values():
            yield [examples[number] for number in own], votes.of(own)


def weights_table(ensemble: EnsembleWeights) -> dict[str, Any]:
    """Return what a file says of it; `weights_from` reads that."""
    table = {name: calibration_table(getattr(ensemble, name)) for name in _RECOGNIZERS}
    return {"model_version": ensemble.model_version, "proven": ensemble.is_proven, **table}


def weights_from(table: Mapping[str, Any]) -> EnsembleWeights:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    calibration = {name: calibration_from(table[name]) for name in _RECOGNIZERS}
    proven = table.get("proven", True) is True
    return EnsembleWeights(
        **calibration, model_version=str(table["model_version"]), is_proven=proven
    )


def _earned(
    parts: Iterable[tuple[Sequence[Example], SuggestionBatch | None, SuggestionBatch | None]],
) -> RuleCalibration:
    return RuleCalibration(
        summed(
            count_outcomes(examples, found, others)
            for examples, found, others in parts
            if found is not None
        )
    )


def _banded(found: SuggestionBatch | None) -> SuggestionLists | None:
    """Name the band of confidence in which a model's suggestions lie as their rule."""
    if found is None:
        return None
    return [tuple(replace(one, rule=_band(one)) for one in each) for each in found]


def _band(suggestion: Suggestion) -> str:
    return f"from {(0.0, *_BANDS)[bisect_right(_BANDS, suggestion.confidence)]:.2f}"


def _merged(*findings: Sequence[Iterable[Suggestion]]) -> SuggestionLists:
    return [
        keep_most_confident(one for finding in of_document for one in finding)
        for of_document in zip(*findings, strict=True)
    ]
