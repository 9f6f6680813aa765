"""What is counted in lines, and the probabilities that back off in it."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from shared.recognition.crf.forward_backward import Floats, Integers
from shared.recognition.hmm.words import FEATURES, OTHER, WordLine

UNKNOWN, START, END = 0, 1, 2
"""The first words of every vocabulary; no word of a text is empty or has a blank."""
SPECIAL = ("", " ", "  ")
Token = tuple[int, int]
END_TOKEN: Token = (END, OTHER)


@dataclass(frozen=True, slots=True)
class Counts:
    """What was seen how often, a row each, the count last; `size` is the number of classes.

    `moves`: class, word, class after it. `firsts`: class before, class, word, feature. `nexts`:
    class, word and feature, word and feature after it. Beyond the ends of a line is class `size`.
    """

    moves: Integers
    firsts: Integers
    nexts: Integers


def counted(lines: Iterable[WordLine], numbers: dict[str, int], size: int) -> Counts:
    """Count the lines; words that have no number are unknown."""
    moves: Counter[tuple[int, ...]] = Counter()
    firsts: Counter[tuple[int, ...]] = Counter()
    nexts: Counter[tuple[int, ...]] = Counter()
    for line in lines:
        before, last = size, (START, OTHER)
        for word, seen, own, begins in zip(*line, strict=True):
            token = numbers.get(word, UNKNOWN), seen
            if begins or own != before:
                moves[before, last[0], own] += 1
                firsts[before, own, *token] += 1
                if before != size:
                    nexts[before, *last, *END_TOKEN] += 1
            else:
                nexts[own, *last, *token] += 1
            before, last = own, token
        moves[before, last[0], size] += 1
        if before != size:
            nexts[before, *last, *END_TOKEN] += 1
    return Counts(_rows(moves, 3), _rows(firsts, 4), _rows(nexts, 5))


def _rows(counts: Counter[tuple[int, ...]], width: int) -> Integers:
    rows = [(*each, count) for each, count in sorted(counts.items())]
    return np.array(rows, np.int64).reshape(-1, width + 1)


def _weight(total: Floats, outcomes: Floats | Integers) -> Floats:
    """The weight of a history by Witten and Bell, 0 where it was never seen."""
    return total / np.maximum(total + outcomes, 1)


def _share(counts: Floats, total: Floats) -> Floats:
    return counts / np.maximum(total, 1)


class Probabilities:
    """The probabilities of one set of counts, backed off."""

    def __init__(self, counts: Counts, size: int, words: int) -> None:
        self._size, self._least = size, 1 / (words * FEATURES)
        self._moves = self._of_moves(counts.moves)
        self._alone: dict[Token, Floats] = {}
        self._words: dict[int, Floats] = {}
        self._looks = np.zeros((FEATURES, size))
        self._begun: dict[Token, Floats] = {}
        self._firsts: dict[Token, list[tuple[int, int, int]]] = defaultdict(list)
        self._nexts: dict[tuple[Token, Token], Floats] = {}
        self._after: dict[Token, Floats] = {}
        first_counts = np.zeros((2, size + 1, size))
        for before, own, word, seen, count in counts.firsts.tolist():
            self._see((word, seen), own, count)
            _add(self._begun, (word, seen), own, count, size)
            self._firsts[word, seen].append((before, own, count))
            first_counts[:, before, own] += count, 1
        for own, *pair, count in counts.nexts.tolist():
            last, token = (pair[0], pair[1]), (pair[2], pair[3])
            self._see(token, own, count)
            _add(self._nexts, (last, token), own, count, size)
            _add(self._after, last, own, count, size)
        outcomes = Counter(
            (last, own)
            for (last, _), row in self._nexts.items()
            for own in np.flatnonzero(row).tolist()
        )
        self._after_outcomes: dict[Token, Floats] = {}
        for (last, own), count in outcomes.items():
            _add(self._after_outcomes, last, own, count, size)
        self._first_total, self._first_weight = first_counts[0], _weight(*first_counts)
        self._begun_total, self._begun_weight = _totals(self._begun, size)
        self._alone_total, self._alone_weight = _totals(self._alone, size)
        self._words_weight = _totals(self._words, size)[1]

    def move(self, word: int) -> Floats:
        """The chance of each class after the word, by the class that the word is of."""
        base, by_word = self._moves
        chances = base.copy()
        for before, row in by_word.get(word, {}).items():
            total = row.sum()
            weight = total / (total + np.count_nonzero(row))
            chances[before] = weight * row / total + (1 - weight) * base[before]
        return chances

    def first(self, token: Token) -> Floats:
        """The chance that a mention begins with the token, by the class before and its own."""
        begun = self._begun.get(token, np.zeros(self._size))
        begin = self._begun_weight * _share(begun, self._begun_total)
        begin = begin + (1 - self._begun_weight) * self.alone(token)
        chances = (1 - self._first_weight) * begin
        for before, own, count in self._firsts.get(token, ()):
            share = count / self._first_total[before, own]
            chances[before, own] += self._first_weight[before, own] * share
        return chances

    def next(self, last: Token, token: Token) -> Floats:
        """The chance of the token after another of the same mention, by class."""
        total = self._after.get(last)
        if total is None:
            return self.alone(token)
        weight = _weight(total, self._after_outcomes[last])
        seen = _share(self._nexts.get((last, token), np.zeros(self._size)), total)
        return weight * seen + (1 - weight) * self.alone(token)

    def alone(self, token: Token) -> Floats:
        """The chance of the token by class, whatever stands before it."""
        total = self._alone_total
        word = _share(self._words.get(token[0], np.zeros(self._size)), total)
        rare = self._words_weight * word * _share(self._looks[token[1]], total)
        rare = rare + (1 - self._words_weight) * self._least
        seen = _share(self._alone.get(token, np.zeros(self._size)), total)
        return self._alone_weight * seen + (1 - self._alone_weight) * rare

    def _see(self, token: Token, own: int, count: int) -> None:
        _add(self._alone, token, own, count, self._size)
        _add(self._words, token[0], own, count, self._size)
        self._looks[token[1], own] += count

    def _of_moves(self, rows: Integers) -> tuple[Floats, dict[int, dict[int, Floats]]]:
        count = self._size + 1
        pairs = np.zeros((count, count))
        by_word: dict[int, dict[int, Floats]] = defaultdict(dict)
        for before, word, own, times in rows.tolist():
            pairs[before, own] += times
            _add(by_word[word], before, own, times, count)
        after = pairs.sum(axis=0)
        weight = _weight(after.sum(keepdims=True), (after > 0).sum(keepdims=True))
        prior = weight * _share(after, after.sum(keepdims=True)) + (1 - weight) / count
        total = pairs.sum(axis=1, keepdims=True)
        weights = _weight(total, (pairs > 0).sum(axis=1, keepdims=True))
        return weights * _share(pairs, total) + (1 - weights) * prior, dict(by_word)


def _add(table: dict[Any, Floats], key: object, column: int, count: int, size: int) -> None:
    row = table.get(key)
    if row is None:
        row = table[key] = np.zeros(size)
    row[column] += count


def _totals(table: dict[Any, Floats], size: int) -> tuple[Floats, Floats]:
    """How often each class was seen, and its weight."""
    rows = np.array(list(table.values())).reshape(-1, size)
    return rows.sum(axis=0), _weight(rows.sum(axis=0), (rows > 0).sum(axis=0))
