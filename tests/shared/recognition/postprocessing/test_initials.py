"""Initials and abbreviations that a name of the same patient bears out."""

import pytest

from shared.model import PhiType, Span
from shared.recognition.postprocessing.initials import resolve_initials
from shared.recognition.recognizer import Suggestion

DOCTOR, HOSPITAL = PhiType("NAME", "DOCTOR"), PhiType("LOCATION", "HOSPITAL")


def suggestion(text, phrase, phi_type, confidence):
    start = text.index(phrase)
    return Suggestion(Span(start, start + len(phrase)), phi_type, confidence, "crf")


def doubted(name, name_type, short, confidence=0.9, short_type=HOSPITAL):
    """Type and confidence of initials at 0.3, another record having the name."""
    texts = [f"{name} was there", f"Seen: {short}"]
    made = [
        [suggestion(texts[0], name, name_type, confidence)],
        [suggestion(texts[1], short, short_type, 0.3)],
    ]
    one = resolve_initials(texts, made)[1][0]
    return one.phi_type.name, round(one.confidence, 2)


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Bella Rossi", "BR"),
        ("Bella C. Rossi", "BCR"),
        ("Bella C. Rossi", "BR"),
        ("ROSSI, BELLA C", "BCR"),
    ],
)
def test_initials_of_a_doctor(name, short):
    assert doubted(name, DOCTOR, short) == ("DOCTOR", 0.79)


@pytest.mark.parametrize(
    ("name", "short"),
    [("Greenfield General Hospital", "GGH"), ("Church of the Redeemer", "CR")],
)
def test_abbreviations_of_a_hospital(name, short):
    assert doubted(name, HOSPITAL, short, short_type=DOCTOR) == ("HOSPITAL", 0.79)


def overlooked(text, *, short_type=HOSPITAL, sure=0.3):
    """Which hospitals are found in a text of which `Seen` alone was taken for something."""
    letter = "Greenfield General Hospital was there"
    made = [
        [suggestion(letter, "Greenfield General Hospital", HOSPITAL, 0.9)],
        [suggestion(text, "Seen", short_type, sure)],
    ]
    found = resolve_initials([letter, text], made)[1]
    return [one.span.text_in(text) for one in found if one.confidence > sure]


def test_abbreviations_of_a_hospital_are_looked_for():
    assert overlooked("Seen in GGH and GGHX, GGH/MRI") == ["GGH"]
    assert overlooked("Seen at ggh, ICU") == []


def test_what_no_name_bears_out_stays():
    assert doubted("Bella Rossi", DOCTOR, "BJ") == ("HOSPITAL", 0.3)
    assert doubted("Rossi", DOCTOR, "RO") == ("HOSPITAL", 0.3)


def test_a_middle_initial_may_be_of_a_name_that_is_not_told():
    assert doubted("Bella Rossi", DOCTOR, "BXR", short_type=DOCTOR) == ("DOCTOR", 0.65)
    assert doubted("Bella Rossi", DOCTOR, "BXR") == ("HOSPITAL", 0.3)
    assert doubted("Bella Anna Rossi", DOCTOR, "BAR") == ("DOCTOR", 0.79)


def test_letters_of_clinics_that_no_name_bears_out_are_doubted():
    assert doubted("Bella Rossi", DOCTOR, "MRI") == ("HOSPITAL", 0.15)
    assert doubted("Mercy Regional Infirmary", HOSPITAL, "MRI") == ("HOSPITAL", 0.79)


def test_a_doubtful_name_bears_nothing_out():
    assert doubted("Bella Rossi", DOCTOR, "BR", confidence=0.6) == ("HOSPITAL", 0.3)
