"""What rules earned on finished patients decides how sure to be of them beside a model."""

import json
from dataclasses import replace

import pytest

from shared.errors import FileFormatError
from shared.formats.schema_auto import schema_of_types
from shared.language.patterns import Pattern
from shared.model import Span
from shared.recognition.ensemble_weights import CompanionRecognizers, EnsembleWeights
from shared.recognition.model_folder import (
    ENSEMBLE_WEIGHTS,
    load_model,
    new_model_folder,
    read_ensemble_weights,
)
from shared.recognition.recognizer import Suggestion
from shared.recognition.rule_calibration import (
    ModelAgreement,
    OutcomeCount,
    RuleCalibration,
    count_outcomes,
    model_agreements,
)
from shared.recognition.rules import Rules
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from tests.builders import phi

DATE, CITY = phi("DATE"), phi("CITY")
GRADES = "DATE:DATE grade"
RULES = Rules(
    [Pattern(("DATE",), (), find, 0.9) for find in (r"120/80", r"\d+/\d+/2071")],
    schema_of_types([DATE], "dates"),
)


def by_rule(start=0, end=3, rule="grade", confidence=0.9):
    return Suggestion(Span(start, end), DATE, confidence, "rules", rule)


def by_model(start, end, phi_type=DATE, confidence=0.8):
    return Suggestion(Span(start, end), phi_type, confidence, "token")


def trained(examples, folder, settings=SETTINGS["token"], rules=RULES):
    with new_model_folder(folder) as partial:
        train(examples, settings, partial, companions=rules and CompanionRecognizers(rules))
    return read_ensemble_weights(folder).rules


def sure(rule_calibration, found, of_model=None):
    by_model = None if of_model is None else [of_model]
    ((calibrated,),) = rule_calibration.calibrated([[found]], by_model)
    return calibrated.confidence


def of_rule(rule_calibration, find):
    return sum(rule_calibration.counts.get(f"DATE:DATE {find}", {}).values(), OutcomeCount())


@pytest.mark.parametrize(
    ("of_model", "agreement"),
    [
        ([by_model(0, 3)], ModelAgreement.AGREES),
        ([by_model(0, 3, CITY)], ModelAgreement.DIFFERS),
        ([by_model(1, 6)], ModelAgreement.DIFFERS),
        ([by_model(0, 3, CITY, 0.3)], ModelAgreement.SILENT),
        ([by_model(3, 6)], ModelAgreement.SILENT),
        ([], ModelAgreement.SILENT),
    ],
)
def test_what_a_model_makes_of_a_rules_suggestion(of_model, agreement):
    assert model_agreements([[by_rule()]], [of_model]) == [[agreement]]


def test_without_counts_a_rule_is_as_sure_as_it_states():
    assert sure(RuleCalibration(), by_rule()) == 0.9
    assert sure(RuleCalibration(), by_rule(), [by_model(0, 3, CITY)]) == 0.9


def test_a_rule_is_as_sure_as_it_was_right():
    rule_calibration = RuleCalibration({GRADES: {ModelAgreement.NOT_ASKED: OutcomeCount(20, 100)}})
    assert sure(rule_calibration, by_rule()) == pytest.approx(0.2, abs=0.05)
    assert sure(rule_calibration, by_rule(rule="slash")) == 0.9


def test_a_few_cases_change_little():
    rule_calibration = RuleCalibration({GRADES: {ModelAgreement.NOT_ASKED: OutcomeCount(0, 1)}})
    assert sure(rule_calibration, by_rule()) == pytest.approx(0.75)


def test_the_more_trust_the_less_a_few_cases_change():
    counts = {GRADES: {ModelAgreement.NOT_ASKED: OutcomeCount(0, 1)}}
    assert sure(RuleCalibration(counts, prior_weight=17), by_rule()) == pytest.approx(0.85)


def test_what_a_rule_was_worth_as_other_types_is_expected_of_it():
    rule_calibration = RuleCalibration(
        {"LOCATION:CITY grade": {ModelAgreement.NOT_ASKED: OutcomeCount(0, 45)}}
    )
    assert sure(rule_calibration, by_rule()) == pytest.approx(0.09)
    assert sure(rule_calibration, by_rule(rule="slash")) == 0.9


