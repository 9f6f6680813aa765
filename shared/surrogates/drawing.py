"""Drawing from lists what is in no record of the patient, and nothing twice."""

import re
from collections.abc import Callable, Iterable
from random import Random

from shared.surrogates.wording import folded

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class RecordWords:
    """All words of a patient's records, which no surrogate may be."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._flat = folded("\n".join(texts))
        self.folded = frozenset(_WORD.findall(self._flat))
        """The words in small letters without accents."""

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
        """Draw nothing that is in `words`, nor anything with one of `names`, folded, in it."""
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
            if not self._names.isdisjoint(_WORD.findall(key)):
                continue
            if key not in self._drawn and each not in self.words and fits(each):
                self._drawn.add(key)
                return each
        return None
