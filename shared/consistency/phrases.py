"""Many phrases looked for in one pass over a text."""

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, cast

from ahocorasick import Automaton  # pyright: ignore

from shared.text.occurrences import GLUED_LENGTH, edge_kind


class _Automaton(Protocol):
    def add_word(self, word: str, value: str) -> bool: ...
    def make_automaton(self) -> None: ...
    def iter(self, text: str) -> Iterator[tuple[int, str]]: ...


class PhraseFinder:
    """An automaton of Aho and Corasick (1975) over phrases; building and finding cost linear time.

    Phrases and texts are flat: every run of blanks is one space.
    """

    def __init__(self, phrases: Iterable[str]) -> None:
        self._automaton = cast("Callable[[], _Automaton]", Automaton)()
        self._empty = True
        for phrase in phrases:
            self._automaton.add_word(phrase, phrase)
            self._empty = False
        self._automaton.make_automaton()

    def find(self, text: str) -> Iterator[tuple[int, int, str]]:
        """Yield start, end and phrase of every place where a phrase stands as whole words.

        A long phrase is found glued to its neighbour too, by the rules of
        `shared.text.occurrences`. Places may overlap; they come in order of their ends.
        """
        if self._empty:
            return
        for last, phrase in self._automaton.iter(text):
            start, end = last + 1 - len(phrase), last + 1
            if stands_alone(text, start, end):
                yield start, end, phrase


def find_phrase(phrase: str, text: str) -> Iterator[tuple[int, int]]:
    """Yield what `PhraseFinder` would for one phrase; quicker, for it lets the text be searched."""
    start = text.find(phrase)
    while start >= 0:
        if stands_alone(text, start, start + len(phrase)):
            yield start, start + len(phrase)
        start = text.find(phrase, start + 1)


def stands_alone(text: str, start: int, end: int) -> bool:
    """True where `[start, end)` are whole words, or a long phrase glued to its neighbour."""
    left = edge_kind(text, start)
    if left == "inside":
        return False
    right = edge_kind(text, end)
    if right == "inside":
        return False
    return end - start >= GLUED_LENGTH or left == right == "whole"
