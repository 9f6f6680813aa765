"""Tokens that keep their place."""

import re
from collections.abc import Iterator

from shared.model.span import Span

_RUN = re.compile(r"\S+")


def whitespace_tokens(text: str) -> Iterator[Span]:
    """Yield every run of characters between blanks: the tokens of Stubbs and Uzuner (2015)."""
    return (Span(found.start(), found.end()) for found in _RUN.finditer(text))


def token_starts(text: str) -> list[int]:
    """Return where each of the `whitespace_tokens` starts, in order."""
    return [found.start() for found in _RUN.finditer(text)]
