"""The names that surrogates are drawn from: Faker's lists, read once, by first letter.

Faker makes a name at a time, at a tenth of a millisecond each; its lists are what is wanted here.
"""

import importlib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from shared.language.languages import Language
from shared.text.spelling import match_key, without_accents

Names = Mapping[str, tuple[str, ...]]
"""Names by their first letter, A to Z, accents left out."""


@dataclass(frozen=True, slots=True, eq=False)
class NamePool:
    """Names of one kind: the common ones, rarer ones of the language, and those of abroad.

    The last serve where the language has people of all countries, for names that are not its own.
    """

    common: Names
    rarer: Names
    abroad: Names

    @property
    def every_common(self) -> list[str]:
        return [name for names in self.common.values() for name in names]


@dataclass(frozen=True, slots=True, eq=False)
class NameLists:
    """Given names of women and of men only, and family names."""

    language: Language
    women: NamePool
    men: NamePool
    family: NamePool
    given_sexes: Mapping[str, str]
    """M, F or "" (either) by given name in small letters without accents."""
    family_names: frozenset[str]
    common: frozenset[str]
    """Given and family names that are common in the language, in small letters.

    They are there without accents, too: `lange` and `müller` are, `länge` is not.
    """
    at_home: frozenset[str]
    """All names of the language, in small letters without accents."""
    abroad: frozenset[str]
    """Names that are of abroad only, in small letters without accents."""


@cache
def name_lists(language: Language) -> NameLists:
    common, rarer, abroad = language.faker, language.faker_more, language.faker_abroad
    women = _all(common, "first_names_female") | set(language.women)
    men = _all(common, "first_names_male") | set(language.men)
    family = _all(common, "last_names") | set(language.family)
    more_women, more_men = (_all(rarer, f"first_names_{sex}") for sex in ("female", "male"))
    more_family = _all(rarer, "last_names")
    far_women, far_men = (_all(abroad, f"first_names_{sex}") for sex in ("female", "male"))
    far_family = _all(abroad, "last_names")
    home = women | men | more_women | more_men | family | more_family
    return NameLists(
        language,
        _pool(women - men - more_men, more_women - men - more_men, far_women - far_men - home),
        _pool(men - women - more_women, more_men - women - more_women, far_men - far_women - home),
        _pool(family, more_family, far_family - home),
        _sexes((far_women, far_men), (more_women, more_men), (women, men))
        | dict.fromkeys(map(match_key, language.names.mostly_men), "M")
        | dict.fromkeys(map(match_key, language.names.mostly_women), "F"),
        _folded(family | more_family),
        _folded(women | men | family) | {each.lower() for each in women | men | family},
        _folded(home),
        _folded(far_women | far_men | far_family) - _folded(home),
    )


def _folded(names: Iterable[str]) -> frozenset[str]:
    return frozenset(without_accents(name).lower() for name in names)


def _pool(*lists: set[str]) -> NamePool:
    common, rarer, abroad = map(_by_letter, lists)
    return NamePool(common, rarer, abroad)


def _all(locales: Iterable[str], attribute: str) -> set[str]:
    names = set(faker_list("person", locales, attribute))
    return {name for name in names if name.isalpha() and len(name) > 2}


def faker_list(kind: str, locales: Iterable[str], attribute: str) -> Iterator[str]:
    """The lists of Faker's providers of a kind; nothing where this Faker does not have one."""
    for locale in locales:
        try:
            provider: Any = importlib.import_module(f"faker.providers.{kind}.{locale}").Provider
        except ModuleNotFoundError:
            continue
        yield from getattr(provider, attribute, ())


def _sexes(*lists: tuple[set[str], set[str]]) -> dict[str, str]:
    """Whose name it is by pairs of lists for women and men, of which the last goes first."""
    sexes: dict[str, str] = {}
    for female, male in lists:
        for name in female | male:
            sex = ("F" if name in female else "") + ("M" if name in male else "")
            sexes[without_accents(name).lower()] = sex if len(sex) == 1 else ""
    return sexes


def _by_letter(names: Iterable[str]) -> Names:
    found: dict[str, list[str]] = defaultdict(list)
    for name in sorted(names):
        letter = without_accents(name[0]).upper()
        if letter.isascii():
            found[letter].append(name)
    return {letter: tuple(each) for letter, each in found.items()}
