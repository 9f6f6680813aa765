"""A CRF run over batches of documents, and the units that CRFs label.

Character CRFs label characters and are bound to no tokenizer (Liu et al. 2015). Those of words have
features of their own.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from shared.recognition.crf.forward_backward import (
    Floats,
    Integers,
    Lattice,
    best_path,
    lattice,
    one_thread,
    probable_path,
)
from shared.recognition.crf.marginals import CrfMarginals, LabelIndex
from shared.recognition.crf.weight_table import Sums
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.features import TokenizedDocument
from shared.recognition.features.token_attributes import (
    NOTHING,
    AttributeColumns,
    AttributeSets,
    NgramAttributes,
    TokenAttributes,
)
from shared.recognition.features.tokenized_document import UnitLayout
from shared.recognition.features.word_shapes import lower, orthography
from shared.recognition.local_context.features import local_features
from shared.recognition.local_context.words import words_of_text


class Crf:
    """What scores mean: ready to read whole batches of documents, whatever gave them."""

    def __init__(self, labels: Sequence[str], transitions: Floats) -> None:
        """`transitions`: the score of each label after each."""
        self.transitions = transitions
        self.index = LabelIndex.of(labels)

    def read(self, units: Sequence[UnitLayout], scores: Sums) -> list[CrfMarginals]:
        """Return the marginals of each document; `scores` has the units of all, a row each."""
        ends = np.cumsum([len(starts) for starts, _, _ in units]).tolist()
        bounds = list(pairwise([0, *ends]))
        sequences = [
            (offset + first, offset + last)
            for (offset, _), (_, _, parts) in zip(bounds, units, strict=True)
            for first, last in parts
        ]
        with one_thread():
            whole = lattice(scores, self.transitions, sequences)
        outside = self._outside(whole)
        best = self._best(scores, sequences, outside)
        last_of = np.zeros(len(scores), np.int64)
        for first, last in sequences:
            last_of[first:last] = last - 1
        return [
            CrfMarginals(
                self.index,
                starts,
                ends,
                best[first:last],
                outside[first:last],
                whole.of(slice(first, last)),
                last_of[first:last] - first,
            )
            for (first, last), (starts, ends, _) in zip(bounds, units, strict=True)
        ]

    def _outside(self, whole: Lattice) -> Floats:
        column = self.index.outside
        return whole.chances(column) if column >= 0 else np.zeros(len(whole.rows))

    def _best(self, scores: Sums, sequences: list[tuple[int, int]], outside: Floats) -> Integers:
        transitions, column = self.transitions, self.index.outside
        if column < 0:
            return best_path(scores, transitions, sequences)
        return probable_path(scores, transitions, sequences, column, outside)


def token_units(tokenized: TokenizedDocument) -> UnitLayout:
    return tokenized.tokens.starts, tokenized.tokens.ends, tokenized.tokens.sequences


def word_units(tokenized: TokenizedDocument) -> UnitLayout:
    """Return the words of Stat De-id as units, sequences ending with sentences."""
    words = words_of_text(tokenized.text)
    return words.starts, words.ends, words.sentences


REACH = 5
"""How many characters to each side are seen."""
LONGEST_SEQUENCE = 1000
_EDGE = "\n"


def character_units(tokenized: TokenizedDocument) -> UnitLayout:
    """Return every character of the document as a unit, sequences ending with lines."""
    length = len(tokenized.text)
    return range(length), range(1, length + 1), list(_sequences(tokenized.text))


def attributes_of_characters(tokenized: TokenizedDocument) -> Iterator[TokenAttributes]:
    """Yield, of each character, the n-grams of one to three around it, and its token's."""
    text = _EDGE * (REACH + 1) + tokenized.text + _EDGE * (REACH + 3)
    for size in (1, 2, 3):
        pieces = [text[at : at + size] for at in range(len(text))]
        offsets = range(-REACH, REACH + 2 - size)
        yield NgramAttributes(
            pieces, {f"{size}{offset}=": REACH + 1 + offset for offset in offsets}
        )
    yield from _attributes_of_tokens(tokenized)


def attributes_of_words(
    groups: Sequence[str], dictionaries: Dictionaries, tokenized: TokenizedDocument
) -> Iterator[TokenAttributes]:
    """Yield the features of each word by its local context."""
    yield AttributeSets(
        [tuple(each) for each in local_features(tokenized.text, groups, dictionaries)]
    )


def character_attributes(tokenized: TokenizedDocument) -> AttributeColumns:
    """Return all attributes of each character."""
    columns: AttributeColumns = [[] for _ in tokenized.text]
    for token_attributes in attributes_of_characters(tokenized):
        token_attributes.write(columns)
    return columns


def _attributes_of_tokens(tokenized: TokenizedDocument) -> Iterator[AttributeSets]:
    words = ["", *tokenized.words, ""]
    about = {word: (*lower(word), *orthography(word)) if word else ("w=",) for word in set(words)}
    own, before, after, places = ([NOTHING] * len(tokenized.text) for _ in range(4))
    tokens = tokenized.tokens
    for number, (start, end) in enumerate(zip(tokens.starts, tokens.ends, strict=True)):
        count = end - start
        own[start:end] = [about[words[number + 1]]] * count
        before[start:end] = [tuple("<" + each for each in about[words[number]][:2])] * count
        after[start:end] = [tuple(">" + each for each in about[words[number + 2]][:2])] * count
        places[start:end] = [(f"at={min(at, 4)},{min(count - 1 - at, 4)}",) for at in range(count)]
    yield from map(AttributeSets, (own, before, after, places))


def _sequences(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        for first in range(start, end, LONGEST_SEQUENCE):
            yield first, min(first + LONGEST_SEQUENCE, end)
        start = end
