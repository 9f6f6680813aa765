"""Notes and questions on places, records and patients, and the adjudicator's answers.

Each who writes has a file of their own for each patient, `notes/<writer>/<patient>.jsonl`, to which
a line is added for everything that is written; nobody writes another person's:

{"id": "3fe…", "at": …, "kind": "question", "record": "110-02", "start": 4, "end": 7, "text": "…"}
{"id": "81c…", "at": …, "kind": "answer", "about": "3fe…", "text": "…"}        by the adjudicator
{"id": "a04…", "at": …, "kind": "read", "about": "81c…"}                       by who had asked
{"id": "52d…", "at": …, "kind": "closed", "about": "3fe…"}                     taken back or settled

Without a record a note is on the patient, without an end on the record. Offsets are those of the
record, whose text never changes.
"""

import os
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any

from shared.errors import FileError, FileFormatError, StorageError
from shared.model import Span
from shared.outside import parse_json_object
from shared.project.files import FileSignature, read_file, signature_of
from shared.project.journal import append_to_journal
from shared.project.project import Project
from shared.project.settings import GOLD

_SUFFIX = ".jsonl"


class NoteKind(StrEnum):
    """What a line says."""

    NOTE = "note"
    UNSURE = "unsure"
    QUESTION = "question"
    ANSWER = "answer"
    READ = "read"
    """Who asked has seen an answer."""
    CLOSED = "closed"
    """A note is taken back or settled, or an answer is taken back."""


_FIRST = (NoteKind.NOTE, NoteKind.UNSURE, NoteKind.QUESTION)
"""What a thread begins with; all else is about something that was written before."""


@dataclass(frozen=True, slots=True)
class NotePlace:
    """What a note is on: the patient, a record, or a stretch of a record."""

    record_id: str = ""
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Note:
    """One line that somebody wrote; `about` is the id of what it answers, closes or has read."""

    id: str
    writer: str
    kind: NoteKind
    text: str = ""
    place: NotePlace = field(default_factory=NotePlace)
    about: str = ""
    at: str = ""

    def as_entry(self) -> dict[str, Any]:
        """The line of the file."""
        entry: dict[str, Any] = {"id": self.id, "at": self.at, "kind": self.kind.value}
        if self.place.record_id:
            entry["record"] = self.place.record_id
        if self.place.span is not None:
            entry |= {"start": self.place.span.start, "end": self.place.span.end}
        if self.about:
            entry["about"] = self.about
        return entry | ({"text": self.text} if self.text else {})


@dataclass(frozen=True, slots=True)
class NoteThread:
    """A note with the answers that it was given."""

    patient_id: str
    note: Note
    answers: tuple[Note, ...] = ()
    is_closed: bool = False
    unread: tuple[str, ...] = ()
    """The ids of the answers that who wrote the note has not read."""

    @property
    def is_question(self) -> bool:
        return self.note.kind is NoteKind.QUESTION

    @property
    def is_open(self) -> bool:
        """Whether it waits for an answer, or for being closed."""
        return not (self.answers or self.is_closed)

    @property
    def is_unread(self) -> bool:
        """Whether who wrote it has an answer to read."""
        return bool(self.unread) and not self.is_closed


Threads = dict[str, tuple[NoteThread, ...]]
_Stored = tuple[FileSignature | None, tuple[Note, ...]]


