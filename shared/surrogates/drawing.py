"""Drawing from lists what is in no record of the patient, and nothing twice."""

import re
from collections.abc import Callable, Iterable
from random import Random

from shared.surrogates.wording import folded, slip_between

LEAST_FOR_SLIPS = 5
"""Shorter words are no misspellings of each other."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class RecordWords:
    """All words of a patient's records, which no surrogate may be."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._flat = folded("\n".join(texts))
        self.folded = frozenset(_WORD.findall(self._flat))
        """The words in small letters without accents."""
        self._alike: dict[tuple[str, int], list[str]] = {}
        for word in self.folded:
            if len(word) >= LEAST_FOR_SLIPS - 1:
                self._alike.setdefault((word[0], len(word)), []).append(word)

    def near(self, word: str) -> bool:
        """True where a word of the records is one slip from `word`, both folded.

        Such a surrogate would look like a misspelling of that word, and the word like one of it.
        """
        lengths = range(len(word) - 1, len(word) + 2)
        return len(word) >= LEAST_FOR_SLIPS and any(
            slip_between(word, other) is not None
            for length in lengths
            for other in self._alike.get((word[0], length), ())
        )

    def __contains__(self, phrase: str) -> bool:
        """True where the phrase stands in the records in any case."""
        key = folded(phrase)
        words = _WORD.findall(key)
        if not words or any(word not in self.folded for word in words):
            return False
        return len(words) == 1 or key in self._flat


class Drawer:
    """Draws for one patient: what is in the records or was drawn before is passed over."""

    def __init__(
        self, words: RecordWords, randomness: Random, names: frozenset[str] = frozenset()
    ) -> None:
        """Draw nothing that is in `words`, nor what has one of `names`, folded, or nearly."""
        self.words = words
        self._names = names
        self.randomness = randomness
        self._drawn: set[str] = set()

    def draw(
        self, candidates: Iterable[str], fits: Callable[[str], bool] = lambda _: True
    ) -> str | None:
        """Return one of the candidates at random, None where none is left."""
        shuffled = list(candidates)
        self.randomness.shuffle(shuffled)
        for each in shuffled:
            key = folded(each)
            if key in self._drawn or each in self.words or self._is_near(key) or not fits(each):
                continue
            self._drawn.add(key)
            return each
        return None

    def _is_near(self, key: str) -> bool:
        """True where a word is an authentic name or one slip from it."""
        words = _WORD.findall(key)
        if len(words) == 1 and self.words.near(words[0]):
            return True
        return any(
            word == name or (len(name) >= LEAST_FOR_SLIPS and slip_between(name, word))
            for word in words
            for name in self._names
            if abs(len(name) - len(word)) <= 1
        )
