"""The hidden Markov model of IdentiFinder (Bikel and others 1999): a bigram model of each type.

A word and its feature (what it looks like) follow the word before it within a name class, which is
a PHI type or none; a class follows the class and the word before it. What was seen too seldom backs
off to what is seen more often, weighed after Witten and Bell: a history that was seen `c` times
with `u` outcomes has the weight c / (c + u). Words that training does not know are learnt from its
two halves, each read as if only the other were known.

It differs from the paper in four ways: words are in lower case, for the feature tells of capitals;
the weight leaves out how often the longer history was seen; a sequence is a line, not a sentence;
the period of an initial is a word of its own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from shared.recognition.crf.forward_backward import Floats, Integers
from shared.recognition.hmm.probabilities import (
    END_TOKEN,
    SPECIAL,
    START,
    UNKNOWN,
    Counts,
    Probabilities,
    Token,
    counted,
)
from shared.recognition.hmm.words import FEATURES, OTHER, WordLine

Mention = tuple[int, int, int, float]
"""First and last token, class and probability."""


@dataclass(frozen=True)
class NameClassModel:
    """Classes (the first is none of the types), words, and counts of known and unknown words."""

    classes: tuple[str, ...]
    words: tuple[str, ...]
    known: Counts
    unknown: Counts

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: at for at, word in enumerate(self.words)}

    @cached_property
    def _probabilities(self) -> tuple[Probabilities, Probabilities]:
        size, words = len(self.classes), len(self.words)
        return Probabilities(self.known, size, words), Probabilities(self.unknown, size, words)

    def mentions(self, line: WordLine) -> list[Mention]:
        """Return the mentions of the best path, each with its probability in all paths."""
        if not line.words:
            return []
        lattice = self._lattice(line)
        entered, left, inside = posteriors(lattice)
        found: list[Mention] = []
        for first, last, own in best_runs(lattice):
            if own:
                chance = entered[first, own] * inside[first + 1 : last + 1, own].prod()
                found.append((first, last, own, float(min(1.0, chance * left[last, own]))))
        return found

    def _lattice(self, line: WordLine) -> "NameClassLattice":
        count = len(self.classes)
        begin = np.zeros((len(line.words), count + 1, count))
        inside = np.zeros((len(line.words), count))
        last, close = (START, OTHER), np.ones(count)
        for at, (word, seen) in enumerate(zip(line.words, line.features, strict=True)):
            token = self._numbers.get(word, UNKNOWN), seen
            moves = self._by(last).move(last[0])[:, :count]
            begin[at] = moves * self._by(token).first(token)
            if at:
                begin[at, :count] *= close[:, None]
                begin[at, count] = 0
                inside[at] = self._by(last, token).next(last, token)
            else:
                begin[at, :count] = 0
            last, close = token, self._by(token).next(token, END_TOKEN)
        return NameClassLattice(begin, inside, close * self._by(last).move(last[0])[:count, count])

    def _by(self, *tokens: Token) -> Probabilities:
        is_unknown = any(token[0] == UNKNOWN for token in tokens)
        return self._probabilities[is_unknown]


class NameClassLattice(NamedTuple):
    """The chances of a line: units x classes before (the last: none) x classes, and so on.

    `begin`: a mention ends before the token and another begins with it; `inside`: it goes on;
    `closing`: it ends with the line.
    """

    begin: Floats
    inside: Floats
    closing: Floats


def posteriors(lattice: NameClassLattice) -> tuple[Floats, Floats, Floats]:
    """Return units x classes, scaled: mentions that begin here, that end here, and that go on."""
    begin, inside, closing = lattice
    count = len(closing)
    entered, left, on = np.zeros_like(inside), np.zeros_like(inside), np.zeros_like(inside)
    scales = np.zeros(len(inside))
    forward = np.eye(count + 1)[count]
    for at in range(len(inside)):
        entered[at] = forward @ begin[at]
        on[at] = inside[at]
        reached = entered[at] + forward[:count] * inside[at]
        scales[at] = reached.sum()
        forward = np.append(reached / scales[at], 0.0)
        entered[at] /= scales[at]
        on[at] /= scales[at]
    left[-1] = backward = closing / (forward[:count] @ closing)
    for at in range(len(inside) - 2, -1, -1):
        left[at] = begin[at + 1, :count] @ backward / scales[at + 1]
        backward = left[at] + on[at + 1] * backward
    return entered, left, on


def best_runs(lattice: NameClassLattice) -> list[tuple[int, int, int]]:
    """Return the mentions of the most probable path, none of the types' too (Viterbi)."""
    with np.errstate(divide="ignore"):
        begin, inside, closing = map(np.log, lattice)
    count = len(closing)
    score = begin[0, count]
    came_from = np.zeros((len(inside), count), np.int64)
    for at in range(1, len(inside)):
        entering = score[:, None] + begin[at, :count]
        best = entering.argmax(axis=0)
        entered, stayed = entering[best, np.arange(count)], score + inside[at]
        came_from[at] = np.where(entered > stayed, best, _STAYED)
        score = np.maximum(entered, stayed)
    own, last = int((score + closing).argmax()), len(inside) - 1
    runs: list[tuple[int, int, int]] = []
    for at in range(last, 0, -1):
        before = int(came_from[at, own])
        if before != _STAYED:
            runs.append((at, last, own))
            own, last = before, at - 1
    return [*reversed([*runs, (0, last, own)])]


