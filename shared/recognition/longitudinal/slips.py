"""Names with a slip of the typist: two letters swapped, one doubled or one lost."""

from collections.abc import Iterable, Mapping

from rapidfuzz.distance import OSA

from shared.recognition.dictionaries import LOCALES, dictionaries_of

SHORTEST = 5
"""Shorter words are too often like another by chance."""


def slipped(words: Iterable[str], known: Iterable[str]) -> Mapping[str, str]:
    """Return, for words that nothing else explains, the known name that they are but for a slip.

    All in lower case. Words of a dictionary, names of others among them, are no slips.
    """
    explained = dictionaries_of((*LOCALES, "clinic")).words
    names = [name for name in known if len(name) >= SHORTEST]
    found: dict[str, str] = {}
    for word in {each for each in words if len(each) >= SHORTEST - 1 and each not in explained}:
        meant = [name for name in names if OSA.distance(word, name, score_cutoff=1) == 1]
        if len(meant) == 1:
            found[word] = meant[0]
    return found
