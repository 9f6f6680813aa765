"""All CRFs of a model, whatever they label, run over batches of documents.

Token CRFs share one pass over the features, and so do character CRFs, which label characters and
are bound to no tokenizer (Liu et al. 2015). Those of words have features of their own.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path

import numpy as np

from shared.recognition.crf.crfsuite_file import Weights, read_weights
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
from shared.recognition.crf.scorer import Scorer, WindowScorer
from shared.recognition.crf.weight_table import Sums
from shared.recognition.dictionaries import Dictionaries, dictionaries_of
from shared.recognition.features import Extractor, TokenizedDocument, together
from shared.recognition.features.token_attributes import (
    NOTHING,
    AttributeColumns,
    AttributeSets,
    NgramAttributes,
    TokenAttributes,
)
from shared.recognition.features.tokenized_document import UnitLayout
from shared.recognition.features.trained_gazetteer import TermCounts
from shared.recognition.features.word_shapes import lower, orthography
from shared.recognition.local_context.features import local_features
from shared.recognition.local_context.words import words_of_text
from shared.recognition.training_settings import CrfSettings, Units


class Crf:
    """Weights, ready to read whole batches of documents."""

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self.index = LabelIndex.of(weights.labels)

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
            whole = lattice(scores, self.weights.transitions, sequences)
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
        transitions, column = self.weights.transitions, self.index.outside
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


class Crfs:
    """The CRFs of a model, read together, in the dictionaries given or those shipped now."""

    def __init__(
        self,
        members: Sequence[tuple[Weights, CrfSettings]],
        term_counts: TermCounts,
        dictionaries: Dictionaries | None = None,
    ) -> None:
        self._crfs = [Crf(weights) for weights, _ in members]
        self._parts: list[tuple[Scorer, Callable[[TokenizedDocument], UnitLayout], list[int]]] = []
        of_units = {
            units: [at for at, (_, settings) in enumerate(members) if settings.units is units]
            for units in Units
        }
        if own := of_units[Units.TOKENS]:
            features = together([members[at][1].features for at in own])
            extractor = Extractor(features, term_counts, dictionaries)
            scorer = WindowScorer([members[at][0] for at in own], extractor)
            self._parts.append((scorer, token_units, own))
        for at in of_units[Units.WORDS]:
            features = members[at][1].features
            known = dictionaries_of(features.locales) if dictionaries is None else dictionaries
            scorer = Scorer([members[at][0]], partial(attributes_of_words, features.groups, known))
            self._parts.append((scorer, word_units, [at]))
        if own := of_units[Units.CHARACTERS]:
            scorer = Scorer([members[at][0] for at in own], attributes_of_characters)
            self._parts.append((scorer, character_units, own))

    def read(self, documents: Sequence[TokenizedDocument]) -> list[list[CrfMarginals]]:
        """Return, for each document, the marginals of each CRF, in the order of the members."""
        by_crf: dict[int, list[CrfMarginals]] = {}
        for scorer, units_of, own in self._parts:
            units = [units_of(each) for each in documents]
            for at, scores in zip(own, scorer.scores(documents, units), strict=True):
                by_crf[at] = self._crfs[at].read(units, scores)
        return [list(each) for each in zip(*(by_crf[at] for at in sorted(by_crf)), strict=True)]


def crfs_from(
    folder: Path,
    settings: Sequence[CrfSettings],
    term_counts: TermCounts,
    dictionaries: Dictionaries | None = None,
) -> Crfs:
    """Load the CRFs of a model's folder; the errors are those of `read_weights`."""
    members = [(read_weights(folder / crf.file), crf) for crf in settings]
    return Crfs(members, term_counts, dictionaries)
