"""What CRFs are trained on: examples, laid out once for any number of CRFs."""

import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from shared.recognition.crf.baseline import fit_baseline
from shared.recognition.crf.crfs import (
    character_attributes,
    character_units,
    token_units,
    word_units,
)
from shared.recognition.crf.trainer import LabelledSequence, fit
from shared.recognition.dictionaries import dictionaries_of
from shared.recognition.features import Extractor, TokenizedDocument, is_lexical
from shared.recognition.features.tokenized_document import UnitLayout
from shared.recognition.features.trained_gazetteer import TermCounts, count_terms, total_counts
from shared.recognition.labels import OUTSIDE, Scheme, encode, label_runs
from shared.recognition.local_context.features import local_features
from shared.recognition.neural.batches import LabelledTokens
from shared.recognition.neural.network import network_attributes
from shared.recognition.neural.network_file import write_network
from shared.recognition.neural.trainer import fit_network
from shared.recognition.recognizer import Example
from shared.recognition.tokens import LONGEST_SEQUENCE
from shared.recognition.training_settings import CrfSettings, NetworkSettings, Units

SEGMENTS = {Units.TOKENS: 20, Units.WORDS: LONGEST_SEQUENCE, Units.CHARACTERS: 100}
"""Stretches without PHI are cut into segments of so many units, of which a share is kept."""


class TrainingData:
    """Examples, and how often each word and phrase is what in them (`term_counts`)."""

    def __init__(self, examples: Sequence[Example], seed: int) -> None:
        self._examples = examples
        self._seed = seed
        self._tokenized = [TokenizedDocument(example.document.text) for example in examples]
        self._by_patient: defaultdict[str, TermCounts] = defaultdict(TermCounts)
        for tokenized, example in zip(self._tokenized, examples, strict=True):
            own = count_terms(tokenized, example.tags)
            self._by_patient[example.document.patient_id].add(own)
        self.term_counts = total_counts(self._by_patient.values())

    def train(self, settings: CrfSettings | NetworkSettings, path: Path) -> None:
        """Train one CRF and write it to `path`; the errors are those of `fit`, `fit_network`."""
        if isinstance(settings, NetworkSettings):
            network = fit_network(self._labelled(settings), settings, self._seed)
            write_network(path, network)
        else:
            train = fit_baseline if settings.is_baseline else fit
            train(self._sequences(settings), path, settings)

    def _labelled(self, settings: NetworkSettings) -> Iterator[LabelledTokens]:
        extractor = Extractor(settings.features, self.term_counts)
        for tokenized, example in zip(self._tokenized, self._examples, strict=True):
            own = self._by_patient[example.document.patient_id]
            starts, ends, sequences = token_units(tokenized)
            labels = encode(label_runs(example.tags, starts, ends), len(starts), Scheme.BIOES)
            size = SEGMENTS[Units.TOKENS]
            lines = [list(training_segments(labels, [each], size)) for each in sequences]
            attributes = network_attributes(extractor, tokenized, own)
            yield LabelledTokens(attributes, tokenized.words, labels, lines)

    def _sequences(self, settings: CrfSettings) -> Iterator[LabelledSequence]:
        chance = random.Random(self._seed)
        dropping = random.Random(f"{self._seed} {settings.name}")  # each CRF misses other words
        size = SEGMENTS[settings.units]
        read = self._read(settings)
        for example, (starts, ends, sequences), columns in read:
            labels = encode(label_runs(example.tags, starts, ends), len(starts), settings.scheme)
            for first, last in training_segments(labels, sequences, size):
                has_phi = any(label != OUTSIDE for label in labels[first:last])
                if has_phi or chance.random() < settings.negatives:
                    kept = _dropped(columns[first:last], settings.dropout, dropping)
                    yield kept, labels[first:last]

    def _read(self, settings: CrfSettings) -> Iterator[tuple[Example, UnitLayout, list[list[str]]]]:
        if settings.units is Units.CHARACTERS:
            return self._characters()
        return self._words(settings) if settings.units is Units.WORDS else self._tokens(settings)

    def _tokens(
        self, settings: CrfSettings
    ) -> Iterator[tuple[Example, UnitLayout, list[list[str]]]]:
        extractor = Extractor(settings.features, self.term_counts)
        for tokenized, example in zip(self._tokenized, self._examples, strict=True):
            own = self._by_patient[example.document.patient_id]
            yield example, token_units(tokenized), extractor.attributes(tokenized, own)

    def _words(
        self, settings: CrfSettings
    ) -> Iterator[tuple[Example, UnitLayout, list[list[str]]]]:
        features = settings.features
        known = dictionaries_of(features.locales)
        for tokenized, example in zip(self._tokenized, self._examples, strict=True):
            columns = local_features(tokenized.text, features.groups, known)
            yield example, word_units(tokenized), columns

    def _characters(self) -> Iterator[tuple[Example, UnitLayout, list[list[str]]]]:
        for tokenized, example in zip(self._tokenized, self._examples, strict=True):
            yield example, character_units(tokenized), character_attributes(tokenized)


def _dropped(columns: list[list[str]], share: float, chance: random.Random) -> list[list[str]]:
    """Return the attributes without a share of those of particular words."""
    if not share:
        return columns
    return [
        [name for name in column if not (is_lexical(name) and chance.random() < share)]
        for column in columns
    ]


def training_segments(
    labels: Sequence[str], sequences: Sequence[tuple[int, int]], size: int
) -> Iterator[tuple[int, int]]:
    """Cut sequences into segments of `size` units or more that begin and end outside of PHI."""
    for start, end in sequences:
        first = start
        for at in range(start, end):
            between = labels[at] == OUTSIDE and labels[at + 1 : at + 2] == [OUTSIDE]
            if at == end - 1 or (between and at - first >= size):
                yield first, at + 1
                first = at + 1
