"""Whom known-answer patients flag: nobody careful, and the careless within three of them."""

from dataclasses import replace

import pytest

from shared.model import Layer, Span, Tag
from shared.risk.bounds import is_bound_below, upper_bound
from shared.risk.known_answers import KnownAnswer, KnownAnswerCheck
from shared.synthetic.annotators import USUAL_ERROR_RATES, annotate
from shared.synthetic.patients import fabricate
from tests.builders import phi

CARELESS = replace(USUAL_ERROR_RATES, missed={}, usually_missed=1 / 3, annotate_all=0.0)
"""Reads a page and goes on: a third of all PHI is overlooked, whatever it is."""


def layer(*spans):
    return Layer.of("1-01", "ana", [Tag(Span(*each), phi("DOCTOR")) for each in spans])


def answer(found, gold=100, own=100, about_phi=100):
    return KnownAnswer("1", gold, found, own, about_phi)


def test_a_tag_is_found_by_any_that_overlaps_it():
    gold, own = layer((0, 5), (10, 15), (20, 25)), layer((3, 12), (30, 33))
    assert KnownAnswer.of("1", [(gold, own)]) == KnownAnswer("1", 3, 2, 2, 1)


def test_patients_without_a_record_or_a_tag_flag_nobody():
    check = KnownAnswerCheck.of(
        [KnownAnswer.of("1", []), KnownAnswer.of("2", [(layer(), layer())])]
    )
    assert (check.recall, check.precision, check.flagged_after) == (None, None, None)
    assert KnownAnswerCheck.of([]).recall_bound == 1


@pytest.mark.parametrize("found", range(0, 101, 4))
def test_the_quick_way_to_tell_is_that_of_the_bound(found):
    told = is_bound_below(0.85, found, 100, 0.999)
    assert told == (upper_bound(found, 100, 0.999) < 0.85)


def test_the_bound_is_that_of_clopper_and_pearson():
    # nothing found of 10: 1 - 0.001 ** (1 / 10)
    assert upper_bound(0, 10, 0.999) == pytest.approx(1 - 0.001**0.1, abs=1e-9)
    # scipy.stats.beta.ppf(0.999, 61, 40), 60 of 100
    assert upper_bound(60, 100, 0.999) == pytest.approx(0.74546380, abs=1e-7)


def test_it_says_after_how_many_and_stays_so():
    check = KnownAnswerCheck.of([answer(80), answer(60), answer(100), answer(100)])
    assert check.flagged_after == 2
    assert check.recall == 0.85


def test_tags_that_are_about_nothing_are_found_too():
    check = KnownAnswerCheck.of([answer(100, own=300, about_phi=100)])
    assert check.flagged_after == 1
    assert check.recall_bound == 1


@pytest.fixture(scope="module")
def patients():
    return list(fabricate(6, 11, records=12))


def checked(patients, name, seed, rates):
    answers = []
    for each in patients:
        own = annotate(each, name, seed, rates)
        sides = [(each.gold[record_id], own[record_id]) for record_id in own]
        answers.append(KnownAnswer.of(each.patient.id, sides))
    return KnownAnswerCheck.of(answers)


def test_careful_annotators_are_never_flagged_in_100_runs(patients):
    checks = [checked(patients[run % 4 :][:3], "ana", run, USUAL_ERROR_RATES) for run in range(100)]
    assert [each.flagged_after for each in checks] == [None] * 100


def test_careless_ones_are_flagged_within_three_patients(patients):
    checks = [checked(patients[run % 4 :][:3], "ben", run, CARELESS) for run in range(30)]
    assert max(each.flagged_after or 9 for each in checks) <= 3


def test_whoever_tags_nothing_is_flagged_at_once(patients):
    nothing = replace(CARELESS, usually_missed=1.0, distractors=())
    assert checked(patients[:3], "ben", 1, nothing).flagged_after == 1
