"""The lists of `words.txt`: what surrogates of places and professions are drawn from."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from shared.surrogates.wording import folded


@dataclass(frozen=True, slots=True)
class Region:
    """A state of America or a province of Spain; its `code` is `MA`, or `28` as in postal codes."""

    code: str
    name: str
    cities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Country:
    """A country's name and demonym in English and Spanish."""

    name: str
    demonym: str
    spanish_name: str
    spanish_demonym: str


@cache
def lines_of(heading: str) -> tuple[str, ...]:
    """The lines below a heading."""
    return _sections()[heading]


@cache
def words_of(heading: str) -> tuple[str, ...]:
    """The words below a heading, which commas part."""
    return tuple(word.strip() for line in lines_of(heading) for word in line.split(","))


@cache
def regions(language: str) -> Mapping[str, Region]:
    """The states or provinces by code."""
    heading = {"en": "states of America with cities", "es": "provinces of Spain with cities"}
    return {each.code: each for each in map(_region, lines_of(heading[language]))}


@cache
def region_codes(language: str) -> Mapping[str, str]:
    """Codes by every way to write a region, folded."""
    found: dict[str, str] = {}
    for each in regions(language).values():
        found[folded(each.name)] = each.code
        if language == "en":
            found[folded(each.code)] = each.code
    return found | (_CUT_STATES if language == "en" else {})


@cache
def city_regions(language: str) -> Mapping[str, str]:
    """Codes of regions by city, folded; a name of several cities has that of the first."""
    found: dict[str, str] = {}
    for each in regions(language).values():
        for city in (*each.cities, each.name) if language == "es" else each.cities:
            found.setdefault(folded(city), each.code)
    return found


@cache
def countries() -> tuple[Country, ...]:
    """The countries that surrogates are drawn from."""
    return tuple(map(_country, lines_of("countries")))


@cache
def country_forms() -> Mapping[str, tuple[Country, str]]:
    """Country and form (name, demonym, spanish_name, spanish_demonym) by text, folded."""
    found: dict[str, tuple[Country, str]] = {}
    for each in (*countries(), *map(_country, lines_of("other countries"))):
        for form in ("spanish_demonym", "spanish_name", "demonym", "name"):
            found.setdefault(folded(str(getattr(each, form))), (each, form))
    return found


_CUT_STATES = {
    "mass": "MA", "conn": "CT", "calif": "CA", "fla": "FL", "penn": "PA", "penna": "PA",
    "tex": "TX", "wash": "WA", "n.h": "NH", "n.y": "NY", "n.j": "NJ", "r.i": "RI", "vt": "VT",
    "mich": "MI", "minn": "MN", "ill": "IL", "ariz": "AZ", "colo": "CO", "tenn": "TN", "wis": "WI",
    "new york state": "NY",
}  # fmt: skip


@cache
def _sections() -> Mapping[str, tuple[str, ...]]:
    text = files("shared.surrogates.places").joinpath("words.txt").read_text("utf-8")
    sections: dict[str, tuple[str, ...]] = {}
    for part in text.split("\n== ")[1:]:
        heading, *lines = part.splitlines()
        sections[heading] = tuple(line for line in lines if line.strip())
    return sections


def _region(line: str) -> Region:
    head, _, cities = line.partition(": ")
    code, _, name = head.partition(" ")
    return Region(code, name, tuple(cities.split(", ")))


def _country(line: str) -> Country:
    return Country(*line.split(", "))
