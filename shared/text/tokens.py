"""Tokens that keep their place."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache

from shared.model.span import Span

_RUN = re.compile(r"\S+")
_AROUND = 120
"""Letters before a place in which its token begins, but for scripts without blanks and the like."""


def whitespace_tokens(text: str) -> Iterator[Span]:
    """Yield every run of characters between blanks: the tokens of Stubbs and Uzuner (2015)."""
    return (Span(found.start(), found.end()) for found in _RUN.finditer(text))


def token_starts(text: str) -> list[int]:
    """Return where each of the `whitespace_tokens` starts, in order."""
    return [found.start() for found in _RUN.finditer(text)]


def token_count(text: str) -> int:
    """How many `whitespace_tokens` there are."""
    return len(text.split())


def token_starts_in(text: str, start: int, end: int) -> list[int]:
    """Return where each of the `whitespace_tokens` starts that has a character of a stretch."""
    before = text[max(0, start - _AROUND) : start]
    is_within = before and not before[-1].isspace() and not text[start].isspace()
    begun = len(before.split()[-1]) if is_within else 0
    if begun == _AROUND:
        starts = _remembered_starts(text)
        return starts[bisect_right(starts, start) - 1 : bisect_left(starts, end)]
    return [found.start() for found in _RUN.finditer(text, start - begun, end)]


_remembered_starts = lru_cache(maxsize=8)(token_starts)
"""Asked several times of one text in a row."""
