"""How far an annotator is with a patient, by the journal of the work itself.

{"op": "done", "at": …}     the annotator's word; an edit after it takes it back
{"op": "begun", "at": …}    taken back on purpose

A list of states can be older than the work it speaks of, once folders are copied, restored or
merged; the journal goes where the work goes. Journals of earlier versions have no such lines.
"""

import os
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from shared.project.assignments import Assignment, State
from shared.project.files import FileSignature, names_in, read_file, signature_of
from shared.project.journal import Journal

_WORDS = {f'"op":"{each}"'.encode(): each for each in State}
_EDITS = tuple(f'"op":"{each}"'.encode() for each in ("edit", "undo", "redo"))
_BASE = b'"op":"base"'
"""What no line holds but for this: within a text its quotes would be escaped."""


class JournalledStates:
    """What journals say, read again only where one has changed."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[FileSignature, _Told]] = {}

    def told(self, folder: Path, listed: Iterable[Assignment]) -> tuple[Assignment, ...]:
        """What is listed, with the states that journals in a folder tell. Raises StorageError."""
        listed = tuple(listed)
        names = {each.annotator for each in listed}
        there = {name: _journals_in(folder / name) for name in names}
        return tuple(self._told(str(folder), there[each.annotator], each) for each in listed)

    def state(self, path: Path | str, listed: State) -> State:
        """The state that the journal at `path` tells, else the `listed` one.

        Where the journal holds work and neither says so, it is begun. Raises StorageError.
        """
        path = os.fspath(path)
        signature = signature_of(path)
        if signature is None:
            return listed
        if path not in self._known or self._known[path][0] != signature:
            self._known[path] = signature, _told_by(Path(path))
        told = self._known[path][1]
        if told.state is not None:
            return told.state
        return State.BEGUN if told.is_work and listed is State.TO_DO else listed

    def _told(self, folder: str, there: frozenset[str] | None, listed: Assignment) -> Assignment:
        name = f"{listed.patient_id}.jsonl"
        if there is not None and name not in there:
            return listed
        path = f"{folder}{os.sep}{listed.annotator}{os.sep}{name}"
        state = self.state(path, listed.state)
        return listed if state is listed.state else replace(listed, state=state)


def _journals_in(folder: Path) -> frozenset[str] | None:
    """What lies in a folder of journals; None where it may not be seen.

    One look at it is quicker than one for each patient whom nobody has touched.
    """
    try:
        return names_in(folder)
    except OSError:
        return None


def write_state(path: Path, annotator: str, state: State) -> None:
    """Say it in a journal that nobody has open. Raises StorageError."""
    at = datetime.now(UTC).isoformat(timespec="milliseconds")
    with Journal(path) as journal:
        journal.append({"at": at, "by": annotator, "op": str(state)})


class _Told(NamedTuple):
    """What a journal says, None where no line says how far, and whether it has a line at all."""

    state: State | None
    is_work: bool


def _told_by(path: Path) -> _Told:
    """Search the file without parsing it: status and worklists ask for thousands of patients."""
    data = read_file(path) or b""
    whole = data[: data.rfind(b"\n") + 1]
    last, state = max((whole.rfind(word), state) for word, state in _WORDS.items())
    if last < 0:
        return _Told(None, whole.count(b"\n") > whole.count(_BASE))
    taken_back = state is State.DONE and any(whole.find(each, last) >= 0 for each in _EDITS)
    return _Told(State.BEGUN if taken_back else state, is_work=True)
