"""A release measured in a process of its own, which takes minutes and can be ended at any time."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from adjudicator.release_measuring import measure_release
from adjudicator.release_risk import forget_learnt
from shared.errors import RequestError, TandemError
from shared.processes import PipedProcess
from shared.project.project import Project

Tell = Callable[[str, int, int], object]
"""Hears what is done, how far it is, of how much; may raise to end it."""
_Message = tuple[str, int, int] | str | None
"""How far it is, or why it cannot go on, or nothing more when it is done."""
_LISTEN_SECONDS = 0.05
_ENDED = "the measuring of the release ended unexpectedly; its data card is as it was"
_NO_MEMORY = "there was not enough memory to measure the release; close other programs"


@dataclass(frozen=True, slots=True)
class Measuring:
    """Which release is to be measured on which day, and with which third readers."""

    out: Path
    day: str
    models: tuple[str, ...] = ()
    is_judged: bool = False


class MeasuringProcess:
    """Measures releases of a project, one at a time; the process begins with the first."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._process = PipedProcess(serve, project.root)

    def measure(self, wanted: Measuring, tell: Tell) -> None:
        """Measure a release as `measure_release` does; to be called on a thread.

        What `tell` raises ends the process. Raises RequestError with the reason why it cannot.
        """
        try:
            pipe = self._process.pipe()
            pipe.send(wanted)
            problem = _received(pipe, tell)
        except (EOFError, OSError):
            self._stop()
            raise RequestError(_ENDED) from None
        except BaseException:
            self._stop()
            raise
        if problem:
            raise RequestError(problem)

    def close(self) -> None:
        """End the process, whatever it does, for good."""
        self._process.close()

    def _stop(self) -> None:
        self._process.stop()
        forget_learnt(self._project)


def _received(pipe: Connection, tell: Tell) -> str | None:
    told: tuple[str, int, int] = ("Measuring the release", 0, 0)
    while True:
        while not pipe.poll(_LISTEN_SECONDS):
            tell(*told)
        message: _Message = pipe.recv()
        if not isinstance(message, tuple):
            return message
        told = message
        tell(*told)


def serve(pipe: Connection, root: Path) -> None:
    """Measure as often as is asked through the pipe, until it is closed."""
    while True:
        wanted: Measuring = pipe.recv()
        pipe.send(_problem_of(pipe, root, wanted))


def _problem_of(pipe: Connection, root: Path, wanted: Measuring) -> str | None:
    try:
        measure_release(
            Project.open(root),
            wanted.out,
            wanted.day,
            partial(_watched, pipe),
            wanted.models,
            is_judged=wanted.is_judged,
        )
    except TandemError as problem:
        return str(problem)
    except MemoryError:
        return _NO_MEMORY
    return None


def _watched(pipe: Connection, what: str, items: Iterable[Any]) -> Iterator[Any]:
    every = list(items)
    for number, item in enumerate(every):
        pipe.send((what, number, len(every)))
        yield item
