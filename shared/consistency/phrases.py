"""Many phrases looked for in one pass over a text."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from string import ascii_lowercase, ascii_uppercase, digits, whitespace
from typing import Protocol, TypeVar, cast

from ahocorasick import Automaton as _Automaton  # pyright: ignore

from shared.text.occurrences import GLUED_LENGTH, edge_kind

_WORD_BEFORE = re.compile(r"(?:[a-zß-öø-ÿ]{2}|\b(?:By|In|On))\Z")
_AGE_UNIT = re.compile(r"(?:y|yo|yr|yrs|year|years)(?![^\W_])", re.IGNORECASE)
_DIGITS, _LOWER, _UPPER = map(frozenset, (digits, ascii_lowercase, ascii_uppercase))
_CAPITALISED = re.compile(r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{2}")

Value = TypeVar("Value")


class Automaton(Protocol[Value]):
    """One of Aho and Corasick (1975): finds all of many words in one pass over a text."""

    def add_word(self, word: str, value: Value) -> bool: ...
    def make_automaton(self) -> None: ...
    def iter(self, text: str) -> Iterator[tuple[int, Value]]: ...


def automaton_of(words: Mapping[str, Value]) -> Automaton[Value] | None:
    """Return the automaton of these words, each with what it yields; None where there are none."""
    if not words:
        return None
    made = cast("Callable[[], Automaton[Value]]", _Automaton)()
    for word, value in words.items():
        made.add_word(word, value)
    made.make_automaton()
    return made


class PhraseFinder:
    """An automaton of Aho and Corasick (1975) over phrases; building and finding cost linear time.

    Phrases and texts are flat: every run of blanks is one space.
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._automaton = automaton_of({phrase: phrase for phrase in phrases})

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and phrase of every place where a phrase stands as whole words.

        A long phrase is found part of a longer word too, by the rules of
        `shared.text.occurrences`. Places may overlap; they come in order of their ends.
        """
        if self._automaton is None:
            return
        for last, phrase in self._automaton.iter(text):
            start, end = last + 1 - len(phrase), last + 1
            if is_whole_token(text, start, end):
                yield start, end, phrase


def find_phrase(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield what `PhraseFinder` would for one phrase; quicker, for it lets the text be searched."""
    before, after = _amid(phrase[:1], before=True), _amid(phrase[-1:], before=False)
    start, length = text.find(phrase), len(phrase)
    while start >= 0:
        end = start + length
        # most places of a short phrase lie amid a word: these two looks spare the thorough one
        amid = text[start - 1 : start] in before or text[end : end + 1] in after
        if not amid and is_whole_token(text, start, end):
            yield start, end
        start = text.find(phrase, start + 1)


def _amid(edge: str, *, before: bool) -> frozenset[str]:
    """ASCII characters beside which the first (or last) character of a phrase is amid a word."""
    if edge in _DIGITS:
        return _DIGITS
    if edge in _LOWER:
        return _LOWER | _UPPER if before else _LOWER
    if edge in _UPPER:
        return _UPPER if before else _LOWER | _UPPER
    return frozenset()


_APART = frozenset(whitespace + ",;()\"'*=|<>")
"""Beside these a phrase stands alone in any case, as most do that are found at all."""


def is_whole_token(text: str, start: int, end: int) -> bool:
    """True where `[start, end)` are whole words, or a phrase part of a longer word.

    A long phrase counts wherever letters meet digits or `aB` at its edge. A short one would count
    far too often (`12` in `B12`), so only where it is written as PHI is: an age before its unit
    (`61yo`), digits after a word (`since2081`), initials before one (`KLFocus`).
    """
    if text[start - 1 : start] in _APART and text[end : end + 1] in _APART:
        return True
    left = edge_kind(text, start)
    if left == "inside":
        return False
    right = edge_kind(text, end)
    if left == right == "whole":
        return True
    if end - start >= GLUED_LENGTH and right != "inside":
        return True
    return (left == "whole" or _follows_word(text, start)) and (
        right == "whole" or _precedes_unit(text, end) or _ends_initials(text, start, end)
    )


def _follows_word(text: str, start: int) -> bool:
    return text[start].isdigit() and _WORD_BEFORE.search(text, max(0, start - 3), start) is not None


def _precedes_unit(text: str, end: int) -> bool:
    return text[end - 1].isdigit() and _AGE_UNIT.match(text, end) is not None


def _ends_initials(text: str, start: int, end: int) -> bool:
    return text[start:end].isupper() and _CAPITALISED.match(text, end) is not None
