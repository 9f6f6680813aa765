"""What a word says by itself. Each group is a function from a word to its attributes."""

import re
from collections.abc import Callable
from functools import lru_cache

_RUN = re.compile(r"(.)\1+")
_LONG_RUN = re.compile(r"(.)\1{3,}")
_LONGEST_LENGTH = 10

_KEPT = 50_000
"""Words and shapes come again and again; so many are kept."""

WordGroup = Callable[[str], list[str]]


class _Kinds(dict[int, str]):
    """What stands for a character in a shape, found out when it is asked for the first time."""

    def __missing__(self, code: int) -> str:
        char = chr(code)
        kind = "A" if char.isupper() else "a" if char.islower() else "0" if char.isdigit() else char
        self[code] = kind
        return kind


_SHAPES = _Kinds()


@lru_cache(maxsize=_KEPT)
def shape(word: str) -> str:
    """Return `word` with capitals as A, lower case as a, digits as 0: `Aa00-a`."""
    if word.isdecimal():
        return "0" * len(word)
    if word.isalpha() and word[1:].islower():
        return ("A" if word[0].isupper() else "a") + "a" * (len(word) - 1)
    return word.translate(_SHAPES)


@lru_cache(maxsize=_KEPT)
def short_shape(whole: str) -> str:
    """Return a shape with every run as one character."""
    return _RUN.sub(r"\1", whole)


@lru_cache(maxsize=_KEPT)
def capped_shape(whole: str) -> str:
    """Return a shape with runs of more than three as three and a plus."""
    return _LONG_RUN.sub(r"\1\1\1+", whole)


def lower(word: str) -> list[str]:
    return ["w=" + word.lower()]


def affixes(word: str) -> list[str]:
    """First and last four characters (He et al. 2015, table 2)."""
    low = word.lower()
    return ["p4=" + low[:4], "s4=" + low[-4:]]


def all_affixes(word: str) -> list[str]:
    """Prefixes and suffixes of one to five characters (Liu et al. 2015)."""
    low = word.lower()
    lengths = range(1, min(5, len(low)) + 1)
    return [f"p{n}={low[:n]}" for n in lengths] + [f"s{n}={low[-n:]}" for n in lengths]


def orthography(word: str) -> list[str]:
    """Shapes, length, and what kind of word or number it is."""
    outline = _outline(shape(word))
    if word[0].isdigit():
        return [*outline, "num", "nr=" + _number(word)]
    return [*outline, _case(word)]


@lru_cache(maxsize=_KEPT)
def _outline(whole: str) -> tuple[str, str, str]:
    length = min(len(whole), _LONGEST_LENGTH)
    return "sh=" + capped_shape(whole), "ss=" + short_shape(whole), f"ln={length}"


def _number(word: str) -> str:
    value = int(word) if len(word) < 6 and word.isdecimal() else 10**6
    for limit, name in ((12, "month"), (31, "day"), (100, "small")):
        if value <= limit:
            return name
    return "year" if 1900 <= value < 2200 else f"d{len(word)}"


def _case(word: str) -> str:
    if not word[0].isalpha():
        return "punctuation"
    if word.isupper():
        return "upper" if len(word) > 1 else "letter"
    return "title" if word[0].isupper() else "small"
