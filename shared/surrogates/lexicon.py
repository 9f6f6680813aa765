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

_ABROAD = (
    "vi_VN en_IN fr_FR it_IT de_DE pt_BR nl_NL sv_SE tr_TR yo_NG ig_NG en_NG en_KE id_ID cs_CZ "
    "ro_RO hu_HU fr_CA es_ES es_MX zu_ZA da_DK"
).split()

Names = Mapping[str, tuple[str, ...]]
"""Names by their first letter, A to Z, accents left out."""


@dataclass(frozen=True, slots=True)
class NameLists:
    """Given names of women and of men only, and family names.

    Each has a reserve of rarer ones, and one of other countries for names that the language does
    not have, which it would change the records' nature to make its own.
    """

    women: Names
    men: Names
    family: Names
    more_women: Names
    more_men: Names
    more_family: Names
    abroad_women: Names
    abroad_men: Names
    abroad_family: Names
    given_sexes: Mapping[str, str]
    """M, F or "" (either) by given name in small letters without accents."""
    family_names: frozenset[str]
    at_home: frozenset[str]
    """All names of the language, in small letters without accents."""


@cache
def name_lists(language: str) -> NameLists:
    women, men = (_all(language, _COMMON, f"first_names_{sex}") for sex in ("female", "male"))
    family = _all(language, _COMMON, "last_names")
    more_women, more_men = (_all(language, _MORE, f"first_names_{s}") for s in ("female", "male"))
    more_family = _all(language, _MORE, "last_names")
    abroad = {language: _ABROAD}
    far_women, far_men = (_all(language, abroad, f"first_names_{s}") for s in ("female", "male"))
    far_family = _all(language, abroad, "last_names")
    home = women | men | more_women | more_men | family | more_family
    return NameLists(
        women=_by_letter(women - men - more_men),
        men=_by_letter(men - women - more_women),
        family=_by_letter(family),
        more_women=_by_letter(more_women - men - more_men),
        more_men=_by_letter(more_men - women - more_women),
        more_family=_by_letter(more_family),
        abroad_women=_by_letter(far_women - far_men - home),
        abroad_men=_by_letter(far_men - far_women - home),
        abroad_family=_by_letter(far_family - home),
        given_sexes=_sexes((far_women, far_men), (more_women, more_men), (women, men)),
        family_names=frozenset(plain(name).lower() for name in family | more_family),
        at_home=frozenset(plain(name).lower() for name in home),
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


def _sexes(*lists: tuple[set[str], set[str]]) -> dict[str, str]:
    """Whose name it is by pairs of lists for women and men, of which the last goes first."""
    sexes: dict[str, str] = {}
    for female, male in lists:
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
