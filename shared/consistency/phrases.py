"""Many phrases looked for in one pass over a text."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Protocol, TypeVar, cast

from ahocorasick import Automaton as _Automaton  # pyright: ignore

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


def ends_within(
    automaton: Automaton[Value] | None, text: str, parts: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, Value]]:
    """Yield what an automaton finds in parts of a text: the last character and the value.

    The parts are cut out first, for an automaton copies all of the text that it is given.
    """
    if automaton is None:
        return
    for start, end in parts:
        for last, value in automaton.iter(text[start:end]):
            yield start + last, value
