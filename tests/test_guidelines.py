"""The guidelines speak of the program as it is."""

import re
import tomllib
from pathlib import Path

import pytest

from guidelines import guideline_names, guideline_text
from shared.formats import i2b2_xml
from shared.formats.schema_toml import schema_from_table
from shared.model import EntityKind, Identifier, Matching, PersonRole
from shared.model.i2b2_2014 import I2B2_2014
from tests.builders import texts


def table_rows(markdown: str) -> list[list[str]]:
    """The cells of all table rows but the heads and the lines below them."""
    lines = [line for line in markdown.splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in rows[1:] if not set(row[0]) <= {"-"}]


def blocks(markdown: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", markdown, re.DOTALL)


def test_the_table_of_types_is_the_schema():
    expected = [
        [each.name, each.key, one.name, one.key.upper(), "yes" if one.hipaa else ""]
        for each in I2B2_2014.categories
        for one in each.types
    ]
    table = guideline_text("phi_types").partition("## What a type is")[0]
    assert [row[:5] for row in table_rows(table)] == expected


@pytest.mark.parametrize("name", [each.name for each in I2B2_2014.types()])
def test_every_type_has_a_section_to_open(name):
    assert f"\n### {name}\n" in guideline_text("annotation_guidelines")


@pytest.mark.parametrize("name", [each.name for each in I2B2_2014.types()])
def test_no_heading_before_that_section_has_the_name_among_its_words(name):
    """The windows open the first heading with the word in it."""
    headings = re.findall(r"^#+ (.*)", guideline_text("annotation_guidelines"), re.MULTILINE)
    assert next(each for each in headings if name.lower() in each.lower().split()) == name


def test_the_example_of_a_layer_is_one():
    (source,) = blocks(guideline_text("file_format"), "xml")
    record = i2b2_xml.parse_record(source.encode(), Path("example.xml"))
    assert texts(record.tags, record.text) == [("Okafor", "DOCTOR"), ("4/17/2068", "DATE")]


def test_the_example_of_a_schema_is_one():
    (source,) = blocks(guideline_text("file_format"), "toml")
    schema = schema_from_table(tomllib.loads(source)["schema"])
    assert [each.name for each in schema.types()] == ["PATIENT", "DOCTOR"]


def test_the_generic_departments_are_all_there():
    listed = guideline_text("annotation_guidelines").partition("## Generic departments")[2]
    cells = [cell for row in table_rows(listed) for cell in row if cell]
    assert len(cells) == 37


@pytest.mark.parametrize("name", guideline_names())
def test_a_guideline_begins_with_its_title(name):
    assert re.match(r"# \w.*\n\n", guideline_text(name))


def test_a_guideline_that_is_not_there():
    with pytest.raises(KeyError):
        guideline_text("../README")


def test_every_kind_of_a_type_is_explained_and_every_example_is_one():
    section = guideline_text("phi_types").partition("## What a type is")[2]
    listed = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)))
    assert sorted(listed) == sorted(EntityKind)
    prose = section.partition("Roles are")[2]
    for enum in (PersonRole, Matching, Identifier):
        assert all(f"`{each}`" in prose for each in enum)
    (example,) = re.findall(r"```toml\n(.*?)```", section, re.DOTALL)
    category = 'name = "own"\n[[categories]]\nname = "NAME"\n'
    schema = schema_from_table(tomllib.loads(category + example))
    assert [schema.traits_of(each.phi_type).kind for each in schema.types()] == [
        EntityKind.PERSON,
        EntityKind.ORGANIZATION,
    ]
