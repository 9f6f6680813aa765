"""The arithmetic of linear-chain CRFs, over many sequences at a time.

Sequences stand one after the other in one array of scores. The recursions run over all of them at
once, the longest first: each step is one product of matrices over all that are still running.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


MAX_SCORE_DISTANCE = 200.0
"""Scores farther apart than this are as good as this far apart, and stay numbers."""
MIN_INSIDE_CHANCE = 1e-3
"""A unit that is outside but for so small a chance is taken to be outside on the best path."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """What forward-backward leaves behind; `rows` leads from a unit to its row, columns are labels.

    `forward` and `backward` are scaled so that `forward * backward` is the marginal probability;
    `emissions` and `moves` hold the exponentiated scores, those of a unit divided by the sum that
    its forward row was divided by.
    """

    forward: Floats
    backward: Floats
    emissions: Floats
    moves: Floats
    rows: Integers

    @property
    def marginals(self) -> Floats:
        """The probability of each label of each unit."""
        return self.forward[self.rows] * self.backward[self.rows]

    def chances(self, label: int) -> Floats:
        """The probability of one label of each unit."""
        return self.forward[self.rows, label] * self.backward[self.rows, label]

    def of(self, units: slice | Integers) -> "Lattice":
        """Return the lattice of some of the units."""
        return Lattice(self.forward, self.backward, self.emissions, self.moves, self.rows[units])

    def runs(self, firsts: Integers, lengths: Integers, labels: Integers) -> Floats:
        """The probability of runs of units to have these labels, over `onward`'s.

        `firsts` holds the unit that each begins with, `labels` those of one run after the other.
        """
        ends = np.cumsum(lengths)
        begins = ends - lengths
        units = np.arange(len(labels)) + np.repeat(firsts - begins, lengths)
        rows = self.rows[units]
        steps = self.emissions[rows, labels]
        steps[1:] *= self.moves[labels[:-1], labels[1:]]
        steps[begins] = self.forward[rows[begins], labels[begins]]
        return np.multiply.reduceat(steps, begins)

    def going_on(self, units: Integers, before: Integers, labels: Integers) -> Floats:
        """What of `onward` is of units that have these labels after those before them."""
        steps = self.moves[before, labels] * self.emissions[self.rows[units], labels]
        return steps * self.onward(units, labels)

    def onward(self, units: Integers, labels: Integers) -> Floats:
        """What the probabilities of runs are multiplied by that end with these units and labels."""
        return self.backward[self.rows[units], labels]


class PositionBatches:
    """Sequences `[first, last)` turned so that the rows of a step lie together.

    `order` holds the row of each unit, all first units first, then all second ones; the longest
    sequence comes first in every step.
    """

    def __init__(self, sequences: list[tuple[int, int]]) -> None:
        ordered = sorted(sequences, key=lambda each: each[0] - each[1])
        firsts = np.array([first for first, _ in ordered], np.int64)
        lengths = np.array([last - first for first, last in ordered], np.int64)
        longest = int(lengths[0]) if ordered else 0
        active = np.searchsorted(-lengths, -np.arange(longest), side="left")
        ends = np.cumsum(active)
        rank = np.arange(int(lengths.sum())) - np.repeat(ends - active, active)
        self.order: Integers = firsts[rank] + np.repeat(np.arange(longest), active)
        self.slices = [slice(*each) for each in pairwise([0, *ends.tolist()])]

    def rows(self) -> Integers:
        """Return where each unit is in `order`."""
        rows = np.empty_like(self.order)
        rows[self.order] = np.arange(len(rows))
        return rows


def one_thread() -> AbstractContextManager[object]:
    """Keep products of matrices, which are small here, from being shared between threads."""
    return _controller().limit(limits=1, user_api="blas")


@cache
def _controller() -> Any:  # noqa: ANN401
    return import_module("threadpoolctl").ThreadpoolController()


def lattice(
    scores: NDArray[np.floating], transitions: Floats, sequences: list[tuple[int, int]]
) -> Lattice:
    """Run forward-backward. `scores`: units x labels; `transitions`: labels x labels."""
    steps = PositionBatches(sequences)
    emissions = scores.take(steps.order, axis=0).astype(float)
    emissions -= emissions.max(axis=1, keepdims=True)
    np.exp(np.maximum(emissions, -MAX_SCORE_DISTANCE, out=emissions), out=emissions)
    moves = np.exp(np.clip(transitions, -MAX_SCORE_DISTANCE, MAX_SCORE_DISTANCE))
    forward = _forward(emissions, moves, steps.slices)
    backward = _backward(emissions, moves, steps.slices)
    return Lattice(forward, backward, emissions, moves, steps.rows())


def _forward(emissions: Floats, moves: Floats, slices: list[slice]) -> Floats:
    """Return the scaled forward rows, and scale the emissions."""
    forward = np.empty_like(emissions)
    sums = np.empty((len(emissions), 1))
    before = forward[:0]
    for number, rows in enumerate(slices):
        current, total = forward[rows], sums[rows]
        if number:
            np.matmul(before[: len(current)], moves, out=current)
            current *= emissions[rows]
        else:
            current[:] = emissions[rows]
        np.add.reduce(current, axis=1, keepdims=True, out=total)
        current /= total
        before = current
    emissions /= sums
    return forward


def _backward(scaled: Floats, moves: Floats, slices: list[slice]) -> Floats:
    backward = np.empty_like(scaled)
    back = np.ascontiguousarray(moves.T)
    for last in slices[-1:]:
        backward[last] = 1
    for before, rows in zip(slices[-2::-1], slices[:0:-1], strict=True):
        going_on = before.start + rows.stop - rows.start
        backward[going_on : before.stop] = 1
        np.matmul(backward[rows] * scaled[rows], back, out=backward[before.start : going_on])
    return backward


def best_path(
    scores: NDArray[np.floating], transitions: Floats, sequences: list[tuple[int, int]]
) -> Integers:
    """Return the label of each unit on the best path of its sequence (Viterbi)."""
    steps = PositionBatches(sequences)
    best = scores[steps.order].astype(np.float32)
    came_from = np.zeros(best.shape, np.int16)
    by_target = np.ascontiguousarray(transitions.T, np.float32)
    before = slice(0, 0)
    for number, rows in enumerate(steps.slices):
        if number:
            arrived = best[before.start : before.start + rows.stop - rows.start]
            paths = arrived[:, None, :] + by_target
            chosen = paths.argmax(axis=2)
            came_from[rows] = chosen
            best[rows] += np.take_along_axis(paths, chosen[:, :, None], axis=2)[:, :, 0]
        before = rows
    path = np.empty(len(best), np.int64)
    path[steps.order] = _traced(best, came_from, steps.slices)
    return path


def _traced(
    best: NDArray[np.float32], came_from: NDArray[np.int16], slices: list[slice]
) -> Integers:
    path = best.argmax(axis=1)
    for before, rows in zip(slices[-2::-1], slices[:0:-1], strict=True):
        count = rows.stop - rows.start
        reached = slice(before.start, before.start + count)
        path[reached] = came_from[rows][np.arange(count), path[rows]]
    return path


def probable_path(
    scores: NDArray[np.floating],
    transitions: Floats,
    sequences: list[tuple[int, int]],
    outside: int,
    chances: Floats,
) -> Integers:
    """Return the best path where units that are all but certainly outside are taken to be.

    `outside` is the column of that label, `chances` its probability for each unit. What lies
    between such units is decoded by itself, which saves most of the work.
    """
    path = np.full(len(scores), outside)
    is_first, is_last = np.zeros(len(scores), bool), np.zeros(len(scores), bool)
    is_first[[first for first, _ in sequences]] = True
    is_last[[last - 1 for _, last in sequences]] = True
    rows = np.flatnonzero(chances < 1 - MIN_INSIDE_CHANCE)
    if not len(rows):
        return path
    is_apart = (np.diff(rows) > 1) | is_first[rows[1:]]
    starts = np.concatenate([[0], np.flatnonzero(is_apart) + 1])
    ends = np.concatenate([starts[1:], [len(rows)]])
    inner = scores[rows].astype(float)
    inner[starts] += np.where(is_first[rows[starts], None], 0, transitions[outside])
    inner[ends - 1] += np.where(is_last[rows[ends - 1], None], 0, transitions[:, outside])
    runs = list(zip(starts.tolist(), ends.tolist(), strict=True))
    path[rows] = best_path(inner, transitions, runs)
    return path
