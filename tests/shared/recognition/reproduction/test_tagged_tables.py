from collections import Counter

import pytest

from shared.metrics.counts import Scores
from shared.recognition.evaluation import labelled_spans, strict_scores
from shared.recognition.reproduction.paper_tables import paper_named
from shared.recognition.reproduction.readings import read_by_trained
from shared.recognition.reproduction.tagged_tables import (
    TaggedTables,
    halves_of,
    records_at_random,
    token_settings,
)
from shared.recognition.training_settings import SETTINGS

HE, LIU = paper_named("he"), paper_named("liu")


class Strict:
    """Strict scores for every measure; what is not found is missing."""

    def measured(self, examples, found):
        micro = strict_scores(examples, found)["all"]
        scores = Scores(micro, micro.ratios, len(examples))
        return {name: {"all": scores} for name in ("strict", "relaxed", "token")}

    def errors(self, examples, found):
        return Counter(missing=3, spurious=1)


@pytest.fixture(scope="module")
def he(examples, unseen):
    return TaggedTables(HE, examples, {"given": unseen}, Strict(), seed=1)


@pytest.fixture(scope="module")
def liu(examples, unseen):
    return TaggedTables(LIU, examples, {"given": unseen}, Strict(), seed=1)


def made(maker, number):
    paper = HE if maker._paper is HE else LIU
    table = maker.table(next(each for each in paper.tables if each.number == number))
    return {row.names: row.ours[0] for row in table.rows}


def test_types_are_measured_where_the_records_have_them(he, unseen):
    types = made(he, 4)
    assert types[("DOCTOR",)][2] > 80
    assert types[("CITY",)] == (None, None, None)


def test_measures_that_records_allow(he):
    measures = made(he, 3)
    assert measures[("i2b2 strict",)][2] > 80
    assert measures[("HIPAA strict",)] == (None, None, None)


def test_kinds_of_errors_are_shares_of_all(he):
    assert made(he, 6) == {
        ("Type error",): (0.0,),
        ("Extent error",): (0.0,),
        ("Missing error",): (75.0,),
        ("Spurious error",): (25.0,),
    }


def test_types_that_the_paper_lacks_are_added(examples, unseen):
    paper = HE
    table = next(each for each in paper.tables if each.number == 4)
    short = type(table)(4, "", "types", table.figures, "", table.rows[:1])
    maker = TaggedTables(paper, examples, {"given": unseen}, Strict(), seed=1)
    names = [row.names[0] for row in maker.table(short).rows]
    assert names == ["PATIENT", "DOCTOR", "DATE", "MEDICALRECORD"]


def test_one_classifier_two_and_three(liu):
    measures = {names[0]: figures for names, figures in made(liu, 4).items()}
    assert set(measures) >= {"Token", "Character", "Rule", "Token + Character", "Merged"}
    assert measures["Rule"] == (0.0,) * 6
    assert measures["Token"][-1] > 60


def test_main_categories_hold_all_their_types(liu):
    categories = made(liu, 6)
    assert categories[("Token", "NAME")][2] > 60
    assert categories[("Token", "LOCATION")] == (None, None, None)


def test_merging_characters_and_tokens_gives_what_the_recognizer_liu_gives(liu, examples, unseen):
    whole = read_by_trained(SETTINGS["liu"], examples, {"given": unseen})["given"]
    merged = liu._found("character+token", "given")
    assert [labelled_spans(each) for each in merged] == [labelled_spans(each) for each in whole]
    assert any(merged)


def test_tokens_without_groups_are_another_crf():
    whole, part = token_settings().crfs[0], token_settings("word,ngrams").crfs[0]
    assert set(whole.features.groups) - set(part.features.groups) == {"word", "ngrams"}


def test_halves_share_no_patient_and_hold_all(examples):
    first, second = halves_of(examples, seed=3)
    patients = [{each.document.patient_id for each in half} for half in (first, second)]
    assert not patients[0] & patients[1]
    assert len(first) + len(second) == len(examples)
    assert abs(len(patients[0]) - len(patients[1])) <= 1


def test_records_are_drawn_by_patient(examples):
    drawn = records_at_random(examples, 6, seed=3)
    assert len({each.document.patient_id for each in drawn}) == 3
    assert records_at_random(examples[::-1], 99, seed=3) != []
    assert len(records_at_random(examples, 99, seed=3)) == len(examples)
