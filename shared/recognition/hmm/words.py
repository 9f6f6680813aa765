"""The words of a line and their features, as in Bikel and others (1999), table 3.1."""

import re
from typing import NamedTuple

_TOKEN = re.compile(
    r"[^\W_]*\d[^\W_]*(?:[-/.,](?=[^\W_]*\d)[^\W_]+)*"  # 11/9/2071, 23,000.00, A8956-67
    r"|[^\W\d_]+|\S"
)
_FEATURES = (
    r"\d\d",
    r"\d{4}",
    r".*[^\W\d_].*",  # digits and letters: only of words that have digits
    r".*-.*",
    r".*/.*",
    r".*,.*",
    r".*\..*",
    r".*",
)
_OF_DIGITS = [re.compile(pattern) for pattern in _FEATURES]
_CAPITALS, _INITIAL, _FIRST, _CAPITALIZED, _LOWER, OTHER = range(8, 14)
FEATURES = 14

Places = list[tuple[int, int]]


def cut(text: str, start: int = 0, end: int | None = None) -> Places:
    """Return the `[start, end)` of each word of the stretch of text."""
    return [
        found.span() for found in _TOKEN.finditer(text, start, len(text) if end is None else end)
    ]


def feature(word: str, after: str, *, is_first: bool) -> int:
    """Return which of the word features of table 3.1 is the first that holds.

    `after` is the character after the word: the period of an initial is a word of its own here,
    for it may lie beyond the end of a tag.
    """
    if any(map(str.isdecimal, word)):
        return next(at for at, each in enumerate(_OF_DIGITS) if each.fullmatch(word))
    if len(word) == 1 and word.isupper() and after == ".":
        return _INITIAL
    if not word.isalpha():
        return OTHER
    return _of_letters(word, is_first)


def _of_letters(word: str, is_first: bool) -> int:
    if word.isupper() and len(word) > 1:
        return _CAPITALS
    if is_first:
        return _FIRST
    if word[0].isupper():
        return _CAPITALIZED
    return _LOWER if word.islower() else OTHER


class WordLine(NamedTuple):
    """Words of a line in lower case, their features, and, in training, which class each is of.

    `begins` tells where a mention begins.
    """

    words: list[str]
    features: list[int]
    classes: list[int]
    begins: list[bool]


def read_line(text: str, places: Places) -> WordLine:
    """Return the words at these places as a line without mentions."""
    words = [text[start:end] for start, end in places]
    seen = [
        feature(word, text[end : end + 1], is_first=at == 0)
        for at, (word, (_, end)) in enumerate(zip(words, places, strict=True))
    ]
    return WordLine([word.lower() for word in words], seen, [], [])
