"""Random numbers nobody can guess; drawing what is in no record, and nothing twice."""

import hashlib
import random
import re
import secrets
from collections.abc import Callable, Iterable
from random import Random

from shared.text.spelling import AlikeSpellings, match_key, typo_between

_BLOCK = 4096


class KeyedRandom(random.Random):
    """A random generator whose numbers are a stream of SHAKE-256 over a secret and a name.

    The same secret and name give the same numbers, so that what was reviewed is what is released;
    without the secret no number can be told from those seen, as it could with `random.Random`.
    """

    def __init__(self, secret: bytes, name: str) -> None:
        self._key = hashlib.sha256(secret + b"\0" + name.encode()).digest()
        self._blocks = 0
        self._bytes = b""
        self._at = 0
        super().__init__(0)

    def random(self) -> float:
        """Return a number of [0, 1) with 53 random bits."""
        return self.getrandbits(53) / (1 << 53)

    def getrandbits(self, k: int, /) -> int:
        length = (k + 7) // 8
        while len(self._bytes) - self._at < length:
            self._refill()
        piece = self._bytes[self._at : self._at + length]
        self._at += length
        return int.from_bytes(piece, "big") >> (8 * length - k)

    def _refill(self) -> None:
        counter = self._blocks.to_bytes(8, "big")
        block = hashlib.shake_256(self._key + counter).digest(_BLOCK)
        self._bytes = self._bytes[self._at :] + block
        self._at = 0
        self._blocks += 1


def new_secret() -> bytes:
    """Return 32 bytes from the operating system."""
    return secrets.token_bytes(32)


def secret_of_seed(seed: int) -> bytes:
    """Return the secret that a seed stands for, for tests: it is none."""
    return f"seed {seed}".encode()


def name_of(secret: bytes) -> str:
    """A name for what hangs on a secret, which tells nothing of it."""
    return hashlib.sha256(b"name of " + secret).hexdigest()[:16]


MAX_DRAWS = 200
MIN_LETTERS_FOR_TYPOS = 5
"""Shorter words are no misspellings of each other."""

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


class RecordWords:
    """All words of a patient's records, which no surrogate may be."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._flat = match_key("\n".join(texts))
        self.folded = frozenset(_WORD.findall(self._flat))
        """The words in small letters without accents."""
        self._alike: dict[tuple[str, int], list[str]] = {}
        for word in self.folded:
            if len(word) >= MIN_LETTERS_FOR_TYPOS - 1:
                self._alike.setdefault((word[0], len(word)), []).append(word)

    def near(self, word: str) -> bool:
        """True where a word of the records is one slip from `word`, both folded.

        Such a surrogate would look like a misspelling of that word, and the word like one of it.
        """
        lengths = range(len(word) - 1, len(word) + 2)
        return len(word) >= MIN_LETTERS_FOR_TYPOS and any(
            typo_between(word, other) is not None
            for length in lengths
            for other in self._alike.get((word[0], length), ())
        )

    def __contains__(self, phrase: str) -> bool:
        """True where the phrase stands in the records in any case."""
        key = match_key(phrase)
        words = _WORD.findall(key)
        if not words or any(word not in self.folded for word in words):
            return False
        return len(words) == 1 or key in self._flat


def draw_until(draw: Callable[[], str], fits: Callable[[str], bool]) -> str:
    """Return the first of what is drawn that fits; after MAX_DRAWS whatever came last."""
    new = draw()
    for _ in range(MAX_DRAWS):
        if fits(new):
            break
        new = draw()
    return new


class SurrogatePicker:
    """Draws for one patient: what is in the records or was drawn before is passed over."""

    def __init__(
        self, words: RecordWords, randomness: Random, names: frozenset[str] = frozenset()
    ) -> None:
        """Draw nothing that is in `words`, nor what has one of `names`, folded, or nearly."""
        self.words = words
        self._names = names
        self._alike = AlikeSpellings()
        for name in names:
            if len(name) >= MIN_LETTERS_FOR_TYPOS:
                self._alike.add(name)
        self.randomness = randomness
        self._drawn: set[str] = set()

    def draw(
        self, candidates: Iterable[str], fits: Callable[[str], bool] = lambda _: True
    ) -> str | None:
        """Return one of the candidates at random, None where none is left."""
        shuffled = list(candidates)
        self.randomness.shuffle(shuffled)
        for each in shuffled:
            key = match_key(each)
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
            word in self._names or any(typo_between(name, word) for name in self._alike.near(word))
            for word in words
        )
