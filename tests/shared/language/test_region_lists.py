"""Regions, postal codes, countries and peoples by how they are written."""

from dataclasses import replace

import pytest

from shared.language.languages import language
from shared.language.region_lists import (
    city_regions,
    home_countries,
    inflected,
    names_country,
    postal_digits,
    read_country,
    region_codes,
    region_of_postal_code,
)
from shared.language.sections import Region


@pytest.mark.parametrize(
    ("text", "name", "ending"),
    [
        ("the Philippines", "Philippines", ""),
        ("U.S.", "United States", ""),
        ("EE. UU.", "Estados Unidos", ""),
        ("irlandesa", "Irlanda", "a"),
        ("españolas", "España", "as"),
        ("Irlandeses", "Irlanda", "s"),
        ("HAITIAN", "Haiti", ""),
    ],
)
def test_countries_and_peoples_are_known(text: str, name: str, ending: str) -> None:
    found = read_country(text, language("en"))
    assert found is not None
    assert (found[0].name, found[2]) == (name, ending)


@pytest.mark.parametrize(
    ("text", "code", "country", "ending"),
    [
        ("polnische", "de", "PL", "e"),
        ("kroatisches", "de", "HR", "es"),
        ("peruanas", "es", "PE", "as"),
        ("Italians", "en", "IT", "s"),
        ("Ruritania", "en", "", ""),
    ],
)
def test_a_people_is_told_with_its_ending(text: str, code: str, country: str, ending: str) -> None:
    found = read_country(text, language(code))
    assert names_country(text, language(code)) == country
    assert (found[2] if found else "") == ending


@pytest.mark.parametrize(
    ("word", "ending", "written"),
    [
        ("irlandés", "as", "irlandesas"),
        ("irlandés", "s", "irlandeses"),
        ("ruso", "a", "rusa"),
        ("Irish", "s", "Irish"),
        ("Italian", "s", "Italians"),
        ("polnisch", "er", "polnischer"),
        ("polnisch", "", "polnisch"),
    ],
)
def test_a_people_is_written_with_an_ending(word: str, ending: str, written: str) -> None:
    assert inflected(word, ending) == written


@pytest.mark.parametrize(
    ("text", "code", "digits", "region"),
    [
        ("02139", "en", "02139", "MA"),
        ("021391234", "en", "02139", "MA"),
        ("28007", "es", "28007", "28"),
        ("02139-1234", "en", "02139", "MA"),
        ("E-28007", "es", "28007", "28"),
        ("6845", "de", "6845", "VA"),
        ("A-6845", "de", "6845", "VA"),
        ("D-35410", "de", "35410", "HE"),
        ("D-35410", "es", "", ""),
        ("123", "de", "", ""),
        ("AB12", "en", "", ""),
    ],
)
def test_a_postal_code_tells_its_region(text: str, code: str, digits: str, region: str) -> None:
    spoken = language(code)
    assert postal_digits(text, spoken) == digits
    if digits:
        assert spoken.regions[region_of_postal_code(digits, spoken)].code == region


def test_every_shipped_region_can_be_found() -> None:
    assert region_codes(language("en"))["mass"] == "MA"
    assert city_regions(language("es"))["madrid"] == "28"
    assert home_countries(language("en")) == {"US"}
    assert home_countries(language("de")) >= {"DE", "AT"}
    for code in ("en", "es"):
        assert len(language(code).regions) == 50


def test_regions_that_name_no_country_make_no_country_one_of_home() -> None:
    spoken = replace(language("und"), regions={"X": Region("X", "Xa")})
    assert home_countries(spoken) == frozenset()
    assert names_country("Ruritania", spoken) not in home_countries(spoken)
