"""Which given names are short for others: `Bill` for William."""

from collections.abc import Mapping
from functools import cache

from shared.surrogates.lexicon import NameLists
from shared.surrogates.people.parsing import Role
from shared.surrogates.people.words import Word


@cache
def nicknames_of(name: str) -> frozenset[str]:
    """The nicknames of an English given name, all in small letters.

    Where two names are listed as nicknames of each other, as `Bill` and `William` are, that with
    more of them is the full one.
    """
    every = _listed(name)
    return frozenset(
        each for each in every if name not in _listed(each) or len(_listed(each)) < len(every)
    )


def find_nicknames(words: Mapping[str, Word], lists: NameLists) -> dict[str, str]:
    """Return the full name of every given name that is short for another of the same person.

    Both stand beside the same family name, or the nickname stands alone and is short for one name
    only. Two names of two sexes are two people's.
    """
    given = [each for each in words.values() if each.role is Role.GIVEN and not each.variant_of]
    found: dict[str, str] = {}
    for short in given:
        full = [
            each
            for each in given
            if short.key in nicknames_of(each.key)
            and each.key not in found
            and not _two_sexes(short, each, lists)
            and (not short.beside or short.beside & each.beside)
        ]
        if len(full) == 1:
            found[short.key] = full[0].key
    return found


def _two_sexes(one: Word, other: Word, lists: NameLists) -> bool:
    sexes = {lists.given_sexes.get(each.key, "") for each in (one, other)} - {""}
    return len(sexes) > 1


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(_namer().nicknames_of(name))


@cache
def _namer():  # noqa: ANN202 - loaded when a name is first looked up
    from nicknames import NickNamer

    return NickNamer()
