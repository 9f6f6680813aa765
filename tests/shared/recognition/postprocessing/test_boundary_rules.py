"""Where names and trades begin and end."""

import pytest

from shared.language.languages import language
from shared.model import PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.postprocessing.boundary_rules import merge_split_names
from shared.recognition.postprocessing.clinical_terms import is_staff_title
from shared.recognition.postprocessing.patient_suggestions import PatientSuggestions
from shared.recognition.recognizer import Suggestion
from tests.builders import after_pass, phi

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
PROFESSION = PhiType("PROFESSION", "PROFESSION")
DATE = PhiType("DATE", "DATE")
ELSEWHERE = PhiType("LOCATION", "LOCATION-OTHER")


def whole(text, *phrases, phi_type=PATIENT):
    made = [
        Suggestion(Span(text.index(each), text.index(each) + len(each)), phi_type, 0.8, "crf")
        for each in phrases
    ]
    return [one.span.text_in(text) for one in after_pass(merge_split_names, [text], [made])[0]]


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


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("Renata Voss'", "Renata Voss"),
        ("Renata Voss's", "Renata Voss"),
        ("VOSS,RENATA [51134316", "VOSS,RENATA"),
        ("VOSS,RENATA (B51134316", "VOSS,RENATA"),
        ("Renata Voss #51134316", "Renata Voss"),
        ("Renata Voss 51134316", "Renata Voss"),
        ("Voss, Renata /", "Voss, Renata"),
        ("Patient Renata Voss", "Renata Voss"),
        ("Renata Voss III", "Renata Voss III"),
    ],
)
def test_numbers_marks_and_labels_beside_a_name_are_no_part_of_it(phrase, name):
    assert whole(f"Re: {phrase} today", phrase) == [name]


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


@pytest.mark.parametrize(
    ("text", "parts", "name"),
    [
        ("Re: Renata de la Voss, 61", ("Renata", "Voss"), "Renata de la Voss"),
        ("Re: Renata van der Voss, 61", ("Renata", "van der Voss"), "Renata van der Voss"),
        ("Re: DE LA VOSS, RENATA D", ("VOSS, RENATA D",), "DE LA VOSS, RENATA D"),
        ("Ms. Ada St. Voss came", ("Ada St", "Voss"), "Ada St. Voss"),
        ("Ms. St. Voss came", ("Voss",), "St. Voss"),
        ("by ST. VOSS, ADA here", ("VOSS, ADA",), "ST. VOSS, ADA"),
        ("Ms. Ada Van Voss came", ("Ada Van", "Voss"), "Ada Van Voss"),
        ("Ms. Ada Van Voss came", ("Ada", "Van", "Voss"), "Ada Van Voss"),
        ("Mr. Adrian Voss-Long came", ("Adrian Voss",), "Adrian Voss-Long"),
    ],
)
def test_names_are_whole_with_particles_and_both_halves(text, parts, name):
    assert whole(text, *parts) == [name]


@pytest.mark.parametrize(
    ("text", "phrase", "name"),
    [
        ("Fellow Voss paged", "Fellow Voss", "Voss"),
        ("Asst: Ada Voss paged", "Asst: Ada Voss", "Ada Voss"),
        ("Major Voss paged", "Major Voss", "Major Voss"),
    ],
)
def test_what_somebody_is_is_no_part_of_the_name(text, phrase, name):
    assert whole(text, phrase, phi_type=DOCTOR) == [name]


@pytest.mark.parametrize(
    ("phrase", "phi_type", "part"),
    [
        ("Golden Hospital   Erie", PhiType("LOCATION", "HOSPITAL"), "Golden Hospital"),
        ("Swallowing  room 222", PhiType("LOCATION", "ROOM"), "room 222"),
        ("375 Oak St in", PhiType("LOCATION", "STREET"), "375 Oak St"),
    ],
)
def test_places_end_where_their_column_or_line_of_thought_ends(phrase, phi_type, part):
    assert whole(f"At {phrase} Salem", phrase, phi_type=phi_type) == [part]


@pytest.mark.parametrize(
    ("code", "phrase", "name", "part"),
    [
        ("de", "ehemaliger Maurer", "PROFESSION", "Maurer"),
        ("de", "Lindenweg 4 in", "STREET", "Lindenweg 4"),
        ("es", "una albañil", "PROFESSION", "albañil"),
        ("es", "Calle Mayor 4 cerca de", "STREET", "Calle Mayor 4"),
        ("und", "retired mason", "PROFESSION", "retired mason"),
        ("und", "375 Oak St in", "STREET", "375 Oak St in"),
    ],
)
def test_what_is_no_job_and_no_street_is_said_by_the_language(code, phrase, name, part):
    one = Suggestion(Span(0, len(phrase)), phi(name), 0.8, "crf")
    patient = PatientSuggestions((phrase,), ((one,),), I2B2_2014, "crf", language(code))
    ((found,),) = merge_split_names(patient).found
    assert found.span.text_in(phrase) == part


def test_a_city_begins_with_its_saint():
    assert whole("in St. Joseph, MO", "Joseph", phi_type=PhiType("LOCATION", "CITY")) == [
        "St. Joseph"
    ]


@pytest.mark.parametrize(
    ("text", "phrase", "sure"),
    [
        ("Receiving Hospital: Voss", "Receiving Hospital", 0.4),
        ("VOSS HOSPITAL", "VOSS HOSPITAL", 0.8),
        ("Receiving Hospital is", "Receiving Hospital", 0.8),
    ],
)
def test_labels_are_hardly_hospitals(text, phrase, sure):
    one = Suggestion(Span(0, len(phrase)), PhiType("LOCATION", "HOSPITAL"), 0.8, "crf")

    assert [each.confidence for each in after_pass(merge_split_names, [text], [[one]])[0]] == [sure]


@pytest.mark.parametrize("name", ["Associate Professor", "OM", "Pharmacy", "BSN"])
def test_words_of_clinics_are_nobodys_name(name):
    assert is_staff_title(name)


@pytest.mark.parametrize("name", ["Ann Fellow", "Voss", "V.", "OMX"])
def test_names_are_no_roles(name):
    assert not is_staff_title(name)
