"""Tokens that keep their place."""

import re
from collections.abc import Iterator

from shared.model.span import Span

_RUN = re.compile(r"\S+")


def whitespace_tokens(text: str) -> Iterator[Span]:
    """Yield every run of characters between blanks: the tokens of Stubbs and Uzuner (2015)."""
    return (Span(found.start(), found.end()) for found in _RUN.finditer(text))
