"""Words to put in place of PHI, from elsewhere than the lists that rules and features know.

For the three corpora of Uzuner and others (2008), section 5: names drawn at random from lists of
Faker that no dictionary of Tandem reads and no fabricated patient is named from; medical and other
words of the records themselves (ambiguous); random letters (out of vocabulary).
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from random import Random
from string import ascii_lowercase
from typing import Any, Protocol

from shared.model.phi_traits import EntityKind, PersonRole
from shared.recognition.dictionaries import CLINIC, LOCALES, dictionaries_of

_GIVEN_LOCALES = "en en_NZ en_KE en_PK nl_NL sv_SE".split()
_FAMILY_LOCALES = "en en_NZ en_KE en_PK nl_NL sv_SE de_DE fi_FI fr_FR".split()
_SHARES: dict[tuple[EntityKind, PersonRole | None], float] = {
    (EntityKind.PERSON, PersonRole.PATIENT): 0.49,
    (EntityKind.PERSON, PersonRole.STAFF): 0.79,
    (EntityKind.CITY, None): 1.0,
    (EntityKind.HOSPITAL, None): 0.14,
}
"""Which share of the words of a class are terms in the ambiguous corpus (section 5.2)."""
_SHORTEST, _LONGEST = 3, 9


@dataclass(frozen=True, slots=True)
class WordWanted:
    """What a word is to stand for: a class, people with their role; a given name or another."""

    kind: EntityKind
    role: PersonRole | None = None
    is_given: bool = False


@dataclass(frozen=True, slots=True)
class DrawnWord:
    """A word, capitalized, and whether it is of the sort that the corpus is about."""

    text: str
    is_special: bool


class WordSource(Protocol):
    """Where the words of a corpus come from."""

    def draw(self, wanted: WordWanted, chance: Random) -> DrawnWord: ...


class RandomNames:
    """Names of people and cities, drawn at random; hospitals are named after both."""

    def draw(self, wanted: WordWanted, chance: Random) -> DrawnWord:
        names = other_names()
        if wanted.kind is EntityKind.CITY or (
            wanted.kind is EntityKind.HOSPITAL and chance.random() < 0.5
        ):
            return DrawnWord(chance.choice(names.cities), False)
        return DrawnWord(chance.choice(names.given if wanted.is_given else names.family), False)


@dataclass(frozen=True, slots=True)
class AmbiguousTerms:
    """Terms, in the shares of the paper, among names at random."""

    terms: Sequence[str]

    def draw(self, wanted: WordWanted, chance: Random) -> DrawnWord:
        if self.terms and chance.random() < _SHARES[wanted.kind, wanted.role]:
            return DrawnWord(chance.choice(self.terms).capitalize(), True)
        return RandomNames().draw(wanted, chance)


@dataclass(frozen=True, slots=True)
class InventedNames:
    """Random letters that are no word that is known."""

    known: Container[str]

    def draw(self, wanted: WordWanted, chance: Random) -> DrawnWord:
        del wanted
        while True:
            length = chance.randint(_SHORTEST, _LONGEST)
            word = "".join(chance.choices(ascii_lowercase, k=length))
            if word not in self.known:
                return DrawnWord(word.capitalize(), True)


@dataclass(frozen=True, slots=True)
class OtherNames:
    """Given and family names and cities, plain words of ASCII, in order."""

    given: tuple[str, ...]
    family: tuple[str, ...]
    cities: tuple[str, ...]


@cache
def other_names() -> OtherNames:
    """Return the names that are drawn from; they are read once."""
    sexes = ("first_names", "first_names_female", "first_names_male")
    coordinates: Any = import_module("faker.providers.geo").Provider.land_coords
    return OtherNames(
        _plain(name for each in _GIVEN_LOCALES for kind in sexes for name in _listed(each, kind)),
        _plain(name for each in _FAMILY_LOCALES for name in _listed(each, "last_names")),
        _plain(place[2] for place in coordinates),
    )


@cache
def known_words() -> frozenset[str]:
    """Every word, in lower case, of the lists that rules, dictionaries and features look up."""
    known = dictionaries_of((*LOCALES, CLINIC))
    return frozenset(known.words).union(*(each.split() for each in known.phrases))


def _listed(locale: str, name: str) -> Any:  # noqa: ANN401  tables, lists and what makes one
    listed = getattr(import_module(f"faker.providers.person.{locale}").Provider, name, ())
    return () if isinstance(listed, property) else listed


def _plain(names: Any) -> tuple[str, ...]:  # noqa: ANN401  whatever lists hold
    return tuple(
        sorted({each for each in names if each.isascii() and each.istitle() and each.isalpha()})
    )
