"""Running recognizers over many documents, on all cores."""

import gc
import os
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import groupby

from shared.model import Document
from shared.recognition.processes import process_pool
from shared.recognition.registry import Choice, open_recognizer
from shared.recognition.suggestion import Recognizer, Suggestion

FEW = 24
"""So few documents are not worth the start of further processes."""
CHUNK = 24
"""About so many documents are handed to a process at a time."""

Suggested = tuple[Document, tuple[Suggestion, ...]]


def suggest_all(
    choice: Choice, documents: Sequence[Document], *, cores: int | None = None
) -> Iterator[Suggested]:
    """Yield every document with the suggestions of the chosen recognizers, patient by patient.

    `cores`: how many processes to use, None for as many as there are cores. Raises what
    `open_recognizer` raises, before anything is yielded.
    """
    recognizer = open_recognizer(choice)
    chunks = list(_chunks(documents))
    cores = min(cores or _cores(), len(chunks))
    if cores < 2 or len(documents) <= FEW:
        return (suggested for chunk in chunks for suggested in _with(recognizer, chunk))
    return _in_processes(choice, chunks, cores)


def _in_processes(choice: Choice, chunks: list[list[Document]], cores: int) -> Iterator[Suggested]:
    with process_pool(cores, partial(_start, choice)) as pool:
        for suggested in pool.map(_work, chunks):
            yield from suggested


_opened: list[Recognizer] = []
"""In a process of the pool, the one recognizer that it has opened."""


def _start(choice: Choice) -> None:
    gc.set_threshold(100_000, 50, 50)  # many small values that are no cycles
    _opened.append(open_recognizer(choice))


def _work(chunk: list[Document]) -> list[Suggested]:
    return _with(_opened[0], chunk)


def _with(recognizer: Recognizer, chunk: list[Document]) -> list[Suggested]:
    return list(zip(chunk, recognizer.suggest(chunk), strict=True))


def _chunks(documents: Sequence[Document]) -> Iterator[list[Document]]:
    chunk: list[Document] = []
    ordered = sorted(documents, key=lambda each: each.patient_id)
    for _, of_patient in groupby(ordered, key=lambda each: each.patient_id):
        chunk += of_patient
        if len(chunk) >= CHUNK:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
