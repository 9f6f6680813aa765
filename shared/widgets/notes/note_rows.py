"""Notes in words: what each is on, who wrote it, and how it stands."""

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from shared.errors import FileError
from shared.model import MergedView, Span
from shared.project.notes import Note, NoteBook, NotePlace, NoteThread
from shared.project.settings import GOLD
from shared.text.harmless import in_sentence
from shared.widgets.notes.note_pane import NoteRow
from shared.widgets.parts.messages import sentence

_LONGEST = 40
"""So many characters of a place are quoted."""
_AROUND = 60
"""So many characters are shown on each side of a place that is not on the screen."""


class WriterNames(Protocol):
    """What annotators are called; where that is `hidden`, files that would tell are not named."""

    hidden: bool

    def of(self, patient_id: str, annotator: str) -> str: ...


class NoteRows:
    """The rows of the notes in a book; `view` is of the patient that is open, None of none.

    `names` say what those who wrote on a patient are called.
    """

    def __init__(self, book: NoteBook) -> None:
        self._book = book
        self.view: MergedView | None = None
        self.names: WriterNames = _PlainNames()
        self._around: dict[str, tuple[str, str]] = {}
        """The words of a place on a patient who is not open, and what stands around it."""

    def of_patient(self) -> list[NoteRow]:
        """The notes on the patient that is open, in order of the text."""
        if self.view is None:
            return []
        view, threads = self.view, self._book.threads(self.view.patient.id)
        return sorted((self._row(each) for each in threads), key=lambda each: _order(view, each))

    def of_all(self) -> list[NoteRow]:
        """Those of the patient that is open, then those of all others."""
        here = self.view.patient.id if self.view else ""
        others = (each for each in self._book.every_thread() if each.patient_id != here)
        return [*self.of_patient(), *map(self._row, others)]

    def problems(self) -> list[str]:
        """What cannot be read, each in a sentence."""
        return [self._problem(each) for each in self._book.problems]

    def summary(self, rows: Sequence[NoteRow]) -> str:
        """How many notes of the patient wait, and what could not be read."""
        waiting = sum(each.waits for each in rows)
        said = f"{waiting} open" if waiting else ("None open" if rows else "No notes")
        return "\n".join([said if self.view else "", *self.problems()]).strip()

    def words(self, patient_id: str, place: NotePlace) -> str:
        """What a note is on."""
        if place.span is None:
            return f"Record {place.record_id}" if place.record_id else f"Patient {patient_id}"
        view = self.view
        text = view.patient.document(place.record_id).text if view else ""
        return f"“{in_sentence(_quoted(place.span.text_in(text)))}”"

    def _row(self, thread: NoteThread) -> NoteRow:
        note, view = thread.note, self.view
        is_here = view is not None and view.patient.id == thread.patient_id
        span = _span_in(view, note.place) if is_here and view else None
        if is_here:
            where = (
                note.place if span or note.place.span is None else NotePlace(note.place.record_id)
            )
            on, around = self.words(thread.patient_id, where), ""
        else:
            on, around = self._elsewhere(thread)
        state, waits = self._state(thread)
        said = [self._said(thread, note, on), around]
        said += [self._said(thread, each) for each in thread.answers]
        text = "\n\n".join(filter(None, said))
        return NoteRow(thread, state, on, self._name(thread, note), text, waits, span)

    def _said(self, thread: NoteThread, note: Note, on: str = "") -> str:
        """Who wrote what and when."""
        what = f", {note.kind}{f' on {on}' if on else ''}"
        head = f"{self._name(thread, note)}, {_time(note)}{what}"
        return f"{head}:\n{note.text}" if note.text else head

    def _state(self, thread: NoteThread) -> tuple[str, bool]:
        """How a note stands, and whether it waits for who reads it."""
        if thread.is_closed:
            return "closed", False
        is_unread = thread.is_unread and thread.note.writer == self._book.reader
        if thread.answers:
            return ("new answer", True) if is_unread else ("answered", False)
        return thread.note.kind.value, True

    def _name(self, thread: NoteThread, note: Note) -> str:
        if note.writer == self._book.reader:
            return "You"
        if note.writer == GOLD:
            return "Adjudicator"
        return self.names.of(thread.patient_id, note.writer)

    def _elsewhere(self, thread: NoteThread) -> tuple[str, str]:
        """What a note on a patient who is not open is on, with what stands around it."""
        note_id, place = thread.note.id, thread.note.place
        if note_id in self._around:
            return self._around[note_id]
        words, around = self.words(thread.patient_id, NotePlace(place.record_id)), ""
        text = self._book.text_of(thread.patient_id, place.record_id) if place.span else ""
        if place.span and text and place.span.end <= len(text):
            words, around = (
                f"“{in_sentence(_quoted(place.span.text_in(text)))}”",
                _surroundings(text, place.span),
            )
        if place.record_id:
            words = f"{thread.patient_id}: {words}"
        if text:  # else it may be read another time
            self._around[note_id] = words, around
        return words, around

    def _problem(self, error: FileError) -> str:
        """A sentence about a file; its folder would tell who wrote it."""
        return f"{error.path.name}: {error.problem}." if self.names.hidden else sentence(error)


def _span_in(view: MergedView, place: NotePlace) -> Span | None:
    """Where a place lies in the merged view; None for what lies outside of its record."""
    if place.span is None:
        return None
    section = view.section(place.record_id)
    span = place.span.shifted(section.start)
    return span if span.end <= section.end else None


def _order(view: MergedView, row: NoteRow) -> int:
    record_id = row.thread.note.place.record_id
    if row.span is not None:
        return row.span.start
    return view.section(record_id).start - 1 if record_id else -2


def _quoted(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _surroundings(text: str, span: Span) -> str:
    start, end = max(0, span.start - _AROUND), span.end + _AROUND
    words = " ".join(text[start:end].split())
    return f"{'…' if start else ''}{words}{'…' if end < len(text) else ''}"


def _time(note: Note) -> str:
    try:
        return datetime.fromisoformat(note.at).astimezone().strftime("%Y-%m-%d %H:%M")
    except (ValueError, OverflowError, OSError):
        return "at an unknown time"


class _PlainNames:
    hidden = False

    def of(self, patient_id: str, annotator: str) -> str:  # noqa: ARG002 - of WriterNames
        return annotator
