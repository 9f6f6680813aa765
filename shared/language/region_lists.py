"""Regions, postal codes, countries and peoples of a language, looked up by how they are written."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from string import ascii_uppercase

from shared.language.known_languages import known_languages
from shared.language.languages import Language, language
from shared.language.sections import Country
from shared.text.spelling import match_key, without_accents

_ENDINGS = (("s", ("",)), ("es", ("",)), ("a", ("o", "")), ("as", ("o", "")))
"""How a people's name goes on in the plural and for women, and what stands in their place."""

_ADDED_ENDINGS = ("in", "innen", "e", "er", "en", "em", "es")
"""Those that are put behind a people's name and change nothing of it."""


def home_countries(spoken: Language) -> frozenset[str]:
    """The ISO 3166 codes of the countries whose regions a language has."""
    return frozenset(each.country for each in spoken.regions.values() if each.country)


def names_country(text: str, spoken: Language) -> str:
    """The ISO 3166 code of the country that a text names, or whose people; "" where none."""
    found = read_country(text, spoken)
    return found[0].code if found else ""


def read_country(text: str, spoken: Language) -> tuple[Country, Language, str] | None:
    """Return the country that a text is or whose people, in which language, with which ending."""
    key = match_key(text)
    for candidate in (key, key.replace(".", "").replace(" ", ""), key.removeprefix("the ")):
        for each in _languages(spoken):
            if country := _country_forms(each).get(candidate):
                return country, each, ""
    for ending, base in _bases(key):
        for each in _languages(spoken):
            country = _country_forms(each).get(base)
            if country and match_key(country.demonym) == base:
                return country, each, ending
    return None


def _bases(key: str) -> Iterator[tuple[str, str]]:
    """The endings that a people's name may have here, with the name before them."""
    for ending in _ADDED_ENDINGS:
        if key.endswith((f"sch{ending}", f"er{ending}")):
            yield ending, key.removesuffix(ending)
    for ending, instead in _ENDINGS:
        for each in instead if key.endswith(ending) else ():
            yield "s" if ending == "es" else ending, key.removesuffix(ending) + each


@cache
def _languages(spoken: Language) -> tuple[Language, ...]:
    return (spoken, *(language(code) for code in known_languages() if code != spoken.code))


@cache
def _country_forms(spoken: Language) -> Mapping[str, Country]:
    """Countries by name, people and short form, folded."""
    found: dict[str, Country] = {}
    for each in spoken.countries.values():
        for form in (each.demonym, each.name, *each.short_forms):
            found.setdefault(match_key(form), each)
    return found


@cache
def names_of_country(code: str) -> tuple[str, ...]:
    """What a country and its people are called in every known language."""
    every = (language(each).countries.get(code) for each in known_languages())
    return tuple(form for each in every if each for form in (each.name, each.demonym))


@cache
def region_codes(spoken: Language) -> Mapping[str, str]:
    """Codes by every way to write a region, folded."""
    return {
        match_key(form): each.code
        for each in spoken.regions.values()
        for form in (each.name, each.code, *each.short_forms)
        if not form.isdigit()
    }


@cache
def city_regions(spoken: Language) -> Mapping[str, str]:
    """Codes of regions by city, folded; a name of several cities has that of the first."""
    found: dict[str, str] = {}
    for each in spoken.regions.values():
        for city in each.cities:
            found.setdefault(match_key(city), each.code)
    for each in spoken.regions.values():
        found.setdefault(match_key(each.name), each.code)
    return found


def is_city(text: str, spoken: Language) -> bool:
    """Whether some city has this name; that of a region alone is none."""
    return match_key(text) in _cities(spoken)


@cache
def _cities(spoken: Language) -> frozenset[str]:
    return frozenset(match_key(city) for each in spoken.regions.values() for city in each.cities)


@cache
def postal_ranges(postal: tuple[str, ...]) -> list[tuple[str, str]]:
    """The first and the last code of each range of a region's postal codes."""
    return [(low, high or low) for low, _, high in (each.partition("-") for each in postal)]


@cache
def _code_lengths(spoken: Language) -> tuple[int, ...]:
    """How many digits postal codes have, the most first, without what comes behind a hyphen."""
    every = (code for each in spoken.regions.values() for code, _ in postal_ranges(each.postal))
    return tuple(sorted({len(code) for code in every} or {5}, reverse=True))


def postal_digits(text: str, spoken: Language) -> str:
    """The digits that a postal code begins with, "" where it is none.

    A country's letters before them (`D-35410`) are those of the language's own postal codes.
    """
    if re.fullmatch(spoken.places.postal_code, text):
        text = text.lstrip(f"{ascii_uppercase}-")
    value = "".join(filter(str.isalnum, text))
    lengths = _code_lengths(spoken)
    length = next((each for each in lengths if each <= len(value)), len(value) + 1)
    return value[:length] if value[:length].isdigit() and length <= len(value) else ""


def region_of_postal_code(digits: str, spoken: Language) -> str:
    """The region of a postal code, "" where nobody has it."""
    return next(
        (
            each.code
            for each in spoken.regions.values()
            for low, high in postal_ranges(each.postal)
            if len(low) == len(digits) and low <= digits <= high
        ),
        "",
    )


def inflected(word: str, ending: str) -> str:
    """Return a people's name as plural or feminine: `irlandés`, `irlandesa`, `irlandesas`."""
    if not ending or ending in _ADDED_ENDINGS:
        return word + ending
    if ending == "s":
        unchanged = word.endswith(("ese", "ish", "ch", "s"))
        if word[-1] in "nlsrz" and without_accents(word) != word:
            return without_accents(word) + "es"
        return word if unchanged else word + "s"
    feminine = word
    if word.endswith("o"):
        feminine = word[:-1] + "a"
    elif word[-1] in "nsl":
        feminine = without_accents(word) + "a"
    return feminine + ending[1:]
