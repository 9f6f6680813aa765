"""The scores that CRFs give the labels of every unit.

All CRFs are asked at once: their labels stand side by side in one table. What comes again and again
is summed up once: sets of attributes, and all that is read of a word at one place.
"""

from collections.abc import Iterable, Mapping, Sequence
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
from shared.recognition.features.tokenized_document import TokenizedDocument, UnitLayout


class Scorer:
    """Sums the weights of the attributes of the units of documents, for several CRFs at once."""

    def __init__(self, members: Sequence[Weights]) -> None:
        self.numbers, self.table = table_of(members)
        self._sets: RowCache[Attributes] = RowCache(NOTHING, self.table.width, self._sum_up_sets)
        self._ngrams: dict[tuple[str, ...], _NgramNumbers] = {}
        ends = np.cumsum([len(each.labels) for each in members]).tolist()
        self._labels = [slice(*each) for each in zip([0, *ends], ends, strict=False)]

    def scores(
        self,
        documents: Sequence[TokenizedDocument],
        attributes: Iterable[Iterable[TokenAttributes]],
        units: Sequence[UnitLayout],
    ) -> list[Sums]:
        """Return, for each CRF, the units of all documents x labels.

        `attributes` are those of the units of each document, but for what a subclass adds.
        """
        sizes = [len(starts) for starts, _, _ in units]
        total = np.zeros((sum(sizes), self.table.width), np.float32)
        parts = np.split(total, np.cumsum(sizes[:-1]))
        for part, document, own in zip(parts, documents, attributes, strict=True):
            self.add(part, document, own)
        return [total[:, labels] for labels in self._labels]

    def add(
        self,
        total: Sums,
        document: TokenizedDocument,  # noqa: ARG002  a subclass asks for its words
        attributes: Iterable[TokenAttributes],
    ) -> None:
        """Add the weights of the attributes of a document to the rows of its units."""
        rows, numbers = [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
        for each in attributes:
            if isinstance(each, AttributeSets):
                of_tokens = self._sets.rows(each.of_tokens)
                total += self._sets.sums.take(of_tokens, axis=0)
            else:
                heads = tuple(each.heads)
                if heads not in self._ngrams:
                    self._ngrams[heads] = _NgramNumbers(heads, self.numbers)
                units, found = self._ngrams[heads].found(each, len(total))
                rows.append(units)
                numbers.append(found)
        self.table.add(total, np.concatenate(rows), np.concatenate(numbers))

    def _sum_up_sets(self, sets: list[Attributes], sums: Sums) -> None:
        self.table.add_all(sums, [known(each, self.numbers) for each in sets])


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


class WindowScorer(Scorer):
    """Scores the tokens of documents for several CRFs that share an extractor.

    For each word, the sums over its attributes are kept for every place that it can have: how far
    from the token it stands, and whether on its line.
    """

    def __init__(self, members: Sequence[Weights], extractor: Extractor) -> None:
        super().__init__(members)
        self._extractor = extractor
        self._window = extractor.features.window
        offsets = range(-self._window, self._window + 1)
        sides = [(offset, same) for offset in offsets for same in (True, False)]
        self._places = {side: place for place, side in enumerate(sides)}
        self._of_words, words = self._table_of_words()
        self._words: RowCache[str] = RowCache(OUTSIDE_TEXT, words.width, self._sum_up_words)
        self._table = words

    def add(
        self, total: Sums, document: TokenizedDocument, attributes: Iterable[TokenAttributes]
    ) -> None:
        super().add(total, document, attributes)
        window, count = self._window, len(document)
        words = np.pad(self._words.rows(document.words) * len(self._places), window)
        lines = np.array(document.tokens.lines, np.int64)
        padded = np.pad(lines, window, constant_values=-1)
        sums = self._words.sums.reshape(-1, total.shape[1])
        for (offset, _), place in [*self._places.items()][::2]:
            near = slice(window + offset, window + offset + count)
            other_line = (padded[near] != lines) & (padded[near] >= 0)
            rows: Integers = words[near] + (place + other_line)
            total += sums.take(rows, axis=0)

    def _table_of_words(self) -> tuple[dict[str, int], WeightTable]:
        """Number the attributes of words, whatever their place; each place has its columns."""
        starts = {
            prefix(offset, same_line=same)[:-1]: place
            for (offset, same), place in self._places.items()
        }
        numbers: dict[str, int] = {}
        placed: list[tuple[int, int, int]] = []
        for name, number in self.numbers.items():
            start, _, attribute = name.partition("|")
            if start in starts:
                own = numbers.setdefault(attribute, len(numbers))
                placed.append((number, own, starts[start]))
        rows, own, places = np.array(placed, np.int64).reshape(-1, 3).T
        owners, columns, weights = self.table.entries(rows)
        columns = columns + places[owners] * self.table.width
        shape = len(numbers), self.table.width * len(self._places)
        return numbers, WeightTable(own[owners], columns, weights, shape)

    def _sum_up_words(self, words: list[str], sums: Sums) -> None:
        attributes = map(self._extractor.word_attributes, words)
        self._table.add_all(sums, [known(each, self._of_words) for each in attributes])
