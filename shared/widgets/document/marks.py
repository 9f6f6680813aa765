"""What the document view draws over the text."""

from collections.abc import Hashable
from enum import StrEnum
from typing import NamedTuple

from shared.model import Span


class MarkStyle(StrEnum):
    """What a mark stands for, and so which strokes it is drawn with."""

    TAG = "tag"
    """Tint, solid underline, label above."""
    SUGGESTION = "suggestion"
    """Dashed outline without fill, label above."""
    UNTAGGED = "untagged"
    """Dotted underline: text that is tagged elsewhere."""
    FIRST = "first annotator"
    """Solid bracket above the text, label above."""
    SECOND = "second annotator"
    """Dashed bracket below the text, label below."""
    FOUND = "search hit"
    """Plain fill, no label."""


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
