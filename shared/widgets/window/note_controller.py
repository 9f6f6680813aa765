"""Notes, doubts and questions in a window: in the text, in the pane, and counted."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from shared.errors import TandemError
from shared.model import Span
from shared.project.notes import NoteBook, NoteKind, NoteThread
from shared.project.patient_session import PatientSession
from shared.text.blocks import counted
from shared.widgets.notes.note_pane import NoteFilter, NoteRow
from shared.widgets.notes.note_rows import NoteRows, WriterNames
from shared.widgets.parts.messages import Tone
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.window.note_writer import NoteWriter
from shared.widgets.window.window_parts import WindowParts

_LOOK_MS = 20_000
"""So often the notes are read anew for what others wrote."""
_RESTS = 100
"""So many times as long as a look took, where that is longer."""
_SIGNS = {NoteKind.NOTE: "", NoteKind.UNSURE: "?", NoteKind.QUESTION: "Q"}


class NoteController(QObject):
    """Keeps pane, signs and counts in step with what is on disk, and leads through the notes.

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
        self._view, self._pane = parts.view, parts.notes
        self._book = book
        self._rows = NoteRows(book)
        self._writer = NoteWriter(parts, editor, book, self._rows, window)
        self._here: Sequence[NoteRow] = ()
        """The notes on the patient that is open, in order of the text."""
        self._session: PatientSession | None = None
        self._counts: Counter[str] = Counter()
        self._looked_at = ""
        """The id of the note that a key acts on, "" for none."""
        self._going = False
        self._told: Sequence[str] = ()
        self._next_look = QTimer(self, singleShot=True)
        self._next_look.timeout.connect(self.look_again)
        self._next_look.start(0)
        window.installEventFilter(self)
        self._connect()

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on notes, by their names."""
        return {
            **self._writer.handlers(),
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
        self._session = self._writer.session = session
        self._rows.view = session.view
        self._looked_at = ""
        self.look_again()
        self._show()
        self._follow_caret()

    def close(self) -> None:
        self._session = self._writer.session = self._rows.view = None
        self._looked_at = ""
        self._show()

    def waiting(self, patient_id: str) -> str:
        """What of a patient's notes waits for who reads them, in words; "" for nothing."""
        what = "question" if self._book.is_adjudicator else "answer"
        count = self._counts[patient_id]
        return counted(count, what) if count else ""

    def left_sentence(self) -> str:
        """What is to be said before the patient is done, "" where nothing waits."""
        self.look_again()
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

    def asked_on(self, span: Span) -> bool:
        """Whether there is a question without an answer on what overlaps a stretch."""
        asked = (each for each in self._here if each.thread.is_question)
        return any(each.waits and each.span and each.span.overlaps(span) for each in asked)

    def look_again(self) -> None:
        """Read what others wrote meanwhile; the next look is not too soon."""
        begun = monotonic()
        problems = self._rows.problems()
        if self._book.refresh() or self._rows.problems() != problems:
            self._changed()
        self._tell_problems()
        took = round(1000 * (monotonic() - begun))
        self._next_look.start(max(_LOOK_MS, _RESTS * took))

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) note that waits, around the end."""
        self.look_again()
        rows = [each for each in self._here if each.waits]
        if not rows:
            self._list_elsewhere()
            return
        ids = [each.id for each in rows]
        if self._looked_at in ids:
            following = (ids.index(self._looked_at) + by) % len(ids)
        else:
            before = sum(_start(each) < self._view.caret() for each in rows)
            following = (before if by > 0 else before - 1) % len(ids)
        self._parts.bring_forward(self._pane)
        self._go(rows[following])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again as the window is come back to."""
        if watched is self.parent() and event.type() == QEvent.Type.WindowActivate:
            self.look_again()
        return super().eventFilter(watched, event)

    def _list_elsewhere(self) -> None:
        """Let the adjudicator see the open notes on other patients, where there are any."""
        here = "No note of this patient is open" if self._session else "No patient is open"
        if self._book.is_adjudicator and any(each.waits for each in self._rows.of_all()):
            self._parts.bring_forward(self._pane)
            self._pane.list_everywhere()
            self.said.emit(f"{here}; the list shows the open notes on others.")
        else:
            self.said.emit("No note is open." if self._book.is_adjudicator else f"{here}.")

    def _connect(self) -> None:
        self._view.caret_moved.connect(self._follow_caret)
        pane = self._pane
        pane.pointed.connect(self._show_row)
        pane.chosen.connect(self._go)
        pane.entered.connect(self._enter)
        pane.filter_changed.connect(self._show)
        self._writer.said.connect(self.said)
        self._writer.left.connect(self.left)
        self._writer.changed.connect(self._written)
        if self._book.is_adjudicator:
            pane.offer_all_patients()
        else:
            pane.hide_writers()

    def _changed(self) -> None:
        """What is on the disk is other than what is shown."""
        book = self._book
        counts = book.open_questions() if book.is_adjudicator else book.unread_answers()
        is_other, self._counts = counts != self._counts, counts
        self._show()
        if not self._looked_at:
            self._follow_caret()
        if is_other:
            self.counted.emit()

    def _written(self) -> None:
        """The user has written something, and looks at it."""
        self._changed()
        self._follow_caret()

    def _show(self) -> None:
        rows = self._here = self._rows.of_patient()
        self._pane.show_rows(self._listed(), self._rows.summary(rows), self._looked_at)
        waiting = sum(each.waits for each in rows)
        self._parts.retitle(self._pane, f"Notes {waiting}" if waiting else "Notes")
        if self._session is not None:
            placed = (each for each in rows if not each.thread.is_closed)
            signs = ((each.span, each.said, _sign(each)) for each in placed if each.span)
            self._view.show_signs("notes", signs)
        self.shown.emit()

    def _listed(self) -> list[NoteRow]:
        """The rows that the filter lets through, and the one looked at."""
        wanted = self._pane.filter
        rows = self._rows.of_all() if wanted is NoteFilter.EVERYWHERE else self._here
        every = wanted is NoteFilter.ALL
        return [each for each in rows if every or each.waits or each.id == self._looked_at]

    def _look_at(self, note_id: str) -> None:
        if note_id != self._looked_at:
            self._looked_at = note_id
            self._pane.show_rows(self._listed(), self._rows.summary(self._here), note_id)

    def _follow_caret(self) -> None:
        """Look at the note that the caret is on, or at none."""
        if self._going or self._session is None or not (self._here or self._looked_at):
            return
        caret, selected = self._view.caret(), self._view.selected_span()
        here = [each for each in self._here if _is_at(each, selected, caret)]
        if self._looked_at not in (each.id for each in here):
            here.sort(key=lambda each: (each.thread.is_closed, not each.waits))
            self._look_at(here[0].id if here and not here[0].thread.is_closed else "")

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
            self._look_at(row.id)
            return False
        self._going = True
        self._look_at(row.id)
        if row.span is not None:
            self._view.select(row.span)
            self._view.reveal(row.span)
        elif place.record_id:
            start = session.view.section(place.record_id).start
            self._view.set_caret(start)
            self._view.scroll_to(start)
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
        return "!" if row.waits else "A"
    return _SIGNS[row.thread.note.kind]
