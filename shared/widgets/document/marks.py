"""What is marked in a text, and the marks of a text by place, each kind with lanes of its own."""

from collections.abc import Hashable, Iterable, Iterator
from enum import StrEnum
from itertools import groupby
from typing import NamedTuple

from shared.model import Span
from shared.text.span_index import SpanIndex


class MarkStyle(StrEnum):
    """What a mark stands for, and so which strokes it is drawn with."""

    TAG = "tag"
    """Tint, solid underline, label above."""
    SUGGESTION = "suggestion"
    """Dashed outline without fill, label above."""
    UNTAGGED = "untagged"
    """Dotted underline: text that is tagged elsewhere."""
    FIRST = "above the text"
    """Of two that are compared the first: solid bracket above the text, label above."""
    SECOND = "below the text"
    """Of two that are compared the other: dashed bracket below the text, label below."""
    FOUND = "search hit"
    """Plain fill, no label."""
    NOTE = "note"
    """A small sign behind the text, its label or else a flag; what it says is in the tooltip."""

    __hash__ = str.__hash__  # that of a name takes much longer, and each mark has a style


OFFERS = (MarkStyle.SUGGESTION, MarkStyle.UNTAGGED)
"""These stand where a tag might be, and a double click makes it one."""


class Mark(NamedTuple):
    """A stretch `[start, end)` of the merged view, in code points, and how to draw it.

    `key` is the owner's own name for it; `note` is told in the tooltip, and a dot after the label
    says that there is one. There may be many thousands at a time, and a named tuple is made in a
    third of the time.
    """

    start: int
    end: int
    label: str
    category_colour: str
    style: MarkStyle = MarkStyle.TAG
    key: Hashable = None
    note: str = ""

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)


_SHARED_LANES = {MarkStyle.UNTAGGED: MarkStyle.TAG}


class MarkIndex:
    """Marks of all styles; a search hit or a suggestion does not move a tag's underline."""

    def __init__(self, marks: Iterable[Mark] = ()) -> None:
        self._by_style: dict[MarkStyle, SpanIndex[Mark]] = {}
        self.replace(marks)

    def __len__(self) -> int:
        return sum(len(index) for index in self._by_style.values())

    def __iter__(self) -> Iterator[Mark]:
        for index in self._by_style.values():
            yield from index

    def __contains__(self, mark: Mark) -> bool:
        return mark in self._of(mark.style)

    def replace(self, marks: Iterable[Mark]) -> None:
        """Hold these marks and no others."""
        self._by_style = {style: SpanIndex(group) for style, group in _grouped(marks).items()}

    def change(self, removed: Iterable[Mark], added: Iterable[Mark]) -> None:
        """Take marks out and put marks in."""
        gone, new = _grouped(removed), _grouped(added)
        for style in {*gone, *new}:
            self._of(style).change(gone.get(style, ()), new.get(style, ()))

    def query(self, start: int, end: int) -> list[Mark]:
        """Return the marks that overlap `[start, end)`, kind by kind, each in order."""
        return [mark for index in self._by_style.values() for mark in index.query(start, end)]

    def at(self, offset: int) -> list[Mark]:
        """Return the marks over the character at `offset`, shortest first."""
        return sorted(self.query(offset, offset + 1), key=_length)

    def reach(self, mark: Mark) -> tuple[int, int]:
        """The stretch `[start, end)` in which lanes may depend on whether a mark is there."""
        index, start, end = self._of(mark.style), mark.start, mark.end
        while True:
            found = index.query(start, end)
            low = min([start, *(each.start for each in found)])
            high = max([end, *(each.end for each in found)])
            if (low, high) == (start, end):
                return start, end
            start, end = low, high

    def lane(self, mark: Mark) -> int:
        return self._of(mark.style).lane(mark)

    def has(self, style: MarkStyle) -> bool:
        return len(self._of(style)) > 0

    def _of(self, style: MarkStyle) -> SpanIndex[Mark]:
        return self._by_style.setdefault(_SHARED_LANES.get(style, style), SpanIndex())


def _grouped(marks: Iterable[Mark]) -> dict[MarkStyle, list[Mark]]:
    groups: dict[MarkStyle, list[Mark]] = {}
    for style, run in groupby(marks, key=lambda mark: mark.style):
        groups.setdefault(_SHARED_LANES.get(style, style), []).extend(run)
    return groups


def _length(mark: Mark) -> int:
    return mark.end - mark.start