class NoteBook:
    """The notes of a project that `reader` may see, who writes in it; read anew where changed.

    An annotator sees their own, with the adjudicator's answers; the adjudicator ("gold") sees all.
    """

    def __init__(self, project: Project, reader: str) -> None:
        self.reader = reader
        self._project = project
        self._writers = (*(project.annotators if reader == GOLD else (reader,)), GOLD)
        self._files: dict[Path, _Stored] = {}
        self._problems: dict[Path, FileError] = {}
        self._threads: Threads = {}

    @property
    def is_adjudicator(self) -> bool:
        return self.reader == GOLD

    @property
    def problems(self) -> list[FileError]:
        """What could not be read when the notes were read last, a sentence for each file."""
        return list(self._problems.values())

    def refresh(self) -> bool:
        """Read what was written meanwhile; whether there is anything new."""
        before, self._threads = self._threads, {}
        for patient_id in self._patient_ids():
            self._refresh_patient(patient_id)
        return self._threads != before

    def threads(self, patient_id: str) -> tuple[NoteThread, ...]:
        """The notes on a patient in the order in which they were written, as read last."""
        return self._threads.get(patient_id, ())

    def every_thread(self) -> list[NoteThread]:
        """The notes on all patients, in the order of the project, as read last."""
        ids = self._project.patient_ids
        return [each for patient_id in ids for each in self.threads(patient_id)]

    def text_of(self, patient_id: str, record_id: str) -> str:
        """The text of a record; "" where it cannot be read, which opening the patient says."""
        try:
            return self._project.patient(patient_id).document(record_id).text
        except FileError:
            return ""

    def open_questions(self) -> Counter[str]:
        """How many questions of each patient have no answer yet, as read last."""
        return Counter(
            each.patient_id for each in self.every_thread() if each.is_open and each.is_question
        )

    def unread_answers(self) -> Counter[str]:
        """How many answers on each patient were not read by who had asked, as read last."""
        counts: Counter[str] = Counter()
        for each in self.every_thread():
            if each.is_unread:
                counts[each.patient_id] += len(each.unread)
        return counts

    def write(
        self, patient_id: str, kind: NoteKind, place: NotePlace, text: str = "", note_id: str = ""
    ) -> Note:
        """Write a note; it is on the disk once this returns.

        What is written again under the same `note_id` takes the place of the first. Raises
        StorageError; the note may then be tried again.
        """
        return self._append(
            patient_id, Note(note_id or new_note_id(), self.reader, kind, text, place)
        )

    def answer(self, thread: NoteThread, text: str, note_id: str = "") -> Note:
        """Answer a note. Raises StorageError."""
        note = Note(
            note_id or new_note_id(), self.reader, NoteKind.ANSWER, text, about=thread.note.id
        )
        return self._append(thread.patient_id, note)

    def close(self, thread: NoteThread) -> None:
        """Take back one's own note, or settle that of another. Raises StorageError."""
        about = thread.note.id
        self._append(
            thread.patient_id, Note(new_note_id(), self.reader, NoteKind.CLOSED, about=about)
        )

    def mark_read(self, thread: NoteThread) -> None:
        """Keep that the answers to one's own note were seen. Raises StorageError."""
        for about in thread.unread if thread.note.writer == self.reader else ():
            note = Note(new_note_id(), self.reader, NoteKind.READ, about=about)
            self._append(thread.patient_id, note)

    def _append(self, patient_id: str, note: Note) -> Note:
        root = self._project.root
        if not root.is_dir():  # a new folder in its place would hide that it is away
            raise StorageError(root, "is gone; bring the folder back")
        at = datetime.now(UTC).isoformat(timespec="seconds")
        path = self._project.notes_path(self.reader, patient_id)
        append_to_journal(path, [note.as_entry() | {"at": at}], self.reader)
        self._refresh_patient(patient_id)
        return note

    def _refresh_patient(self, patient_id: str) -> None:
        notes = {writer: self._read(writer, patient_id) for writer in self._writers}
        if found := self._threads_of(patient_id, notes):
            self._threads[patient_id] = found

    def _patient_ids(self) -> list[str]:
        """The patients on whom there is a file of notes; that of which is known by looking once."""
        known, found = set(self._project.patient_ids), set[str]()
        for writer in self._writers:
            folder = self._project.notes_folder(writer)
            self._problems.pop(folder, None)
            try:
                found |= known & _stems(folder)
            except FileError as error:
                self._problems[folder] = error
        return sorted(found)

    def _read(self, writer: str, patient_id: str) -> tuple[Note, ...]:
        path = self._project.notes_path(writer, patient_id)
        signature = signature_of(path)
        before = self._files.get(path)
        if before is None or signature is None or before[0] != signature:
            self._problems.pop(path, None)
            notes: tuple[Note, ...] = ()
            try:
                notes, broken = _notes(path, writer, self._project.record_ids(patient_id))
                if broken:
                    self._problems[path] = _broken_lines(path, broken)
            except FileError as error:
                self._problems[path] = error
            before = self._files[path] = signature, notes
        return before[1]

    def _threads_of(
        self, patient_id: str, by_writer: dict[str, tuple[Note, ...]]
    ) -> tuple[NoteThread, ...]:
        """Notes with what was said of them; an annotator gets the answers to their own only."""
        notes = {each.id: each for written in by_writer.values() for each in written}
        if self.reader != GOLD:
            notes = {key: each for key, each in notes.items() if self._may_see(each, notes)}
        closed = {each.about for each in notes.values() if _closes(each, notes)}
        seen = {(each.writer, each.about) for each in notes.values() if each.kind is NoteKind.READ}
        answers: dict[str, list[Note]] = {}
        for each in notes.values():
            if each.kind is NoteKind.ANSWER and each.writer == GOLD and each.id not in closed:
                answers.setdefault(each.about, []).append(each)
        threads: list[NoteThread] = []
        for each in notes.values():
            if each.kind in _FIRST:
                given = tuple(answers.get(each.id, ()))
                unread = tuple(one.id for one in given if (each.writer, one.id) not in seen)
                threads.append(NoteThread(patient_id, each, given, each.id in closed, unread))
        return tuple(sorted(threads, key=lambda each: each.note.at))  # not by who wrote

    def _may_see(self, note: Note, notes: dict[str, Note]) -> bool:
        """Whether a note is the annotator's own, or the adjudicator's about one that is."""
        about = notes.get(note.about)
        if about is not None and about.writer == GOLD:
            about = notes.get(about.about)  # an answer that was taken back
        return self.reader in (note.writer, about.writer if about else "")