def test_what_the_model_contradicts_gets_less_and_what_it_says_too_gets_more():
    rule_calibration = RuleCalibration({GRADES: {ModelAgreement.NOT_ASKED: OutcomeCount(60, 100)}})
    differs = sure(rule_calibration, by_rule(), [by_model(0, 3, CITY)])
    silent = sure(rule_calibration, by_rule(), [])
    agrees = sure(rule_calibration, by_rule(), [by_model(0, 3)])
    assert differs < silent < sure(rule_calibration, by_rule()) < agrees


def test_what_became_of_a_rule_where_the_model_was_silent_counts_most():
    counts = {
        ModelAgreement.AGREES: OutcomeCount(50, 50),
        ModelAgreement.SILENT: OutcomeCount(1, 50),
    }
    rule_calibration = RuleCalibration({GRADES: counts})
    assert sure(rule_calibration, by_rule(), []) < 0.1
    assert sure(rule_calibration, by_rule(), [by_model(0, 3)]) > 0.95


def test_right_is_the_same_place_and_type(examples):
    example = examples[1]
    counts = count_outcomes([example], RULES.suggest([example.document]))
    assert counts == {
        r"DATE:DATE 120/80": {ModelAgreement.NOT_ASKED: OutcomeCount(0, 1)},
        r"DATE:DATE \d+/\d+/2071": {ModelAgreement.NOT_ASKED: OutcomeCount(1, 1)},
    }


@pytest.mark.parametrize("name", ["token", "ensemble"])
def test_a_training_counts_and_asks_models_of_other_patients(examples, tmp_path, monkeypatch, name):
    monkeypatch.setattr("shared.recognition.training.heldout_evaluation.MIN_RECORDS", 24)
    settings = SETTINGS[name]
    quick = tuple(replace(each, iterations=15) for each in settings.crfs[:1])
    rule_calibration = trained(examples, tmp_path / "model", replace(settings, crfs=quick))
    assert of_rule(rule_calibration, "120/80") == OutcomeCount(0, 24)
    assert of_rule(rule_calibration, r"\d+/\d+/2071") == OutcomeCount(24, 24)
    assert (
        rule_calibration.counts[r"DATE:DATE \d+/\d+/2071"]
        .get(ModelAgreement.AGREES, OutcomeCount())
        .right
        > 12
    )
    assert ModelAgreement.NOT_ASKED not in rule_calibration.counts["DATE:DATE 120/80"]
    assert {each.name for each in (tmp_path / "model").glob("fold-*")} == set()


def test_of_one_patient_no_model_is_asked(examples, tmp_path):
    rule_calibration = trained(examples[:2], tmp_path / "model")
    counts = rule_calibration.counts["DATE:DATE 120/80"]
    assert counts == {ModelAgreement.NOT_ASKED: OutcomeCount(0, 2)}


def test_of_many_patients_models_are_asked_about_some(examples, tmp_path, monkeypatch):
    monkeypatch.setattr("shared.recognition.training.heldout_evaluation.MIN_RECORDS", 6)
    rule_calibration = trained(examples, tmp_path / "model")
    of_grades = rule_calibration.counts["DATE:DATE 120/80"]
    assert of_rule(rule_calibration, "120/80").found == 24
    assert of_grades[ModelAgreement.NOT_ASKED].found == 18


def test_an_older_model_without_counts_loads(examples, tmp_path):
    trained(examples, tmp_path / "model", rules=None)
    assert not (tmp_path / "model" / ENSEMBLE_WEIGHTS).exists()
    assert load_model(tmp_path / "model").name == "token"
    assert read_ensemble_weights(tmp_path / "model") == EnsembleWeights()


@pytest.mark.parametrize(
    "rules", ['{"a": {"agrees": [2, 1]}}', '{"a": {"why": [1, 1]}}', '{"a": 1}', "1", "", "{"]
)
def test_a_broken_file_is_said_in_one_sentence(tmp_path, rules):
    content = f'{{"model_version": "", "pretrained": {{}}, "trained": {{}}, "rules": {rules}}}'
    (tmp_path / ENSEMBLE_WEIGHTS).write_text(content)
    with pytest.raises(FileFormatError, match="train the model again"):
        read_ensemble_weights(tmp_path)


def test_the_file_is_its_owners_only_and_names_rules_not_words_of_records(examples, tmp_path):
    trained(examples, tmp_path / "model")
    path = tmp_path / "model" / ENSEMBLE_WEIGHTS
    assert path.stat().st_mode & 0o077 == 0
    assert set(json.loads(path.read_text())["rules"]) == {
        "DATE:DATE 120/80",
        r"DATE:DATE \d+/\d+/2071",
    }
