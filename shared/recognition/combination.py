"""Ways to make one result of several: what several CRFs say, and what several recognizers do."""

from collections.abc import Sequence
from itertools import chain, pairwise

import numpy as np

from shared.model import Document
from shared.recognition.crf.forward_backward import Floats, best_path
from shared.recognition.crf.marginals import CrfMarginals, LabelledSpan
from shared.recognition.labels import OUTSIDE, decode
from shared.recognition.recognizer import Recognizer, Suggestion
from shared.recognition.training_settings import CombinationMethod
from shared.text.overlaps import resolve_overlaps

FORBIDDEN = -1e4


def combined_spans(
    combination: CombinationMethod, predictions: Sequence[CrfMarginals]
) -> list[LabelledSpan]:
    """Return what the CRFs find in a document, merged by AVERAGED or PRIORITY."""
    if combination is CombinationMethod.AVERAGED:
        return averaged(predictions)
    return resolve_overlaps(each for prediction in predictions for each in prediction.tags())


def averaged(predictions: Sequence[CrfMarginals]) -> list[LabelledSpan]:
    """Return the tags of the best path through the mean marginals of CRFs over the same units."""
    first = predictions[0]
    types = sorted({name for prediction in predictions for name in prediction.index.columns})
    folded = [
        _folded(prediction, types)
        for prediction in predictions
        if prediction.starts == first.starts
    ]
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
    return [
        LabelledSpan(first.starts[run.first], first.ends[run.last], run.phi_type) for run in runs
    ]


def _folded(prediction: CrfMarginals, types: Sequence[str]) -> Floats:
    """The marginals as outside, and B and I of each type, to which S and E count."""
    marginals = prediction.lattice.marginals
    folded = np.zeros((len(marginals), 1 + 2 * len(types)))
    folded[:, 0] = prediction.outside
    for number, name in enumerate(types):
        of_type = prediction.index.columns.get(name, {})
        for at, kinds in ((1 + 2 * number, "BS"), (2 + 2 * number, "IE")):
            columns = [of_type[kind] for kind in kinds if of_type.get(kind, -1) >= 0]
            folded[:, at] = marginals[:, columns].sum(axis=1)
    return folded


def _sequences(prediction: CrfMarginals) -> list[tuple[int, int]]:
    ends: list[int] = sorted(set((prediction.last_of + 1).tolist()))
    return list(pairwise([0, *ends]))


class FirstMatchRecognizer:
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
