"""Finding known phrases among the words of a line."""

from collections.abc import Iterable


def phrase_starts(phrases: Iterable[str]) -> dict[str, int]:
    """Return each first word of a phrase with the length, in words, of the longest it begins."""
    starts: dict[str, int] = {}
    for phrase in phrases:
        first = phrase.split(" ", 1)[0]
        starts[first] = max(starts.get(first, 0), phrase.count(" ") + 1)
    return starts
