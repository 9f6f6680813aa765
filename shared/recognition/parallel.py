"""Running recognizers over many documents, on all cores."""

import gc
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import groupby

from shared.model import Document
from shared.processes import available_cores, done_in_copies
from shared.recognition.recognizer import Recognizer, Suggestion
from shared.recognition.registry import RecognizerSpec, open_recognizer

FEW = 24
"""So few documents are not worth the start of further processes."""
LARGEST, SMALLEST = 32, 8
"""About so many documents are read at a time: many at first, as it costs less, and few at last, for
all processes to end together."""
ROUNDS = 3
"""Each time a process takes documents, so many times as many are left for each."""

Suggested = tuple[Document, tuple[Suggestion, ...]]
_Found = list[tuple[Suggestion, ...]]


def suggest_in_parallel(
    choice: RecognizerSpec, documents: Sequence[Document], *, cores: int | None = None
) -> Iterator[Suggested]:
    """Yield every document with the suggestions of the chosen recognizers, patient by patient.

    `cores`: how many processes to use, None for as many as there are cores. Raises what
    `open_recognizer` raises, before anything is yielded.
    """
    count = cores or available_cores()
    chunks = list(_chunks(documents, count))
    found = done_in_copies(
        _opened(choice),
        chunks,
        count if len(documents) > FEW else 1,
        made_anew=partial(_opened, choice),
    )
    for chunk, result in zip(chunks, found, strict=True):
        yield from zip(chunk, result, strict=True)


def _opened(choice: RecognizerSpec) -> Callable[[list[Document]], _Found]:
    return partial(_found, open_recognizer(choice))


def _found(recognizer: Recognizer, chunk: list[Document]) -> _Found:
    """Return what is found, the collector resting: there are many small values, but no cycles."""
    before = gc.get_threshold()
    gc.set_threshold(100_000, 50, 50)
    try:
        return recognizer.suggest(chunk)
    finally:
        gc.set_threshold(*before)


def _chunks(documents: Sequence[Document], count: int) -> Iterator[list[Document]]:
    """Cut the documents between patients into chunks for so many processes."""
    chunk: list[Document] = []
    left = len(documents)
    ordered = sorted(documents, key=lambda each: each.patient_id)
    for _, of_patient in groupby(ordered, key=lambda each: each.patient_id):
        chunk += of_patient
        if len(chunk) >= min(LARGEST, max(SMALLEST, left // (ROUNDS * count))):
            yield chunk
            left -= len(chunk)
            chunk = []
    if chunk:
        yield chunk
