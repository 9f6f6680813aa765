"""Who a name is, decided over all records of a patient, and where names begin and end.

A name that is written with `Dr.` once is a doctor's everywhere, whatever the places say that have
no title. Names go together that share a word.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from shared.model import PhiType
from shared.recognition.edges import NAMED_AFTER, PEOPLE, tidied
from shared.recognition.suggestion import Suggestion

PATIENT, DOCTOR = PhiType("NAME", "PATIENT"), PhiType("NAME", "DOCTOR")
HEARD = 0.3
"""Suggestions of at least this confidence have a vote."""
_CUE = 3.0
"""A title counts as so many sure places without one."""
_AHEAD = 1.5
"""By so much the votes for the other role must outweigh those for a place's own."""
_DOUBTFUL = 0.5
_SHORTEST_WORD = 3
_LOOK_BACK = 20
_WORD = re.compile(r"[^\W\d_]+")
_TITLED = re.compile(r"\b(?:dr|drs|doctor)\.?\s$", re.IGNORECASE)
_CALLED = re.compile(
    r"(?:\b(?:mr|mrs|ms|miss)\.?\s|\b(?:patient|name|patient name|re|pt)\s?[:\-]\s*)$",
    re.IGNORECASE,
)
_DEGREE = re.compile(r",?\s?(?:M\.?D|D\.?O|R\.?N|N\.?P|P\.?A|LPN|MSW|LICSW|RPh|PharmD|DPT|PT)\b")


def settled(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> list[tuple[Suggestion, ...]]:
    """Return the suggestions of a patient's texts with whole names, each in its person's role."""
    whole = [tidied(text, found) for text, found in zip(texts, suggested, strict=True)]
    roles = _Roles(texts, whole)
    return [
        tuple(roles.settled(text, one) for one in found)
        for text, found in zip(texts, whole, strict=True)
    ]


class _Roles:
    """What the places of names say together, for each group of names that share words."""

    def __init__(self, texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]) -> None:
        self._parents: dict[str, str] = {}
        self._votes: defaultdict[str, dict[PhiType, float]] = defaultdict(
            lambda: {PATIENT: 0.0, DOCTOR: 0.0}
        )
        self._mixed: set[str] = set()
        heard = list(_heard(texts, suggested))
        for text, one in heard:
            self._group(one.span.text_in(text))
        for text, one in heard:
            self._count(text, one)

    def settled(self, text: str, one: Suggestion) -> Suggestion:
        if one.phi_type not in PEOPLE:
            return one
        cue = _cue(text, one)
        if cue is None and self._is_label(text, one):
            return replace(one, confidence=one.confidence * _DOUBTFUL)
        if cue == one.phi_type:
            return one
        other = PATIENT if one.phi_type == DOCTOR else DOCTOR
        words = (word for word in _words(one.span.text_in(text)) if word in self._parents)
        votes = self._votes.get(self._root(next(words, "")), {})
        if votes.get(other, 0.0) > _AHEAD * votes.get(one.phi_type, 0.0):
            return replace(one, phi_type=other)
        return one

    def _group(self, name: str) -> None:
        first, *others = _words(name) or [""]
        for word in (first, *others):
            self._parents.setdefault(word, word)
        for word in others:
            self._parents[self._root(word)] = self._root(first)

    def _count(self, text: str, one: Suggestion) -> None:
        name = one.span.text_in(text)
        words = _words(name)
        if len(words) > 1 or not name.isupper():
            self._mixed.update(words)
        cue = _cue(text, one)
        for root in {self._root(word) for word in words}:
            self._votes[root][one.phi_type] += one.confidence
            if cue:
                self._votes[root][cue] += _CUE

    def _root(self, word: str) -> str:
        while self._parents.get(word, word) != word:
            word = self._parents[word]
        return word

    def _is_label(self, text: str, one: Suggestion) -> bool:
        """Whether a word in capitals, or one before `disease`, is nobody's name elsewhere."""
        name = one.span.text_in(text)
        if NAMED_AFTER.match(text, one.end):
            return True
        return (
            len(name) > _SHORTEST_WORD
            and name.isupper()
            and name.isalpha()
            and not text.isupper()
            and name.lower() not in self._mixed
        )


def _heard(
    texts: Sequence[str], suggested: Sequence[Sequence[Suggestion]]
) -> Iterator[tuple[str, Suggestion]]:
    for text, found in zip(texts, suggested, strict=True):
        for one in found:
            if one.phi_type in PEOPLE and one.confidence >= HEARD:
                yield text, one


def _words(name: str) -> list[str]:
    return [word.lower() for word in _WORD.findall(name) if len(word) >= _SHORTEST_WORD]


def _cue(text: str, one: Suggestion) -> PhiType | None:
    """The role that a title, a degree or a label next to the name gives it."""
    before = text[max(0, one.start - _LOOK_BACK) : one.start]
    if _TITLED.search(before) or _DEGREE.match(text, one.end):
        return DOCTOR
    return PATIENT if _CALLED.search(before) else None
