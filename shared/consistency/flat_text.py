"""A text whose blanks are all alike, with the way back to the offsets of the original."""

import re
from bisect import bisect_left

from shared.model import Span

_RUN = re.compile("  +")
_OTHER_BLANKS = tuple(
    "\n\t\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006"
    "\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)
"""All blanks but the space; looking for each in turn is quicker than a pattern for all of them."""


def flattened(text: str) -> str:
    """Return `text` with every run of blanks as one space, line ends included, none at its ends."""
    return " ".join(text.split())


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

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return where `[start, end)`, which neither starts nor ends with a blank, came from."""
        at = bisect_left(self._points, start)
        shift = self._removed[at]
        if at < len(self._points) and self._points[at] < end - 1:
            at = bisect_left(self._points, end - 1, at)
        return start + shift, end + self._removed[at]

    def original_span(self, start: int, end: int) -> Span:
        """Return `original` as a span."""
        return Span(*self.original(start, end))


def _with_spaces(text: str) -> str:
    for blank in _OTHER_BLANKS:
        if blank in text:
            text = text.replace(blank, " ")
    return text
