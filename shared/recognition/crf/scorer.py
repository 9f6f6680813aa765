"""The scores that CRFs give the labels of every unit.

All CRFs are asked at once: their labels stand side by side in one table. What comes again and again
is summed up once: sets of attributes, and all that is read of a word at one place.
"""

from collections.abc import Mapping, Sequence
from itertools import repeat

import numpy as np

from shared.recognition.crf.crfsuite_file import Weights
from shared.recognition.crf.forward_backward import Integers
from shared.recognition.crf.weight_table import (
    UNKNOWN,
    RowCache,
    Sums,
    WeightTable,
    known,
    table_of,
)
from shared.recognition.features.extractor import OUTSIDE_TEXT, Extractor, prefix
from shared.recognition.features.token_attributes import (
    NOTHING,
    Attributes,
    AttributeSets,
    NgramAttributes,
    TokenAttributes,
)
from shared.recognition.features.tokenized_document import TokenizedDocument

_FEW = 3
"""Where fewer than one in so many units are told anything, the others are left alone."""


class Scorer:
    """Sums the weights of what is told of units, for several CRFs at once."""

    def __init__(self, members: Sequence[Weights]) -> None:
        self.numbers, self.table = table_of(members)
        self._facts: RowCache[Attributes] = RowCache(NOTHING, self.table.width, self._sum_up_facts)
        self._grams: dict[tuple[str, ...], _NgramNumbers] = {}
        ends = np.cumsum([len(each.labels) for each in members]).tolist()
        self._labels = [slice(*each) for each in zip([0, *ends], ends, strict=False)]

    def blank(self, sizes: Sequence[int]) -> tuple[Sums, list[Sums]]:
        """Return rows of zeros for groups of units of these sizes: of all together, of each."""
        total = np.zeros((sum(sizes), self.table.width), np.float32)
        return total, np.split(total, np.cumsum(sizes[:-1]))

    def add(self, total: Sums, token_attributes: Sequence[TokenAttributes]) -> None:
        """Add what is told of units to their rows, where the labels of all CRFs lie in a row."""
        rows, numbers = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for each in token_attributes:
            if isinstance(each, AttributeSets):
                self._add_facts(total, each)
            else:
                found = self._numbers_of(each).found(each, len(total))
                rows.append(found[0])
                numbers.append(found[1])
        self.table.add(total, np.concatenate(rows), np.concatenate(numbers))

    def by_member(self, total: Sums) -> list[Sums]:
        """Return the columns of each CRF."""
        return [total[:, labels] for labels in self._labels]

    def _add_facts(self, total: Sums, facts: AttributeSets) -> None:
        rows = self._facts.rows(facts.of_tokens)
        some = np.flatnonzero(rows)
        if len(some) * _FEW < len(rows):
            total[some] += _taken(self._facts.sums, rows[some])
        else:
            total += _taken(self._facts.sums, rows)

    def _sum_up_facts(self, facts: list[Attributes], sums: Sums) -> None:
        self.table.add_all(sums, [known(attributes, self.numbers) for attributes in facts])

    def _numbers_of(self, grams: NgramAttributes) -> "_NgramNumbers":
        heads = tuple(grams.heads)
        if heads not in self._grams:
            self._grams[heads] = _NgramNumbers(heads, self.numbers)
        return self._grams[heads]


class _NgramNumbers:
    """The numbers of the attributes that n-grams are with several heads."""

    def __init__(self, heads: tuple[str, ...], numbers: Mapping[str, int]) -> None:
        known: list[tuple[int, int, int]] = []
        self._rows: dict[str, int] = {}
        places = {head: place for place, head in enumerate(heads)}
        for name, number in numbers.items():
            head, equals, text = name.partition("=")
            place = places.get(head + equals)
            if place is not None:
                row = self._rows.setdefault(text, len(self._rows) + 1)
                known.append((place, row, number))
        self._numbers = np.full((len(heads), len(self._rows) + 1), UNKNOWN)
        for place, row, number in known:
            self._numbers[place, row] = number

    def found(self, grams: NgramAttributes, count: int) -> tuple[Integers, Integers]:
        """Return the units that have attributes which are known, and the numbers of these."""
        texts = grams.texts
        rows = np.fromiter(map(self._rows.get, texts, repeat(0)), np.int64, len(texts))
        at = np.flatnonzero(rows)
        numbers = self._numbers[:, rows[at]]
        units = at - np.array([*grams.heads.values()])[:, None]
        wanted = (numbers != UNKNOWN) & (units >= 0) & (units < count)
        return units[wanted], numbers[wanted]


