"""Letters that stand for a name, by the names that a patient's records have."""

import pytest

from shared.language import languages
from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.recognition.postprocessing.initials import KnownInitials
from tests.shared.recognition.postprocessing.test_mention_propagation import (
    DOCTOR,
    HOSPITAL,
    PATIENT,
    heard,
)

STATE = PhiType("LOCATION", "STATE")


def known(name, phi_type, language="en"):
    initials = KnownInitials(languages.language(language))
    initials.add(name, phi_type, I2B2_2014.traits_of(phi_type), 0.9)
    return initials


@pytest.mark.parametrize("letters", ["UGZ", "UZ", "U.Z.", "U. G. Z.", "UXZ"])
def test_whoever_is_named_may_sign_by_letters(letters):
    assert known("Uma G. Zell", DOCTOR).type_of(letters) == DOCTOR


@pytest.mark.parametrize("name", ["ZELL, UMA G.", "Zell,Uma"])
def test_a_name_may_be_written_in_any_way(name):
    assert known(name, DOCTOR).type_of("UZ") == DOCTOR


@pytest.mark.parametrize(
    ("name", "letters", "spoken"),
    [
        ("Mercy Valley Hospital", "MVH", "en"),
        ("Hospital Clínico de Zújar", "HCZ", "es"),
        ("Klinik am Hohen Wald", "KHW", "de"),
    ],
)
def test_an_institution_has_initials_without_its_small_words(name, letters, spoken):
    assert known(name, HOSPITAL, spoken).type_of(letters) == HOSPITAL


def test_of_two_family_names_both_have_a_letter():
    initials = known("Ximena Quiroga Zubiri", DOCTOR, "es")

    assert initials.type_of("XQZ") == DOCTOR
    assert initials.type_of("XQ") == DOCTOR


@pytest.mark.parametrize("letters", ["GZ", "ABX", "U", "uz", "Uz", "UGZX", "U1"])
def test_other_letters_are_nobodys(letters):
    assert known("Uma G. Zell", DOCTOR).type_of(letters) is None


def test_letters_that_are_a_word_of_clinics_are_nobodys():
    assert known("Ivo Varga", DOCTOR).type_of("IV") is None
    assert known("Ivo Varga", DOCTOR).type_of("I.V.") == DOCTOR


def test_what_is_suspected_is_of_whom_it_begins():
    *_, (_, found) = heard(
        ("Uma G. Zell, RN", ("Uma G. Zell", DOCTOR)),
        ("Seen by Kern. Resting. UGZ", ("UGZ", HOSPITAL, 0.2), ("Kern", DOCTOR)),
    )

    assert found == ("UGZ", "DOCTOR", 0.6)


@pytest.mark.parametrize(
    ("named", "text"),
    [
        (("Uma G. Zell", DOCTOR), "Resting. UGZ\nSeen by Kern."),
        (("Mercy Valley", HOSPITAL), "MV gradient 4, seen by Kern"),
    ],
)
def test_initials_of_people_and_two_letters_are_nothing_where_nothing_suspects_them(named, text):
    *_, found = heard((named[0], named), (text, ("Kern", DOCTOR)))

    assert [each[0] for each in found] == ["Kern"]


def test_what_is_surely_something_else_stays_it():
    *_, found = heard(
        ("Manuel Neri, MD", ("Manuel Neri", DOCTOR)),
        ("Lives in Duluth, MN", ("MN", STATE, 0.9)),
    )

    assert found == [("MN", "STATE", 0.9)]


def test_a_hospital_that_is_named_is_found_by_its_letters():
    *_, found = heard(
        ("Mercy Valley Hospital", ("Mercy Valley Hospital", HOSPITAL)),
        ("Seen at MVH by Kern, not at MVHX.", ("Kern", DOCTOR)),
    )

    assert ("MVH", "HOSPITAL", 0.6) in found
    assert len(found) == 2


def test_letters_are_the_patients_where_the_patient_is_named_so():
    *_, found = heard(
        ("Renata Zell was seen.", ("Renata Zell", PATIENT)),
        ("Consent signed (RZ).", ("RZ", DOCTOR, 0.3)),
    )

    assert found == [("RZ", "PATIENT", 0.6)]