_STAYED = -1


def learnt(lines: Sequence[tuple[WordLine, bool]], classes: tuple[str, ...]) -> NameClassModel:
    """Learn from lines, each with the half of the training data that it is in."""
    words = (*SPECIAL, *sorted({word for line, _ in lines for word in line.words}))
    size = len(classes)
    known = counted((line for line, _ in lines), _numbers_of(words), size)
    halves: list[Counts] = []
    for half in (False, True):
        others = {word for line, its in lines if its is not half for word in line.words}
        numbers = {word: at for word, at in _numbers_of(words).items() if word in others}
        halves.append(counted((line for line, its in lines if its is half), numbers, size))
    unknown = Counts(*(_summed(*both) for both in zip(*map(_tables, halves), strict=True)))
    return NameClassModel(classes, words, known, unknown)


def _numbers_of(words: Sequence[str]) -> dict[str, int]:
    return {word: at for at, word in enumerate(words)}


def _tables(counts: Counts) -> tuple[Integers, Integers, Integers]:
    return counts.moves, counts.firsts, counts.nexts


def _summed(one: Integers, other: Integers) -> Integers:
    both = np.concatenate([one, other])
    rows, place = np.unique(both[:, :-1], axis=0, return_inverse=True)
    sums = np.bincount(place.ravel(), both[:, -1], len(rows)).astype(np.int64)
    return np.column_stack([rows, sums])


MOST_CLASSES = 300
"""Of a model that is read: memory grows as the square of them. Schemas have some thirty types."""
_COLUMNS = ("moves", 4), ("firsts", 5), ("nexts", 6)


def model_table(model: NameClassModel) -> dict[str, Any]:
    """Return the model as JSON holds it, the rows of counts as numbers with blanks between."""
    both = ("known", model.known), ("unknown", model.unknown)
    counts = {
        name: {
            kind: " ".join(map(str, rows.ravel().tolist()))
            for (kind, _), rows in zip(_COLUMNS, _tables(of_name), strict=True)
        }
        for name, of_name in both
    }
    return {"classes": model.classes, "words": model.words, **counts}


def model_from(table: dict[str, Any]) -> NameClassModel:
    """Read what `model_table` wrote. Raises one of `MALFORMED` for what it cannot have written."""
    classes, words = (tuple(map(str, table[name])) for name in ("classes", "words"))
    if len(classes) > MOST_CLASSES:
        raise ValueError("has too many classes")
    known, unknown = (
        _counts(table[name], len(classes), len(words)) for name in ("known", "unknown")
    )
    if words[: len(SPECIAL)] != SPECIAL or not classes:
        raise ValueError("is no name-class model")
    return NameClassModel(classes, words, known, unknown)


def _counts(table: dict[str, str], size: int, words: int) -> Counts:
    moves, firsts, nexts = (
        np.array(table[name].split(), np.int64).reshape(-1, width) for name, width in _COLUMNS
    )
    bounds = (
        (moves, (size + 1, words, size + 1)),
        (firsts, (size + 1, size, words, FEATURES)),
        (nexts, (size, words, FEATURES, words, FEATURES)),
    )
    for rows, largest in bounds:
        if (rows < 0).any() or (rows[:, :-1] >= largest).any() or (rows[:, -1] < 1).any():
            raise ValueError("is no count of a name-class model")
    return Counts(moves, firsts, nexts)
