"""Parts of speech and syntactic links, found by lists of words, endings and simple rules.

It stands in for the Brill tagger and the Link Grammar Parser of Stat De-id, which are no part of
Tandem. The tagger looks words up in the closed lists of the language and goes by endings and
capitals for the rest, then corrects by the word before, as Brill's does with hundreds of rules. The
parser knows noun phrases with a head, verbs with their subject and object, and prepositions with
what they belong to: 9 kinds of links instead of 107, found from left to right without trying other
parses, so relative clauses and coordination are read as they come. Links point from the word on the
left to the one on the right. Of a language without such lists only capitals and digits are known.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from shared.language.languages import Language

WALL = -1
"""Stands for the left wall, to which the first subject of a sentence is linked."""
_NOMINAL = frozenset("determiner adjective number noun proper".split())
_VERBAL = frozenset("verb auxiliary".split())
_NOUNS = frozenset("noun proper".split())
_KINDS = {"determiner": "D", "proper": "G"}


class Link(NamedTuple):
    """A link from word number `left` to word number `right` of a sentence."""

    left: int
    right: int
    kind: str


def parts_of_speech(words: Sequence[str], language: Language) -> list[str]:
    """Return the part of speech of each word of a sentence."""
    tags = [_alone(word, language) for word in words]
    for at in range(1, len(tags)):
        tags[at] = _corrected(tags[at - 1], tags[at])
    return tags


@lru_cache(maxsize=50_000)
def _alone(word: str, language: Language) -> str:
    """The part of speech that a word mostly is."""
    if any(map(str.isdigit, word)):
        return "number"
    if not word[0].isalnum():
        return "punctuation"
    low = word.lower()
    for part, known in language.parts_of_speech.items():
        if low in known:
            return part
    is_capital = word[0].isupper()
    if is_capital and not language.nouns_capitalised:
        return "proper"
    for part, endings in language.part_endings.items():
        if any(low.endswith(ending) and len(low) > len(ending) + 1 for ending in endings):
            return part
    return "noun"


def _corrected(before: str, own: str) -> str:
    if own == "verb" and before in ("determiner", "preposition", "adjective"):
        return "noun"
    return "verb" if own == "noun" and before == "pronoun" else own


def links(tags: Sequence[str]) -> list[Link]:
    """Return the links between the words of a sentence by their parts of speech."""
    parser = _ShallowParser(tags)
    at = 0
    while at < len(tags):
        at = parser.read(at)
    return parser.found


def noun_phrases(tags: Sequence[str]) -> list[tuple[int, int]]:
    """Return the `[first, last)` words of each noun phrase, in order."""
    found: list[tuple[int, int]] = []
    at = 0
    while at < len(tags):
        end = _end(tags, at, _NOMINAL)
        if end > at:
            found.append((at, end))
        at = max(end, at + 1)
    return found


def _end(tags: Sequence[str], at: int, parts: frozenset[str]) -> int:
    first = at
    while at < len(tags) and tags[at] in parts:
        if at > first and tags[at] == "determiner":  # another phrase begins
            break
        at += 1
    return at


class _ShallowParser:
    """Reads a sentence from left to right, and knows what the next phrase may be linked to."""

    def __init__(self, tags: Sequence[str]) -> None:
        self._tags = tags
        self.found: list[Link] = []
        self._clear()

    def _clear(self) -> None:
        self._subject = self._verb = self._preposition = self._noun = WALL
        self._object_may_come = False

    def read(self, at: int) -> int:
        """Read what begins with a word, and return the number of the word after it."""
        tag = self._tags[at]
        if tag in _NOMINAL or tag == "pronoun":
            end = max(_end(self._tags, at, _NOMINAL), at + 1)
            self._noun_phrase(at, end)
            return end
        if tag in _VERBAL:
            return self._verb_group(at)
        if tag == "preposition":
            self._link(self._verb if self._verb != WALL else self._noun, at, "MV")
            self._preposition = at
        elif tag == "adverb":
            self._link(self._verb, at, "MV")
        elif tag == "punctuation":
            self._object_may_come, self._preposition = False, WALL
        return at + 1

    def _noun_phrase(self, first: int, end: int) -> None:
        nouns = [at for at in range(first, end) if self._tags[at] in _NOUNS]
        head = nouns[-1] if nouns else end - 1
        for at in range(first, end):
            if at != head:
                kind = _KINDS.get(self._tags[at], "A")
                self.found.append(Link(min(at, head), max(at, head), kind))
        if self._preposition != WALL:
            self._link(self._preposition, head, "J")
        elif self._object_may_come:
            self._link(self._verb, head, "O")
        else:
            if self._subject == WALL:
                self.found.append(Link(WALL, head, "W"))
            self._subject = head
        self._noun, self._preposition, self._object_may_come = head, WALL, False

    def _verb_group(self, first: int) -> int:
        end = first
        while end < len(self._tags) and self._tags[end] in (*_VERBAL, "adverb"):
            end += 1
        verbs = [at for at in range(first, end) if self._tags[at] in _VERBAL]
        main = verbs[-1]
        for at in range(first, main):
            self._link(at, main, "P" if self._tags[at] in _VERBAL else "E")
        self._link(self._subject, main, "S")
        for at in range(main + 1, end):
            self._link(main, at, "MV")
        self._verb, self._object_may_come, self._preposition = main, True, WALL
        return end

    def _link(self, left: int, right: int, kind: str) -> None:
        if left != WALL:
            self.found.append(Link(left, right, kind))
