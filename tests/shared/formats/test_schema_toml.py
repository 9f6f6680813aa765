import copy

import pytest
import tomlkit

from shared.errors import FileFormatError, StorageError
from shared.formats.schema_auto import guessed_types
from shared.formats.schema_toml import read_schema, schema_from_table, schema_to_table
from shared.model import EntityKind, Matching, PersonRole, PhiTraits, PhiType
from shared.model.i2b2_2014 import I2B2_2014

GOOD = {
    "name": "short",
    "categories": [
        {"name": "NAME", "key": "1", "types": [{"name": "PATIENT", "hipaa": True, "key": "t"}]},
        {"name": "DATE", "types": [{"name": "DATE"}]},
    ],
}


def changed(**changes):
    table = copy.deepcopy(GOOD)
    table["categories"][0].update(changes)
    return table


def test_a_schema_comes_back():
    assert schema_from_table(schema_to_table(I2B2_2014)) == I2B2_2014


def test_a_file_is_read(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text(tomlkit.dumps(GOOD), "utf-8")
    schema = read_schema(path)
    assert [str(each.phi_type) for each in schema.types()] == ["NAME:PATIENT", "DATE"]
    assert schema.categories[1].colour == "#E69F00"


def traits_of(**said):
    schema = schema_from_table(changed(types=[{"name": "NEIGHBOUR", **said}]))
    return schema, schema.traits_of(PhiType("NAME", "NEIGHBOUR"))


def test_a_type_says_what_it_is_and_the_rest_follows_from_its_kind():
    _, traits = traits_of(kind="hospital")
    assert traits == PhiTraits.of(EntityKind.HOSPITAL)
    _, traits = traits_of(role="relative")
    assert (traits.kind, traits.role) == (EntityKind.PERSON, PersonRole.RELATIVE)
    _, traits = traits_of(kind="date", matching="never", identifier="direct", may_stay=True)
    assert (traits.matching, traits.high_risk, traits.may_stay) == (Matching.NEVER, True, True)


def test_whether_a_type_is_hipaas_follows_from_what_it_is_where_that_is_not_said():
    types = [{"name": "A", "kind": "phone"}, {"name": "B", "kind": "phone", "hipaa": False}]
    schema = schema_from_table(changed(types=[*types, {"name": "DOCTOR"}]))
    assert [schema.find(PhiType("NAME", each)).hipaa for each in ("A", "B", "DOCTOR")] == [
        True,
        False,
        False,
    ]


def test_what_a_type_says_of_itself_comes_back():
    said = {"kind": "person", "role": "relative", "recurs_across_patients": True}
    schema, _ = traits_of(**said, identifier="quasi")
    table = schema_to_table(schema)
    assert table["categories"][0]["types"][0].items() >= said.items()
    assert schema_from_table(tomlkit.parse(tomlkit.dumps(table)).unwrap()) == schema


def test_a_schema_that_says_nothing_of_its_types_is_written_as_ever():
    table = schema_to_table(schema_from_table(GOOD))
    assert set(table["categories"][0]["types"][0]) == {"name", "hipaa", "key"}


def test_the_types_of_built_in_schemas_are_known_and_the_others_guessed():
    types = [{"name": "PATIENT"}, {"name": "NOMBRE_SUJETO_ASISTENCIA"}, {"name": "RELATIVE"}]
    schema = schema_from_table(changed(types=types))
    assert guessed_types(schema) == [PhiType("NAME", "RELATIVE")]
    assert all(schema.traits_of(each.phi_type).is_name for each in schema.categories[0].types)


BROKEN = {
    "name must be there": {"categories": []},
    "categories must be there": {"name": "short"},
    "a list of tables": {"name": "short", "categories": ["NAME"]},
    "types must be there": changed(types=[]),
    "letter first": changed(name="A NAME"),
    "must look like #D55E00": changed(colour="red"),
    "must be one character": changed(key="12"),
    "the key A is taken": changed(key="A"),
    "the key ' is taken": changed(key="'"),
    "hipaa must be there and be a bool": changed(types=[{"name": "PATIENT", "hipaa": "yes"}]),
    "unprintable name": changed(types=[{"name": "A\nB"}]),
    "kind must be one of person, ": changed(types=[{"name": "X", "kind": "people"}]),
    "category NAME, type X: role must be one of patient, staff, relative": changed(
        types=[{"name": "X", "role": "doctor"}]
    ),
    "matching must be one of": changed(types=[{"name": "X", "matching": 1}]),
    "may_stay must be there and be a bool": changed(types=[{"name": "X", "may_stay": "no"}]),
    "the category DATE is there twice": changed(name="DATE"),
    "the key 1 is there twice": changed(types=[{"name": "PATIENT", "key": "1"}]),
}


@pytest.mark.parametrize(("said", "table"), BROKEN.items(), ids=BROKEN)
def test_a_schema_that_cannot_be_is_refused_in_one_sentence(tmp_path, said, table):
    path = tmp_path / "short.toml"
    path.write_text(tomlkit.dumps(table), "utf-8")
    with pytest.raises(FileFormatError) as caught:
        read_schema(path)
    assert said in str(caught.value)
    assert f"{path.name}: " in str(caught.value)


def test_a_file_saved_with_a_byte_order_mark_is_read(tmp_path):
    path = tmp_path / "short.toml"
    path.write_text(
        'name = "s"\n[[categories]]\nname = "A"\ntypes = [{ name = "B" }]\n', "utf-8-sig"
    )
    assert [str(each.phi_type) for each in read_schema(path).types()] == ["A:B"]


@pytest.mark.parametrize("content", [b"name = ", b"\xff"])
def test_what_is_no_toml_is_refused(tmp_path, content):
    path = tmp_path / "short.toml"
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match="is not a TOML file"):
        read_schema(path)


def test_a_missing_file_is_a_storage_error(tmp_path):
    with pytest.raises(StorageError, match="check the name"):
        read_schema(tmp_path / "none.toml")
