"""A text whose blanks are all alike, with the way back to the offsets of the original."""

import re
from bisect import bisect_left

from shared.model import Span

_BLANKS = re.compile(r"\s+")
_RUN = re.compile("  +")
_OTHER_BLANKS = tuple(
    "\n\t\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""All blanks but the space; looking for each in turn is quicker than a pattern for all of them."""


def flattened(text: str) -> str:
    """Return `text` with every run of blanks, line ends included, as one space."""
    return _BLANKS.sub(" ", text)


class FlatText:
    """`text` is the flattened original; `original_span` leads back.

    original   M e r c y LF     H o s p
    flat       M e r c y   H o s p        Span(0, 10) of it is Span(0, 11) of the original
    """

    def __init__(self, original: str) -> None:
        pieces: list[str] = []
        self._points: list[int] = []
        self._removed = [0]
        end = removed = 0
        even = _with_spaces(original)
        for found in _RUN.finditer(even):
            pieces.append(even[end : found.start()])
            self._points.append(found.start() - removed)
            end = found.end()
            removed += end - found.start() - 1
            self._removed.append(removed)
        pieces.append(even[end:])
        self.text = " ".join(pieces)

    def original_span(self, start: int, end: int) -> Span:
        """Return where `[start, end)`, which neither starts nor ends with a blank, came from."""
        return Span(self._original(start), self._original(end - 1) + 1)

    def _original(self, offset: int) -> int:
        return offset + self._removed[bisect_left(self._points, offset)]


def _with_spaces(text: str) -> str:
    for blank in _OTHER_BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    return text
