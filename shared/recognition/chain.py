"""The arithmetic of linear-chain CRFs, over many sequences at a time.

Sequences stand one after the other in one array of scores; each step below advances all sequences
that are still running, longest first, so that the work is a few large products of matrices.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Lattice:
    """What forward-backward leaves behind, a row per unit, a column per label.

    `forward` and `backward` are scaled so that `forward * backward` is the marginal probability;
    `emissions` and `moves` hold the exponentiated scores, `scales` the sum that each forward row
    was divided by. The probability of a run of labels a..b of the units i..j is
    `forward[i, a] * product(moves[..] * emissions[..] / scales[..]) * backward[j, b]`.
    """

    forward: Floats
    backward: Floats
    emissions: Floats
    scales: Floats
    moves: Floats

    @property
    def marginals(self) -> Floats:
        return self.forward * self.backward


class Layout:
    """Sequences `[first, last)` by length, and which rows each step of a recursion works on."""

    def __init__(self, sequences: list[tuple[int, int]]) -> None:
        ordered = sorted(sequences, key=lambda each: each[0] - each[1])
        self.firsts: Integers = np.array([first for first, _ in ordered], np.int64)
        lengths = np.array([last - first for first, last in ordered], np.int64)
        self.longest = int(lengths[0]) if ordered else 0
        steps = np.arange(self.longest)
        self.active: list[int] = np.searchsorted(-lengths, -steps, side="left").tolist()

    def rows(self, step: int) -> Integers:
        """The row of each sequence that has a unit number `step`."""
        return self.firsts[: self.active[step]] + step


def lattice(scores: Floats, transitions: Floats, sequences: list[tuple[int, int]]) -> Lattice:
    """Run forward-backward. `scores`: units x labels; `transitions`: labels x labels."""
    layout = Layout(sequences)
    emissions = np.exp(scores - scores.max(axis=1, keepdims=True))
    moves = np.exp(transitions)
    forward = np.empty_like(emissions)
    scales = np.ones(len(emissions))
    current = np.ones((0, 0))
    for step in range(layout.longest):
        rows = layout.rows(step)
        arriving = current[: len(rows)] @ moves if step else 1.0
        current = emissions[rows] * arriving
        sums = current.sum(axis=1)
        current /= sums[:, None]
        forward[rows] = current
        scales[rows] = sums
    backward = _backward(emissions, moves, scales, layout)
    return Lattice(forward, backward, emissions, scales, moves)


def _backward(emissions: Floats, moves: Floats, scales: Floats, layout: Layout) -> Floats:
    backward = np.ones_like(emissions)
    back = np.ascontiguousarray(moves.T)
    for step in range(layout.longest - 1, 0, -1):
        rows = layout.rows(step)
        leaving = backward[rows] * emissions[rows] / scales[rows, None]
        backward[rows - 1] = leaving @ back
    return backward


def best_path(scores: Floats, transitions: Floats, sequences: list[tuple[int, int]]) -> Integers:
    """Return the label of each unit on the best path of its sequence (Viterbi)."""
    layout = Layout(sequences)
    best = np.array(scores)
    came_from = np.zeros(scores.shape, np.int16)
    by_target = np.ascontiguousarray(transitions.T)
    for step in range(1, layout.longest):
        rows = layout.rows(step)
        paths = best[rows - 1][:, None, :] + by_target
        chosen = paths.argmax(axis=2)
        came_from[rows] = chosen
        best[rows] += np.take_along_axis(paths, chosen[:, :, None], axis=2)[:, :, 0]
    return _traced(best, came_from, layout)


def _traced(best: Floats, came_from: NDArray[np.int16], layout: Layout) -> Integers:
    path = best.argmax(axis=1)
    for step in range(layout.longest - 1, 0, -1):
        rows = layout.rows(step)
        path[rows - 1] = came_from[rows, path[rows]]
    return path
