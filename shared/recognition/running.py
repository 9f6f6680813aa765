"""Running a model over many documents, on all cores."""

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path

from shared.model import Document
from shared.recognition.model import Model
from shared.recognition.model_folder import load_model
from shared.recognition.suggestion import Suggestion

FEW = 24
"""So few documents are not worth the start of further processes."""
CHUNK = 24
"""About so many documents are handed to a process at a time."""

Suggested = tuple[Document, tuple[Suggestion, ...]]


def suggest_all(
    folder: Path, documents: Sequence[Document], *, recall: bool = False, cores: int | None = None
) -> Iterator[Suggested]:
    """Yield every document with the suggestions of the model in `folder`, patient by patient.

    `cores`: how many processes to use, None for as many as there are cores. Raises what
    `load_model` raises, before anything is yielded.
    """
    model = _loaded(folder, recall)
    chunks = list(_chunks(documents))
    cores = min(cores or _cores(), len(chunks))
    if cores < 2 or len(documents) <= FEW:
        return (suggested for chunk in chunks for suggested in _with(model, chunk))
    return _in_processes(folder, recall, chunks, cores)


def _in_processes(
    folder: Path, recall: bool, chunks: list[list[Document]], cores: int
) -> Iterator[Suggested]:
    with ProcessPoolExecutor(
        cores, mp_context=get_context("spawn"), initializer=_start, initargs=(folder, recall)
    ) as pool:
        for suggested in pool.map(_work, chunks):
            yield from suggested


_models: list[Model] = []
"""In a process of the pool, the one model that it has loaded."""


def _start(folder: Path, recall: bool) -> None:
    _models.append(_loaded(folder, recall))


def _work(chunk: list[Document]) -> list[Suggested]:
    return _with(_models[0], chunk)


def _with(model: Model, chunk: list[Document]) -> list[Suggested]:
    return list(zip(chunk, model.suggest(chunk), strict=True))


def _loaded(folder: Path, recall: bool) -> Model:
    model = load_model(folder)
    return model.recalling() if recall else model


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
