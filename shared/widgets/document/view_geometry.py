"""Where text is on the screen: visible lines, pieces of marks, the character at a point.

A QTextLine of a block that is not laid out crashes the process, and a new layout makes the old
lines invalid: none is kept beyond one question, and blockBoundingRect is asked first.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QTextBlock, QTextLayout, QTextLine
from PySide6.QtWidgets import QPlainTextEdit

from shared.text.utf16 import Utf16Map
from shared.widgets.document.marks import Mark
from shared.widgets.document.spaced_layout import SpacedLayout, Spacing

_RIGHT_TO_LEFT = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)
_FEW = 8
_TELLING = 1000
_TRAILING = QTextLine.Edge.Trailing


@dataclass(slots=True)
class Line:
    """One line on the screen; `start` and `end` in UTF-16 units of the whole text."""

    line: QTextLine
    start: int
    end: int
    block: int
    left: float
    top: float
    """Of the text in the viewport; `left` is that of the block."""
    height: float
    _hanging: tuple[int, float] | None = None

    @property
    def hanging(self) -> tuple[int, float]:
        """From which character on Qt draws a line farther right than it says, and by how much.

        It does so where writing goes the other way before the blank at which a line is wrapped.
        """
        if self._hanging is None:
            self._hanging = _hanging(self)
        return self._hanging

    def x(self, position: int, *, trailing: bool = False) -> float:
        """The x in the viewport of an edge of the character at `position`."""
        at = position - self.block
        # the leading edge goes without saying: saying it takes PySide twice as long
        found = self.line.cursorToX(at, _TRAILING) if trailing else self.line.cursorToX(at)
        return self.left + cast("tuple[float, int]", found)[0]


@dataclass(slots=True)
class Piece:
    """One rectangle of a mark: a line's worth of it, or less where writing changes direction."""

    mark: Mark
    rect: QRectF
    is_start: bool
    is_end: bool
    leftward: bool = False
    lane: int = 0
    """That of its mark among those of its kind."""


def visible_blocks(
    view: QPlainTextEdit, layout: SpacedLayout, rect: QRect
) -> Iterator[tuple[QTextBlock, float, float, float]]:
    """Yield the blocks of which something is within `rect`, each with left, top and height."""
    block = view.firstVisibleBlock()
    geometry = view.blockBoundingGeometry(block).translated(view.contentOffset())
    top, left, height = geometry.top(), geometry.left(), geometry.height()
    while block.isValid() and top <= rect.bottom():
        if top + height >= rect.top():
            yield block, left, top, height
        top += height
        block = block.next()
        height = layout.blockBoundingRect(block).height()


def visible_lines(view: QPlainTextEdit, layout: SpacedLayout, rect: QRect) -> Iterator[Line]:
    """Yield the lines of which, with the spacing around them, something is within `rect`."""
    for block, left, top, _ in visible_blocks(view, layout, rect):
        yield from _block_lines(block, left, top, rect, layout.spacing)


def _block_lines(
    block: QTextBlock, left: float, top: float, rect: QRect, spacing: Spacing
) -> Iterator[Line]:
    layout = block.layout()
    start = block.position()
    for number in _within(layout, top, rect, spacing):
        line = layout.lineAt(number)
        first = start + line.textStart()
        yield Line(
            line, first, first + line.textLength(), start, left, top + line.y(), line.height()
        )


def _within(layout: QTextLayout, top: float, rect: QRect, spacing: Spacing) -> range:
    """The numbers of the lines within `rect`, by bisection: a paragraph may have thousands."""
    count = layout.lineCount()
    if count < _FEW:
        return range(count)

    def reaches_rect(number: int) -> bool:
        line = layout.lineAt(number)
        return top + line.y() + line.height() + spacing.below >= rect.top()

    def beyond_rect(number: int) -> bool:
        return top + layout.lineAt(number).y() - spacing.above > rect.bottom()

    numbers = range(count)
    first = bisect_left(numbers, 1, key=reaches_rect)
    return range(first, bisect_left(numbers, 1, key=beyond_rect))


def nearest_line(lines: Iterable[Line], y: float) -> Line | None:
    """Return the line whose text is nearest to the height `y`."""

    def distance(line: Line) -> float:
        return max(line.top - y, y - (line.top + line.height), 0.0)

    return min(lines, key=distance, default=None)


def caret_position(line: Line, x: float) -> int:
    """Return the UTF-16 position of the edge between characters that is nearest to `x`."""
    first, by = line.hanging
    if by:
        edges = [edge for at in range(first, line.end) for edge in _box(line, at)[:2]]
        x -= by if min(edges) <= x <= max(edges) else 0.0
    return line.block + line.line.xToCursor(x - line.left)


def passed_over(
    line: Line, start: float, end: float, text: str, units: Utf16Map
) -> tuple[int, int] | None:
    """The first UTF-16 position of what lies between two x of a line, and the one behind the last.

    The one at `end` comes first. None where writing goes one way, so that the edges there tell, and
    where nothing lies between. Where it turns, the edge left of a number among Arabic words is that
    before its first digit, and who drags to it has seen the number marked.
    """
    if not _has_right_to_left(line, text, units):
        return None
    left, right = sorted((start, end))
    boxes = (_box(line, at) for at in range(line.start, line.end))
    middles = {at: (low + high) / 2 for low, high, at, _ in boxes}
    passed = [at for at, middle in middles.items() if left < middle < right]
    if not passed:
        return None
    first, last = passed[0], passed[-1]
    near_end, near_start = (min(passed, key=lambda at: abs(middles[at] - x)) for x in (end, start))
    return (last + 1, first) if near_end >= near_start else (first, last + 1)


