"""A section is about a type by its name, or by what it speaks of in any known language."""

import re

import pytest

from shared.language.detection import records_language
from shared.language.guideline_sections import (
    about_english_guidelines,
    guidelines_in,
    i2b2_section_about,
    section_about,
)
from shared.language.languages import language, languages_in
from shared.model import EntityKind, PersonRole, PhiTraits, PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS

HEADINGS = [
    "Patient records come first",
    "Nombres de pacientes",
    "Apellidos del personal sanitario",
    "Fecha",
    "On DATE and AGE",
    "Nº de teléfono",
    "NOMBRE SUJETO ASISTENCIA",
]


@pytest.mark.parametrize(
    ("name", "kind", "role", "heading"),
    [
        ("NOMBRE_SUJETO_ASISTENCIA", EntityKind.PERSON, PersonRole.PATIENT, HEADINGS[6]),
        ("PATIENT", EntityKind.PERSON, PersonRole.PATIENT, HEADINGS[1]),
        ("AGE", EntityKind.AGE, None, HEADINGS[4]),
        ("DATE", EntityKind.DATE, None, HEADINGS[4]),
        ("FECHAS", EntityKind.DATE, None, "Fecha"),
        ("PHONE", EntityKind.PHONE, None, HEADINGS[5]),
        ("CITY", EntityKind.CITY, None, None),
        ("ODD", EntityKind.OTHER, None, None),
    ],
)
def test_the_section_about_a_type(name, kind, role, heading):
    place = section_about(HEADINGS, PhiType("X", name), PhiTraits.of(kind, role))
    assert (None if place is None else HEADINGS[place]) == heading


@pytest.mark.parametrize("headings", [[], [""], ["", " ", "…"]])
def test_no_section_is_about_anything_where_headings_say_nothing(headings):
    assert section_about(headings, PhiType("DATE", "DATE"), PhiTraits.of(EntityKind.DATE)) is None


def test_what_i2b2_has_for_a_kind_is_found_by_that_name():
    place = i2b2_section_about(["AGE", "Hospital"], PhiTraits.of(EntityKind.HOSPITAL))
    assert place == 1
    assert i2b2_section_about(["AGE"], PhiTraits.of(EntityKind.SEX)) is None


def test_english_guidelines_are_called_so_where_they_are_not_those_of_the_project():
    assert about_english_guidelines(language("en"), same_types=True) == ""
    assert "in English." in about_english_guidelines(language("de"), same_types=True)
    assert "other types" in about_english_guidelines(language("en"), same_types=False)


def test_a_language_may_have_guidelines_in_its_folder(tmp_path):
    folder = tmp_path / "nb"
    folder.mkdir()
    (folder / "language.toml").write_text('name = "Norwegian"\n', "utf-8")
    (folder / "guidelines.md").write_text("# Veiledning\n", "utf-8")
    with languages_in(tmp_path):
        assert guidelines_in(language("nb")) == "# Veiledning\n"
    assert guidelines_in(language("de")) == ""


def test_the_spanish_guidelines_have_a_section_on_every_type_of_meddocan():
    text = guidelines_in(language("es"))
    headings = re.findall(r"^#+ (.*)", text, re.MULTILINE)
    for phi_type, traits in MEDDOCAN_TRAITS.items():
        assert headings[section_about(headings, phi_type, traits)] == phi_type.name


@pytest.mark.parametrize("phi_type", ["PATIENT", "DOCTOR", "DATE", "HOSPITAL", "STREET", "PHONE"])
def test_the_spanish_guidelines_are_found_by_types_of_other_names_too(phi_type):
    headings = re.findall(r"^#+ (.*)", guidelines_in(language("es")), re.MULTILINE)
    each = next(one for one in I2B2_2014.types() if one.name == phi_type)
    assert section_about(headings, each.phi_type, each.traits) is not None


def test_records_whose_language_is_not_told_have_no_guidelines_in_one_of_those_it_may_be():
    """Chinese ones would otherwise open the Spanish guidelines."""
    assert guidelines_in(records_language("auto", ["王小明先生于2071年入院。"])) == ""
