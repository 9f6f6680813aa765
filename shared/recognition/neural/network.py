"""A convolutional network that gives each token a score for each label, run by numpy alone.

Of a token it takes the sum of the vectors of its attributes, those that linear CRFs weigh, and what
a convolution over the characters of its word finds (Ma and Hovy 2016); layers of convolutions over
tokens, ever wider (Strubell et al. 2017), let it see its surroundings. A CRF decodes the scores.

What comes again and again is summed up once, as in `crf/scorer.py`: sets of attributes, and words.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from shared.recognition.crf.forward_backward import Floats, one_thread
from shared.recognition.crf.weight_table import RowCache, Sums, known
from shared.recognition.features.extractor import OUTSIDE_TEXT, Extractor
from shared.recognition.features.token_attributes import (
    NOTHING,
    AttributeColumns,
    Attributes,
    AttributeSets,
    TokenAttributes,
)
from shared.recognition.features.tokenized_document import TokenizedDocument, UnitLayout
from shared.recognition.features.trained_gazetteer import TermCounts

Vectors = NDArray[np.float16]

LONGEST_WORD = 16
"""Of a longer word the first and the last characters are read, half of these each."""
NO_CHARACTER, OTHER_CHARACTER = 0, 1
"""Rows of what stands beyond the end of a word, and of a character that training did not see."""
REACH = 3
"""A convolution sees so many characters or tokens: one, and one on each side."""
_LEAST_VARIANCE = 1e-5


@dataclass(frozen=True, slots=True)
class Affine:
    """`rows @ weights + bias`."""

    weights: Sums
    bias: Sums

    def __call__(self, rows: Sums) -> Sums:
        return rows @ self.weights + self.bias


@dataclass(frozen=True, slots=True)
class Norm:
    """Each row brought to mean 0 and variance 1, then scaled (Ba et al. 2016)."""

    scale: Sums
    shift: Sums

    def __call__(self, rows: Sums) -> Sums:
        centred = rows - rows.mean(axis=1, keepdims=True)
        variance = np.einsum("ij,ij->i", centred, centred)[:, None] / rows.shape[1]
        centred *= self.scale / np.sqrt(variance + np.float32(_LEAST_VARIANCE))
        centred += self.shift
        return centred


@dataclass(frozen=True, slots=True)
class NetworkLayer:
    """A convolution over tokens that are `dilation` apart; its weights lie one below the other."""

    norm: Norm
    convolution: Affine
    dilation: int


@dataclass(frozen=True, slots=True)
class Network:
    """The weights of a network, and of the CRF over it.

    `attributes` leads from an attribute to its row of `vectors`, `characters` from a character to
    its row of `character_vectors`. `words` reads three characters side by side, `tokens` the sum of
    a token's vectors beside what `words` found, `output` the last layer beside that sum.
    `transitions[i, j]` is the score of label j after i.
    """

    labels: tuple[str, ...]
    transitions: Floats
    attributes: dict[str, int]
    vectors: Vectors
    characters: dict[str, int]
    character_vectors: Sums
    words: Affine
    norm: Norm
    tokens: Affine
    layers: tuple[NetworkLayer, ...]
    output: Affine

    @property
    def width(self) -> int:
        """Numbers of a token: those of its vector, and those of its word."""
        return len(self.norm.scale)

    def of_words(self, words: Sequence[str]) -> Sums:
        """Return what the characters of each word tell."""
        codes = np.array([character_numbers(word, self.characters) for word in words], np.int64)
        read = self.character_vectors.take(codes.reshape(len(words), LONGEST_WORD), axis=0)
        edge = np.zeros((len(words), 1, read.shape[2]), np.float32)
        read = np.concatenate([edge, read, edge], axis=1)
        beside = np.concatenate(
            [read[:, at : at + LONGEST_WORD] for at in range(REACH)], axis=2
        ).reshape(-1, REACH * read.shape[2])
        found = self.words(beside).reshape(len(words), LONGEST_WORD, -1)
        return np.maximum(found.max(axis=1), 0)

    def scores(self, tokens: Sums) -> Sums:
        """Return the score of each label of each token of one document; `width` numbers a token."""
        tokens = self.norm(tokens)
        found = self.tokens(tokens)
        margin = max((layer.dilation for layer in self.layers), default=0)
        count, width = found.shape
        wide = np.zeros((count + 2 * margin, width), np.float32)
        beside = np.empty((count, REACH * width), np.float32)
        for layer in self.layers:
            wide[margin : margin + count] = layer.norm(found)
            for side in range(REACH):
                first = margin + (side - 1) * layer.dilation
                beside[:, side * width : (side + 1) * width] = wide[first : first + count]
            found += np.maximum(layer.convolution(beside), 0)
        own = tokens[:, : self.vectors.shape[1]]
        return self.output(np.concatenate([found, own], axis=1))


def character_numbers(word: str, characters: dict[str, int]) -> list[int]:
    """Return the rows of the characters of a word, `LONGEST_WORD` of them."""
    half = LONGEST_WORD // 2
    read = word if len(word) <= LONGEST_WORD else word[:half] + word[-half:]
    found = [characters.get(each, OTHER_CHARACTER) for each in read]
    return found + [NO_CHARACTER] * (LONGEST_WORD - len(found))


def network_attributes(
    extractor: Extractor, tokenized: TokenizedDocument, own: TermCounts | None = None
) -> AttributeColumns:
    """Return what a network sees of each token: all that `NetworkScorer` sums up.

    N-grams are left to linear CRFs: of most there is but one, and layers see neighbours anyway.
    """
    columns = [list(extractor.word_attributes(word)) for word in tokenized.words]
    for each in extractor.places(tokenized, own):
        if isinstance(each, AttributeSets):
            each.write(columns)
    return columns


class NetworkScorer:
    """Scores the tokens of documents by several networks that share an extractor."""

    def __init__(self, networks: Sequence[Network], extractor: Extractor) -> None:
        self._networks = networks
        self._extractor = extractor
        self._numbers: dict[str, int] = {}
        for network in networks:
            for name in network.attributes:
                self._numbers.setdefault(name, len(self._numbers))
        ends = np.cumsum([0, *(network.vectors.shape[1] for network in networks)]).tolist()
        self._own = [slice(*each) for each in pairwise(ends)]
        self._vectors = np.zeros((len(self._numbers), ends[-1]), np.float16)
        for network, own in zip(networks, self._own, strict=True):
            rows = [self._numbers[name] for name in network.attributes]
            self._vectors[rows, own] = network.vectors[list(network.attributes.values())]
        self._sets: RowCache[Attributes] = RowCache(NOTHING, ends[-1], self._sum_up_sets)
        width = sum(network.width for network in networks)
        self._words: RowCache[str] = RowCache(OUTSIDE_TEXT, width, self._sum_up_words)

    def scores(
        self,
        documents: Sequence[TokenizedDocument],
        attributes: Iterable[Iterable[TokenAttributes]],
        units: Sequence[UnitLayout],
    ) -> list[Sums]:
        """Return, for each network, the tokens of all documents x labels."""
        ends = np.cumsum([0, *(len(starts) for starts, _, _ in units)]).tolist()
        found = [np.zeros((ends[-1], len(each.labels)), np.float32) for each in self._networks]
        parts = [slice(*each) for each in pairwise(ends)]
        with one_thread():
            for part, document, places in zip(parts, documents, attributes, strict=True):
                tokens = self._tokens(document, places)
                for scores, network, rows in zip(found, self._networks, tokens, strict=True):
                    scores[part] = network.scores(rows)
        return found

    def _tokens(
        self, document: TokenizedDocument, attributes: Iterable[TokenAttributes]
    ) -> list[Sums]:
        """Return, for each network, the tokens of a document x `width`."""
        rows = self._words.rows(document.words)
        words = self._words.sums.take(rows, axis=0)
        sums = words[:, : self._vectors.shape[1]]
        for each in attributes:
            if isinstance(each, AttributeSets):
                rows = self._sets.rows(each.of_tokens)
                sums += self._sets.sums.take(rows, axis=0)
        return [
            np.concatenate([sums[:, own], words[:, letters]], axis=1)
            for own, letters in zip(self._own, self._letters(), strict=True)
        ]

    def _letters(self) -> list[slice]:
        """The columns of what each network finds in the characters of a word."""
        widths = [each.width - each.vectors.shape[1] for each in self._networks]
        ends = np.cumsum([self._vectors.shape[1], *widths]).tolist()
        return [slice(*each) for each in pairwise(ends)]

    def _sum_up_sets(self, sets: list[Attributes], sums: Sums) -> None:
        self._sum_up([known(each, self._numbers) for each in sets], sums)

    def _sum_up_words(self, words: list[str], sums: Sums) -> None:
        attributes = map(self._extractor.word_attributes, words)
        vectors = sums[:, : self._vectors.shape[1]]
        self._sum_up([known(each, self._numbers) for each in attributes], vectors)
        for network, letters in zip(self._networks, self._letters(), strict=True):
            sums[:, letters] = network.of_words(words)

    def _sum_up(self, numbers: Sequence[Sequence[int]], sums: Sums) -> None:
        """Put into each row of sums the sum of the vectors of a list of attributes."""
        counts = np.array([len(each) for each in numbers], np.int64)
        flat = np.fromiter(chain.from_iterable(numbers), np.int64, int(counts.sum()))
        some = np.flatnonzero(counts)
        starts = (np.cumsum(counts) - counts)[some]
        if len(some):
            vectors = self._vectors.take(flat, axis=0).astype(np.float32)
            sums[some] = np.add.reduceat(vectors, starts, axis=0)
