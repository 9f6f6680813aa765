"""Where names and trades begin and end."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.longitudinal.edges import tidied
from shared.recognition.suggestion import Suggestion

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
PROFESSION = PhiType("PROFESSION", "PROFESSION")
DATE = PhiType("DATE", "DATE")
ELSEWHERE = PhiType("LOCATION", "LOCATION-OTHER")


def whole(text, *phrases, phi_type=PATIENT):
    made = [
        Suggestion(Span(text.index(each), text.index(each) + len(each)), phi_type, 0.8, "crf")
        for each in phrases
    ]
    return [one.span.text_in(text) for one in tidied(text, made)]


@pytest.mark.parametrize(
    ("text", "parts", "name"),
    [
        ("Re: BRAVO-MAJOR was", ("BRAVO", "MAJOR"), "BRAVO-MAJOR"),
        ("Labelled VOSS,\nRENATA", ("VOSS", "RENATA"), "VOSS,\nRENATA"),
        ("Today Renata Voss came", ("Renata", "Voss"), "Renata Voss"),
        (
            f"{'It is long told that '.ljust(60, '.')} Renata\nVoss",
            ("Renata", "Voss"),
            "Renata\nVoss",
        ),
    ],
)
def test_torn_names_are_put_together(text, parts, name):
    assert whole(text, *parts) == [name]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Renata\nVoss", ("Renata", "Voss")),
        ("JSH\nBJ", ("JSH", "BJ")),
        ("Renata and Voss", ("Renata", "Voss")),
    ],
)
def test_names_of_two_people_stay_two(text, parts):
    assert whole(text, *parts, phi_type=DOCTOR) == list(parts)


def test_a_last_initial_belongs_to_a_name_that_begins_with_the_family():
    assert whole('"VOSS, RENATA D." was', "VOSS, RENATA") == ["VOSS, RENATA D."]
    assert whole("Renata D. Voss", "Renata") == ["Renata"]


@pytest.mark.parametrize(
    ("text", "phrase", "name"),
    [
        ("Name VOSS,RENATA. Then", "VOSS,RENATA.", "VOSS,RENATA"),
        ("Name VOSS,RENATA L.. Then", "VOSS,RENATA L..", "VOSS,RENATA L."),
        ("Renata Voss Jr. came", "Renata Voss Jr.", "Renata Voss Jr."),
    ],
)
def test_a_full_stop_is_no_part_of_a_name(text, phrase, name):
    assert whole(text, phrase) == [name]


def test_retired_is_no_job():
    assert whole("a retired mason", "retired mason", phi_type=PROFESSION) == ["mason"]
    assert whole("a mason", "mason", phi_type=PROFESSION) == ["mason"]


def test_the_article_belongs_to_a_place():
    assert whole("off the Gulf Coast", "Gulf Coast", phi_type=ELSEWHERE) == ["the Gulf Coast"]
    assert whole("off Cape Ann", "Cape Ann", phi_type=ELSEWHERE) == ["Cape Ann"]


@pytest.mark.parametrize(
    ("text", "phrase", "date"),
    [
        ("seen Sep 10,\n2013 by", "Sep 10,", "Sep 10,\n2013"),
        ("seen Sep 10, 2013", "Sep 10", "Sep 10, 2013"),
        ("since winter '96 he", "'96", "winter '96"),
        ("a fall in 1996", "1996", "1996"),
        ("on 3/4, 2000 ml", "3/4", "3/4"),
    ],
)
def test_year_and_season_belong_to_a_date(text, phrase, date):
    assert whole(text, phrase, phi_type=DATE) == [date]
