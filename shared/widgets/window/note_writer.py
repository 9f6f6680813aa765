"""Writing notes, doubts, questions and answers: nothing is shown before it is on the disk."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtWidgets import QWidget

from shared.errors import CrossesRecordsError, TandemError
from shared.project.notes import NoteBook, NoteKind, NotePlace
from shared.project.patient_session import PatientSession
from shared.widgets.notes.note_box import NoteDraft
from shared.widgets.notes.note_rows import NoteRows
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.window.window_parts import WindowParts

_NO_PLACE = "Put the caret on a word or a tag, or select text of one record, to mark it as unsure."
_UNSAVED = "What you have written is not saved yet: Enter saves it, Esc drops it."


class NoteWriter(QObject):
    """Lets the user write on what is at the caret, and on the note that the pane looks at.

    Signals: `said` (str) for the status line; `left` when the text should have the keys again;
    `changed` after each thing that is on the disk.
    """

    said = Signal(str)
    left = Signal()
    changed = Signal()

    def __init__(
        self, parts: WindowParts, editor: TagEditor, book: NoteBook, rows: NoteRows, window: QWidget
    ) -> None:
        super().__init__(window)
        self._parts = parts
        self._view, self._pane, self._box = parts.view, parts.notes, parts.notes.box
        self._editor = editor
        self._book = book
        self._rows = rows
        self.session: PatientSession | None = None
        """The patient that is open; its owner says so."""
        self._warned = False
        self._pane.removal_wanted.connect(self.close_note)
        self._box.kept.connect(self._keep)
        self._box.left.connect(self.left)
        window.installEventFilter(self)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions that write, by their names."""
        mine: dict[str, Callable[[], object]] = (
            {"answer": self.answer}
            if self._book.is_adjudicator
            else {"unsure": self.unsure, "ask": partial(self.write, NoteKind.QUESTION)}
        )
        written = {"write_note": partial(self.write, NoteKind.NOTE), "close_note": self.close_note}
        return mine | written

    def write(self, kind: NoteKind) -> None:
        """Let the user write a note on what is at the caret, its record, or the patient."""
        session = self.session
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
        self._begin(NoteDraft.on(session.patient_id, kind, f"{what} on:", places))

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
        session, place = self.session, self._place_at_caret()
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

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let no window be closed on what is not saved, unless it is asked for twice."""
        is_closing = watched is self.parent() and event.type() == QEvent.Type.Close
        if not (is_closing and self._box.is_unsaved) or self._warned:
            return super().eventFilter(watched, event)
        self._warned = True
        self._parts.banner.show_message(f"{_UNSAVED} Closing again loses it.")
        self._parts.bring_forward(self._pane)
        self._box.take_keys()
        event.ignore()
        return True

    def _place_at_caret(self) -> NotePlace | None:
        """The selection, the tag at the caret or the word there; None where there is none."""
        session, span = self.session, self._editor.target()
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
            if self.session and self.session.patient_id == draft.patient_id:
                self.left.emit()
            else:
                self._pane.table.setFocus()  # where one has come from

    def _do(self, change: Callable[[], object], done: str) -> bool:
        try:
            change()
        except TandemError as error:
            self._parts.banner.show_error(error)
            return False
        self.changed.emit()
        self.said.emit(done)
        return True
