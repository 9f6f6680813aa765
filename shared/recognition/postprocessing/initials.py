"""Whose initials letters are, by the names that a patient's records have in full.

Where Uma G. Zell is named, `UGZ` and `U.Z.` sign for her; `MVH` is Mercy Valley Hospital.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from shared.language.languages import Language
from shared.language.variant_rules import Rule
from shared.language.variants import variants
from shared.model import PhiTraits, PhiType, Span
from shared.recognition.dictionaries import LOCALES, dictionaries_of

_RULES = frozenset({Rule.INITIALS, Rule.ACRONYM})
_LONGEST_OF_PEOPLE = 3
_LETTERS = re.compile(r"[^\W\d_a-z]{2,}|[^\W\d_a-z]\.(?: ?[^\W\d_a-z]\.){1,2}")
_WORD_OF_CAPITALS = re.compile(r"(?<![\w.])[^\W\d_a-z]{3,}(?![\w.])")


class KnownInitials:
    """The initials of names, with how surely they were suggested as what."""

    def __init__(self, language: Language) -> None:
        self._language = language
        self._added: set[tuple[str, PhiType]] = set()
        self._votes: defaultdict[str, dict[PhiType, float]] = defaultdict(dict)
        self._institutions: set[str] = set()

    def add(self, name: str, phi_type: PhiType, traits: PhiTraits, confidence: float) -> None:
        """Count a name of several words once for each type."""
        if (name, phi_type) in self._added:
            return
        self._added.add((name, phi_type))
        for each in variants(name, traits, self._language):
            if each.rule in _RULES:
                votes = self._votes[_bare(each.text)]
                votes[phi_type] = votes.get(phi_type, 0.0) + confidence
                if each.rule is Rule.ACRONYM:
                    self._institutions.add(each.text)

    def type_of(self, text: str) -> PhiType | None:
        """The type of who or what has these initials; None where nobody has, or it is a word.

        A middle name may be unknown: `UGZ` is of Uma Zell too.
        """
        letters = _bare(text)
        if not _LETTERS.fullmatch(text) or ("." not in text and _is_explained(letters)):
            return None
        votes = self._votes.get(letters)
        if votes is None and len(letters) == _LONGEST_OF_PEOPLE:
            votes = self._votes.get(letters[0] + letters[-1])
        return max(votes, key=votes.__getitem__) if votes else None

    def institutions_in(self, text: str) -> Iterator[tuple[Span, PhiType]]:
        """Yield where the initials of institutions stand in a text."""
        for found in _WORD_OF_CAPITALS.finditer(text) if self._institutions else ():
            if found[0] in self._institutions and (phi_type := self.type_of(found[0])):
                yield Span(*found.span()), phi_type


def _bare(letters: str) -> str:
    return letters.replace(".", "").replace(" ", "")


def _is_explained(letters: str) -> bool:
    return letters.lower() in dictionaries_of((*LOCALES, "clinic")).words
