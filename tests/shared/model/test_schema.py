import pytest

from shared.errors import SchemaError, UnknownTypeError
from shared.model import (
    EntityKind,
    PersonRole,
    PhiTraits,
    PhiType,
    Schema,
    SchemaCategory,
    SchemaType,
)
from shared.model.i2b2_2014 import I2B2_2014

CITY = PhiType("PLACE", "CITY")


def category(name: str, *types: str, keys: str = "", key: str = "") -> SchemaCategory:
    letters = keys.ljust(len(types))
    named = zip(types, letters, strict=True)
    return SchemaCategory(
        name, tuple(SchemaType(PhiType(name, one), key=k.strip()) for one, k in named), key
    )


PLACES = Schema("places", (category("PLACE", "CITY", "WARD", keys="cw", key="1"),))


@pytest.mark.parametrize(
    ("categories", "said"),
    [
        ([category("NAME")], "category NAME has no types"),
        ([category("NAME", "A"), category("NAME", "B")], "the category NAME is there twice"),
        ([category("NAME", "A", "A")], "the type NAME:A is there twice"),
        ([category("NAME", "A", "B", keys="cC")], "the key c is there twice"),
        ([category("NAME", "A", keys="1", key="1")], "the key 1 is there twice"),
    ],
)
def test_a_schema_that_contradicts_itself(categories, said):
    with pytest.raises(SchemaError, match=said):
        Schema("mine", tuple(categories))


def test_a_schema_knows_its_types():
    assert CITY in PLACES
    assert PLACES.find(CITY).key == "c"
    assert PLACES.find(CITY).name == "CITY"
    assert PLACES.category("PLACE").key == "1"


def test_what_a_schema_does_not_know():
    other = PhiType("PLACE", "PLANET")
    assert other not in PLACES
    with pytest.raises(UnknownTypeError, match="places has no type PLACE:PLANET"):
        PLACES.find(other)
    with pytest.raises(UnknownTypeError):
        PLACES.category("PLANT")


def test_a_type_has_the_colour_of_its_category_and_an_unknown_one_is_grey():
    assert PLACES.colour(CITY) == PLACES.categories[0].colour
    assert PLACES.colour(PhiType("PLANT", "TREE")) == "#7F7F7F"


def test_two_types_of_one_name_in_two_categories():
    schema = Schema("twins", (category("A", "OTHER"), category("B", "OTHER")))
    assert schema.find(PhiType("B", "OTHER")).phi_type.category == "B"


class TestI2b2:
    """The built-in schema against the paper's figure 1."""

    def test_categories_and_types(self):
        counts = {each.name: len(each.types) for each in I2B2_2014.categories}
        assert counts == {
            "NAME": 3,
            "PROFESSION": 1,
            "LOCATION": 10,
            "AGE": 1,
            "DATE": 1,
            "CONTACT": 5,
            "ID": 9,
            "OTHER": 1,
        }

    @pytest.mark.parametrize("name", ["DOCTOR", "HOSPITAL", "PROFESSION", "STATE", "COUNTRY"])
    def test_types_beyond_hipaa(self, name):
        (phi_type,) = (each.phi_type for each in I2B2_2014.types() if each.name == name)
        assert not I2B2_2014.find(phi_type).hipaa

    @pytest.mark.parametrize("name", ["PATIENT", "DATE", "AGE", "CITY", "ZIP", "IDNUM", "EMAIL"])
    def test_types_of_hipaa(self, name):
        (phi_type,) = (each.phi_type for each in I2B2_2014.types() if each.name == name)
        assert I2B2_2014.find(phi_type).hipaa

    def test_no_key_is_one_that_the_windows_need(self):
        keys = {each.key.upper() for each in I2B2_2014.types()}
        assert not keys & set("AENPX")

    def test_no_two_categories_have_one_colour(self):
        assert len({each.colour for each in I2B2_2014.categories}) == 8


def typed(name, kind=None, role=None):
    category_name, _, own = name.partition(":")
    phi_type = PhiType(category_name, own)
    return SchemaType(phi_type, traits=PhiTraits.of(kind, role)) if kind else SchemaType(phi_type)


def schema_of(*types):
    names = {each.phi_type.category for each in types}
    return Schema(
        "mine",
        tuple(
            SchemaCategory(name, tuple(each for each in types if each.phi_type.category == name))
            for name in sorted(names)
        ),
    )


def test_a_schema_says_what_its_types_are_and_nothing_of_others():
    schema = schema_of(typed("NAME:NEIGHBOUR"), typed("NAME:FRIEND", EntityKind.RELATIVE))
    assert schema.traits_of(PhiType("NAME", "NEIGHBOUR")).kind is EntityKind.OTHER
    assert schema.traits_of(PhiType("NAME", "FRIEND")).kind is EntityKind.RELATIVE
    assert schema.traits_of(PhiType("DATE", "UNHEARD")).kind is EntityKind.OTHER


WHAT = {
    "NAME:PATIENT": (EntityKind.PERSON, PersonRole.PATIENT),
    "NAME:DOCTOR": (EntityKind.PERSON, PersonRole.STAFF),
    "NAME:NAME": (EntityKind.PERSON,),
    "ID:IDNUM": (EntityKind.NUMBER,),
    "ID:SSN": (EntityKind.SSN,),
    "CONTACT:PHONE": (EntityKind.PHONE,),
    "CONTACT:FAX": (EntityKind.FAX,),
    "LOCATION:PLACE": (EntityKind.PLACE,),
    "LOCATION:TERRITORIO": (EntityKind.TERRITORY,),
    "DATE:DATE": (EntityKind.DATE,),
}


@pytest.mark.parametrize(
    ("types", "kind", "role", "found"),
    [
        ("NAME:PATIENT NAME:DOCTOR", EntityKind.PERSON, PersonRole.STAFF, "NAME:DOCTOR"),
        ("NAME:PATIENT NAME:NAME", EntityKind.PERSON, PersonRole.STAFF, "NAME:NAME"),
        ("NAME:PATIENT NAME:NAME", EntityKind.PERSON, None, "NAME:NAME"),
        ("NAME:PATIENT", EntityKind.PERSON, PersonRole.STAFF, None),
        ("NAME:PATIENT", EntityKind.PERSON, None, "NAME:PATIENT"),
        ("ID:IDNUM ID:SSN", EntityKind.RECORD_NUMBER, None, "ID:IDNUM"),
        ("CONTACT:PHONE", EntityKind.FAX, None, "CONTACT:PHONE"),
        ("CONTACT:FAX", EntityKind.PHONE, None, None),
        ("LOCATION:PLACE LOCATION:TERRITORIO", EntityKind.CITY, None, "LOCATION:TERRITORIO"),
        ("LOCATION:PLACE", EntityKind.CITY, None, "LOCATION:PLACE"),
        ("DATE:DATE", EntityKind.SSN, None, None),
    ],
)
def test_the_type_to_propose_is_the_nearest_that_the_schema_has(types, kind, role, found):
    schema = schema_of(*(typed(each, *WHAT[each]) for each in types.split()))
    proposed = schema.type_for(kind, role)
    assert proposed == (PhiType(*found.split(":")) if found else None)
