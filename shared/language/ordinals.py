"""Ordinal numbers in digits, whose ending may follow the number: `1st`, `22nd`, `3.`, `4º`."""

import re
from functools import cache

from shared.language.known_languages import known_languages
from shared.language.languages import Language, language

_ORDINAL = re.compile(r"(\d+)([^\W\d_]+)\b")
_FOUR = 4


def ordinal_ending(number: int, old: str, spoken: Language) -> str:
    """The ending that a number has where another had `old`, in its case.

    Four endings of letters are those of 1, 2, 3 and all others, of the language or of another that
    is known; any other one stays.
    """
    for endings in (_endings(spoken), *_fours()):
        if len(endings) == _FOUR and old.lower() in endings:
            place = number % 10 - 1 if number % 100 // 10 != 1 and 1 <= number % 10 <= 3 else 3
            return endings[place].upper() if old.isupper() else endings[place]
    return old


@cache
def ordinal_words() -> frozenset[str]:
    """The endings of two letters and more of all known languages: `nd` of `42nd`."""
    return frozenset(each for endings in _fours() for each in endings)


@cache
def _fours() -> tuple[tuple[str, ...], ...]:
    every = (_endings(language(code)) for code in known_languages())
    return tuple(each for each in every if len(each) == _FOUR)


def _endings(spoken: Language) -> tuple[str, ...]:
    return tuple(each for each in spoken.dates.ordinal_suffixes if each.isascii())


def with_ordinal_endings(text: str, spoken: Language) -> str:
    """Return the text with the ending of every ordinal as its number wants it."""
    return _ORDINAL.sub(
        lambda found: found[1] + ordinal_ending(int(found[1]), found[2], spoken), text
    )
