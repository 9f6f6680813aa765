"""Finding known phrases among the words of a line."""

from collections.abc import Iterable


def phrase_lengths(phrases: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return each first word of a phrase with the lengths, in words, of those that it begins.

    The longest comes first.
    """
    lengths: dict[str, set[int]] = {}
    for phrase in phrases:
        lengths.setdefault(phrase.split(" ", 1)[0], set()).add(phrase.count(" ") + 1)
    return {first: tuple(sorted(known, reverse=True)) for first, known in lengths.items()}
