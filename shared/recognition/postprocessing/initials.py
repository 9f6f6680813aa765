"""Whose initials letters are, by the names that a patient's records have in full.

Where Ana G. Lee is named, `AGL` and `A.L.` sign for her; `MGH` is Mercy General Hospital.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from shared.model import PhiType, Span
from shared.model.phi_traits import EntityKind
from shared.recognition.dictionaries import LOCALES, dictionaries_of

_INSTITUTIONS = {EntityKind.HOSPITAL, EntityKind.ORGANIZATION}
_SHORTEST, _LONGEST = 3, 6
"""Of letters that nothing suggests, and of an institution's."""
_SMALL = 2
"""In capitals, words up to so many letters are small ones, as `OF`."""
_WORD = re.compile(r"[^\W\d_]+")
_LETTERS = re.compile(r"[^\W\d_a-z]{2,6}|[^\W\d_a-z]\.(?: ?[^\W\d_a-z]\.){1,2}")
_CAPITALS = re.compile(rf"(?<![\w.])[^\W\d_a-z]{{{_SHORTEST},{_LONGEST}}}(?![\w.])")


class KnownInitials:
    """The first letters of people's and institutions' names, with the votes for their types."""

    def __init__(self) -> None:
        self._people: defaultdict[str, dict[PhiType, float]] = defaultdict(dict)
        self._institutions: defaultdict[str, dict[PhiType, float]] = defaultdict(dict)

    def add(self, name: str, kind: EntityKind, phi_type: PhiType, confidence: float) -> None:
        """Count a name; names of one word have no initials."""
        if kind is EntityKind.PERSON:
            letters = person_initials(name)
            for each in {letters, letters[:1] + letters[-1:]} if letters else ():
                _vote(self._people[each], phi_type, confidence)
        elif kind in _INSTITUTIONS and (letters := institution_initials(name)):
            _vote(self._institutions[letters], phi_type, confidence)

    def type_of(self, text: str) -> PhiType | None:
        """The type of who or what has these initials; None where nobody has, or it is a word.

        A middle name may be unknown: `AGL` is of Ana Lee too.
        """
        letters = text.replace(".", "").replace(" ", "")
        if not _LETTERS.fullmatch(text) or ("." not in text and _is_explained(letters)):
            return None
        people = self._people.get(letters)
        if people is None and len(letters) <= _SHORTEST:
            people = self._people.get(letters[0] + letters[-1])
        votes = people or self._institutions.get(letters)
        return max(votes, key=votes.__getitem__) if votes else None

    def institutions_in(self, text: str) -> Iterator[tuple[Span, PhiType]]:
        """Yield where an institution's initials stand in a text, three letters or more."""
        if self._institutions:
            for found in _CAPITALS.finditer(text):
                votes = self._institutions.get(found[0])
                if votes and not _is_explained(found[0]):
                    yield Span(*found.span()), max(votes, key=votes.__getitem__)


def person_initials(name: str) -> str:
    """Return the initials of a name of several words, `AGL` for `LEE, ANA G.`; "" for one word."""
    family, _, given = name.partition(",")
    words = [*_WORD.findall(given), *_WORD.findall(family)]
    return "".join(word[0] for word in words).upper() if len(words) > 1 else ""


def institution_initials(name: str) -> str:
    """Return the initials of a name of several words without its small ones; "" for one word."""
    least = _SMALL + 1 if name.isupper() else 1
    words = [each for each in _WORD.findall(name) if each[0].isupper() and len(each) >= least]
    return "".join(word[0] for word in words) if len(words) > 1 else ""


def _vote(votes: dict[PhiType, float], phi_type: PhiType, confidence: float) -> None:
    votes[phi_type] = votes.get(phi_type, 0.0) + confidence


def _is_explained(letters: str) -> bool:
    return letters.lower() in dictionaries_of((*LOCALES, "clinic")).words
