"""Notes as hurried people type them: without capitals, in capitals only, with letters swapped.

Or as programs print them: every word with a capital, fields without their colons.

Nothing here changes how long a text is, so that what is tagged stays where it is.
"""

import re
from collections.abc import Callable
from random import Random

_LOWER_RATE, _UPPER_RATE = 0.03, 0.03
_TYPIST_RATE, _SWAP_RATE = 0.15, 0.02
_TITLE_RATE, _BARE_RATE = 0.02, 0.05
_WORD = re.compile(r"\b[a-z]{5,}\b")
_FIRST_LETTER = re.compile(r"\b[a-z](?=[a-z]{2})")
_COLON = re.compile(r"(?<=[A-Za-z#.]):(?=[ ])")


def with_typing_errors(text: str, rng: Random) -> str:
    """Return the text as it is, most of the time, or as a sloppy typist would have written it."""
    ways: tuple[tuple[float, Callable[[], str]], ...] = (
        (_LOWER_RATE, lambda: _recased(text, text.lower())),
        (_UPPER_RATE, lambda: _recased(text, text.upper())),
        (_TYPIST_RATE, lambda: _WORD.sub(lambda found: _swapped(found[0], rng), text)),
        (_TITLE_RATE, lambda: _FIRST_LETTER.sub(lambda found: found[0].upper(), text)),
        (_BARE_RATE, lambda: _COLON.sub(" ", text)),
    )
    draw = rng.random()
    for rate, way in ways:
        if draw < rate:
            return way()
        draw -= rate
    return text


def _recased(text: str, other: str) -> str:
    return other if len(other) == len(text) else text


def _swapped(word: str, rng: Random) -> str:
    if rng.random() >= _SWAP_RATE:
        return word
    at = rng.randrange(1, len(word) - 2)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
