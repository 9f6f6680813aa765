"""Letters that stand for a name, by the names that a patient's records have."""

import pytest

from shared.model import PhiType
from shared.model.phi_traits import EntityKind
from shared.recognition.postprocessing.initials import (
    KnownInitials,
    institution_initials,
    person_initials,
)
from tests.shared.recognition.postprocessing.test_mention_propagation import (
    DOCTOR,
    HOSPITAL,
    PATIENT,
    heard,
)

STATE = PhiType("LOCATION", "STATE")


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Ana G. Lee", "AGL"),
        ("LEE, ANA G.", "AGL"),
        ("A.G. Lee", "AGL"),
        ("ana lee", "AL"),
        ("Reyes-Hill, Ana", "ARH"),
        ("Lee", ""),
        ("", ""),
    ],
)
def test_initials_of_people(name, initials):
    assert person_initials(name) == initials


@pytest.mark.parametrize(
    ("name", "initials"),
    [
        ("Mercy General Hospital", "MGH"),
        ("Hospital of the Good Samaritan", "HGS"),
        ("HOSPITAL OF SAINT LUKE", "HSL"),
        ("Saint Luke's Recovery Center", "SLRC"),
        ("Hospital Clínico de Valdeoro", "HCV"),
        ("Mercy", ""),
    ],
)
def test_initials_of_institutions(name, initials):
    assert institution_initials(name) == initials


def known(name, kind, phi_type):
    initials = KnownInitials()
    initials.add(name, kind, phi_type, 0.9)
    return initials


@pytest.mark.parametrize("letters", ["UGZ", "UZ", "U.Z.", "U. G. Z.", "UXZ"])
def test_whoever_is_named_may_sign_by_letters(letters):
    assert known("Uma G. Zell", EntityKind.PERSON, DOCTOR).type_of(letters) == DOCTOR


@pytest.mark.parametrize("letters", ["GZ", "ABX", "U", "uz", "Uz", "UGZX", "U1"])
def test_other_letters_are_nobodys(letters):
    assert known("Uma G. Zell", EntityKind.PERSON, DOCTOR).type_of(letters) is None


def test_letters_that_are_a_word_of_clinics_are_nobodys():
    assert known("Ivo Varga", EntityKind.PERSON, DOCTOR).type_of("IV") is None
    assert known("Ivo Varga", EntityKind.PERSON, DOCTOR).type_of("I.V.") == DOCTOR


def test_what_is_suspected_is_of_whom_it_begins():
    *_, (_, found) = heard(
        ("Uma G. Zell, RN", ("Uma G. Zell", DOCTOR)),
        ("Seen by Kern. Resting. UGZ", ("UGZ", HOSPITAL, 0.2), ("Kern", DOCTOR)),
    )

    assert found == ("UGZ", "DOCTOR", 0.6)


def test_initials_that_nothing_suspects_are_no_persons():
    *_, found = heard(
        ("Uma G. Zell, RN", ("Uma G. Zell", DOCTOR)),
        ("Resting. UGZ\nSeen by Kern.", ("Kern", DOCTOR)),
    )

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


def test_two_letters_of_a_hospital_are_not_enough():
    *_, found = heard(
        ("Mercy Valley", ("Mercy Valley", HOSPITAL)),
        ("MV gradient 4, seen by Kern", ("Kern", DOCTOR)),
    )

    assert [each[0] for each in found] == ["Kern"]


def test_letters_are_the_patients_where_the_patient_is_named_so():
    *_, found = heard(
        ("Renata Zell was seen.", ("Renata Zell", PATIENT)),
        ("Consent signed (RZ).", ("RZ", DOCTOR, 0.3)),
    )

    assert found == [("RZ", "PATIENT", 0.6)]
