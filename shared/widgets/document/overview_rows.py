"""What the overview shows: of every row of pixels, the colour that most of its marks have."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from enum import IntEnum

from shared.widgets.document.marks import Mark, MarkStyle


class Lane(IntEnum):
    """Where in the overview a mark is shown, from left to right."""

    TAGS = 0
    PROPOSED = 1
    """Suggestions, or what the two annotators marked differently."""
    SOUGHT = 2
    """Untagged occurrences and search hits."""


LANES = len(Lane)
LANE_OF = {
    MarkStyle.TAG: Lane.TAGS,
    MarkStyle.SUGGESTION: Lane.PROPOSED,
    MarkStyle.FIRST: Lane.PROPOSED,
    MarkStyle.SECOND: Lane.PROPOSED,
    MarkStyle.UNTAGGED: Lane.SOUGHT,
    MarkStyle.FOUND: Lane.SOUGHT,
    MarkStyle.NOTE: Lane.SOUGHT,
}
SOUGHT = {MarkStyle.UNTAGGED: "untagged", MarkStyle.FOUND: "found", MarkStyle.NOTE: "note"}
"""The kinds of marks that have no category; the kind of all others is their category's colour."""
_LINE_END = re.compile("\n")


class TextLines:
    """The record's own lines of a text; an overview of it is as high as it has lines."""

    def __init__(self, text: str) -> None:
        self._ends = [found.start() for found in _LINE_END.finditer(text)]

    def __len__(self) -> int:
        return len(self._ends) + 1

    def line_of(self, offset: int) -> int:
        """The number of the line with the character at `offset`, from 0."""
        return bisect_right(self._ends, offset - 1)

    def start_of(self, line: int) -> int:
        """Where a line begins."""
        return self._ends[min(line, len(self._ends)) - 1] + 1 if line > 0 and self._ends else 0


class OverviewRows:
    """The marks of a text by rows; a change costs what it changes.

    A kind of mark is named by a string: what colour it has is the ruler's to say.
    """

    def __init__(self, lines: TextLines, rows: int, marks: Iterable[Mark] = ()) -> None:
        self.rows = max(1, rows)
        self._starts = [
            lines.start_of(-(-row * len(lines) // self.rows)) for row in range(self.rows)
        ]
        self._counts: dict[int, dict[str, int]] = {}
        self.styles: Counter[MarkStyle] = Counter()
        """How many marks there are of each style."""
        self.change((), marks)

    def row_of(self, offset: int) -> int:
        """The row of the line with the character at `offset`, from 0."""
        return bisect_right(self._starts, offset) - 1

    def start_of(self, row: int) -> int:
        """Where the first line of a row begins; where there are more rows than lines, its own."""
        return self._starts[min(max(0, row), self.rows - 1)]

    def change(self, removed: Iterable[Mark], added: Iterable[Mark]) -> None:
        """Take marks out and put marks in."""
        for marks, by in ((removed, -1), (added, 1)):
            for mark in marks:
                self._count(mark, by)

    def pixels(self, colour: Callable[[str], int]) -> bytes:
        """The rows as an image of 32-bit pixels, as wide as there are lanes; 0 where nothing is.

        A pixel has the `colour` of the kind that most marks there have.
        """
        image = memoryview(bytearray(4 * LANES * self.rows)).cast("I")
        for cell, counts in self._counts.items():
            image[cell] = colour(max(counts, key=counts.__getitem__))
        return image.tobytes()

    def _count(self, mark: Mark, by: int) -> None:
        style, end = mark.style, mark.end
        self.styles[style] += by
        lane, kind = LANE_OF[style], SOUGHT.get(style) or mark.category_colour
        row = bisect_right(self._starts, mark.start) - 1
        self._add(row * LANES + lane, kind, by)
        while row + 1 < self.rows and self._starts[row + 1] < end:
            row += 1
            self._add(row * LANES + lane, kind, by)

    def _add(self, cell: int, kind: str, by: int) -> None:
        counts = self._counts.setdefault(cell, {})
        counts[kind] = counts.get(kind, 0) + by
        if not counts[kind]:
            del counts[kind]
        if not counts:
            del self._counts[cell]
