"""Recall mode: covering every token that may be PHI, for masking rather than for labelling."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

import numpy as np

from shared.model import Span
from shared.recognition.crf.forward_backward import Floats
from shared.recognition.crf.marginals import CrfMarginals
from shared.recognition.features import TokenizedDocument
from shared.recognition.labels import phi_type_named
from shared.recognition.recognizer import Suggestion


def outside(tokenized: TokenizedDocument, predictions: Sequence[CrfMarginals]) -> Floats:
    """Return for each token the mean probability, over the CRFs, that it is no PHI."""
    tokens = tokenized.tokens
    each = [prediction.outside_of(tokens.starts, tokens.ends) for prediction in predictions]
    return np.mean(each, axis=0) if each and len(tokenized) else np.ones(len(tokenized))


def cover_doubtful(
    tokenized: TokenizedDocument,
    predictions: Sequence[CrfMarginals],
    chosen: Iterable[Suggestion],
    level: float,
    recognizer: str,
) -> tuple[Suggestion, ...]:
    """Return the chosen suggestions and, for all other doubtful tokens, suggestions of their own.

    A token is doubtful when the probability that it is no PHI is less than `level`.
    """
    chosen = list(chosen)
    free = np.ones(len(tokenized), bool)
    for each in chosen:
        first, last = tokenized.between(each.start, each.end)
        free[first:last] = False
    chances = outside(tokenized, predictions)
    runs = _runs(np.flatnonzero(free & (chances < level)).tolist(), tokenized.tokens.lines)
    extra = [
        _suggestion(
            tokenized, predictions, run, float(chances[run.start : run.stop].min()), recognizer
        )
        for run in runs
    ]
    return tuple(sorted([*chosen, *extra], key=lambda each: each.start))


def _runs(doubtful: Sequence[int], lines: Sequence[int]) -> Iterator[range]:
    """Yield the tokens that follow each other on a line."""
    for _, group in groupby(enumerate(doubtful), lambda each: (each[1] - each[0], lines[each[1]])):
        run = [at for _, at in group]
        yield range(run[0], run[-1] + 1)


def _suggestion(
    tokenized: TokenizedDocument,
    predictions: Sequence[CrfMarginals],
    run: range,
    chance: float,
    recognizer: str,
) -> Suggestion:
    tokens = tokenized.tokens
    span = Span(tokens.starts[run.start], tokens.ends[run.stop - 1])
    sums: dict[str, float] = {}
    for prediction in predictions:
        for phi_type, weight in prediction.types_in(span.start, span.end).items():
            sums[phi_type] = sums.get(phi_type, 0.0) + weight
    return Suggestion(span, phi_type_named(max(sums, key=sums.__getitem__)), 1 - chance, recognizer)
