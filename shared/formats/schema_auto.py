"""A schema made from names alone: those of the tags in files, or of a task definition."""

import re
from collections import Counter
from collections.abc import Iterable
from string import ascii_lowercase

from shared.errors import SchemaError
from shared.language.type_names import guess_traits
from shared.model import PhiType, Schema, SchemaCategory, SchemaType, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.meddocan import MEDDOCAN_TRAITS
from shared.model.phi_traits import PhiTraits
from shared.model.schema import OKABE_ITO, RESERVED_KEYS

_DIGITS = "123456789"
_KEYS = {each.phi_type: each.key for each in I2B2_2014.types()}
_BUILT_IN = MEDDOCAN_TRAITS | {each.phi_type: each.traits for each in I2B2_2014.types()}
_CATEGORY_ORDER = {each.name: place for place, each in enumerate(I2B2_2014.categories)}
_TYPE_ORDER = {each.phi_type: place for place, each in enumerate(I2B2_2014.types())}


def schema_of(tags: Iterable[Tag], name: str = "auto") -> Schema:
    """Return the schema of the types of `tags`: those of i2b2 2014 first, the rest by name.

    Raises SchemaError where there are no tags.
    """
    types = Counter(tag.phi_type for tag in tags)
    if not types:
        raise SchemaError("the records hold no tags to take a schema from; name a schema")
    ordered = sorted(types, key=_order)
    often = sorted(ordered, key=lambda each: -types[each])
    return schema_of_types(ordered, name, often)


def schema_with(types: Iterable[PhiType]) -> Schema:
    """Return i2b2 2014 where it has all these types, else the schema of them."""
    found = set(types)
    if all(each in I2B2_2014 for each in found):
        return I2B2_2014
    return schema_of_types(sorted(found, key=_order), "auto")


def schema_of_types(types: Iterable[PhiType], name: str, often: Iterable[PhiType] = ()) -> Schema:
    """Return the schema of these types in their order, with keys, colours and HIPAA flags.

    The first nine categories get the digits 1 to 9; a type gets the letter that i2b2 2014 has for
    it, else for another of its kind, else one of its name, else any. Where there are not enough
    letters, the last get none: of `often` if that is given.
    """
    types = list(types)
    keys = _keys(often or types)
    by_category: dict[str, list[SchemaType]] = {}
    for each in types:
        one = type_by_name(each, keys.get(each, ""))
        by_category.setdefault(each.category, []).append(one)
    return Schema(
        name,
        tuple(
            SchemaCategory(
                category,
                tuple(members),
                _DIGITS[place : place + 1],
                OKABE_ITO[place % len(OKABE_ITO)],
            )
            for place, (category, members) in enumerate(by_category.items())
        ),
    )


def built_in_traits(phi_type: PhiType) -> PhiTraits | None:
    """The traits of a type that i2b2 2014 or MEDDOCAN has by this category and name."""
    return _BUILT_IN.get(phi_type)


def type_by_name(phi_type: PhiType, key: str) -> SchemaType:
    """Return a type with the traits that a built-in schema or else its name tells."""
    built_in = built_in_traits(phi_type)
    traits = built_in or guess_traits(phi_type)
    return SchemaType(phi_type, traits.is_hipaa, key, traits, guessed=built_in is None)


def guessed_types(schema: Schema) -> list[PhiType]:
    """The types that nobody has said what they are: their traits are told from their names."""
    return [each.phi_type for each in schema.types() if each.guessed]


def guesses_in_words(schema: Schema) -> str:
    """Say which types were taken for what by their names, and what to do; "" where none was."""
    guesses = [f"{each} as {_in_words(schema.traits_of(each))}" for each in guessed_types(schema)]
    if not guesses:
        return ""
    return (
        f"types taken by their names: {', '.join(guesses)}; where that is wrong, write kind and "
        "role at the type in the project's tandem.toml"
    )


def _in_words(traits: PhiTraits) -> str:
    kind = traits.kind.replace("_", " ")
    return f"{kind} ({traits.role})" if traits.role else kind


def _keys(types: Iterable[PhiType]) -> dict[PhiType, str]:
    """A letter for each type, no two the same; none for those that come when all are given."""
    keys: dict[PhiType, str] = {}
    free = dict.fromkeys(letter for letter in ascii_lowercase if letter not in RESERVED_KEYS)
    waiting = list(dict.fromkeys(types))
    for wanted in (_own_key, _key_of_kind, _letters):
        for each in waiting:
            if letter := next((one for one in wanted(each) if one in free), ""):
                keys[each] = letter
                del free[letter]
        waiting = [each for each in waiting if each not in keys]
    return keys | dict(zip(waiting, free, strict=False))


def _own_key(phi_type: PhiType) -> str:
    return _KEYS.get(phi_type, "")


def _key_of_kind(phi_type: PhiType) -> str:
    traits = built_in_traits(phi_type) or guess_traits(phi_type)
    like = I2B2_2014.type_for(traits.kind, traits.role)
    return _KEYS.get(like, "") if like else ""


def _letters(phi_type: PhiType) -> str:
    """The first letter of each word of the name, then all of it."""
    words = re.findall(r"[a-z]+", phi_type.name.lower())
    return "".join(word[0] for word in words) + "".join(words)


def _order(phi_type: PhiType) -> tuple[int, int, PhiType]:
    last = len(_TYPE_ORDER)
    return (
        _CATEGORY_ORDER.get(phi_type.category, last),
        _TYPE_ORDER.get(phi_type, last),
        phi_type,
    )
