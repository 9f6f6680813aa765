"""SNoW: a sparse network of Winnows (Roth and Yih 2002), which learns from one word at a time.

A feature is linked to a class when it is first seen with a word of it. A class is active where the
weights of the features linked to it come to the threshold; that of the word which is not is
promoted, every other which is, demoted: their weights are multiplied. The most active class wins.
The parameters are those of the network that SNoW's user guide shows as an example; the paper does
not name its own. It relates words, not phrases that somebody cut out before, and the relations
between entities by which SNoW revises its types are left out: no records with such relations are at
hand.
"""

import numpy as np

from shared.recognition.local_context.linear_model import (
    ALL_OTHERS,
    LinearModel,
    SparseWeights,
)
from shared.recognition.local_context.training_words import TrainingWords
from shared.recognition.local_context.words import Floats, Integers

PROMOTION, DEMOTION, THRESHOLD, FIRST_WEIGHT, CYCLES = 1.35, 0.8, 4.0, 0.2, 2
_LARGEST = 1e6
"""What no weight grows beyond, however often it is promoted."""


def train_winnow(words: TrainingWords, seed: int) -> LinearModel:
    """Train on words in an order drawn by `seed`, another in each cycle."""
    count = len(words.names)
    weights = np.zeros((len(words.features), count))
    for cycle in range(CYCLES):
        order = np.random.default_rng([seed, cycle]).permutation(len(words.classes))
        for at in order.tolist():
            features = words.numbers[words.starts[at] : words.starts[at + 1]]
            _learn(weights, features, int(words.classes[at]))
    rows, columns = np.nonzero(weights)
    kept = SparseWeights.of(rows, columns, weights[rows, columns], len(words.features))
    pairs = np.array([(number, ALL_OTHERS) for number in range(count)], np.int64)
    return LinearModel(words.names, words.features, pairs, np.zeros(count), kept)


def _learn(weights: Floats, features: Integers, own: int) -> None:
    rows = weights[features]
    rows[:, own] = np.where(rows[:, own] == 0, FIRST_WEIGHT, rows[:, own])
    is_wrong = rows.sum(axis=0) >= THRESHOLD
    if is_wrong[own]:
        is_wrong[own] = False
    else:
        rows[:, own] = np.minimum(rows[:, own] * PROMOTION, _LARGEST)
    rows[:, is_wrong] *= DEMOTION
    weights[features] = rows
