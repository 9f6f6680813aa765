"""Recall mode: covering every token that may be PHI, for masking rather than for labelling."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from shared.model import Span
from shared.recognition.crf.chain import Floats
from shared.recognition.crf.reading import Reading
from shared.recognition.features import Sheet
from shared.recognition.labels import named_type
from shared.recognition.suggestion import Suggestion


def outside(sheet: Sheet, readings: Sequence[Reading]) -> Floats:
    """Return for each token the mean probability, over the CRFs, that it is no PHI."""
    tokens = sheet.tokens
    each = [reading.outside_of(tokens.starts, tokens.ends) for reading in readings]
    return np.mean(each, axis=0) if each and len(sheet) else np.ones(len(sheet))


def cover(
    sheet: Sheet,
    readings: Sequence[Reading],
    chosen: Iterable[Suggestion],
    level: float,
    recognizer: str,
) -> tuple[Suggestion, ...]:
    """Return the chosen suggestions and, for all other doubtful tokens, suggestions of their own.

    A token is doubtful when the probability that it is no PHI is less than `level`.
    """
    chosen = list(chosen)
    free = np.ones(len(sheet), bool)
    for each in chosen:
        first, last = sheet.between(each.start, each.end)
        free[first:last] = False
    chances = outside(sheet, readings)
    runs = _runs(np.flatnonzero(free & (chances < level)).tolist(), sheet.tokens.lines)
    extra = [
        _suggestion(sheet, readings, run, float(chances[run.start : run.stop].min()), recognizer)
        for run in runs
    ]
    return tuple(sorted([*chosen, *extra], key=lambda each: each.start))


def _runs(doubtful: Sequence[int], lines: Sequence[int]) -> Iterator[range]:
    start = 0
    for at in range(1, len(doubtful) + 1):
        one = doubtful[at - 1]
        ends = at == len(doubtful) or doubtful[at] != one + 1 or lines[one] != lines[one + 1]
        if ends:
            yield range(doubtful[start], one + 1)
            start = at


def _suggestion(
    sheet: Sheet, readings: Sequence[Reading], run: range, chance: float, recognizer: str
) -> Suggestion:
    tokens = sheet.tokens
    span = Span(tokens.starts[run.start], tokens.ends[run.stop - 1])
    sums: dict[str, float] = {}
    for reading in readings:
        for phi_type, weight in reading.types_in(span.start, span.end).items():
            sums[phi_type] = sums.get(phi_type, 0.0) + weight
    return Suggestion(span, named_type(max(sums, key=sums.__getitem__)), 1 - chance, recognizer)
