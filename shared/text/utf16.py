"""The border with Qt, which counts UTF-16 units where we count code points.

Qt gets a display copy of the text, never the text itself, and is never asked for text back: it
drops, folds or splits at a handful of characters (a leading byte-order mark, U+2029, U+FDD0, lone
surrogates). The copy has the same number of UTF-16 units as the text, all of which Qt keeps.
"""

import re
from bisect import bisect_left

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")
_UNSAFE = re.compile("[\0\r\u2029\ufdd0\ufdd1\ufeff\ufffe\ud800-\udfff]")
_STAND_INS = {"\0": "\u2400", "\r": "\n", "\u2029": "\n"}


def display_copy(text: str) -> str:
    """Return `text` with every character that Qt would not keep replaced by one that it does."""
    if text.isascii() and "\0" not in text and "\r" not in text:
        return text
    return _UNSAFE.sub(lambda found: _STAND_INS.get(found[0], "\ufffd"), text)


class Utf16Map:
    """Offsets of one text in code points and in UTF-16 units, each way."""

    def __init__(self, text: str) -> None:
        astral = [] if text.isascii() else [found.start() for found in _ASTRAL.finditer(text)]
        self._astral = astral
        self._units = [offset + number for number, offset in enumerate(astral)]
        self.length = len(text) + len(astral)
        """The length of the text in UTF-16 units."""

    def to_units(self, offset: int) -> int:
        """Return the position in UTF-16 units of the code point at `offset`."""
        return offset + bisect_left(self._astral, offset)

    def to_offset(self, position: int) -> int:
        """Return the code point at a UTF-16 position; inside a pair, the one that it encodes."""
        before = bisect_left(self._units, position)
        if before and self._units[before - 1] == position - 1:
            return self._astral[before - 1]
        return position - before
