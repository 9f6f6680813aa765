"""What rules earned on finished patients decides how sure to be of them beside a model."""

import json
import re
from dataclasses import replace

import pytest

from shared.errors import FileFormatError
from shared.model import Span
from shared.recognition.earned import Count, Earned, Stance, counted, stances_of
from shared.recognition.learning.training import train
from shared.recognition.model_folder import (
    STANDING,
    load_model,
    new_model_folder,
    read_standing,
)
from shared.recognition.rules import Pattern, Rules
from shared.recognition.settings import SETTINGS
from shared.recognition.standing import Beside, Standing
from shared.recognition.suggestion import Suggestion
from tests.builders import phi

DATE, CITY = phi("DATE"), phi("CITY")
GRADES = "DATE:DATE grade"
RULES = Rules(
    [Pattern(("DATE",), re.compile(find), 0.9) for find in (r"120/80", r"\d+/\d+/2071")], [DATE]
)


def by_rule(start=0, end=3, rule="grade", confidence=0.9):
    return Suggestion(Span(start, end), DATE, confidence, "rules", rule)


def by_model(start, end, phi_type=DATE, confidence=0.8):
    return Suggestion(Span(start, end), phi_type, confidence, "token")


def trained(examples, folder, settings=SETTINGS["token"], rules=RULES):
    with new_model_folder(folder) as partial:
        train(examples, settings, partial, beside=rules and Beside(rules))
    return read_standing(folder).rules


def sure(earned, found, of_model=None):
    ((weighed,),) = earned.weighed([[found]], None if of_model is None else [of_model])
    return weighed.confidence


def of_rule(earned, find):
    return sum(earned.counts.get(f"DATE:DATE {find}", {}).values(), Count())


@pytest.mark.parametrize(
    ("of_model", "stance"),
    [
        ([by_model(0, 3)], Stance.AGREES),
        ([by_model(0, 3, CITY)], Stance.DIFFERS),
        ([by_model(1, 6)], Stance.DIFFERS),
        ([by_model(0, 3, CITY, 0.3)], Stance.SILENT),
        ([by_model(3, 6)], Stance.SILENT),
        ([], Stance.SILENT),
    ],
)
def test_what_a_model_makes_of_a_rules_suggestion(of_model, stance):
    assert stances_of([[by_rule()]], [of_model]) == [[stance]]


def test_without_counts_a_rule_is_as_sure_as_it_states():
    assert sure(Earned(), by_rule()) == 0.9
    assert sure(Earned(), by_rule(), [by_model(0, 3, CITY)]) == 0.9


def test_a_rule_is_as_sure_as_it_was_right():
    earned = Earned({GRADES: {Stance.UNASKED: Count(20, 100)}})
    assert sure(earned, by_rule()) == pytest.approx(0.2, abs=0.05)
    assert sure(earned, by_rule(rule="slash")) == 0.9


def test_a_few_cases_change_little():
    earned = Earned({GRADES: {Stance.UNASKED: Count(0, 1)}})
    assert sure(earned, by_rule()) == pytest.approx(0.75)


def test_the_more_trust_the_less_a_few_cases_change():
    counts = {GRADES: {Stance.UNASKED: Count(0, 1)}}
    assert sure(Earned(counts, trust=17), by_rule()) == pytest.approx(0.85)


def test_what_a_rule_was_worth_as_other_types_is_expected_of_it():
    earned = Earned({"LOCATION:CITY grade": {Stance.UNASKED: Count(0, 45)}})
    assert sure(earned, by_rule()) == pytest.approx(0.09)
    assert sure(earned, by_rule(rule="slash")) == 0.9


def test_what_the_model_contradicts_gets_less_and_what_it_says_too_gets_more():
    earned = Earned({GRADES: {Stance.UNASKED: Count(60, 100)}})
    differs = sure(earned, by_rule(), [by_model(0, 3, CITY)])
    silent = sure(earned, by_rule(), [])
    agrees = sure(earned, by_rule(), [by_model(0, 3)])
    assert differs < silent < sure(earned, by_rule()) < agrees


def test_what_became_of_a_rule_where_the_model_was_silent_counts_most():
    counts = {Stance.AGREES: Count(50, 50), Stance.SILENT: Count(1, 50)}
    earned = Earned({GRADES: counts})
    assert sure(earned, by_rule(), []) < 0.1
    assert sure(earned, by_rule(), [by_model(0, 3)]) > 0.95


def test_right_is_the_same_place_and_type(examples):
    example = examples[1]
    counts = counted([example], RULES.suggest([example.document]))
    assert counts == {
        r"DATE:DATE 120/80": {Stance.UNASKED: Count(0, 1)},
        r"DATE:DATE \d+/\d+/2071": {Stance.UNASKED: Count(1, 1)},
    }


@pytest.mark.parametrize("name", ["token", "ensemble"])
def test_a_training_counts_and_asks_models_of_other_patients(examples, tmp_path, monkeypatch, name):
    monkeypatch.setattr("shared.recognition.learning.probation.ENOUGH", 24)
    settings = SETTINGS[name]
    quick = tuple(replace(each, iterations=15) for each in settings.crfs[:1])
    earned = trained(examples, tmp_path / "model", replace(settings, crfs=quick))
    assert of_rule(earned, "120/80") == Count(0, 24)
    assert of_rule(earned, r"\d+/\d+/2071") == Count(24, 24)
    assert earned.counts[r"DATE:DATE \d+/\d+/2071"].get(Stance.AGREES, Count()).right > 12
    assert Stance.UNASKED not in earned.counts["DATE:DATE 120/80"]
    assert {each.name for each in (tmp_path / "model").glob("fold-*")} == set()


def test_of_one_patient_no_model_is_asked(examples, tmp_path):
    earned = trained(examples[:2], tmp_path / "model")
    assert earned.counts["DATE:DATE 120/80"] == {Stance.UNASKED: Count(0, 2)}


def test_of_many_patients_models_are_asked_about_some(examples, tmp_path, monkeypatch):
    monkeypatch.setattr("shared.recognition.learning.probation.ENOUGH", 6)
    earned = trained(examples, tmp_path / "model")
    of_grades = earned.counts["DATE:DATE 120/80"]
    assert of_rule(earned, "120/80").found == 24
    assert of_grades[Stance.UNASKED].found == 18


def test_an_older_model_without_counts_loads(examples, tmp_path):
    trained(examples, tmp_path / "model", rules=None)
    assert not (tmp_path / "model" / STANDING).exists()
    assert load_model(tmp_path / "model").name == "token"
    assert read_standing(tmp_path / "model") == Standing()


@pytest.mark.parametrize(
    "rules", ['{"a": {"agrees": [2, 1]}}', '{"a": {"why": [1, 1]}}', '{"a": 1}', "1", "", "{"]
)
def test_a_broken_file_is_said_in_one_sentence(tmp_path, rules):
    content = f'{{"edition": "", "practised": {{}}, "learnt": {{}}, "rules": {rules}}}'
    (tmp_path / STANDING).write_text(content)
    with pytest.raises(FileFormatError, match="train the model again"):
        read_standing(tmp_path)


def test_the_file_is_its_owners_only_and_names_rules_not_words_of_records(examples, tmp_path):
    trained(examples, tmp_path / "model")
    path = tmp_path / "model" / STANDING
    assert path.stat().st_mode & 0o077 == 0
    assert set(json.loads(path.read_text())["rules"]) == {
        "DATE:DATE 120/80",
        r"DATE:DATE \d+/\d+/2071",
    }
