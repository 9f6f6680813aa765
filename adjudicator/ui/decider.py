"""From a key to a decision: which disagreement is being looked at, and what is done about it."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal

from adjudicator.decisions import SIDES, Choice, Way
from adjudicator.difference import surroundings
from adjudicator.disagreements import Disagreement
from adjudicator.proposals import Proposal
from adjudicator.questions import meant_choice, nothing_open, question_about
from adjudicator.session import AdjudicationSession
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_rows import DisagreementRows
from adjudicator.ui.disagreement_table import DisagreementTable
from adjudicator.ui.lane_marks import LaneMarks
from shared.errors import RequestError, TandemError
from shared.model import Schema
from shared.project.edits import Edit
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark
from shared.widgets.parts.messages import sentence
from shared.widgets.parts.portions import Portions
from shared.widgets.tags.tag_editor import TagEditor


class Decider(QObject):
    """Keeps table, pane and document view at one disagreement, and carries out decisions on it.

    Signals: `edited` (Edit) after every decision; `said` (str) for the status line; `failed`
    (Exception) where a decision could not be kept.
    """

    edited = Signal(object)
    said = Signal(str)
    failed = Signal(object)

    def __init__(
        self,
        editor: TagEditor,
        view: DocumentView,
        table: DisagreementTable,
        pane: DecisionPane,
        schema: Schema,
        portions: Portions,
    ) -> None:
        super().__init__(view)
        self._editor = editor
        self._view = view
        self._table = table
        self._pane = pane
        self._schema = schema
        self._session: AdjudicationSession | None = None
        self._current: Disagreement | None = None
        self._lanes = LaneMarks(view, schema, portions)
        self._names_hidden = False
        table.chosen.connect(self.show)
        pane.asked.connect(self._asked)

    @property
    def session(self) -> AdjudicationSession | None:
        return self._session

    @property
    def current(self) -> Disagreement | None:
        """The disagreement that is being looked at."""
        return self._current

    def handlers(self, sides: int) -> dict[str, Callable[[], object]]:
        """What carries out the actions of the table that decide one by one, by their names."""
        handlers: dict[str, Callable[[], object]] = {
            "edit_decision": self.edit,
            "edit_decision_alike": self.edit_alike,
            "reopen": self.reopen,
            "next_disagreement": partial(self.step, 1),
            "previous_disagreement": partial(self.step, -1),
            "next_open": self.go_on,
        }
        for choice in (*SIDES[:sides], Choice.BOTH, Choice.NEITHER):
            name = f"take_{choice.value}"
            handlers[name] = partial(self.decide, choice)
            handlers[f"{name}_alike"] = partial(self.decide, choice, alike=True)
        return handlers

    def open(self, session: AdjudicationSession) -> None:
        """Show the disagreements of a session, whose view and tags are shown already."""
        self._session = session
        self._current = None
        self._pane.set_sides(len(session.annotators))
        self._lanes.open(session)
        self._table.model.show(session.queue, DisagreementRows(session, self._schema))
        self.go_on()

    def close(self) -> None:
        self._session = None
        self._current = None
        self._lanes.close()
        self._table.model.set_rows(())
        self._tell()

    def hide_names(self, hidden: bool) -> None:
        """Call the annotators First and Second, or by their names."""
        self._names_hidden = hidden
        self._tell()

    def show(self, disagreement: Disagreement) -> None:
        """Go to a disagreement: its row, its text selected and in sight, its question."""
        self._current = disagreement
        self._table.point_at(disagreement)
        if self._session is not None:
            self._view.reveal(surroundings(self._session.view, disagreement))
        self._view.select(disagreement.span)
        self._tell()

    def show_mark(self, mark: Mark) -> bool:
        """Go to the disagreement of an annotator's mark; False where it is no such mark."""
        disagreement = self._lanes.disagreement(mark)
        if disagreement is not None:
            self.show(disagreement)
        return disagreement is not None

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) disagreement of the table."""
        neighbour = self._table.neighbour(self._current, by)
        if neighbour is not None:
            self.show(neighbour)

    def go_on(self) -> None:
        """Go to the next open disagreement, or say that there is none."""
        session = self._session
        if session is None:
            return
        following = session.next_open(self._current)
        if following is not None:
            self.show(following)
        else:
            self._tell()
            self.said.emit(nothing_open(session))

    def go_back(self, disagreement: Disagreement | None) -> None:
        """Go to a disagreement if it is still open, or else to the next one that is."""
        session = self._session
        if session is not None and disagreement is not None and session.is_open(disagreement):
            self.show(disagreement)
        else:
            self._current = disagreement
            self.go_on()

    def decide(self, shown: Choice, *, alike: bool = False, stay: bool = False) -> bool:
        """Decide the current disagreement as is shown in a place; True where that was possible.

        Goes on to the next open one, unless it is to `stay`.
        """
        session, current = self._session, self._current
        if session is None or current is None:
            return False
        choice = meant_choice(session, shown)
        return self._do(lambda: session.decide(current, choice, alike=alike), go_on=not stay)

    def take(self, proposals: Iterable[Proposal]) -> None:
        """Decide many as was decided before."""
        session = self._session
        if session is not None:
            self._do(lambda: session.take(proposals))

    def take_precedent(self) -> bool:
        """Decide as was decided before, where the caret is at the current one and it was."""
        session, current = self._session, self._current
        if session is None or current is None or not self._is_at(current):
            return False
        precedent = session.precedent(current)
        if precedent is None:
            return False
        as_before = [Proposal(current, precedent)]
        return self._do(lambda: session.take(as_before, Way.AS_BEFORE), go_on=True)

    def edit(self) -> None:
        """Take the first side that has a tag into the gold standard, ready to be changed there."""
        session, current = self._session, self._current
        if session is None or current is None:
            return
        if session.is_open(current):
            sides = (current.key.sides[number] for number in session.order)
            side = next(marks for marks in sides if marks)
            marks = [(span.shifted(current.shift), phi_type) for span, phi_type in side]
            self._do(lambda: session.edit(current, marks))
        decision = session.decision(current)
        placed = session.gold_tags(decision) if decision else []
        if placed:
            self._editor.show(placed[0])
            self.said.emit("Alt with ←→ moves its start, with ↑↓ its end; a type's key retypes it.")
        else:
            self.said.emit("The gold standard has no tag here: select text, then give it a type.")

    def edit_alike(self) -> None:
        """Decide all that are alike as the current one was decided."""
        session, current = self._session, self._current
        decision = session.decision(current) if session and current else None
        if session is None or current is None or decision is None:
            self.said.emit("Decide this one first, then all that are alike.")
            return
        marks = [(span.shifted(current.shift), phi_type) for span, phi_type in decision.marks]
        self._do(lambda: session.edit(current, marks, alike=True), go_on=True)

    def reopen(self) -> None:
        """Take the decision about the current disagreement back."""
        session, current = self._session, self._current
        if session is not None and current is not None:
            self._do(lambda: session.reopen(current))

    def taken_back(self) -> None:
        """Go to what an undo or redo has changed."""
        touched = self._session.touched() if self._session else []
        if touched:
            self.show(touched[0])

    def refresh(self) -> None:
        """Say anew what is decided, after a change of the gold standard that was made elsewhere."""
        if self._session is not None:
            self._table.model.refresh(self._session.touched())
        self._tell()

    def tell_anew(self) -> None:
        """Say anew what is known of the current one: its precedents, the remark on it."""
        if self._current is not None:
            self._table.model.refresh([self._current])
        self._tell()

    def _is_at(self, disagreement: Disagreement) -> bool:
        selected, caret = self._view.selected_span(), self._view.caret()
        if selected is not None:
            return selected.overlaps(disagreement.span)
        return disagreement.start <= caret <= disagreement.end

    def _do(self, change: Callable[[], Edit], *, go_on: bool = False) -> bool:
        try:
            edit = change()
        except RequestError as error:
            self.said.emit(sentence(error))
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._show_edit(edit)
            if go_on:
                self.go_on()
            else:
                self._tell()
            return True
        return False

    def _show_edit(self, edit: Edit) -> None:
        self._editor.follow(edit)
        self.edited.emit(edit)
        self.said.emit(f"{edit.done[:1].upper()}{edit.done[1:]}.")
        if self._session is not None:
            self._table.model.refresh(self._session.touched())

    def _asked(self, action: str) -> None:
        if action == "accept":
            self.take_precedent()
        else:
            self.handlers(len(SIDES))[action]()
        self._view.setFocus()

    def _tell(self) -> None:
        session = self._session
        if session is None:
            self._pane.ask(None)
            return
        self._pane.show_progress(session.progress)
        if self._current is None:
            self._pane.ask(None, nothing_open(session))
        else:
            self._pane.ask(question_about(session, self._current, hidden=self._names_hidden))
            self._pane.offer_reasons(session.reasons())
