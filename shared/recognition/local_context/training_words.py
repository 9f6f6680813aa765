"""Words to train a linear model on: their features as numbers, and the class of each."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from shared.recognition.local_context.features import Columns
from shared.recognition.local_context.words import Integers

RARE = 2
"""A feature that is seen less often is left out: it could only tell that word by heart."""


@dataclass(frozen=True, slots=True)
class TrainingWords:
    """Words: `numbers` from `starts[i]` to the next start are the features of word number i.

    `classes` are numbers of `names`, the first none of the types; `sentences` number the sentences,
    and `halves` tells in which half of the patients a word is, 0 or 1.
    """

    names: tuple[str, ...]
    features: tuple[str, ...]
    numbers: Integers
    starts: Integers
    classes: Integers
    sentences: Integers
    halves: Integers

    def batches(self, size: int) -> Iterator[list[list[int]]]:
        """Yield the features of the words, of `size` words or fewer at a time."""
        for first in range(0, len(self.classes), size):
            bounds = pairwise(self.starts[first : first + size + 1].tolist())
            yield [self.numbers[start:end].tolist() for start, end in bounds]

    def of_half(self, half: int) -> "TrainingWords":
        """Return the words of one half, by the same features and classes."""
        places = np.flatnonzero(self.halves == half)
        lengths = np.diff(self.starts)[places]
        pieces = [self.numbers[self.starts[at] : self.starts[at + 1]] for at in places.tolist()]
        return TrainingWords(
            self.names,
            self.features,
            np.concatenate([np.zeros(0, np.int64), *pieces]),
            np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
            self.classes[places],
            self.sentences[places],
            self.halves[places],
        )


class LabelledText(NamedTuple):
    """The features and the class of each word of a text, its sentences, and its half."""

    columns: Columns
    classes: Sequence[int]
    sentences: Sequence[tuple[int, int]]
    half: int


def training_words(texts: Iterable[LabelledText], names: tuple[str, ...]) -> TrainingWords:
    """Number the features of the words of texts, of which none is kept that is `RARE`."""
    counts: Counter[str] = Counter()
    known: dict[str, int] = {}
    numbers, lengths, classes, halves, sizes = (array("i") for _ in range(5))
    for each in texts:
        counts.update(chain.from_iterable(each.columns))
        for column in each.columns:
            numbers.extend(known.setdefault(name, len(known)) for name in column)
            lengths.append(len(column))
        classes.extend(each.classes)
        sizes.extend(last - first for first, last in each.sentences)
        halves.extend([each.half] * len(each.columns))
    kept = sorted(name for name, count in counts.items() if count >= RARE)
    places = np.full(len(known), -1)
    places[[known[name] for name in kept]] = np.arange(len(kept))
    moved = places[np.array(numbers, np.int64)]
    owners = np.repeat(np.arange(len(lengths)), np.array(lengths, np.int64))[moved >= 0]
    ends = np.cumsum(np.bincount(owners, minlength=len(lengths)))
    return TrainingWords(
        names,
        tuple(kept),
        moved[moved >= 0].astype(np.int64),
        np.concatenate([[0], ends]).astype(np.int64),
        np.array(classes, np.int64),
        np.repeat(np.arange(len(sizes)), np.array(sizes, np.int64)),
        np.array(halves, np.int64),
    )


Run = tuple[int, int, int]
"""First and last word in a row of the same class within a sentence, and the class."""


def runs(classes: Integers, sentences: Integers) -> list[Run]:
    """Return the runs of words that are of a type."""
    ends = np.flatnonzero((np.diff(classes) != 0) | (np.diff(sentences) != 0)) + 1
    bounds = [0, *ends.tolist(), len(classes)]
    return [
        (first, after - 1, int(classes[first]))
        for first, after in pairwise(bounds)
        if first < after and classes[first]
    ]
