"""Who is heard where rules, practice and what was learnt suggest together, and how loud."""

import json

import pytest

from shared.model import Span
from shared.recognition.ensemble_weights import EnsembleWeights, Predictions, fit_ensemble_weights
from shared.recognition.model_folder import (
    ENSEMBLE_WEIGHTS,
    read_ensemble_weights,
    write_ensemble_weights,
)
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.rule_calibration import OutcomeCount, RuleCalibration
from tests.builders import document, marked_up, phi

DATE, CITY, DOCTOR = phi("DATE"), phi("CITY"), phi("DOCTOR")
SOURCE = "[Velo|DOCTOR] and 2/2 in [Bern|CITY]"
NAME, GRADE, TOWN = (0, 4), (9, 12), (16, 20)


def said(place, phi_type, confidence, by):
    return Suggestion(Span(*place), phi_type, confidence, by)


def pretrained(place, phi_type, confidence=0.9):
    return said(place, phi_type, confidence, "general")


def trained(place, phi_type, confidence=0.9):
    return said(place, phi_type, confidence, "growing")


def by_rule(place, phi_type, confidence=0.9):
    return Suggestion(Span(*place), phi_type, confidence, "rules", "any")


def judged(practice, own=None, rules=(), times=30):
    """The weights after so many patients in whom the same was suggested."""
    tags = marked_up(SOURCE)[1]
    examples = [Example(document(SOURCE, f"{each}-01"), tags) for each in range(times)]
    votes = Predictions([rules] * times, [practice] * times, None if own is None else [own] * times)
    return fit_ensemble_weights([(examples, votes)], "this edition")


def shown(ensemble, practice=None, own=None, rules=()):
    """What is suggested with a confidence of a half at least: place, type and by whom."""
    votes = Predictions([rules], *(None if each is None else [each] for each in (practice, own)))
    (found,) = ensemble.combine(votes)
    sure = [each for each in found if each.confidence > 0.5]
    return {(each.start, each.end, each.phi_type, each.recognizer) for each in sure}


def places(found):
    return {(start, end) for start, end, *_ in found}


def test_alone_what_has_practised_says_what_it_likes():
    (found,) = EnsembleWeights().combine(Predictions([()], [(pretrained(GRADE, DATE, 0.6),)]))
    assert [each.confidence for each in found] == [0.6]


def test_what_has_practised_fades_where_it_was_wrong():
    ensemble = judged([pretrained(GRADE, DATE), pretrained(NAME, DOCTOR)], [])
    assert places(shown(ensemble, [pretrained(GRADE, DATE), pretrained(NAME, DOCTOR)], [])) == {
        NAME
    }


def test_a_type_never_seen_is_expected_to_be_as_bad_as_the_others():
    ensemble = judged([pretrained(GRADE, DATE)], [trained(NAME, DOCTOR)])
    assert places(shown(ensemble, [pretrained(TOWN, CITY)], [])) == set()
    ensemble = judged([pretrained(NAME, DOCTOR)], [trained(NAME, DOCTOR)])
    assert places(shown(ensemble, [pretrained(TOWN, CITY)], [])) == {TOWN}


def test_where_they_differ_whoever_was_right_wins():
    practice, own = [pretrained(NAME, CITY, 0.99)], [trained(NAME, DOCTOR, 0.7)]
    (found,) = shown(judged(practice, own), practice, own)
    assert found[2:] == (DOCTOR, "growing")
    practice, own = [pretrained(NAME, DOCTOR, 0.7)], [trained(NAME, CITY, 0.99)]
    (found,) = shown(judged(practice, own), practice, own)
    assert found[2:] == (DOCTOR, "general")


def test_what_was_learnt_but_never_right_is_hidden():
    ensemble = judged([pretrained(NAME, DOCTOR)], [trained(GRADE, DATE)])
    assert places(shown(ensemble, [], [trained(GRADE, DATE)])) == set()


def test_how_sure_a_model_is_tells_its_suggestions_apart():
    practice = [pretrained(GRADE, DATE, 0.7), pretrained(NAME, DOCTOR, 0.99)]
    ensemble = judged(practice, [])
    found = shown(ensemble, [pretrained(GRADE, DOCTOR, 0.7), pretrained(NAME, DATE, 0.99)], [])
    assert places(found) == {NAME}


