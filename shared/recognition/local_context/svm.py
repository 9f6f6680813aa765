"""A multi-class support vector machine with a linear kernel, as that of Stat De-id.

As with LIBSVM, which the paper uses, each two classes have a machine and the classes are voted for
(one against one), the penalty is 1, and the loss is the hinge loss. The machines are trained by
scikit-learn's LIBLINEAR (dual coordinate descent), which for a linear kernel minimizes the same but
that the bias is penalized too; LIBSVM itself takes hours for some hundred thousand words. Without
support vectors, a machine is the weights of its features.
"""

from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np

from shared.recognition.local_context.linear_model import (
    LinearModel,
    SparseWeights,
    one_against_one,
)
from shared.recognition.local_context.training_words import TrainingWords
from shared.recognition.local_context.words import Floats, Integers

PENALTY = 1.0
_TOLERANCE, _ROUNDS = 0.01, 2000
_LEAST = 1e-6
"""Weights below it are left out."""


def train_svm(words: TrainingWords, seed: int) -> LinearModel:
    """Train on words, of which two classes or more must occur."""
    matrix = _matrix(words)
    pairs = one_against_one(len(words.names))
    biases = np.zeros(len(pairs))
    rows: list[Integers] = []
    columns: list[Integers] = []
    values: list[Floats] = []
    places = [np.flatnonzero(words.classes == number) for number in range(len(words.names))]
    for column, (one, other) in enumerate(pairs):
        weights, biases[column] = _machine(matrix, places[one], places[other], seed)
        found = np.flatnonzero(np.abs(weights) > _LEAST)
        rows.append(found)
        columns.append(np.full(len(found), column))
        values.append(weights[found])
    kept = SparseWeights.of(
        np.concatenate(rows), np.concatenate(columns), np.concatenate(values), len(words.features)
    )
    return LinearModel(words.names, words.features, np.array(pairs, np.int64), biases, kept)


def _machine(matrix: Any, one: Integers, other: Integers, seed: int) -> tuple[Floats, float]:  # noqa: ANN401  untyped
    """Return weights and bias of a machine that is above 0 for words of the one class."""
    if not len(one) or not len(other):  # half of the patients may have no such word
        return np.zeros(0), 1.0 if len(one) else -1.0
    places = np.concatenate([one, other])
    speaks = np.concatenate([np.ones(len(one)), -np.ones(len(other))])
    machine: Any = import_module("sklearn.svm").LinearSVC(
        C=PENALTY, loss="hinge", tol=_TOLERANCE, max_iter=_ROUNDS, random_state=seed
    )
    machine.fit(matrix[places], speaks)
    weights = np.asarray(machine.coef_[0], np.float64)
    return weights, float(machine.intercept_[0])


def _matrix(words: TrainingWords) -> Any:  # noqa: ANN401  untyped
    """Return words x features, sparse, with 1 for each feature that a word has."""
    columns = range(len(words.features))
    indicators: Any = import_module("sklearn.preprocessing").MultiLabelBinarizer(
        classes=columns, sparse_output=True
    )
    had = [words.numbers[start:end] for start, end in pairwise(words.starts.tolist())]
    return indicators.fit_transform(had).astype(np.float64)
