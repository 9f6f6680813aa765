"""Agreement beyond chance for a report, of two sides and of all annotators jointly."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from shared.agreement.chance import LabelPair, TokenLabel, TokenPairs, binary
from shared.agreement.report.figures import CountedRecord, Figures
from shared.agreement.resamples import Draw, Interval, ResampledSums, interval_of
from shared.metrics.counts import Floats

Coefficient = Callable[[Sequence[LabelPair], Floats], Floats]
"""`cohen_kappa` or `krippendorff_alpha`."""

Names = tuple[str, str]


class ChanceFigures:
    """Agreement beyond chance by how many tokens have which labels, in all and in each resample."""

    def __init__(
        self, pairs: Sequence[tuple[TokenLabel, TokenLabel]], numbers: Floats, drawn: Floats
    ) -> None:
        self._pairs, self._numbers, self._drawn = pairs, numbers, drawn

    @classmethod
    def of(cls, figures: Figures) -> "ChanceFigures":
        """Return those of two sides."""
        pairs = sorted(figures.tokens)
        numbers = np.array([figures.tokens[each] for each in pairs], np.float64)
        return cls(pairs, numbers, figures.drawn_tokens(pairs))

    def typed(self, coefficient: Coefficient) -> tuple[float, Interval]:
        """Return the coefficient with a label for each type, and its interval."""
        return self._measured(coefficient, self._pairs)

    def binary(self, coefficient: Coefficient) -> tuple[float, Interval]:
        """Return the coefficient with one label for all that is tagged, and its interval."""
        return self._measured(coefficient, binary(self._pairs))

    def _measured(
        self, coefficient: Coefficient, pairs: Sequence[LabelPair]
    ) -> tuple[float, Interval]:
        value = float(coefficient(pairs, self._numbers))
        is_any = self._drawn.sum(axis=1) > 0
        return value, interval_of(coefficient(pairs, self._drawn[is_any]))


class JointTokens:
    """The tokens of all annotators by the labels of each two, patient by patient.

    The labels of m annotators to a token stand in as many pairs as there are of them; each counts
    1 / (m - 1), so that alpha is that of all annotators jointly, where `has_all_pairs`. `tokens` is
    how many tokens there are, each once.
    """

    def __init__(self, draw: Draw) -> None:
        self.names: set[str] = set()
        self.tokens = 0
        self.compared = self.needed = 0
        self.found = Counter[tuple[TokenLabel, TokenLabel, int]]()
        """By labels, and how many others each annotator is beside."""
        self.drawn: ResampledSums[tuple[TokenLabel, TokenLabel, int]] = ResampledSums(draw)

    @property
    def annotators(self) -> list[str]:
        return sorted(self.names)

    @property
    def has_all_pairs(self) -> bool:
        return self.compared == self.needed

    def add(self, patient_id: str, between: Mapping[Names, Sequence[CountedRecord]]) -> None:
        """Add the records of a patient that two annotators, or more, finished."""
        names: dict[str, set[str]] = {}
        tokens: dict[str, TokenPairs] = {}
        for pair, records in between.items():
            for comparison, counts in records:
                names.setdefault(comparison.record_id, set()).update(pair)
                tokens[comparison.record_id] = counts.tokens
                self.compared += 1
        found = Counter[tuple[TokenLabel, TokenLabel, int]]()
        for records in between.values():
            for comparison, counts in records:
                others = len(names[comparison.record_id]) - 1
                for (one, other), number in counts.tokens.items():
                    found[one, other, others] += number
        self.names.update(*names.values())
        self.needed += sum(math.comb(len(each), 2) for each in names.values())
        self.tokens += sum(sum(each.values()) for each in tokens.values())
        self.found.update(found)
        self.drawn.add(patient_id, {key: (number,) for key, number in found.items()})

    def add_up(self, other: "JointTokens") -> None:
        """Add those of other patients."""
        self.names |= other.names
        self.tokens += other.tokens
        self.compared += other.compared
        self.needed += other.needed
        self.found.update(other.found)
        self.drawn.add_up(other.drawn)

    def figures(self) -> ChanceFigures:
        keys = sorted(self.found)
        pairs = list(dict.fromkeys(key[:2] for key in keys))
        numbers = np.zeros(len(pairs))
        drawn = self.drawn.of(keys)[:, :, 0]
        summed = np.zeros((len(drawn), len(pairs)))
        for at, key in enumerate(keys):
            place = pairs.index(key[:2])
            numbers[place] += self.found[key] / key[2]
            summed[:, place] += drawn[:, at] / key[2]
        return ChanceFigures(pairs, numbers, summed)
