"""Who is heard where rules, practice and what was learnt suggest together, and how loud."""

import json

import pytest

from shared.model import Span
from shared.recognition.earned import Count, Earned
from shared.recognition.example import Example
from shared.recognition.model_folder import STANDING, read_standing, write_standing
from shared.recognition.standing import Standing, Voices, standing_of
from shared.recognition.suggestion import Suggestion
from tests.builders import document, marked_up, phi

DATE, CITY, DOCTOR = phi("DATE"), phi("CITY"), phi("DOCTOR")
SOURCE = "[Velo|DOCTOR] and 2/2 in [Bern|CITY]"
NAME, GRADE, TOWN = (0, 4), (9, 12), (16, 20)


def said(place, phi_type, confidence, by):
    return Suggestion(Span(*place), phi_type, confidence, by)


def practised(place, phi_type, confidence=0.9):
    return said(place, phi_type, confidence, "general")


def learnt(place, phi_type, confidence=0.9):
    return said(place, phi_type, confidence, "growing")


def by_rule(place, phi_type, confidence=0.9):
    return Suggestion(Span(*place), phi_type, confidence, "rules", "any")


EXAMPLE = Example(document(SOURCE), marked_up(SOURCE)[1])


def judged(practice, own=None, rules=(), times=30):
    """The standing after so many records in which the same was suggested."""
    examples = [EXAMPLE] * times
    voices = Voices([rules] * times, [practice] * times, None if own is None else [own] * times)
    return standing_of([(examples, voices)], "this edition")


def shown(standing, practice=None, own=None, rules=()):
    """What is suggested with a confidence of a half at least: place, type and by whom."""
    voices = Voices([rules], *(None if each is None else [each] for each in (practice, own)))
    (found,) = standing.together(voices)
    sure = [each for each in found if each.confidence > 0.5]
    return {(each.start, each.end, each.phi_type, each.recognizer) for each in sure}


def places(found):
    return {(start, end) for start, end, *_ in found}


def test_alone_what_has_practised_says_what_it_likes():
    (found,) = Standing().together(Voices([()], [(practised(GRADE, DATE, 0.6),)]))
    assert [each.confidence for each in found] == [0.6]


def test_what_has_practised_fades_where_it_was_wrong():
    standing = judged([practised(GRADE, DATE), practised(NAME, DOCTOR)], [])
    assert places(shown(standing, [practised(GRADE, DATE), practised(NAME, DOCTOR)], [])) == {NAME}


def test_a_type_never_seen_is_expected_to_be_as_bad_as_the_others():
    standing = judged([practised(GRADE, DATE)], [learnt(NAME, DOCTOR)])
    assert places(shown(standing, [practised(TOWN, CITY)], [])) == set()
    standing = judged([practised(NAME, DOCTOR)], [learnt(NAME, DOCTOR)])
    assert places(shown(standing, [practised(TOWN, CITY)], [])) == {TOWN}


def test_where_they_differ_whoever_was_right_wins():
    practice, own = [practised(NAME, CITY, 0.99)], [learnt(NAME, DOCTOR, 0.7)]
    (found,) = shown(judged(practice, own), practice, own)
    assert found[2:] == (DOCTOR, "growing")
    practice, own = [practised(NAME, DOCTOR, 0.7)], [learnt(NAME, CITY, 0.99)]
    (found,) = shown(judged(practice, own), practice, own)
    assert found[2:] == (DOCTOR, "general")


def test_what_was_learnt_but_never_right_is_hidden():
    standing = judged([practised(NAME, DOCTOR)], [learnt(GRADE, DATE)])
    assert places(shown(standing, [], [learnt(GRADE, DATE)])) == set()


def test_how_sure_a_model_is_tells_its_suggestions_apart():
    practice = [practised(GRADE, DATE, 0.7), practised(NAME, DOCTOR, 0.99)]
    standing = judged(practice, [])
    found = shown(standing, [practised(GRADE, DOCTOR, 0.7), practised(NAME, DATE, 0.99)], [])
    assert places(found) == {NAME}


def test_after_a_single_patient_what_was_learnt_is_not_heard_yet():
    standing = judged([practised(NAME, DOCTOR)])
    assert standing.hears_practised
    assert not standing.hears_learnt
    assert places(shown(standing, [practised(NAME, DOCTOR)], [learnt(GRADE, DATE)])) == {NAME}


def test_what_has_practised_and_was_not_judged_is_not_heard_beside_what_was_learnt():
    assert places(shown(Standing(), [practised(GRADE, DATE)], [learnt(NAME, DOCTOR)])) == {NAME}


def test_what_was_learnt_alone_is_as_sure_as_it_says():
    standing = judged([practised(NAME, DOCTOR)], [learnt(GRADE, DATE)])
    (found,) = standing.together(Voices([()], None, [(learnt(GRADE, DATE, 0.8),)]))
    assert [each.confidence for each in found] == [0.8]


def test_rules_are_set_against_what_models_say_together():
    rules = [by_rule(GRADE, DATE), by_rule(TOWN, CITY)]
    practice = [practised(TOWN, CITY)]
    standing = judged(practice, [], rules)
    assert places(shown(standing, practice, [], rules)) == {TOWN}


def test_it_is_kept_in_a_file(tmp_path):
    standing = judged([practised(NAME, DOCTOR)], [learnt(GRADE, DATE)], [by_rule(TOWN, CITY)])
    write_standing(tmp_path, standing)
    assert read_standing(tmp_path) == standing
    assert "Velo" not in (tmp_path / STANDING).read_text()
    assert json.loads((tmp_path / STANDING).read_text())["edition"] == "this edition"


@pytest.mark.parametrize(("right", "found"), [(0, 0), (3, 4)])
def test_counts_can_be_taken_from_each_other(right, found):
    assert Count(right + 2, found + 3) - Count(right, found) == Count(2, 3)
    assert Earned().counts == {}
