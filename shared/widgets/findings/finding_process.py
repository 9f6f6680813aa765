"""The consistency check in a process of its own: on a thread it would keep the window waiting.

The process is given a patient once and then its tags anew for every look, by place and type alone;
it gives findings back, a portion at a time. It ends with the program that started it. Nothing here
knows of Qt, for the process would load it.
"""

import contextlib
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from multiprocessing.connection import Connection
from threading import Lock
from typing import Protocol

from shared.consistency.check import check_patient
from shared.consistency.findings import Finding
from shared.consistency.patient_records import PatientRecords
from shared.errors import RequestError
from shared.language.detection import AUTO
from shared.model import Layer, Patient, PhiType, Schema, Span, Tag
from shared.processes import PipedProcess

Step = Callable[[int, int], object]
"""Hears how far a look is, of how much; may raise to end it."""
Marks = dict[str, list[tuple[int, int, str, str]]]
"""The tags of each record: start and end in it, category and name of the type."""
_Message = list[Finding] | tuple[int, int] | str | float
"""Some findings, how far it is, why it cannot go on, or the seconds when there are no more."""
_PORTION = 300
_LISTEN_SECONDS = 0.05
_ENDED = "looking for findings ended unexpectedly; check again (F5), or continue without"
_NO_MEMORY = "there was not enough memory to look for findings; close other programs"


class OtherPatientsSource(Protocol):
    """What is known of other patients, and what that says about one; it goes to the process."""

    def findings(
        self, patient: PatientRecords, step: Callable[[int, int], None]
    ) -> Iterable[Finding]: ...


@dataclass(frozen=True, slots=True)
class _Look:
    """What the process is asked for; the patient and the others are left out if it has them."""

    number: int
    marks: Marks
    patient: Patient | None
    others: OtherPatientsSource | None
    asks_others: bool
    language: str


class FindingProcess:
    """Looks for findings, one patient at a time; the process begins with the first look.

    `schema` says what the types are, and which of them findings may propose.
    """

    def __init__(self, schema: Schema) -> None:
        self._process = PipedProcess(serve, schema)
        self.language = AUTO
        """The code of the language that the records are in, or `auto`."""
        self._given: tuple[Connection, Patient, OtherPatientsSource | None] | None = None
        """What the process has, and the pipe that says which process that is."""
        self._number = 0
        self.seconds = 0.0
        """What the last look took, without what it took to begin the process."""
        self._turn = Lock()

    def look(
        self, patient: Patient, marks: Marks, others: OtherPatientsSource | None, step: Step
    ) -> Iterator[list[Finding]]:
        """Yield the findings of a patient, then those that other patients lead to, if any do.

        To be gone through on a thread. `step` is called again and again meanwhile. Raises
        RequestError where the process cannot go on.
        """
        with self._turn:
            pipe = self._begun()
            try:
                number = self._ask(pipe, patient, marks, others)
                found, self.seconds = _received(pipe, number, step)
                yield found
                across, self.seconds = _received(pipe, number, step)
            except (EOFError, OSError):
                self._process.stop()
                raise RequestError(_ENDED) from None
            except BaseException:
                with contextlib.suppress(OSError):
                    pipe.send(None)  # nobody waits for the rest
                raise
        yield across

    def close(self) -> None:
        """End the process, whatever it does, for good."""
        self._process.close()

    def _begun(self) -> Connection:
        try:
            return self._process.pipe()
        except (EOFError, OSError):
            raise RequestError(_ENDED) from None

    def _ask(
        self, pipe: Connection, patient: Patient, marks: Marks, others: OtherPatientsSource | None
    ) -> int:
        self._number += 1
        had = self._given if self._given and self._given[0] is pipe else (pipe, None, None)
        new = None if had[1] is patient else patient
        unknown = None if had[2] is others else others
        pipe.send(_Look(self._number, marks, new, unknown, others is not None, self.language))
        self._given = pipe, patient, others or had[2]
        return self._number


def serve(pipe: Connection, schema: Schema) -> None:
    """Look as often as is asked through the pipe, until it is closed."""
    patient = Patient("", ())
    others: OtherPatientsSource | None = None
    while True:
        look: _Look | None = pipe.recv()
        if look is None:
            continue
        patient, others = look.patient or patient, look.others or others
        with contextlib.suppress(_StoppedError):
            records = _tagged(patient, look, schema)
            _answer(pipe, look.number, records, others if look.asks_others else None)


class _StoppedError(Exception):
    """Nobody waits for this look any more."""


def _tagged(patient: Patient, look: _Look, schema: Schema) -> PatientRecords:
    layers = (
        Layer.of(
            record_id, "", (Tag(Span(at, to), PhiType(kind, name)) for at, to, kind, name in some)
        )
        for record_id, some in look.marks.items()
    )
    return PatientRecords(patient.documents, layers, schema, look.language)


def _answer(
    pipe: Connection, number: int, patient: PatientRecords, others: OtherPatientsSource | None
) -> None:
    begun, step = time.monotonic(), partial(_go_on, pipe, number)
    try:
        found = check_patient(patient, between=lambda: step(0, 1))
        _send(pipe, number, found, begun)
        found = others.findings(patient, step) if others else ()
        _send(pipe, number, found, begun)
    except MemoryError:
        pipe.send((number, _NO_MEMORY))


def _go_on(pipe: Connection, number: int, done: int, total: int) -> None:
    if pipe.poll():
        raise _StoppedError
    pipe.send((number, (done, total)))


def _send(pipe: Connection, number: int, findings: Iterable[Finding], begun: float) -> None:
    # where else a text is tagged takes much room, and a list of findings does not show it
    found = [replace(each, tagged_at=()) for each in findings]
    for at in range(0, len(found), _PORTION):
        pipe.send((number, found[at : at + _PORTION]))
    pipe.send((number, time.monotonic() - begun))


def _received(pipe: Connection, number: int, step: Step) -> tuple[list[Finding], float]:
    """Return all of one kind of findings, and the seconds that it took until they were there.

    What comes of an earlier look is left out.
    """
    found: list[Finding] = []
    told = (0, 1)
    while True:
        while not pipe.poll(_LISTEN_SECONDS):
            step(*told)
        answer: tuple[int, _Message] = pipe.recv()
        of, message = answer
        if of != number:
            continue
        if isinstance(message, float | int):
            return found, message
        if isinstance(message, str):
            raise RequestError(message)
        if isinstance(message, tuple):
            told = message
            step(*told)
        else:
            found += message