class WindowScorer:
    """Scores the tokens of documents for several CRFs that share an extractor.

    For each word, the sums over its attributes are kept for every place that it can have: how far
    from the token it stands, and whether on its line.
    """

    def __init__(self, members: Sequence[Weights], extractor: Extractor) -> None:
        self._extractor = extractor
        self._scorer = Scorer(members)
        self._window = extractor.features.window
        offsets = range(-self._window, self._window + 1)
        sides = [(offset, same) for offset in offsets for same in (True, False)]
        self._places = {side: place for place, side in enumerate(sides)}
        self._numbers, self._table = self._of_words()
        heavy = self._table.heavy(self._numbers.values())
        self._kinds = {name: number for name, number in self._numbers.items() if number in heavy}
        self._rest = {k: n for k, n in self._numbers.items() if n not in heavy}
        width = self._table.width
        self._sums_of_kinds: RowCache[tuple[int, ...]] = RowCache((), width, self._sum_up_kinds)
        self._words: RowCache[str] = RowCache(OUTSIDE_TEXT, width, self._sum_up_words)

    def scores(self, tokenized_documents: Sequence[TokenizedDocument]) -> list[Sums]:
        """Return, for each CRF, the tokens of all documents x labels."""
        total, parts = self._scorer.blank([len(tokenized) for tokenized in tokenized_documents])
        for tokenized, part in zip(tokenized_documents, parts, strict=True):
            self._scorer.add(part, self._extractor.places(tokenized))
            self._add_window(part, tokenized)
        return self._scorer.by_member(total)

    def _add_window(self, total: Sums, tokenized: TokenizedDocument) -> None:
        window, count = self._window, len(tokenized)
        words = np.pad(self._words.rows(tokenized.words) * len(self._places), window)
        lines = np.array(tokenized.tokens.lines, np.int64)
        padded = np.pad(lines, window, constant_values=-1)
        sums = self._words.sums.reshape(-1, total.shape[1])
        for (offset, _), place in [*self._places.items()][::2]:
            near = slice(window + offset, window + offset + count)
            other_line = (padded[near] != lines) & (padded[near] >= 0)
            total += _taken(sums, words[near] + (place + other_line))

    def _of_words(self) -> tuple[dict[str, int], WeightTable]:
        """Number the attributes of words, whatever their place; each place has its columns."""
        starts = {
            prefix(offset, same_line=same)[:-1]: place
            for (offset, same), place in self._places.items()
        }
        numbers: dict[str, int] = {}
        placed: list[tuple[int, int, int]] = []
        for name, number in self._scorer.numbers.items():
            start, _, attribute = name.partition("|")
            if start in starts:
                own = numbers.setdefault(attribute, len(numbers))
                placed.append((number, own, starts[start]))
        width = self._scorer.table.width
        rows, own, places = np.array(placed, np.int64).reshape(-1, 3).T
        owners, columns, weights = self._scorer.table.entries(rows)
        columns = columns + places[owners] * width
        shape = len(numbers), width * len(self._places)
        return numbers, WeightTable(own[owners], columns, weights, shape)

    def _sum_up_words(self, words: list[str], sums: Sums) -> None:
        attributes = [self._extractor.word_attributes(word) for word in words]
        kinds = [tuple(known(each, self._kinds)) for each in attributes]
        rows = self._sums_of_kinds.rows(kinds)
        self._sums_of_kinds.sums.take(rows, axis=0, out=sums)
        self._table.add_all(sums, [known(each, self._rest) for each in attributes])

    def _sum_up_kinds(self, kinds: list[tuple[int, ...]], sums: Sums) -> None:
        self._table.add_all(sums, kinds)


def _taken(sums: Sums, rows: Integers) -> Sums:
    return sums.take(rows, axis=0)
