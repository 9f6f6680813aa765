"""Putting surrogates in their places: the new text, the new spans, and the way from old to new."""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from shared.model import Span
from shared.surrogates.articles import mend_article

Mender = Callable[[str, str, str], str]
"""Returns the text before a surrogate as it should be, from itself, the old and the new text."""


@dataclass(frozen=True, slots=True)
class Spliced:
    """A new text with the spans of its surrogates, in order."""

    text: str
    spans: tuple[Span, ...]
    _old: tuple[int, ...]
    _new: tuple[int, ...]

    def to_old(self, offset: int) -> int | None:
        """The old offset of a character of the new text, None within a surrogate."""
        if any(span.start <= offset < span.end for span in self.spans):
            return None
        at = bisect_right(self._new, offset) - 1
        return self._old[at] + offset - self._new[at]

    def to_new(self, offset: int) -> int:
        """The new offset of a character that no surrogate replaced."""
        at = bisect_right(self._old, offset) - 1
        return self._new[at] + offset - self._old[at]


def splice(
    text: str,
    spans: Sequence[Span],
    surrogates: Sequence[str],
    menders: Sequence[Mender] | None = None,
) -> Spliced:
    """Replace the stretches at `spans`, in order and apart, by the surrogates.

    An article before a surrogate is mended where it suited the text that was there, by a rule for
    each surrogate; the English one where none are given.
    """
    pieces: list[str] = []
    new_spans: list[Span] = []
    old_starts, new_starts = [0], [0]
    at = length = 0
    rules = menders or [mend_article] * len(spans)
    for span, surrogate, mend in zip(spans, surrogates, rules, strict=True):
        between = text[at : span.start]
        mended = mend(between, span.text_in(text), surrogate)
        pieces += (mended, surrogate)
        start = length + len(mended)
        new_spans.append(Span(start, start + len(surrogate)))
        at, length = span.end, start + len(surrogate)
        old_starts.append(at)
        new_starts.append(length)
    pieces.append(text[at:])
    return Spliced("".join(pieces), tuple(new_spans), tuple(old_starts), tuple(new_starts))
