"""Suggestions from the least to the most sure: how many are surer than something, and which."""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterator

from annotator.rejections import PlacedSuggestion

_FEW = 20
"""Up to so many changes at once are made one by one, more by copying what lies in between."""


class ByConfidence:
    """Suggestions by their confidence; a few changes cost those few alone."""

    def __init__(self) -> None:
        self._ranked: list[PlacedSuggestion] = []

    def __len__(self) -> int:
        return len(self._ranked)

    def __iter__(self) -> Iterator[PlacedSuggestion]:
        return iter(self._ranked)

    def change(
        self, removed: Collection[PlacedSuggestion], added: Collection[PlacedSuggestion]
    ) -> None:
        """Take out suggestions that are there, and put in such as are not."""
        if len(removed) + len(added) > _FEW:
            self._ranked = self._without(removed)
            self._ranked = self._with(added)
            return
        for each in removed:
            del self._ranked[self._place(each)]
        for each in added:
            insort(self._ranked, each, key=_rank)

    def count_from(self, confidence: float) -> int:
        """How many are at least so sure."""
        return len(self._ranked) - self._first(confidence)

    def between(self, low: float, high: float) -> list[PlacedSuggestion]:
        """Those that are at least as sure as `low` and less so than `high`."""
        return self._ranked[self._first(low) : self._first(high)]

    def following(self, current: PlacedSuggestion | None, low: float) -> PlacedSuggestion | None:
        """The next that is at least as sure as `low`; after the last, or without any, the first."""
        first = self._first(low)
        at = bisect_right(self._ranked, _rank(current), key=_rank) if current else first
        there = self._ranked[max(at, first) :][:1] or self._ranked[first:][:1]
        return there[0] if there else None

    def preceding(self, current: PlacedSuggestion | None, low: float) -> PlacedSuggestion | None:
        """The one before, as `following` goes on."""
        first = self._first(low)
        at = bisect_left(self._ranked, _rank(current), key=_rank) if current else first
        there = self._ranked[first:at][-1:] or self._ranked[first:][-1:]
        return there[0] if there else None

    def _without(self, removed: Collection[PlacedSuggestion]) -> list[PlacedSuggestion]:
        places: list[int] = []
        at = 0
        for each in sorted(removed, key=_rank):
            if at == len(self._ranked) or self._ranked[at] is not each:  # the next one often is
                at = self._place(each)
            places.append(at)
            at += 1
        kept: list[PlacedSuggestion] = []
        reached = 0
        for at in sorted(places):
            kept += self._ranked[reached:at]
            reached = at + 1
        return kept + self._ranked[reached:]

    def _with(self, added: Collection[PlacedSuggestion]) -> list[PlacedSuggestion]:
        ranked: list[PlacedSuggestion] = []
        reached = 0
        for each in sorted(added, key=_rank):
            at = bisect_right(self._ranked, _rank(each), reached, key=_rank)
            ranked += self._ranked[reached:at]
            ranked.append(each)
            reached = at
        return ranked + self._ranked[reached:]

    def _place(self, suggestion: PlacedSuggestion) -> int:
        return self._ranked.index(
            suggestion, bisect_left(self._ranked, _rank(suggestion), key=_rank)
        )

    def _first(self, confidence: float) -> int:
        return bisect_left(self._ranked, confidence, key=_confidence)


def _rank(suggestion: PlacedSuggestion) -> tuple[float, int]:
    """What comes first of two: the less sure one, of those as sure the one that stands first."""
    return suggestion.confidence, suggestion.start


def _confidence(suggestion: PlacedSuggestion) -> float:
    return suggestion.confidence
