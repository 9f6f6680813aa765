"""What a network is trained on, as arrays: pieces of documents, and batches of these by chance."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from random import Random

import numpy as np
from numpy.typing import NDArray

from shared.recognition.crf.forward_backward import Integers
from shared.recognition.features import is_lexical
from shared.recognition.features.token_attributes import AttributeColumns
from shared.recognition.labels import OUTSIDE
from shared.recognition.neural.network import OTHER_CHARACTER, character_numbers

MOST_TOKENS = 4500
"""A batch has no more, nor has a piece of a document."""
LEAST_BATCHES, LEAST_TOKENS = 30, 256
"""Few records are cut into so many batches, as far as a batch has so many tokens."""
_GAZETTEER = ("G", "DK=", "DP=")
"""Attributes of particular words that say what these are elsewhere; training never misses them."""

Segment = tuple[int, int]
"""Tokens `[first, last)` that begin and end outside of PHI."""


@dataclass(frozen=True, slots=True)
class LabelledTokens:
    """The tokens of a document: attributes, words, labels; and its lines, cut into segments.

    `lines` holds the segments of each line, one after the other.
    """

    attributes: AttributeColumns
    words: Sequence[str]
    labels: Sequence[str]
    lines: Sequence[Sequence[Segment]]


@dataclass(frozen=True, slots=True)
class TrainingLine:
    """A line as numbers: attributes token by token, how many each has; words, labels, segments.

    `is_near`: whether PHI is in it or in the line before or after. Segments count from its start.
    """

    attributes: Integers
    counts: Integers
    words: Integers
    labels: Integers
    segments: Sequence[Segment]
    is_near: bool

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class Batch:
    """Pieces of documents, one after the other with a margin of empty rows around each.

    `offsets` says where the attributes of each row begin; `words` leads from a row to one of
    `letters`, the numbers of a word's characters. `is_token` is 0 in margins and else 1.
    """

    attributes: Integers
    offsets: Integers
    words: Integers
    letters: Integers
    is_token: NDArray[np.float32]
    labels: Integers
    segments: Sequence[Segment]


@dataclass(frozen=True, slots=True)
class TrainingTokens:
    """Pieces of documents, of lines each, and what their numbers stand for.

    `is_dropped` says which attributes training may miss; `letters` has a row for each word.
    """

    pieces: Sequence[Sequence[TrainingLine]]
    labels: tuple[str, ...]
    attributes: dict[str, int]
    characters: dict[str, int]
    letters: Integers
    is_dropped: NDArray[np.bool_]


def training_tokens(documents: Iterator[LabelledTokens], rare: int) -> TrainingTokens:
    """Number all that documents hold; attributes seen less than `rare` times are left out."""
    numbers: dict[str, int] = {}
    words: dict[str, int] = {}
    types: set[str] = set()
    read: list[tuple[Integers, Integers, LabelledTokens]] = []
    for document in documents:
        counts = np.array([len(column) for column in document.attributes], np.int64)
        names = chain.from_iterable(document.attributes)
        found = (numbers.setdefault(name, len(numbers)) for name in names)
        attributes = np.fromiter(found, np.int64, int(counts.sum()))
        for word in document.words:
            words.setdefault(word, len(words))
        types.update(label[2:] for label in document.labels if label != OUTSIDE)
        bare = LabelledTokens([], document.words, document.labels, document.lines)
        read.append((attributes, counts, bare))
    seen = sum(
        (np.bincount(each, minlength=len(numbers)) for each, _, _ in read), np.zeros(len(numbers))
    )
    kept = dict(
        zip(
            sorted(name for name, at in numbers.items() if seen[at] >= rare),
            range(len(numbers)),
            strict=False,
        )
    )
    renumbered = np.array([kept.get(name, -1) for name in numbers], np.int64)
    labels = (OUTSIDE, *(f"{kind}-{name}" for name in sorted(types) for kind in "BIES"))
    characters = {
        each: at
        for at, each in enumerate(sorted(set(chain.from_iterable(words))), OTHER_CHARACTER + 1)
    }
    pieces = [
        piece
        for attributes, counts, document in read
        for piece in _pieces(_lines(renumbered[attributes], counts, document, words, labels))
    ]
    return TrainingTokens(
        pieces,
        labels,
        kept,
        characters,
        np.array([character_numbers(word, characters) for word in words], np.int64),
        np.array([is_lexical(name) and not name.startswith(_GAZETTEER) for name in kept], bool),
    )


def _lines(
    attributes: Integers,
    counts: Integers,
    document: LabelledTokens,
    words: dict[str, int],
    labels: Sequence[str],
) -> list[TrainingLine]:
    is_known = attributes >= 0
    owners = np.repeat(np.arange(len(counts)), counts)[is_known]
    attributes, counts = attributes[is_known], np.bincount(owners, minlength=len(counts))
    ends = np.cumsum(counts)
    numbers = {label: at for at, label in enumerate(labels)}
    of_words = np.array([words[word] for word in document.words], np.int64)
    of_labels = np.array([numbers[label] for label in document.labels], np.int64)
    lines = [each for each in document.lines if each]
    has_phi = [False, *(bool(of_labels[each[0][0] : each[-1][1]].any()) for each in lines), False]
    found: list[TrainingLine] = []
    for number, segments in enumerate(lines):
        first, last = segments[0][0], segments[-1][1]
        begin = ends[first] - counts[first]
        found.append(
            TrainingLine(
                attributes[begin : ends[last - 1]],
                counts[first:last],
                of_words[first:last],
                of_labels[first:last],
                [(start - first, end - first) for start, end in segments],
                any(has_phi[number : number + 3]),
            )
        )
    return found


def _pieces(lines: Sequence[TrainingLine]) -> Iterator[list[TrainingLine]]:
    piece: list[TrainingLine] = []
    size = 0
    for line in lines:
        if piece and size + len(line) > MOST_TOKENS:
            yield piece
            piece, size = [], 0
        piece.append(line)
        size += len(line)
    if piece:
        yield piece


@dataclass(frozen=True, slots=True)
class BatchMaker:
    """Draws batches: lines far from PHI are left out but for a share, and attributes by chance.

    `negatives` is that share, `dropout` that of attributes which are left out, `margin` how many
    empty rows are around a piece.
    """

    tokens: TrainingTokens
    negatives: float
    dropout: float
    margin: int

    @property
    def tokens_of_batch(self) -> int:
        """How many tokens a batch has at most, unless a single piece has more."""
        return min(MOST_TOKENS, max(LEAST_TOKENS, self._count // LEAST_BATCHES))

    @property
    def batches_of_epoch(self) -> int:
        """How many batches it takes, about, to see each piece once."""
        return max(1, round(self._count / self.tokens_of_batch))

    @property
    def _count(self) -> int:
        return sum(len(line) for piece in self.tokens.pieces for line in piece)

    def batches(self, chance: Random) -> Iterator[Batch]:
        """Yield batches that hold each piece once, in another order each time."""
        order = list(self.tokens.pieces)
        chance.shuffle(order)
        batch: list[Sequence[TrainingLine]] = []
        size, most = 0, self.tokens_of_batch
        for piece in order:
            tokens = sum(map(len, piece))
            if batch and size + tokens > most:
                yield self._batch(batch, chance)
                batch, size = [], 0
            batch.append(piece)
            size += tokens
        if batch:
            yield self._batch(batch, chance)

    def _batch(self, pieces: Sequence[Sequence[TrainingLine]], chance: Random) -> Batch:
        empty = np.zeros(self.margin, np.int64)
        margin = TrainingLine(empty[:0], empty, empty, empty, [], is_near=False)
        lines = [margin]
        for piece in pieces:
            lines += [each for each in piece if each.is_near or chance.random() < self.negatives]
            lines.append(margin)
        starts = accumulate((len(line) for line in lines), initial=0)
        segments = [
            (start + first, start + last)
            for start, line in zip(starts, lines, strict=False)
            for first, last in line.segments
        ]
        attributes = np.concatenate([line.attributes for line in lines])
        counts = np.concatenate([line.counts for line in lines])
        if self.dropout:
            draws = np.random.default_rng(chance.getrandbits(32)).random(len(attributes))
            is_kept = ~self.tokens.is_dropped[attributes] | (draws >= self.dropout)
            owners = np.repeat(np.arange(len(counts)), counts)[is_kept]
            attributes, counts = attributes[is_kept], np.bincount(owners, minlength=len(counts))
        words, of_rows = np.unique(
            np.concatenate([line.words for line in lines]), return_inverse=True
        )
        return Batch(
            attributes,
            np.cumsum(counts) - counts,
            of_rows,
            self.tokens.letters[words],
            np.concatenate([np.full(len(each), each is not margin, np.float32) for each in lines]),
            np.concatenate([line.labels for line in lines]),
            segments,
        )