def character_position(line: Line, point: QPointF) -> int | None:
    """Return the UTF-16 position of the character at a point, None beside the text."""
    rect = line.line.naturalTextRect()
    if not rect.left() <= point.x() - line.left < rect.right():
        return None
    found = line.block + line.line.xToCursor(
        point.x() - line.left, QTextLine.CursorPosition.CursorOnCharacter
    )
    # where writing changes direction, Qt may take the neighbour
    return next(
        (at for at in (found, *range(line.start, line.end)) if _is_at(line, at, point)), found
    )


def _is_at(line: Line, position: int, point: QPointF) -> bool:
    left, right, *_ = _box(line, position)
    return left <= point.x() < right


def pieces(marks: Iterable[Mark], lines: list[Line], text: str, units: Utf16Map) -> list[Piece]:
    """Return the rectangles that the marks cover on these lines, which are in order."""
    starts = [line.start for line in lines]
    turning = [_has_right_to_left(line, text, units) for line in lines]
    found: list[Piece] = []
    for mark in marks:
        start, end = units.to_units(mark.start), units.to_units(mark.end)
        for at in range(max(0, bisect_right(starts, start) - 1), bisect_left(starts, end)):
            low, high = max(start, starts[at]), min(end, lines[at].end)
            if low < high:
                edges = (low == start, high == end)
                piece = _turning_pieces if turning[at] else _straight_piece
                found.extend(piece(mark, lines[at], low, high, edges))
    return found


def _has_right_to_left(line: Line, text: str, units: Utf16Map) -> bool:
    """True where writing goes, or may go, from right to left in a line.

    The first letters of a paragraph tell which way it goes as a whole.
    """
    pieces = [(line.start, line.end)]
    if line.start > line.block:
        pieces.append((line.block, min(line.block + _TELLING, line.start)))
    found = (text[units.to_offset(start) : units.to_offset(end)] for start, end in pieces)
    return any(not each.isascii() and _RIGHT_TO_LEFT.search(each) for each in found)


def _straight_piece(
    mark: Mark, line: Line, low: int, high: int, edges: tuple[bool, bool]
) -> list[Piece]:
    left = line.x(low)
    rect = QRectF(left, line.top, max(2.0, line.x(high) - left), line.height)
    return [Piece(mark, rect, *edges)]


def _turning_pieces(
    mark: Mark, line: Line, low: int, high: int, edges: tuple[bool, bool]
) -> list[Piece]:
    """One piece for each run of neighbours on the screen, from left to right."""
    boxes = sorted(_box(line, position) for position in range(low, high))
    runs: list[tuple[float, float, list[int], set[bool]]] = []
    for left, right, position, leftward in boxes:
        if runs and left <= runs[-1][1] + 0.5:
            start, end, positions, ways = runs.pop()
            runs.append((start, max(end, right), [*positions, position], ways | {leftward}))
        else:
            runs.append((left, right, [position], {leftward}))
    return [
        Piece(
            mark,
            QRectF(left, line.top, max(2.0, right - left), line.height),
            edges[0] and low in positions,
            edges[1] and high - 1 in positions,
            # numbers among words of the other direction are read as these are
            ways == {True} or (len(ways) > 1 and positions[0] > positions[-1]),
        )
        for left, right, positions, ways in runs
    ]


def _hanging(line: Line) -> tuple[int, float]:
    last = line.end - 1
    if last <= line.start or line.line.glyphRuns(last - line.block, 1):
        return line.end, 0.0
    while last > line.start and not line.line.glyphRuns(last - line.block, 1):
        last -= 1
    runs = line.line.glyphRuns(last - line.block, 1)
    left, right, _, leftward = _box_as_told(line, last)
    drawn = [point.x() + line.left for run in runs for point in run.positions()]
    by = min(drawn, default=left) - left
    if abs(by) < 1 or right == left:
        return line.end, 0.0
    while last > line.start and _box_as_told(line, last - 1)[3] == leftward:
        last -= 1
    return last, by


def _box(line: Line, position: int) -> tuple[float, float, int, bool]:
    left, right, _, leftward = _box_as_told(line, position)
    first, by = line.hanging
    by = by if position >= first else 0.0
    return left + by, right + by, position, leftward


def _box_as_told(line: Line, position: int) -> tuple[float, float, int, bool]:
    leading, trailing = line.x(position), line.x(position, trailing=True)
    if leading == trailing:
        return _box_at_turn(line, position, leading)
    return min(leading, trailing), max(leading, trailing), position, trailing < leading


def _box_at_turn(line: Line, position: int, x: float) -> tuple[float, float, int, bool]:
    """Where the first character after a change of direction is: Qt says where the caret is."""
    for run in line.line.glyphRuns(position - line.block, 1):
        advances = run.rawFont().advancesForGlyphIndexes(run.glyphIndexes())
        left = line.left + min(each.x() for each in run.positions())
        width = sum(each.x() for each in advances)
        if width > 0:
            return left, left + width, position, run.isRightToLeft()
    return x, x, position, False
