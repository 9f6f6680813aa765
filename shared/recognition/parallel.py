"""Running recognizers over many documents, on all cores."""

import gc
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor
from functools import partial
from itertools import groupby

from shared.model import Document
from shared.processes import available_cores, can_be_copied, process_pool
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
    recognizer = open_recognizer(choice)
    alone = min(count, len(chunks)) < 2 or len(documents) <= FEW
    found = (
        (_found(recognizer, chunk) for chunk in chunks)
        if alone
        else _found_by_others(choice, recognizer, chunks, count)
    )
    for chunk, result in zip(chunks, found, strict=True):
        yield from zip(chunk, result, strict=True)


def _found_by_others(
    choice: RecognizerSpec, recognizer: Recognizer, chunks: Sequence[list[Document]], count: int
) -> Iterator[_Found]:
    """Yield what other processes find in each chunk; if they have died, read the rest here.

    They are copies of this one where there can be such; else they open recognizers themselves.
    """
    copied = can_be_copied()
    begin = partial(_begin, choice, recognizer if copied else None)
    done = 0
    with process_pool(min(count, len(chunks)), begin, copied=copied) as pool:
        try:
            for found in pool.map(_work, chunks):
                yield found
                done += 1
        except BrokenExecutor:
            yield from (_found(recognizer, chunk) for chunk in chunks[done:])
        finally:
            pool.shutdown(cancel_futures=True)


_opened: list[Recognizer] = []
"""In a process of the pool, the one recognizer that it has."""


def _begin(choice: RecognizerSpec, recognizer: Recognizer | None) -> None:
    _opened.append(recognizer or open_recognizer(choice))
    gc.freeze()


def _work(chunk: list[Document]) -> _Found:
    return _found(_opened[0], chunk)


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
