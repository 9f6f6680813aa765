from dataclasses import replace

import pytest

from shared.errors import RequestError
from shared.recognition.evaluation import strict_scores
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.cross_validation import folds_of_patients
from shared.recognition.training.train import cross_validate, train
from shared.recognition.training_settings import SETTINGS

NAMES = ("identifinder", "stat-deid", "snow")


@pytest.mark.parametrize("name", NAMES)
def test_scores_are_those_of_models_that_did_not_know_the_patients(examples, tmp_path, name):
    settings = replace(SETTINGS[name], folds=2)
    scores = cross_validate(examples, settings, tmp_path)
    fold_of = folds_of_patients(examples, 2, settings.seed)
    judged, found = [], []
    for fold in (0, 1):
        folder = tmp_path / str(fold)
        folder.mkdir()
        train(
            [e for e in examples if fold_of[e.document.patient_id] != fold], SETTINGS[name], folder
        )
        own = [e for e in examples if fold_of[e.document.patient_id] == fold]
        judged += own
        model = open_recognizer(RecognizerSpec((str(folder),)))
        found += model.suggest([each.document for each in own])
    counts = strict_scores(judged, found)
    assert scores.keys() == counts.keys()
    assert scores["all"]["f1"] == round(counts["all"].f1, 4)
    assert 0.5 < scores["all"]["f1"] < 1


@pytest.mark.parametrize("name", NAMES)
def test_the_card_of_a_cross_validated_model_has_its_scores(examples, tmp_path, name):
    card = train(examples, replace(SETTINGS[name], folds=2), tmp_path)
    assert card.scores == cross_validate(examples, replace(SETTINGS[name], folds=2), tmp_path)
    assert train_plainly(examples, tmp_path / "plain", name).scores == {}


def train_plainly(examples, folder, name):
    folder.mkdir()
    return train(examples, SETTINGS[name], folder)


def test_a_type_that_is_in_one_fold_only_is_missed_and_counted(examples, tmp_path):
    last = max(each.document.patient_id for each in examples)
    settings = replace(SETTINGS["stat-deid"], folds=2)
    odd = [
        replace(each, tags=tuple(tag for tag in each.tags if keeps(tag, each, last)))
        for each in examples
    ]
    scores = cross_validate(odd, settings, tmp_path)
    assert scores["ID:MEDICALRECORD"] == {"precision": 0.0, "recall": 0.0, "f1": 0.0, "count": 2}


def keeps(tag, example, patient):
    return tag.phi_type.name != "MEDICALRECORD" or example.document.patient_id == patient


def test_one_patient_cannot_be_left_out(examples, tmp_path):
    settings = replace(SETTINGS["snow"], folds=2)
    with pytest.raises(RequestError, match="two patients"):
        cross_validate(examples[:1], settings, tmp_path)
    assert train(examples[:1], settings, tmp_path).scores == {}
