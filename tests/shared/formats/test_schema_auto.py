import pytest

from shared.errors import SchemaError
from shared.formats.schema_auto import guesses_in_words, schema_of, schema_of_types
from shared.model import PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS
from shared.model.schema import OKABE_ITO
from tests.builders import phi


def tagged(*names):
    return [Tag(Span(0, 1), PhiType(*name.split(":"))) for name in names]


def test_types_of_i2b2_come_first_and_in_its_order():
    schema = schema_of(tagged("WARD:WARD", "DATE:WHEN", "DATE:DATE", "NAME:X", "NAME:DOCTOR"))
    found = [str(each.phi_type) for each in schema.types()]
    assert found == ["NAME:DOCTOR", "NAME:X", "DATE", "DATE:WHEN", "WARD"]


def test_the_first_nine_categories_get_digits():
    types = [PhiType(f"C{number:02}", "X") for number in range(11)]
    keys = [each.key for each in schema_of_types(types, "many").categories]
    assert keys == [*"123456789", "", ""]


def test_colours_are_those_of_okabe_and_ito_and_begin_anew():
    types = [PhiType(f"C{number:02}", "X") for number in range(9)]
    colours = [each.colour for each in schema_of_types(types, "many").categories]
    assert colours == [*OKABE_ITO, OKABE_ITO[0]]


def test_what_is_hipaas_follows_from_what_a_type_is_whatever_its_name():
    schema = schema_of_types([*MEDDOCAN_TRAITS, PhiType("PLACE", "CITY"), PhiType("X", "Y")], "all")
    hipaa = {each.name for each in schema.types() if each.hipaa}
    assert {"CITY", "CALLE", "TERRITORIO", "NOMBRE_SUJETO_ASISTENCIA", "FECHAS"} < hipaa
    assert not {"Y", "NOMBRE_PERSONAL_SANITARIO", "HOSPITAL", "PAIS", "URL_WEB"} & hipaa


def test_each_of_the_types_of_a_corpus_has_a_letter_of_its_own():
    some = list(MEDDOCAN_TRAITS)[:21]
    keys = {each.phi_type.name: each.key for each in schema_of_types(some, "auto").types()}
    assert sorted(keys.values()) == sorted("bcdfghijklmoqrstuvwyz")
    assert keys["NOMBRE_SUJETO_ASISTENCIA"] == I2B2_2014.find(phi("PATIENT")).key
    assert keys["FECHAS"] == I2B2_2014.find(phi("DATE")).key


def test_a_type_of_no_known_kind_gets_a_letter_of_its_name_that_no_other_wants():
    schema = schema_of(tagged("MISC:VAULT", "MISC:VOLUME", "MISC:TOMB", "NAME:PATIENT"))
    assert [each.key for each in schema.types()] == ["t", "o", "v", "l"]


def test_where_there_are_more_types_than_letters_the_last_have_none():
    keys = [each.key for each in schema_of_types(MEDDOCAN_TRAITS, "auto").types()]
    assert keys.count("") == len(keys) - 21


def test_what_is_rare_has_no_letter_where_there_are_not_enough():
    types = [PhiType("MISC", f"T{number:02}") for number in range(22)]
    rare = types[0]
    tags = [Tag(Span(0, 1), each) for each in types for _ in range(1 + (each != rare))]
    schema = schema_of(tags)
    assert [each.phi_type for each in schema.types() if not each.key] == [rare]


def test_types_of_built_in_schemas_are_not_guessed():
    assert guesses_in_words(schema_of_types(MEDDOCAN_TRAITS, "auto")) == ""


def test_no_tags_are_no_schema():
    with pytest.raises(SchemaError, match="hold no tags"):
        schema_of([])
