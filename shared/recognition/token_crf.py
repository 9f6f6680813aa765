"""The token CRF: training one, and reading documents with one or several."""

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from shared.recognition.crf import Crf
from shared.recognition.crfsuite_file import Weights
from shared.recognition.example import Example
from shared.recognition.features import Extractor, FeatureSet, Sheet
from shared.recognition.features.taught import Lesson, lesson_of, lesson_of_all
from shared.recognition.labels import OUTSIDE, encode, runs_of
from shared.recognition.reading import Reading
from shared.recognition.scorer import Scorer
from shared.recognition.settings import CrfSettings
from shared.recognition.trainer import Sequence as Labelled
from shared.recognition.trainer import fit

SEGMENT = 20
"""Stretches without PHI are cut into segments of this many units, of which a share is kept."""


class TokenCrfs:
    """Several token CRFs that share what is read off the page."""

    def __init__(self, members: Sequence[tuple[Weights, FeatureSet]], lesson: Lesson) -> None:
        features = FeatureSet(
            tuple({name: None for _, each in members for name in each.groups}),
            max(each.window for _, each in members),
        )
        self._scorer = Scorer([weights for weights, _ in members], Extractor(features, lesson))
        self._crfs = [Crf(weights) for weights, _ in members]

    def read(self, sheets: Sequence[Sheet]) -> list[list[Reading]]:
        """Return, for each document, the reading of each CRF."""
        units = [(each.tokens.starts, each.tokens.ends, each.tokens.sequences) for each in sheets]
        scores = zip(*(self._scorer.scores(sheet) for sheet in sheets), strict=True)
        by_crf = [crf.read(units, each) for crf, each in zip(self._crfs, scores, strict=True)]
        return [list(readings) for readings in zip(*by_crf, strict=True)]


class TokenTraining:
    """Examples laid out once, from which any number of token CRFs is trained."""

    def __init__(self, examples: Sequence[Example], seed: int) -> None:
        self._examples = examples
        self._seed = seed
        self.sheets = [Sheet(example.document.text) for example in examples]
        self._by_patient: defaultdict[str, Lesson] = defaultdict(Lesson)
        for sheet, example in zip(self.sheets, examples, strict=True):
            own = lesson_of(sheet, example.tags)
            self._by_patient[example.document.patient_id].add(own)
        self.lesson = lesson_of_all(self._by_patient.values())

    def train(
        self,
        settings: CrfSettings,
        path: Path,
        on_iteration: Callable[[int], None] | None = None,
    ) -> None:
        """Train one CRF and write it to `path`; the errors are those of `fit`."""
        fit(self._sequences(settings), path, settings, on_iteration)

    def _sequences(self, settings: CrfSettings) -> Iterator[Labelled]:
        extractor = Extractor(settings.features, self.lesson)
        chance = random.Random(self._seed)
        for sheet, example in zip(self.sheets, self._examples, strict=True):
            own = self._by_patient[example.document.patient_id]
            columns = extractor.attributes(sheet, own)
            tokens = sheet.tokens
            runs = runs_of(example.tags, tokens.starts, tokens.ends)
            labels = encode(runs, len(tokens), settings.scheme)
            for first, last in segments(labels, tokens.sequences, settings.negatives, chance):
                yield columns[first:last], labels[first:last]


def segments(
    labels: Sequence[str],
    sequences: Sequence[tuple[int, int]],
    negatives: float,
    chance: random.Random,
) -> Iterator[tuple[int, int]]:
    """Yield the parts of the sequences to train on: all with PHI, a share of those without."""
    for start, end in sequences:
        first = start
        for at in range(start, end):
            whole = at == end - 1
            cut = (
                at - first >= SEGMENT and labels[at] == OUTSIDE and labels[at + 1 : at + 2] == ["O"]
            )
            if whole or cut:
                last = at + 1
                has_phi = any(label != OUTSIDE for label in labels[first:last])
                if has_phi or chance.random() < negatives:
                    yield first, last
                first = last
