"""Running recognizers over many documents, on all cores."""

import gc
import os
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from functools import partial
from itertools import groupby
from threading import Lock

from shared.model import Document
from shared.processes import can_be_copied, process_pool
from shared.recognition.recognizer import Recognizer, Suggestion
from shared.recognition.registry import RecognizerSpec, open_recognizer

FEW = 24
"""So few documents are not worth the start of further processes."""
LARGEST, SMALLEST = 32, 8
"""About so many documents are read at a time: many at first, as it costs less, and few at last, for
all processes to end together."""
ROUNDS = 3
"""Each time a process takes documents, so many times as many are left for each."""
AHEAD = 2
"""So many chunks wait at each other process, which need not wait for the next then."""

Suggested = tuple[Document, tuple[Suggestion, ...]]
_Found = list[tuple[Suggestion, ...]]


def suggest_in_parallel(
    choice: RecognizerSpec, documents: Sequence[Document], *, cores: int | None = None
) -> Iterator[Suggested]:
    """Yield every document with the suggestions of the chosen recognizers, patient by patient.

    `cores`: how many processes to use, None for as many as there are cores. Raises what
    `open_recognizer` raises, before anything is yielded.
    """
    count = cores or _cores()
    chunks = list(_chunks(documents, count))
    others = min(count, len(chunks)) - 1
    if others < 1 or len(documents) <= FEW:
        recognizer = open_recognizer(choice)
        found = ((chunk, _found(recognizer, chunk)) for chunk in chunks)
    else:
        found = zip(chunks, _DocumentPool(choice, chunks, others).found(), strict=True)
    return (each for chunk, result in found for each in zip(chunk, result, strict=True))


class _DocumentPool:
    """Chunks that this process shares with others.

    The others are copies of this one where there can be such; else they open recognizers for
    themselves, while this one does. All take the next chunk that waits, but others begin with the
    last, which are small: there is something to yield at once, whenever they are ready.
    """

    def __init__(
        self, choice: RecognizerSpec, chunks: Sequence[list[Document]], others: int
    ) -> None:
        self._choice = choice
        self._chunks = chunks
        self._waiting = deque(range(len(chunks)))
        self._taken: dict[int, Future[_Found]] = {}
        self._lock = Lock()  # a chunk is waiting or taken at any time
        self._recognizer = open_recognizer(choice) if can_be_copied() else None
        keep = partial(_keep, choice, self._recognizer) if self._recognizer else None
        self._pool = process_pool(others, keep, copied=keep is not None)
        self._begun = [self._taken_by_another(last=True) for _ in range(others * AHEAD)]

    def found(self) -> Iterator[_Found]:
        """Yield what is found in each chunk, in their order."""
        own: dict[int, _Found] = {}
        with self._pool:
            try:
                for future in self._begun:
                    self._go_on_after(future)
                recognizer = self._recognizer or open_recognizer(self._choice)
                for number in range(len(self._chunks)):
                    while not self._is_done(number, own) and (mine := self._next()) is not None:
                        own[mine] = _found(recognizer, self._chunks[mine])
                    yield own.pop(number) if number in own else self._awaited(number, recognizer)
            finally:
                self._waiting.clear()

    def _awaited(self, number: int, recognizer: Recognizer) -> _Found:
        """Return what another process finds; if it has died, read the documents here."""
        try:
            return self._taken.pop(number).result()
        except BrokenExecutor:
            return _found(recognizer, self._chunks[number])

    def _is_done(self, number: int, own: dict[int, _Found]) -> bool:
        return number in own or (number in self._taken and self._taken[number].done())

    def _next(self) -> int | None:
        with self._lock:
            return self._waiting.popleft() if self._waiting else None

    def _taken_by_another(self, *, last: bool = False) -> "Future[_Found] | None":
        with self._lock:
            if not self._waiting:
                return None
            number = self._waiting.pop() if last else self._waiting.popleft()
            try:
                future = self._pool.submit(_work, self._choice, self._chunks[number])
            except BrokenExecutor:
                self._waiting.appendleft(number)
                return None
            self._taken[number] = future
            return future

    def _go_on_after(self, future: "Future[_Found] | None") -> None:
        if future:
            future.add_done_callback(self._hand_out)

    def _hand_out(self, done: "Future[_Found]") -> None:
        """Give a process another chunk after one that it has `done`, unless that went wrong."""
        if not done.exception():
            self._go_on_after(self._taken_by_another())


_opened: dict[RecognizerSpec, Recognizer] = {}
"""In a process of the pool, the one recognizer that it has opened."""


def _keep(choice: RecognizerSpec, recognizer: Recognizer) -> None:
    _opened[choice] = recognizer
    gc.freeze()


def _work(choice: RecognizerSpec, chunk: list[Document]) -> _Found:
    if choice not in _opened:
        _keep(choice, open_recognizer(choice))
    return _found(_opened[choice], chunk)


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


def _cores() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
