"""A document laid out for feature extraction."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property

from shared.recognition.features.token_attributes import joined, padded
from shared.recognition.tokens import Tokens, tokenized

UnitLayout = tuple[Sequence[int], Sequence[int], list[tuple[int, int]]]
"""A document cut into units, tokens or characters: their starts and ends, and their sequences."""

LABEL_WORDS = 7
"""A colon within this many tokens of the start of a line ends a field label."""


class TokenizedDocument:
    """The tokens of a document and what several feature groups ask about them."""

    def __init__(self, text: str) -> None:
        self.tokens: Tokens = tokenized(text)
        self.words = self.tokens.words
        self.lowers = list(map(str.lower, self.words))

    def __len__(self) -> int:
        return len(self.words)

    @property
    def text(self) -> str:
        return self.tokens.text

    @cached_property
    def lines(self) -> list[tuple[int, int]]:
        """The `[first, last)` tokens of every line that has any."""
        found: list[tuple[int, int]] = []
        numbers = self.tokens.lines
        first = 0
        while first < len(numbers):
            last = bisect_right(numbers, numbers[first], first)
            found.append((first, last))
            first = last
        return found

    @cached_property
    def line_starts(self) -> list[int]:
        """For each token, the first of its line."""
        return [first for first, last in self.lines for _ in range(first, last)]

    @cached_property
    def line_ends(self) -> list[int]:
        """For each token, the one after the last of its line."""
        return [last for first, last in self.lines for _ in range(first, last)]

    @cached_property
    def pairs(self) -> list[str]:
        """The pairs of words in lower case, signs stand for what is beyond the text's ends."""
        words = padded(self.lowers)
        return joined([word + "_" for word in words], words[1:])

    @cached_property
    def triples(self) -> list[str]:
        """Each of `pairs` with the word after it."""
        words = padded(self.lowers)
        return joined([word + "_" for word in words], self.pairs[1:])

    @cached_property
    def field_labels(self) -> list[str]:
        """For each line of `lines`, the words before its first colon, "-" where none is near."""
        return [self._field_label(first, last) for first, last in self.lines]

    def between(self, start: int, end: int) -> tuple[int, int]:
        """The `[first, last)` tokens that begin in the characters `[start, end)`."""
        starts = self.tokens.starts
        return bisect_left(starts, start), bisect_left(starts, end)

    def _field_label(self, first: int, last: int) -> str:
        last = min(last, first + LABEL_WORDS)
        try:
            colon = self.lowers.index(":", first, last)
        except ValueError:
            return "-"
        return " ".join(self.lowers[first:colon])
