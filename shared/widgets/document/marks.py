"""What the document view draws over the text."""

from collections.abc import Hashable
from dataclasses import dataclass, field
from enum import StrEnum

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


@dataclass(frozen=True, slots=True)
class Mark:
    """A stretch `[start, end)` of the merged view, in code points, and how to draw it.

    `key` is the owner's own name for it; `note` is told in the tooltip, and a dot after the label
    says that there is one.
    """

    start: int
    end: int
    label: str = field(hash=False)  # place and key tell marks apart, and hash faster
    category_colour: str = field(hash=False)
    style: MarkStyle = field(default=MarkStyle.TAG, hash=False)
    key: Hashable = None
    note: str = field(default="", hash=False)

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)
