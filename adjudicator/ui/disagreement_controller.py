"""Which disagreement is the current one: that at the caret, with its row, question and lanes."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from adjudicator.difference import surroundings
from adjudicator.disagreement_queue import DisagreementQueue
from adjudicator.disagreements import Disagreement
from adjudicator.questions import nothing_here, nothing_open, question_about
from adjudicator.session import AdjudicationSession
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_table import DisagreementTable
from adjudicator.ui.lane_marks import LaneMarks
from shared.model import Schema, Span
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.parts.refresh import RefreshQueue
from shared.widgets.window.note_controller import NoteController


class DisagreementController(QObject):
    """Leads through the disagreements, and keeps table and pane at the one that the caret is at.

    There is one current disagreement, or none where the caret is at none. What a decision key acts
    on is said here and nowhere else, by `looked_at`. Signals: `said` (str) for the status line;
    `told` when the pane has been asked anew.
    """

    said = Signal(str)
    told = Signal()

    def __init__(
        self,
        view: DocumentView,
        table: DisagreementTable,
        pane: DecisionPane,
        schema: Schema,
        queue: RefreshQueue,
    ) -> None:
        super().__init__(view)
        self._view = view
        self._table = table
        self._pane = pane
        self._schema = schema
        self._session: AdjudicationSession | None = None
        self._current: Disagreement | None = None
        self._last: Disagreement | None = None
        """The one that was current last: from there one goes on."""
        self._lanes = LaneMarks(view, schema, queue)
        self._names_hidden = False
        self._notes: NoteController | None = None
        table.chosen.connect(self.show)
        view.caret_moved.connect(self.follow_caret)
        view.selection_changed.connect(self.follow_caret)

    @property
    def session(self) -> AdjudicationSession | None:
        return self._session

    @property
    def current(self) -> Disagreement | None:
        return self._current

    @property
    def names_hidden(self) -> bool:
        return self._names_hidden

    def looked_at(self) -> tuple[AdjudicationSession, Disagreement] | None:
        """What a decision key acts on; where the caret is at nothing to decide that is said."""
        self.follow_caret()
        if self._session is None:
            return None
        if self._current is None:
            self.said.emit(nothing_here(self._session))
            return None
        return self._session, self._current

    def follow_caret(self) -> None:
        """Make what the caret, or what is selected, is at the current one; or none."""
        session = self._session
        if session is None:
            return
        there = self._at_caret(session.queue)
        if self._current not in there and (there or self._current):
            self._current = next(iter(there), None)
            self._last = self._current or self._last
            self._table.point_at(self._current)
            self.tell()

    def handlers(self) -> dict[str, Callable[[], object]]:
        return {
            "next_disagreement": partial(self.step, 1),
            "previous_disagreement": partial(self.step, -1),
            "next_open": self.go_on,
        }

    def open(self, session: AdjudicationSession) -> None:
        """Show the disagreements of a session, whose view and tags are shown already."""
        self._session = session
        self._current = self._last = None
        self._pane.set_sides(len(session.annotators))
        self._lanes.open(session)
        self._table.model.show(session)
        self.go_on()

    def close(self) -> None:
        self._session = None
        self._current = self._last = None
        self._lanes.close()
        self._table.model.show(None)
        self._table.point_at(None)
        self.tell()

    def hide_names(self, hidden: bool) -> None:
        self._names_hidden = hidden
        self.tell()

    def show(self, disagreement: Disagreement) -> None:
        """Go to a disagreement: its row, its text selected and in sight, its question."""
        self._current = self._last = disagreement
        self._table.point_at(disagreement)
        if self._session is not None:
            self._view.reveal(surroundings(self._session.view, disagreement))
        self._view.set_current_mark(None)
        self._view.select(disagreement.span)
        self.tell()

    def show_at(self, span: Span) -> bool:
        """Go to the disagreement on a stretch, or one that overlaps it; False where none does."""
        every = self._session.queue if self._session else ()
        there = [each for each in every if each.span.overlaps(span)]
        if there:
            self.show(min(there, key=lambda each: each.span != span))
        return bool(there)

    def show_mark(self, mark: Mark) -> bool:
        """Go to the disagreement of an annotator's mark; False where it is no such mark."""
        disagreement = self._lanes.disagreement(mark)
        if disagreement is not None:
            self.show(disagreement)
        return disagreement is not None

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) disagreement of the table."""
        neighbour = self._table.neighbour(self._last, by)
        if neighbour is not None:
            self.show(neighbour)

    def go_on(self) -> None:
        """Go to the one that was left open, or the next that is open; or say that there is none."""
        session = self._session
        if session is None:
            return
        following = self._last if self._current is None else None
        if following is None or not session.queue.is_open(following):
            following = session.queue.next_open(self._last)
        if following is not None:
            self.show(following)
        else:
            self.tell()
            self.said.emit(nothing_open(session))

    def go_back(self, disagreement: Disagreement | None) -> None:
        """Go to a disagreement if it is still open, or else to the next one that is."""
        if disagreement and self._session and self._session.queue.is_open(disagreement):
            self.show(disagreement)
        else:
            self._last = disagreement
            self.go_on()

    def taken_back(self) -> None:
        """Go to what an undo or redo has changed."""
        for first in self._session.queue.changed()[:1] if self._session else ():
            self.show(first)

    def refresh(self) -> None:
        """Say anew what is decided, after a change of the gold standard."""
        if self._session is not None:
            self.follow_caret()
            self._table.model.refresh(self._session.queue.changed())
            self.tell()

    def tell(self) -> None:
        """Ask about the current one in the pane, and show its row, as it stands now."""
        session = self._session
        self._tell_notes()
        if session is None:
            self._pane.ask(None)
            return
        if self._current is None:
            self._pane.ask(None, nothing_here(session))
        else:
            self._table.model.refresh([self._current])
            self._pane.ask(question_about(session, self._current, hidden=self._names_hidden))
        self.told.emit()

    def watch(self, notes: NoteController) -> None:
        """Show what people wrote with the disagreement that it touches."""
        self._notes = notes
        self._table.model.asked_on = notes.asked_on
        notes.shown.connect(self._table.model.redraw)
        notes.shown.connect(self._tell_notes)

    def _tell_notes(self) -> None:
        current = self._current if self._session else None
        self._pane.show_notes(self._notes.notes_on(current.span) if self._notes and current else ())

    def _at_caret(self, queue: DisagreementQueue) -> list[Disagreement]:
        """What is selected is at, else the caret; at a framed tag only what that tag is about."""
        selected, caret = self._view.selected_span(), self._view.caret()
        if selected is not None:
            return queue.at(selected.start, selected.end)
        there = queue.at(caret, caret)
        mark = self._view.current_mark
        if mark is not None and mark.style is MarkStyle.TAG and mark.start <= caret <= mark.end:
            framed = queue.at(mark.start, mark.end)
            there = [each for each in there if each in framed]
        return there
