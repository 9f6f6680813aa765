"""Ways to make one result of several: what several CRFs say, and what several recognizers do."""

from collections.abc import Sequence
from enum import StrEnum
from itertools import chain, pairwise

import numpy as np

from shared.model import Document
from shared.recognition.crf.chain import Floats, best_path
from shared.recognition.crf.reading import Place, Reading
from shared.recognition.labels import OUTSIDE, decode
from shared.recognition.suggestion import Recognizer, Suggestion
from shared.text.overlaps import resolve_overlaps

FORBIDDEN = -1e4


class Merging(StrEnum):
    """How the findings of several CRFs become one.

    JUDGED: of all that any of them finds, what is surest, span by span. AVERAGED: their marginal
    probabilities are averaged and decoded again. PRIORITY: where findings overlap, the CRF that is
    named first wins, as in Liu et al. (2015), section 3.4, where characters go before tokens.
    """

    JUDGED = "judged"
    AVERAGED = "averaged"
    PRIORITY = "priority"


def places_of(merging: Merging, readings: Sequence[Reading]) -> list[Place]:
    """Return what the CRFs find in a document, merged by AVERAGED or PRIORITY."""
    if merging is Merging.AVERAGED:
        return averaged(readings)
    return resolve_overlaps(place for reading in readings for place in reading.tags())


def averaged(readings: Sequence[Reading]) -> list[Place]:
    """Return the tags of the best path through the mean marginals of CRFs over the same units."""
    first = readings[0]
    types = sorted({name for reading in readings for name in reading.index.columns})
    folded = [_folded(reading, types) for reading in readings if reading.starts == first.starts]
    scores = np.log(np.mean(folded, axis=0) + 1e-9)
    count = 1 + 2 * len(types)
    moves = np.zeros((count, count))
    for inside in range(2, count, 2):
        moves[:, inside] = FORBIDDEN
        moves[[inside - 1, inside], inside] = 0
    sequences = _sequences(first)
    scores[np.ix_([start for start, _ in sequences], range(2, count, 2))] = FORBIDDEN
    labels = [OUTSIDE, *(f"{kind}-{name}" for name in types for kind in "BI")]
    path: list[int] = best_path(scores, moves, sequences).tolist()
    runs = decode([labels[column] for column in path])
    return [Place(first.starts[run.first], first.ends[run.last], run.phi_type) for run in runs]


def _folded(reading: Reading, types: Sequence[str]) -> Floats:
    """The marginals as outside, and B and I of each type, to which S and E count."""
    marginals = reading.lattice.marginals
    folded = np.zeros((len(marginals), 1 + 2 * len(types)))
    folded[:, 0] = reading.outside
    for number, name in enumerate(types):
        of_type = reading.index.columns.get(name, {})
        for at, kinds in ((1 + 2 * number, "BS"), (2 + 2 * number, "IE")):
            columns = [of_type[kind] for kind in kinds if of_type.get(kind, -1) >= 0]
            folded[:, at] = marginals[:, columns].sum(axis=1)
    return folded


def _sequences(reading: Reading) -> list[tuple[int, int]]:
    ends: list[int] = sorted(set((reading.last_of + 1).tolist()))
    return list(pairwise([0, *ends]))


class Merged:
    """Several recognizers as one: where their suggestions overlap, the one named first wins.

    With rules, character CRF and token CRF in this order, the merge of Liu et al. (2015).
    """

    def __init__(self, recognizers: Sequence[Recognizer]) -> None:
        self._recognizers = recognizers

    @property
    def name(self) -> str:
        return "+".join(each.name for each in self._recognizers)

    def suggest(self, documents: Sequence[Document]) -> list[tuple[Suggestion, ...]]:
        found = [recognizer.suggest(documents) for recognizer in self._recognizers]
        return [
            tuple(resolve_overlaps(chain.from_iterable(of_document)))
            for of_document in zip(*found, strict=True)
        ]