def test_after_a_single_patient_what_was_learnt_is_not_heard_yet():
    ensemble = judged([pretrained(NAME, DOCTOR)])
    assert ensemble.uses_pretrained
    assert not ensemble.uses_trained
    assert places(shown(ensemble, [pretrained(NAME, DOCTOR)], [trained(GRADE, DATE)])) == {NAME}


def test_what_has_practised_and_was_not_judged_is_not_heard_beside_what_was_learnt():
    assert places(shown(EnsembleWeights(), [pretrained(GRADE, DATE)], [trained(NAME, DOCTOR)])) == {
        NAME
    }


def test_what_was_learnt_alone_is_as_sure_as_it_says():
    ensemble = judged([pretrained(NAME, DOCTOR)], [trained(GRADE, DATE)])
    (found,) = ensemble.combine(Predictions([()], None, [(trained(GRADE, DATE, 0.8),)]))
    assert [each.confidence for each in found] == [0.8]


def test_rules_are_set_against_what_models_say_together():
    rules = [by_rule(GRADE, DATE), by_rule(TOWN, CITY)]
    practice = [pretrained(TOWN, CITY)]
    ensemble = judged(practice, [], rules)
    assert places(shown(ensemble, practice, [], rules)) == {TOWN}


def test_on_one_patients_evidence_nothing_sinks():
    practice, rules = [pretrained(NAME, CITY, 0.9)], [by_rule(GRADE, DATE)]
    ensemble = judged(practice, None, rules, times=1)
    assert not ensemble.is_proven
    (found,) = ensemble.combine(Predictions([rules], [practice]))
    assert [(each.span, each.confidence) for each in found] == [
        (Span(*NAME), 0.9),
        (Span(*GRADE), 0.9),
    ]


def test_on_one_patients_evidence_what_was_right_may_rise():
    practice = [pretrained(NAME, DOCTOR, 0.55)]
    (found,) = judged(practice, times=1).combine(Predictions([()], [practice]))
    assert found[0].confidence > 0.55


def test_what_would_do_worse_on_held_out_patients_is_not_proven():
    """Where each patient has what no other has, weights of the others mislead."""
    tags = marked_up(SOURCE)[1]
    right, wrong = pretrained(NAME, DOCTOR, 0.8), pretrained(GRADE, DOCTOR, 0.8)
    parts = []
    for number, found in enumerate([[right], *[[wrong]] * 8]):
        example = Example(document(SOURCE, f"{number}-01"), tags if found == [right] else ())
        parts.append(([example], Predictions([()], [found])))
    assert judged([right]).is_proven
    assert not fit_ensemble_weights(parts).is_proven


def test_an_older_file_says_nothing_of_proof_and_is_believed(tmp_path):
    write_ensemble_weights(tmp_path, judged([pretrained(NAME, DOCTOR)], times=1))
    assert not read_ensemble_weights(tmp_path).is_proven
    path = tmp_path / ENSEMBLE_WEIGHTS
    table = json.loads(path.read_text())
    del table["proven"]
    path.write_text(json.dumps(table))
    assert read_ensemble_weights(tmp_path).is_proven


def test_it_is_kept_in_a_file(tmp_path):
    ensemble = judged([pretrained(NAME, DOCTOR)], [trained(GRADE, DATE)], [by_rule(TOWN, CITY)])
    write_ensemble_weights(tmp_path, ensemble)
    assert read_ensemble_weights(tmp_path) == ensemble
    assert "Velo" not in (tmp_path / ENSEMBLE_WEIGHTS).read_text()
    assert json.loads((tmp_path / ENSEMBLE_WEIGHTS).read_text())["model_version"] == "this edition"


@pytest.mark.parametrize(("right", "found"), [(0, 0), (3, 4)])
def test_counts_can_be_taken_from_each_other(right, found):
    assert OutcomeCount(right + 2, found + 3) - OutcomeCount(right, found) == OutcomeCount(2, 3)
    assert RuleCalibration().counts == {}
