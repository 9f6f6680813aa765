"""Running recognizers over many documents, on all cores."""

import gc
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import groupby
from threading import Lock

from shared.model import Document
from shared.recognition.processes import process_pool
from shared.recognition.registry import Choice, open_recognizer
from shared.recognition.suggestion import Recognizer, Suggestion

FEW = 24
"""So few documents are not worth the start of further processes."""
CHUNK = 16
"""About so many documents are read at a time."""

Suggested = tuple[Document, tuple[Suggestion, ...]]


def suggest_all(
    choice: Choice, documents: Sequence[Document], *, cores: int | None = None
) -> Iterator[Suggested]:
    """Yield every document with the suggestions of the chosen recognizers, patient by patient.

    `cores`: how many processes to use, None for as many as there are cores. Raises what
    `open_recognizer` raises, before anything is yielded.
    """
    chunks = list(_chunks(documents))
    others = min(cores or _cores(), len(chunks)) - 1
    if others < 1 or len(documents) <= FEW:
        recognizer = open_recognizer(choice)
        return (suggested for chunk in chunks for suggested in _with(recognizer, chunk))
    return _Shared(choice, chunks, others).suggested()


class _Shared:
    """Chunks that this process shares with others, which begin while this one opens recognizers.

    This process takes them from the front, so that there is something to yield at once, and the
    others from the back; no chunk waits behind another.
    """

    def __init__(self, choice: Choice, chunks: Sequence[list[Document]], others: int) -> None:
        self._choice = choice
        self._chunks = chunks
        self._others = others
        self._waiting = deque(range(len(chunks)))
        self._taken: dict[int, Future[list[Suggested]]] = {}
        self._lock = Lock()  # a chunk is waiting or taken at any time
        self._pool = process_pool(others)

    def suggested(self) -> Iterator[Suggested]:
        """Yield what `suggest_all` does."""
        with self._pool:
            try:
                for _ in range(self._others):
                    self._hand_out()
                recognizer = open_recognizer(self._choice)
                for number, chunk in enumerate(self._chunks):
                    if self._is_own(number):
                        yield from _with(recognizer, chunk)
                    else:
                        yield from self._taken.pop(number).result()
            finally:
                self._waiting.clear()

    def _is_own(self, number: int) -> bool:
        with self._lock:
            if number in self._taken:
                return False
            self._waiting.popleft()
            return True

    def _hand_out(self, before: "Future[list[Suggested]] | None" = None) -> None:
        """Give a process another chunk after the one `before`, unless that went wrong."""
        with self._lock:
            if self._waiting and not (before and before.exception()):
                number = self._waiting.pop()
                future = self._pool.submit(_work, self._choice, self._chunks[number])
                self._taken[number] = future
            else:
                return
        future.add_done_callback(self._hand_out)


_opened: dict[Choice, Recognizer] = {}
"""In a process of the pool, the one recognizer that it has opened."""


def _work(choice: Choice, chunk: list[Document]) -> list[Suggested]:
    if choice not in _opened:
        gc.set_threshold(100_000, 50, 50)  # many small values that are no cycles
        _opened[choice] = open_recognizer(choice)
    return _with(_opened[choice], chunk)


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
