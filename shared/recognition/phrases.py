"""Finding known phrases among the words of a line."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

_NONE = ""


class PhraseTable:
    """Phrases, words with a blank between, which are looked for by their first two words."""

    def __init__(self, phrases: Iterable[str] = ()) -> None:
        lengths: dict[str, dict[str, set[int]]] = {}
        for phrase in phrases:
            first, second, *_ = *phrase.split(" ", 2), _NONE
            length = phrase.count(" ") + 1
            lengths.setdefault(first, {}).setdefault(second, set()).add(length)
        self._lengths = {
            first: {second: sorted(known, reverse=True) for second, known in seconds.items()}
            for first, seconds in lengths.items()
        }

    def begun(self, words: Sequence[str]) -> list[int]:
        """Return the numbers of the words that any phrase begins with, as do those after them."""
        seconds = map(self._lengths.get, words)
        following = enumerate(zip(seconds, chain(words[1:], [_NONE]), strict=False))
        return [
            at for at, (known, word) in following if known and (word in known or _NONE in known)
        ]

    def at(self, words: Sequence[str], first: int, last: int) -> Iterator[tuple[int, str]]:
        """Yield what may be a phrase from word number `first` to `last`, the longest first.

        Each comes with the number of the word after it.
        """
        seconds = self._lengths.get(words[first], {})
        second = words[first + 1] if first + 1 < last else _NONE
        for length in seconds.get(second, ()):
            if first + length <= last:
                yield first + length, " ".join(words[first : first + length])
        if second != _NONE and _NONE in seconds:
            yield first + 1, words[first]
