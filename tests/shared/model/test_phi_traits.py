"""What follows from the kind of a type, and that the built-in schemas say it of each of theirs."""

import pytest

from shared.model import EntityKind, Identifier, Matching, PersonRole, PhiTraits
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS

NOT_HIGH = {"PROFESSION", "LOCATION", "AGE", "DATE", "OTHER"}


def test_every_type_of_i2b2_says_what_it_is():
    assert all(each.traits is not None for each in I2B2_2014.types())


def test_every_kind_but_those_of_other_schemas_is_one_of_i2b2():
    kinds = {each.traits.kind for each in I2B2_2014.types() if each.traits}
    assert set(EntityKind) - kinds == {
        EntityKind.RELATIVE,
        EntityKind.SEX,
        EntityKind.TERRITORY,
    }


def test_meddocan_has_its_29_types_of_which_six_are_places():
    assert len(MEDDOCAN_TRAITS) == 29
    assert sum(each.kind.is_place for each in MEDDOCAN_TRAITS.values()) == 6


def test_high_risk_are_names_contacts_and_numbers():
    high = {each.phi_type.category for each in I2B2_2014.types() if each.traits.high_risk}
    assert high == {"NAME", "CONTACT", "ID"}
    low = {each.phi_type.category for each in I2B2_2014.types() if not each.traits.high_risk}
    assert low == NOT_HIGH


@pytest.mark.parametrize(
    ("kind", "role", "recurs"),
    [
        (EntityKind.PERSON, PersonRole.STAFF, True),
        (EntityKind.PERSON, PersonRole.PATIENT, False),
        (EntityKind.PERSON, None, False),
        (EntityKind.HOSPITAL, None, True),
        (EntityKind.POSTAL_CODE, None, False),
        (EntityKind.DATE, None, False),
    ],
)
def test_what_recurs_from_patient_to_patient(kind, role, recurs):
    assert PhiTraits.of(kind, role).recurs_across_patients is recurs


def test_what_follows_from_a_kind():
    sex = PhiTraits.of(EntityKind.SEX)
    assert (sex.matching, sex.identifier, sex.may_stay) == (Matching.NEVER, Identifier.NONE, True)
    fax = PhiTraits.of(EntityKind.FAX)
    assert (fax.matching, fax.identifier, fax.may_stay) == (
        Matching.DIGITS,
        Identifier.DIRECT,
        False,
    )
    assert PhiTraits.of(EntityKind.URL).matching is Matching.AS_WRITTEN
    assert PhiTraits.of(EntityKind.URL).kind.is_contact
    assert PhiTraits.of(EntityKind.SSN).kind.is_number
    assert PhiTraits.of(EntityKind.PERSON).is_name
