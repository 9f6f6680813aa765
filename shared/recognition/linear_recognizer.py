"""Stat De-id and SNoW as recognizers: each word is classified by its local context, for itself.

Words of the same type in a row within a sentence are one suggestion. How sure it is, is how sure
the least sure of its words is: the margin of its class on the logistic curve that was fitted to
what models of one half of the patients make of the other: of such runs, how many are right.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from shared.errors import RequestError
from shared.model import Document, Span
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.labels import OUTSIDE, label_runs, phi_type_named
from shared.recognition.local_context.features import Columns, local_features
from shared.recognition.local_context.linear_model import MOST_CLASSES, LinearModel
from shared.recognition.local_context.svm import train_svm
from shared.recognition.local_context.training_words import (
    LabelledText,
    TrainingWords,
    runs,
    training_words,
)
from shared.recognition.local_context.winnow import train_winnow
from shared.recognition.local_context.words import Floats, words_of_text
from shared.recognition.model_card import ModelCard
from shared.recognition.recognizer import Example, Suggestion
from shared.recognition.tokens import pieces
from shared.recognition.training_settings import Learner, RecognizerSettings

_BATCH = 2000
_TRAINERS: dict[Learner, Callable[[TrainingWords, int], LinearModel]] = {
    Learner.SVM: train_svm,
    Learner.WINNOW: train_winnow,
}


@dataclass(frozen=True, slots=True)
class LinearRecognizer:
    """A linear model of words with its card and the dictionaries in which it looks words up."""

    card: ModelCard
    model: LinearModel
    dictionaries: Dictionaries

    @property
    def name(self) -> str:
        return self.card.settings.name

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        """Return the words that are of a type in each document, those in a row together."""
        return [tuple(self._suggested(document.text)) for document in documents]

    def _suggested(self, text: str) -> Iterator[Suggestion]:
        groups = self.card.settings.features.groups
        for offset, piece in pieces(text):
            columns = local_features(piece, groups, self.dictionaries)
            numbered = [self.model.numbered(column) for column in columns]
            classes, margins = self.model.classified(numbered)
            chances = self.model.chances(margins)
            words = words_of_text(piece)
            for first, last, own in runs(classes, words.sentence_numbers):
                span = Span(offset + words.starts[first], offset + words.ends[last])
                sure = float(chances[first : last + 1].min())
                yield Suggestion(span, phi_type_named(self.model.classes[own]), sure, self.name)


def train_linear(
    examples: Sequence[Example],
    settings: RecognizerSettings,
    types: Sequence[str],
    dictionaries: Dictionaries,
) -> LinearModel:
    """Train on examples, in order; half of the patients judge a model of the others by turns.

    Raises RequestError for more types than a model may have.
    """
    names = (OUTSIDE, *types)
    if len(names) > MOST_CLASSES:
        raise RequestError(
            f"there are {len(types)} types; {settings.name} learns {MOST_CLASSES - 1}"
        )
    patients = sorted({each.document.patient_id for each in examples})
    halves = (bisect_left(patients, each.document.patient_id) % 2 for each in examples)
    features = partial(local_features, groups=settings.features.groups, dictionaries=dictionaries)
    tagged = (
        _tagged(each, half, names, features) for each, half in zip(examples, halves, strict=True)
    )
    words = training_words(tagged, names)
    fit = _TRAINERS[settings.learner]
    whole = fit(words, settings.seed)
    judged = [_judged(fit(words.of_half(1 - half), settings.seed), words.of_half(half))
              for half in (0, 1) if len(patients) > 1]  # fmt: skip
    if not judged:
        return whole
    margins, right = (np.concatenate(each) for each in zip(*judged, strict=True))
    return whole.calibrated(margins, right)


def _tagged(
    example: Example, half: int, names: Sequence[str], features: Callable[[str], Columns]
) -> LabelledText:
    text = example.document.text
    words = words_of_text(text)
    classes = [0] * len(words)
    for run in label_runs(example.tags, words.starts, words.ends):
        classes[run.first : run.last + 1] = [names.index(run.phi_type)] * (run.last + 1 - run.first)
    return LabelledText(features(text), classes, words.sentences, half)


def _judged(model: LinearModel, words: TrainingWords) -> tuple[Floats, Floats]:
    """Return the least margin of each run that a model finds, and whether it is right (1 or 0)."""
    read = [model.classified(batch) for batch in words.batches(_BATCH)]
    classes, margins = (np.concatenate(each) for each in zip(*read, strict=True))
    right = set(runs(words.classes, words.sentences))
    found = runs(classes, words.sentences)
    least = [margins[first : last + 1].min() for first, last, _ in found]
    return np.array(least), np.array([float(each in right) for each in found])
