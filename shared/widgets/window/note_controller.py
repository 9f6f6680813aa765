"""Notes, doubts and questions in a window: written, answered, shown in the text and in the pane."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from shared.errors import CrossesRecordsError, TandemError
from shared.model import Span
from shared.project.notes import NoteBook, NoteKind, NotePlace, NoteThread
from shared.project.patient_session import PatientSession
from shared.widgets.notes.note_box import NoteDraft
from shared.widgets.notes.note_pane import NoteFilter, NoteRow
from shared.widgets.notes.note_rows import NoteRows, WriterNames
from shared.widgets.parts.messages import Tone
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.window.window_parts import WindowParts

_LOOK_MS = 20_000
"""So often the notes are read anew for what others wrote."""
_RESTS = 100
"""So many times as long as a look took, where that is longer."""
_SIGNS = {NoteKind.NOTE: "", NoteKind.UNSURE: "~", NoteKind.QUESTION: "?"}
_NO_PLACE = "Put the caret on a word or a tag, or select text of one record, to mark it as unsure."
_UNSAVED = "What you have written is not saved yet: Enter saves it, Esc drops it."


class NoteController(QObject):
    """Writes what the user notes, and keeps pane, signs and counts in step with what is on disk.

    The note looked at is that at the caret, or the one that was chosen in the pane since the caret
    moved. Signals: `said` (str) for the status line; `left` when the text should have the keys
    again; `counted` when there are other questions or answers than before; `shown` when the rows
    are others than before; `patient_wanted` (str) where the user goes to a note on another patient.
    """

    said = Signal(str)
    left = Signal()
    counted = Signal()
    shown = Signal()
    patient_wanted = Signal(str)

    def __init__(
        self, parts: WindowParts, editor: TagEditor, book: NoteBook, window: QWidget
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._view, self._pane, self._box = parts.view, parts.notes, parts.notes.box
        self._editor = editor
        self._book = book
        self._rows = NoteRows(book)
        self._here: Sequence[NoteRow] = ()
        """The notes on the patient that is open, in order of the text."""
        self._session: PatientSession | None = None
        self._counts: Counter[str] = Counter()
        self._going = False
        self._told: Sequence[str] = ()
        self._warned = False
        self._next_look = QTimer(self, singleShot=True)
        self._next_look.timeout.connect(self.look_again)
        self._next_look.start(0)
        window.installEventFilter(self)
        self._connect()

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on notes, by their names."""
        mine: dict[str, Callable[[], object]] = (
            {"answer": self.answer}
            if self._book.is_adjudicator
            else {"unsure": self.unsure, "ask": partial(self.write, NoteKind.QUESTION)}
        )
        return {
            "write_note": partial(self.write, NoteKind.NOTE),
            **mine,
            "close_note": self.close_note,
            "next_open_note": partial(self.step, 1),
            "previous_open_note": partial(self.step, -1),
        }

    @property
    def row_menu(self) -> Sequence[str]:
        """The actions that are offered on a row of the list."""
        return ("answer", "close_note") if self._book.is_adjudicator else ("close_note",)

    def show_names(self, names: WriterNames) -> None:
        """Call who wrote so from now on."""
        self._rows.names = names
        self._show()

    def open(self, session: PatientSession) -> None:
        """Show the notes on a patient whose view the document view has open."""
        self._session = session
        self._rows.view = session.view
        self._pane.point_at("")
        self.look_again()
        self._show()

    def close(self) -> None:
        self._session = self._rows.view = None
        self._show()

    def waiting(self, patient_id: str) -> str:
        """What of a patient's notes waits for who reads them, in words; "" for nothing."""
        what = "question" if self._book.is_adjudicator else "answer"
        count = self._counts[patient_id]
        return f"{count} {what}{'' if count == 1 else 's'}" if count else ""

    def left_sentence(self) -> str:
        """What is to be said before the patient is done, "" where nothing waits."""
        count = self._counts[self._session.patient_id] if self._session else 0
        if not count:
            return ""
        one = count == 1
        if self._book.is_adjudicator:
            return f"{count} {'question has' if one else 'questions have'} no answer."
        return f"{count} {'answer has' if one else 'answers have'} not been read."

    def notes_on(self, span: Span) -> list[str]:
        """All that was written on what overlaps a stretch, unless it is closed."""
        return [
            each.said
            for each in self._here
            if each.span and each.span.overlaps(span) and not each.thread.is_closed
        ]

    def look_again(self) -> None:
        """Read what others wrote meanwhile; the next look is not too soon."""
        begun = monotonic()
        problems = self._rows.problems()
        if self._book.refresh() or self._rows.problems() != problems:
            self._changed()
        self._tell_problems()
        took = round(1000 * (monotonic() - begun))
        self._next_look.start(max(_LOOK_MS, _RESTS * took))

    def write(self, kind: NoteKind) -> None:
        """Let the user write a note on what is at the caret, its record, or the patient."""
        session = self._session
        if session is None or self._is_writing():
            return
        place = self._place_at_caret()
        record_id = session.view.section_at(self._view.caret()).record_id
        places = [
            *([(self._rows.words(session.patient_id, place), place)] if place else []),
            (f"Record {record_id}", NotePlace(record_id)),
            (f"Patient {session.patient_id}", NotePlace()),
        ]
        what = "Question to the adjudicator" if kind is NoteKind.QUESTION else "Note"
        title = f"{what} on {places[0][0][:1].lower()}{places[0][0][1:]}"
        self._begin(NoteDraft.on(session.patient_id, kind, title, places))

    def answer(self) -> None:
        """Let the adjudicator write an answer to the note looked at."""
        row = self._pane.current
        if self._is_writing():
            return
        if row is None:
            self.said.emit("Put the caret on a note, or choose one in the list, to answer it.")
        elif row.thread.note.writer == self._book.reader:
            self.said.emit("This note is your own; there is nobody to answer.")
        else:
            self._begin(NoteDraft.answering(row.thread, f"Answer to {row.by} on {row.on}"))

    def unsure(self) -> None:
        """Mark what is at the caret as unsure, or no more where it is."""
        session, place = self._session, self._place_at_caret()
        if session is None:
            return
        if place is None:
            self.said.emit(_NO_PLACE)
            return
        for each in self._book.threads(session.patient_id):
            kind, is_here = each.note.kind, each.note.place == place
            if kind is NoteKind.UNSURE and is_here and each.is_open:
                self._do(partial(self._book.close, each), "Not marked as unsure any more.")
                return
        keep = partial(self._book.write, session.patient_id, NoteKind.UNSURE, place)
        self._do(keep, "Marked as unsure; the adjudicator sees it.")

    def close_note(self) -> None:
        """Close the note looked at: it is taken back, or settled."""
        row = self._pane.current
        if row is None:
            self.said.emit("Put the caret on a note, or choose one in the list, to close it.")
        elif row.thread.is_closed:
            self.said.emit("This note is closed already.")
        else:
            self._do(partial(self._book.close, row.thread), "The note is closed.")

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) note that waits, around the end."""
        rows = [each for each in self._here if each.waits]
        if not rows:
            self.said.emit("No note of this patient is open.")
            return
        current, caret = self._pane.current, self._view.caret()
        ids = [each.id for each in rows]
        if current is not None and current.id in ids:
            following = (ids.index(current.id) + by) % len(ids)
        else:
            before = sum(_start(each) < caret for each in rows)
            following = (before if by > 0 else before - 1) % len(ids)
        self._parts.bring_forward(self._pane)
        self._go(rows[following])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again as the window is come back to, and let none be closed on what is unsaved."""
        if watched is not self.parent():
            return super().eventFilter(watched, event)
        if event.type() == QEvent.Type.WindowActivate:
            self.look_again()
        elif event.type() == QEvent.Type.Close and self._box.is_unsaved and not self._warned:
            self._warned = True
            self._parts.banner.show_message(f"{_UNSAVED} Closing again loses it.")
            self._parts.bring_forward(self._pane)
            self._box.take_keys()
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def _connect(self) -> None:
        self._view.caret_moved.connect(self._follow_caret)
        pane = self._pane
        pane.pointed.connect(self._show_row)
        pane.chosen.connect(self._go)
        pane.entered.connect(self._enter)
        pane.removal_wanted.connect(self.close_note)
        pane.filter_changed.connect(self._show)
        self._box.kept.connect(self._keep)
        self._box.left.connect(self.left)
        if self._book.is_adjudicator:
            pane.offer_all_patients()
        else:
            pane.hide_writers()

    def _place_at_caret(self) -> NotePlace | None:
        """The selection, the tag at the caret or the word there; None where there is none."""
        session, span = self._session, self._editor.target()
        if session is None or span is None:
            return None
        try:
            return NotePlace(*session.view.record_span(span))
        except CrossesRecordsError:
            return None

    def _is_writing(self) -> bool:
        """Whether something is being written that would be lost, which is then said."""
        if not self._box.is_unsaved:
            return False
        self._parts.bring_forward(self._pane)
        self._box.take_keys()
        self.said.emit(_UNSAVED)
        return True

    def _begin(self, draft: NoteDraft) -> None:
        self._warned = False
        self._parts.bring_forward(self._pane)
        self._box.begin(draft)

    def _keep(self) -> None:
        """Enter in the box: its text stays there unless it is on the disk."""
        draft, text = self._box.draft, self._box.text
        if draft is None or not text:
            self.said.emit("There is nothing to save; Esc cancels.")
            return
        if draft.thread is not None:
            keep = partial(self._book.answer, draft.thread, text, draft.id)
        else:
            where = draft.patient_id, draft.kind, self._box.place
            keep = partial(self._book.write, *where, text, draft.id)
        if self._do(keep, f"The {draft.kind} is saved."):
            self._box.finish()
            self.left.emit()

    def _do(self, change: Callable[[], object], done: str) -> bool:
        try:
            change()
        except TandemError as error:
            self._parts.banner.show_error(error)
            return False
        self._changed()
        self.said.emit(done)
        return True

    def _changed(self) -> None:
        """What is on the disk is other than what is shown."""
        book = self._book
        counts = book.open_questions() if book.is_adjudicator else book.unread_answers()
        is_other, self._counts = counts != self._counts, counts
        self._show()
        if is_other:
            self.counted.emit()

    def _show(self) -> None:
        rows = self._here = self._rows.of_patient()
        self._pane.show_rows(self._listed(rows), self._rows.summary(rows))
        if self._session is not None:
            placed = (each for each in rows if not each.thread.is_closed)
            signs = ((each.span, each.said, _sign(each)) for each in placed if each.span)
            self._view.show_signs("notes", signs)
        self._follow_caret()
        self.shown.emit()

    def _listed(self, rows: Sequence[NoteRow]) -> list[NoteRow]:
        """The rows that the filter lets through, and the one looked at."""
        wanted, current = self._pane.filter, self._pane.current
        if wanted is NoteFilter.EVERYWHERE:
            rows = [each for each in self._rows.of_all() if each.waits or _is(each, current)]
        elif wanted is NoteFilter.OPEN:
            rows = [each for each in rows if each.waits or _is(each, current)]
        return list(rows)

    def _follow_caret(self) -> None:
        """Look at the note that the caret is on, or at none."""
        current = self._pane.current
        if self._going or self._session is None or not (self._here or current):
            return
        caret, selected = self._view.caret(), self._view.selected_span()
        here = [each for each in self._pane.model.rows if _is_at(each, selected, caret)]
        if current is None or current not in here:
            here.sort(key=lambda each: not each.waits)
            if here or (current is not None and current.span is not None):
                self._pane.point_at(here[0].id if here else "")

    def _go(self, row: NoteRow) -> None:
        """Go to a note that the user has chosen, and on to the text."""
        if self._show_row(row):
            self.left.emit()

    def _enter(self, row: NoteRow) -> None:
        """Go to a note, or to its patient where that is another."""
        self._go(row)
        if self._session is None or row.thread.patient_id != self._session.patient_id:
            self.patient_wanted.emit(row.thread.patient_id)

    def _show_row(self, row: NoteRow) -> bool:
        """Show a note with its place, by which its answers are read; False of other patients."""
        session, place = self._session, row.thread.note.place
        if session is None or row.thread.patient_id != session.patient_id:
            return False
        self._going = True
        if row.span is not None:
            self._view.select(row.span)
            self._view.reveal(row.span)
        elif place.record_id:
            start = session.view.section(place.record_id).start
            self._view.set_caret(start)
            self._view.scroll_to(start)
        self._pane.point_at(row.id)
        self._going = False
        self._read(row.thread)
        return True

    def _read(self, thread: NoteThread) -> None:
        """Keep that an answer was on the screen as the note looked at."""
        if thread.is_unread and thread.note.writer == self._book.reader and self._pane.isVisible():
            try:
                self._book.mark_read(thread)
            except TandemError as error:
                self._parts.banner.show_error(error)
            else:
                self._changed()

    def _tell_problems(self) -> None:
        """Say once what of the notes cannot be read, but not over what is said of the work."""
        problems = self._rows.problems()
        new = [each for each in problems if each not in self._told]
        self._told = problems
        if new and not self._parts.banner.text:
            self._parts.banner.show_message(new[0], Tone.WARNING)


def _is(row: NoteRow, other: NoteRow | None) -> bool:
    return other is not None and row.id == other.id


def _start(row: NoteRow) -> int:
    return row.span.start if row.span else -1


def _is_at(row: NoteRow, selected: Span | None, caret: int) -> bool:
    if row.span is None:
        return False
    if selected is not None:
        return row.span.overlaps(selected)
    return row.span.start <= caret <= row.span.end


def _sign(row: NoteRow) -> str:
    if row.thread.answers:
        return "!" if row.waits else "✓"
    return _SIGNS[row.thread.note.kind]
