"""The names that surrogates are drawn from: Faker's lists, read once, by first letter.

Faker makes a name at a time, at a tenth of a millisecond each; its lists are what is wanted here.
"""

import importlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from shared.surrogates.wording import plain

LANGUAGES = ("en", "es")
_COMMON = {"en": ("en_US", "en_GB"), "es": ("es_ES",)}
_MORE = {"en": ("en", "en_NZ", "en_IE"), "es": ("es_MX", "es_AR", "es_CO", "es_CL", "es")}

Names = Mapping[str, tuple[str, ...]]
"""Names by their first letter, A to Z, accents left out."""


@dataclass(frozen=True, slots=True)
class NameLists:
    """Given names of women and of men only, and family names, each with a reserve of rarer ones."""

    women: Names
    men: Names
    family: Names
    more_women: Names
    more_men: Names
    more_family: Names
    given_sexes: Mapping[str, str]
    """M, F or "" (either) by given name in small letters without accents."""
    family_names: frozenset[str]


@cache
def name_lists(language: str) -> NameLists:
    women, men = (_all(language, _COMMON, f"first_names_{sex}") for sex in ("female", "male"))
    family = _all(language, _COMMON, "last_names")
    more_women, more_men = (_all(language, _MORE, f"first_names_{s}") for s in ("female", "male"))
    more_family = _all(language, _MORE, "last_names")
    return NameLists(
        women=_by_letter(women - men - more_men),
        men=_by_letter(men - women - more_women),
        family=_by_letter(family),
        more_women=_by_letter(more_women - men - more_men),
        more_men=_by_letter(more_men - women - more_women),
        more_family=_by_letter(more_family),
        given_sexes=_sexes(women, men, more_women, more_men),
        family_names=frozenset(plain(name).lower() for name in family | more_family),
    )


def _all(language: str, locales: Mapping[str, Iterable[str]], attribute: str) -> set[str]:
    names: set[str] = set()
    for locale in locales[language]:
        names |= set(_provider_list(f"faker.providers.person.{locale}", attribute))
    return {name for name in names if name.isalpha() and len(name) > 2}


def _provider_list(module: str, attribute: str) -> Iterable[str]:
    """The list of one of Faker's providers; empty where this Faker does not have it."""
    try:
        provider: Any = importlib.import_module(module).Provider
    except ModuleNotFoundError:
        return ()
    return getattr(provider, attribute, ())


def _sexes(
    women: set[str], men: set[str], more_women: set[str], more_men: set[str]
) -> dict[str, str]:
    """The common lists say whose name it is; where they are silent the rarer ones do."""
    sexes: dict[str, str] = {}
    for female, male in ((more_women, more_men), (women, men)):
        for name in female | male:
            sex = ("F" if name in female else "") + ("M" if name in male else "")
            sexes[plain(name).lower()] = sex if len(sex) == 1 else ""
    return sexes


def _by_letter(names: Iterable[str]) -> Names:
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        letter = plain(name[0]).upper()
        if letter.isascii():
            found[letter].append(name)
    return {letter: tuple(each) for letter, each in found.items()}
