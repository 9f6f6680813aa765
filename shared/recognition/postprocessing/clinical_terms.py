"""Which words are of clinics and of nobody, as `Fellow`, `MRI` and `Associate Professor` are."""

import re
from functools import lru_cache

from shared.recognition.dictionaries import LOCALES, dictionaries_of

_ROLES = {"staff", "credential", "telling", "doctor", "ward", "acronym"}
"""Kinds of words before a name that are no part of it, if they are of no other kind."""
_CLINICAL = _ROLES | {
    *(
        "medical",
        "heading",
        "drug",
        "vital",
        "measure",
        "everyday",
        "hospital",
        "facility",
        "phone",
        "mail",
    ),
    *("job", "trade", "firm", "institution", "number_label", "fax"),
}
_LONGEST_ACRONYM = 5
_SMALL = {"of", "and", "the", "for", "with", "in", "to"}
_WORD = re.compile(r"[^\W\d_]+")
_LEADING = re.compile(r"([^\W\d_]+)[.:]?\s+(?=[^\W\d_a-z])")


@lru_cache(maxsize=10_000)
def is_staff_title(name: str) -> bool:
    """Whether every word is of clinics and none is a name, as in `Associate Professor`."""
    kinds = dictionaries_of((*LOCALES, "clinic")).words
    is_short = name.isupper() and len(name) <= _LONGEST_ACRONYM
    if is_short and "acronym" in kinds.get(name.lower(), ()):
        return True
    words = [word.lower() for word in _WORD.findall(name) if len(word) > 1]
    known = [kinds.get(word, ()) for word in words if word not in _SMALL]
    return bool(known) and all(each and _CLINICAL.issuperset(each) for each in known)


@lru_cache(maxsize=10_000)
def is_clinical_term(name: str) -> bool:
    """Whether what was taken for somebody's name is of clinics; one word may be a name."""
    return (len(name.split()) > 1 or name.isupper()) and is_staff_title(name)


@lru_cache(maxsize=10_000)
def leading_title_length(name: str) -> int:
    """How much of a name is what its bearer is, as `Fellow ` in `Fellow Voss`."""
    kinds = dictionaries_of((*LOCALES, "clinic")).words
    length = 0
    while found := _LEADING.match(name, length):
        known = kinds.get(found[1].lower(), ())
        if not known or not _ROLES.issuperset(known):
            break
        length = found.end()
    return length