def new_note_id() -> str:
    """An id that no other note has, whoever wrote it."""
    return secrets.token_hex(8)


def _stems(folder: Path) -> set[str]:
    """The names of the files of notes in a folder, none where it is not there."""
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if each.name.endswith(_SUFFIX)]
    except FileNotFoundError:
        return set()
    except OSError as error:
        raise StorageError.from_os(folder, error) from error
    return {name.removesuffix(_SUFFIX) for name in names}


def _closes(note: Note, notes: dict[str, Note]) -> bool:
    about = notes.get(note.about)
    by_whom = (GOLD, about.writer if about else "")
    return note.kind is NoteKind.CLOSED and note.writer in by_whom


def _notes(
    path: Path, writer: str, record_ids: Collection[str]
) -> tuple[tuple[Note, ...], list[int]]:
    """The notes of a file, and the numbers of the lines that are none. Raises StorageError.

    A last line that was cut off is left out: nobody was told that it was written.
    """
    data = read_file(path) or b""
    notes: dict[str, Note] = {}
    broken: list[int] = []
    for number, line in enumerate(data[: data.rfind(b"\n") + 1].splitlines(), start=1):
        note = _note(line, writer, record_ids)
        if note is None:
            broken.append(number)
        else:
            notes[note.id] = note
    return tuple(notes.values()), broken


def _note(line: bytes, writer: str, record_ids: Collection[str]) -> Note | None:
    """A note from its line; None where it is none."""
    try:
        entry = parse_json_object(line)
    except ValueError:
        return None
    words = [entry.get(key, "") for key in ("id", "kind", "text", "about", "at", "record")]
    if not all(isinstance(each, str) for each in words):
        return None
    note_id, kind, text, about, at, record_id = words
    place = _place(record_id, entry.get("start"), entry.get("end"), record_ids)
    if not note_id or place is None or kind not in list(NoteKind):
        return None
    return Note(note_id, writer, NoteKind(kind), text, place, about, at)


def _place(
    record_id: str, start: object, end: object, record_ids: Collection[str]
) -> NotePlace | None:
    if start is None and end is None:
        return NotePlace(record_id) if not record_id or record_id in record_ids else None
    if record_id in record_ids and type(start) is int and type(end) is int and 0 <= start < end:
        return NotePlace(record_id, Span(start, end))
    return None


def _broken_lines(path: Path, numbers: Sequence[int]) -> FileFormatError:
    which = f"line {numbers[0]} is" if len(numbers) == 1 else f"{_listed(numbers)} are"
    return FileFormatError(
        path, f"{which} not as Tandem writes notes; restore or remove what is broken"
    )


def _listed(numbers: Sequence[int]) -> str:
    shown: Iterable[str] = map(str, numbers[:3])
    more = f" and {len(numbers) - 3} more" if len(numbers) > 3 else ""
    return f"lines {', '.join(shown)}{more}"
