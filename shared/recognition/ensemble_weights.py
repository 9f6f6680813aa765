"""How far rules, a pretrained model and a trained one are trusted where they suggest together.

Rules and the model of fabricated patients ("pretrained") have seen nothing of the finished
patients, so that these are a fair test; the model that was trained on them ("trained") is tested
by models of its kind that were trained on half of a few. Each is as sure as it was right there,
given what the others make of the same place, and where they differ the surer goes first. So
fabricated patients fade where records are unlike them, and a model of few patients is no surer
than it was right.
"""

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shared.recognition.recognizer import Example, Recognizer, Suggestion, keep_most_confident
from shared.recognition.rule_calibration import (
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


@dataclass(frozen=True, slots=True)
class EnsembleWeights:
    """How often each was right, and which `model_version` of the pretrained one was asked."""

    rules: RuleCalibration = field(default_factory=RuleCalibration)
    pretrained: RuleCalibration = field(default_factory=RuleCalibration)
    trained: RuleCalibration = field(default_factory=RuleCalibration)
    model_version: str = ""

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
        return rules if models is None else _merged(rules, models)

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
    parts: Sequence[tuple[Sequence[Example], Predictions]], model_version: str = ""
) -> EnsembleWeights:
    """Count how often each was right in the examples, part by part."""
    models = EnsembleWeights(
        pretrained=_earned(
            (each, _banded(found.pretrained), found.trained) for each, found in parts
        ),
        trained=_earned((each, _banded(found.trained), found.pretrained) for each, found in parts),
    )
    rules = _earned((each, found.rules, models.of_models(found)) for each, found in parts)
    return replace(models, rules=rules, model_version=model_version)


def weights_table(ensemble: EnsembleWeights) -> dict[str, Any]:
    """Return what a file says of it; `weights_from` reads that."""
    table = {name: calibration_table(getattr(ensemble, name)) for name in _RECOGNIZERS}
    return {"model_version": ensemble.model_version, **table}


def weights_from(table: Mapping[str, Any]) -> EnsembleWeights:
    """Raises what reading a table of another shape ends in, `MALFORMED`."""
    calibration = {name: calibration_from(table[name]) for name in _RECOGNIZERS}
    return EnsembleWeights(**calibration, model_version=str(table["model_version"]))


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
