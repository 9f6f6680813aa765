"""A confidence model is as sure as models of its kind were right of patients left out."""

from dataclasses import replace

import numpy as np
import pytest

from shared.recognition.training import cross_validation, train
from shared.recognition.training.cross_validation import (
    confidence_model_of,
    cross_validated_confidences,
    tagged_words,
)
from shared.recognition.training_settings import SETTINGS


@pytest.fixture(scope="module")
def judged(examples, tmp_path_factory):
    settings = replace(SETTINGS["token"], folds=2)
    folder = tmp_path_factory.mktemp("folds")
    ordered = train._ordered(examples)
    fold_of = cross_validation.folds_of_patients(ordered, 2, settings.seed)
    train._run(train._fold_jobs(fold_of, settings, folder), ordered, fold_of, 1, None)
    patients = train._heldout(ordered, fold_of, settings, folder)
    return cross_validated_confidences(patients, settings.seed)


def log_odds(sure):
    clipped = np.clip(sure, 1e-7, 1 - 1e-7)
    return np.log(clipped / (1 - clipped))


def test_few_patients_change_nothing_and_many_put_all_confidence_on_one_curve(
    examples, judged, monkeypatch
):
    tagged = tagged_words(examples)
    monkeypatch.setattr(cross_validation, "LEAST_PATIENTS", len(judged) + 1)
    plain = confidence_model_of(judged, tagged, 1)
    assert (plain.trees.value == confidence_model_of(judged, tagged, 1).trees.value).all()

    monkeypatch.setattr(cross_validation, "LEAST_PATIENTS", len(judged))
    model = confidence_model_of(judged, tagged, 1)
    is_leaf = plain.trees.value != 0
    (slope, *_) = slopes = model.trees.value[is_leaf] / plain.trees.value[is_leaf]
    assert slopes == pytest.approx(slope)
    assert slope > 0
    offset = model.trees.baseline - slope * plain.trees.baseline

    sure = np.concatenate([own for _, own in judged])
    right = np.array([each for patient, _ in judged for each in patient.judged.right()])
    after = 1 / (1 + np.exp(-(slope * log_odds(sure) + offset)))
    assert after.mean() == pytest.approx(right.mean(), abs=0.01)

    def surprise(chances):
        return -np.log(np.where(right, chances, 1 - chances)).mean()

    assert surprise(after) < surprise(np.clip(sure, 1e-7, 1 - 1e-7))
