"""The edges of tags that the mouse can take hold of, and where a dragged one comes to lie."""

from collections.abc import Iterable
from typing import NamedTuple

from shared.model import MergedView, Span
from shared.text.words import is_word_character, snapped
from shared.widgets.document.marks import Mark
from shared.widgets.document.view_geometry import Piece

_INSIDE, _OUTSIDE = 5.0, 2.0
"""Pixels within which an edge is meant, inside its tag and beside it; where a word begins right
beside, as in a script without blanks, a drag from there selects the word."""
_SHARE = 0.25
"""No more of a short tag than this belongs to each of its edges: its middle is for clicks."""


class TagEdge(NamedTuple):
    """The start or the end of a tag's mark."""

    mark: Mark
    is_start: bool

    @property
    def fixed(self) -> int:
        """The offset of the other edge."""
        return self.mark.end if self.is_start else self.mark.start

    def moved(self, view: MergedView, offset: int, *, exact: bool) -> Span | None:
        """The span of the tag with this edge at `offset`, or at the edge of the word there.

        It stays in its record. None where nothing would be left.
        """
        section = view.section_at(self.mark.start)
        offset = min(max(offset, section.start), section.end)
        start, end = sorted((offset, self.fixed))
        if start == end or (offset > self.fixed) is self.is_start:
            return None
        span = Span(start, end) if exact else snapped(view.text, start, end)
        if span is None:
            return None
        start, end = (span.start, self.fixed) if self.is_start else (self.fixed, span.end)
        return Span(start, end) if start < end else None


def edge_near(pieces: Iterable[Piece], x: float, current: Mark | None, text: str) -> TagEdge | None:
    """Return the edge that is meant at `x` in a line of `text`.

    Inside a tag comes before beside it, the current tag before others, a short one before a long.
    """
    found: list[tuple[bool, bool, int, TagEdge]] = []
    for piece in pieces:
        for is_start, there in ((True, piece.is_start), (False, piece.is_end)):
            inwards = _inwards(piece, x, is_start=is_start) if there else None
            if inwards or (inwards is False and not _meets_word(piece.mark, text, is_start)):
                edge = TagEdge(piece.mark, is_start)
                length = piece.mark.end - piece.mark.start
                found.append((not inwards, piece.mark != current, length, edge))
    return min(found, key=lambda each: each[:3])[3] if found else None


def _meets_word(mark: Mark, text: str, is_start: bool) -> bool:
    """True where a letter stands right beside an edge."""
    beside = text[mark.start - 1 : mark.start] if is_start else text[mark.end : mark.end + 1]
    return beside != "" and is_word_character(beside)


def _inwards(piece: Piece, x: float, *, is_start: bool) -> bool | None:
    """Whether `x` is inside the tag by an edge of it; None where it is not by that edge."""
    rect = piece.rect
    is_left = is_start is not piece.leftward
    inside = x - rect.left() if is_left else rect.right() - x
    if 0 < inside <= min(_INSIDE, rect.width() * _SHARE):
        return True
    return False if -_OUTSIDE <= inside <= 0 else None
