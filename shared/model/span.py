"""Half-open stretches of text, measured in Unicode code points."""

from dataclasses import dataclass

from shared.errors import SpanError


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """The code points `start`, `start + 1`, ... `end - 1` of a document.

    P a t i e n t   J o h n
    0 1 2 3 4 5 6 7 8 9 10 11     Span(8, 12) covers "John"
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise SpanError(self.start, self.end)

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: "Span") -> bool:
        return self.start < other.end and other.start < self.end

    def contains(self, other: "Span") -> bool:
        return self.start <= other.start and other.end <= self.end

    def shifted(self, by: int) -> "Span":
        return Span(self.start + by, self.end + by)

    def text_in(self, text: str) -> str:
        return text[self.start : self.end]
