"""The traits of a type told from its name, where no schema lays them down.

The category goes before the name: `NAME:RELATIVE` is a person, `OTHER:FAMILY` are relatives. The
words are those of every known language (`type_names.toml` in its folder): nobody knows in which
one a schema was named.
"""

import re
from collections.abc import Container, Mapping
from fnmatch import fnmatchcase

from shared.language.known_languages import UNDETERMINED, known_languages
from shared.language.languages import languages_together
from shared.language.sections import TYPE_CATEGORIES, Words
from shared.model import EntityKind, PersonRole, PhiTraits, PhiType
from shared.model.phi_traits import CONTACTS, NUMBERS, PLACES
from shared.text.spelling import without_accents

_CATEGORY_KINDS: Mapping[str, tuple[frozenset[EntityKind], EntityKind]] = {
    "name": (frozenset({EntityKind.PERSON, EntityKind.USERNAME}), EntityKind.PERSON),
    "location": (PLACES, EntityKind.PLACE),
    "date": (frozenset({EntityKind.DATE, EntityKind.AGE}), EntityKind.DATE),
    "age": (frozenset({EntityKind.AGE}), EntityKind.AGE),
    "contact": (CONTACTS | PLACES, EntityKind.OTHER),
    "id": (NUMBERS | CONTACTS | {EntityKind.USERNAME}, EntityKind.NUMBER),
    "profession": (frozenset({EntityKind.PROFESSION}), EntityKind.PROFESSION),
}
"""Which kinds the types of a category may be, and which one it is where the name does not tell."""

_KINDS = (
    *(EntityKind.USERNAME, EntityKind.SEX, EntityKind.RELATIVE, EntityKind.EMAIL),
    *(EntityKind.IP_ADDRESS, EntityKind.URL, EntityKind.FAX, EntityKind.PHONE, EntityKind.SSN),
    *(EntityKind.PROFESSION, EntityKind.HEALTH_PLAN, EntityKind.LICENSE, EntityKind.VEHICLE),
    *(EntityKind.DEVICE, EntityKind.BIOMETRIC, EntityKind.RECORD_NUMBER, EntityKind.ACCOUNT),
    *(EntityKind.HOSPITAL, EntityKind.ORGANIZATION, EntityKind.DEPARTMENT, EntityKind.ROOM),
    *(EntityKind.STREET, EntityKind.POSTAL_CODE, EntityKind.TERRITORY, EntityKind.COUNTRY),
    *(EntityKind.STATE, EntityKind.CITY, EntityKind.DATE, EntityKind.AGE, EntityKind.NUMBER),
    *(EntityKind.PERSON, EntityKind.PLACE),
)
"""The first kind that a name speaks of is the one: a fax number is a fax, not a number."""

_ROLES = (PersonRole.RELATIVE, PersonRole.STAFF, PersonRole.PATIENT)


def guess_traits(phi_type: PhiType) -> PhiTraits:
    """Guess the traits of a type from its category and name; OTHER where neither tells."""
    known = languages_together((UNDETERMINED, *known_languages())).type_words
    words, above = _words(phi_type.name), _words(phi_type.category)
    category = next(
        (key for key in TYPE_CATEGORIES if _speaks_of(above, known.categories.get(key, ()))), None
    )
    if category is None:
        named = _kind(words, EntityKind, known.kinds) or _kind(above, EntityKind, known.kinds)
        kind = named or EntityKind.OTHER
    else:
        allowed, otherwise = _CATEGORY_KINDS[category]
        kind = _kind(words, allowed, known.kinds) or otherwise
    role = next((one for one in _ROLES if _speaks_of(words, known.roles.get(one, ()))), None)
    if kind is EntityKind.NUMBER and role is PersonRole.PATIENT:
        kind = EntityKind.RECORD_NUMBER
    return PhiTraits.of(kind, role)


def _kind(
    words: list[str], allowed: Container[EntityKind], known: Mapping[str, Words]
) -> EntityKind | None:
    return next(
        (kind for kind in _KINDS if kind in allowed and _speaks_of(words, known.get(kind, ()))),
        None,
    )


def _words(name: str) -> list[str]:
    """`PATIENT_ID`, `patient-id` and `PatientId` are two words each; accents may be left out."""
    words = re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())
    return list(dict.fromkeys((*words, *map(without_accents, words))))


def _speaks_of(words: list[str], patterns: Words) -> bool:
    return any(fnmatchcase(word, pattern) for word in words for pattern in patterns)
