"""What a type is, told from its name alone."""

import pytest

from shared.language.type_names import guess_traits
from shared.model import EntityKind, PersonRole, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS

BUILT_IN = MEDDOCAN_TRAITS | {each.phi_type: each.traits for each in I2B2_2014.types()}


@pytest.mark.parametrize("phi_type", BUILT_IN, ids=str)
def test_a_name_in_another_category_tells_the_kind_that_the_built_in_schema_says(phi_type):
    guessed = guess_traits(PhiType("PHI", phi_type.name))
    assert guessed.kind is BUILT_IN[phi_type].kind


@pytest.mark.parametrize(
    ("name", "kind", "role"),
    [
        ("NAME:RELATIVE", EntityKind.PERSON, PersonRole.RELATIVE),
        ("NAME:FAMILY_NAME", EntityKind.PERSON, None),
        ("NAME:USER", EntityKind.USERNAME, PersonRole.STAFF),
        ("NAME:SOCIETY", EntityKind.PERSON, None),
        ("OTHER:FAMILY", EntityKind.RELATIVE, None),
        ("DATE:BIRTHDAY_OF", EntityKind.DATE, None),
        ("DATE:AGE", EntityKind.AGE, None),
        ("CONTACT:PAGER", EntityKind.PHONE, None),
        ("CONTACT:CONTACT", EntityKind.OTHER, None),
        ("PATIENT:NAME", EntityKind.PERSON, None),
        ("PATIENT:AGE", EntityKind.AGE, None),
        ("ID:PATIENT_ID", EntityKind.RECORD_NUMBER, PersonRole.PATIENT),
        ("ID:patientId", EntityKind.RECORD_NUMBER, PersonRole.PATIENT),
        ("LOCATION:ELSEWHERE", EntityKind.PLACE, None),
        ("HOSPITAL:WHICH", EntityKind.HOSPITAL, None),
        ("PHI:LOCALIDAD", EntityKind.CITY, None),
        ("PHI:SOCIEDAD", EntityKind.OTHER, None),
        ("PHI:DATE_OF_BIRTH", EntityKind.DATE, None),
        ("PHI:NUMERO_DE_FAX", EntityKind.FAX, None),
        ("DATUM:GEBURTSTAG", EntityKind.DATE, None),
        ("ORT:STADT", EntityKind.CITY, None),
        ("NAMEN:ARZT", EntityKind.PERSON, PersonRole.STAFF),
        ("MISC:THING", EntityKind.OTHER, None),
    ],
)
def test_the_category_goes_before_the_name(name, kind, role):
    category, _, own = name.partition(":")
    guessed = guess_traits(PhiType(category, own))
    assert (guessed.kind, guessed.role) == (kind, role)
