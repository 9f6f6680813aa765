"""A text whose blanks are all alike, with the way back to the offsets of the original."""

import re
from bisect import bisect_left

from shared.model import Span

_BLANKS = re.compile(r"\s+")
_UNEVEN = re.compile(r"\s{2,}|[^\S ]")


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
        for found in _UNEVEN.finditer(original):
            pieces.append(original[end : found.start()])
            self._points.append(found.start() - removed)
            end = found.end()
            removed += end - found.start() - 1
            self._removed.append(removed)
        pieces.append(original[end:])
        self.text = " ".join(pieces)

    def original_span(self, start: int, end: int) -> Span:
        """Return where `[start, end)`, which neither starts nor ends with a blank, came from."""
        return Span(self._original(start), self._original(end - 1) + 1)

    def _original(self, offset: int) -> int:
        return offset + self._removed[bisect_left(self._points, offset)]
