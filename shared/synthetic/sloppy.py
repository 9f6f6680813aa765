"""Notes as hurried people type them: without capitals, in capitals only, with letters swapped.

Nothing here changes how long a text is, so that what is tagged stays where it is.
"""

import re
from random import Random

_LOWER_RATE, _UPPER_RATE = 0.03, 0.03
_TYPIST_RATE, _SWAP_RATE = 0.15, 0.02
_WORD = re.compile(r"\b[a-z]{5,}\b")


def sloppily(text: str, rng: Random) -> str:
    """Return the text as it is, most of the time, or as a sloppy typist would have written it."""
    draw = rng.random()
    if draw < _LOWER_RATE:
        return _recased(text, text.lower())
    if draw < _LOWER_RATE + _UPPER_RATE:
        return _recased(text, text.upper())
    if draw < _LOWER_RATE + _UPPER_RATE + _TYPIST_RATE:
        return _WORD.sub(lambda found: _swapped(found[0], rng), text)
    return text


def _recased(text: str, other: str) -> str:
    return other if len(other) == len(text) else text


def _swapped(word: str, rng: Random) -> str:
    if rng.random() >= _SWAP_RATE:
        return word
    at = rng.randrange(1, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
