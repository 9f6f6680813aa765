"""From a key to a decision about the disagreement that is shown, or to one about many at once."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import product

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from adjudicator.decisions import (
    SIDES,
    DecisionChoice,
    DecisionMode,
    DecisionRequest,
    choice_of,
)
from adjudicator.disagreements import Disagreement
from adjudicator.precedents import PrecedentProposal
from adjudicator.questions import choice_of_digit, readings
from adjudicator.session import AdjudicationSession
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_controller import DisagreementController
from adjudicator.ui.proposal_list import ProposalDialog, ProposalRow, proposal_row, similar_rows
from shared.errors import RequestError, TandemError
from shared.model import PhiType, Span
from shared.project.edits import Edit
from shared.project.gold_remarks import Remark
from shared.widgets.document.document_view import DocumentView
from shared.widgets.parts.messages import sentence
from shared.widgets.tags.tag_editor import TagEditor, with_edge_moved


class DecisionController(QObject):
    """Carries out decisions and remarks on what is looked at, and goes on to the next.

    What could be decided as before is listed in a dialog over `window`, to be ticked. Signals:
    `edited` (Edit) after every decision; `said` (str) for the status line; `failed` (Exception)
    where something could not be kept; `left` when the text should have the keys again.
    """

    edited = Signal(object)
    said = Signal(str)
    failed = Signal(object)
    left = Signal()

    def __init__(
        self,
        disagreements: DisagreementController,
        view: DocumentView,
        editor: TagEditor,
        pane: DecisionPane,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._disagreements = disagreements
        self._view = view
        self._editor = editor
        self._pane = pane
        self._window = window
        self._draft: tuple[Disagreement, PhiType] | None = None
        view.selection_changed.connect(self._drop_draft)
        disagreements.told.connect(self._forget_draft)
        pane.asked.connect(self._asked)
        pane.remarked.connect(self.remark)

    def handlers(self, sides: int) -> dict[str, Callable[[], object]]:
        handlers: dict[str, Callable[[], object]] = {
            "edit_decision": self.edit,
            "edit_decision_alike": self.edit_alike,
            "reopen": self.reopen,
            "reason": self._write_reason,
            "discuss": self.flag,
            "review_precedents": self.review_precedents,
        }
        for edge, (way, by) in product(("start", "end"), (("left", -1), ("right", 1))):
            handlers[f"{edge}_{way}"] = partial(self.move_edge, edge, by)
            handlers[f"{edge}_word_{way}"] = partial(self.move_edge, edge, by, word=True)
        for shown in (*SIDES[:sides], DecisionChoice.BOTH, DecisionChoice.NEITHER):
            name = f"take_{shown.value}"
            handlers[name] = partial(self.decide, shown)
            handlers[f"{name}_alike"] = partial(self.decide_alike, shown)
            handlers[f"{name}_form"] = partial(self.decide_form, shown)
        return handlers

    def decide(self, shown: DecisionChoice, *, stay: bool = False) -> bool:
        """Decide the current disagreement as its card says; True where that was possible.

        `shown` is the place of a card or what is no card's. Goes on to the next open one, unless
        it is to `stay`.
        """
        at = self._disagreements.looked_at()
        if at is None:
            return False
        session, current = at
        return self._do(
            lambda: session.queue.decide(current, self._meant(at, shown)), go_on=not stay
        )

    def decide_alike(self, shown: DecisionChoice) -> None:
        """Decide the current disagreement and all that say the same of the same words."""
        if at := self._disagreements.looked_at():
            session, current = at
            self._decide_listed(lambda: session.queue.alike(current, self._meant(at, shown)))

    def decide_form(self, shown: DecisionChoice) -> None:
        """Decide the current disagreement, then review all that differ in the same form."""
        at = self._disagreements.looked_at()
        if at is None or not self.decide(shown, stay=True):
            return
        session, current = at
        proposals = session.queue.similar_by_pattern(current)
        if proposals:
            rows = [proposal_row(session, each, "like the one just decided") for each in proposals]
            self._review("Of the same pattern", rows)
        else:
            self._disagreements.go_on()
            self.said.emit("Nothing else that is open has the same pattern.")

    def take_precedent(self) -> bool:
        """Confirm what E has taken up, else decide as was decided before; False for neither."""
        self._disagreements.follow_caret()
        selected = self._view.selected_span()
        if selected is not None and self._drafted():
            return self._take_draft(selected, go_on=True)
        session, current = self._disagreements.session, self._disagreements.current
        if session is None or current is None:
            return False
        precedent = session.queue.precedent(current)
        if precedent is None:
            return False
        if not precedent.has_majority:
            self.said.emit("Earlier decisions differ, and no more than half say this: decide anew.")
            return True
        if not precedent.marks:
            self.said.emit("Earlier this was decided as no tag; 0 decides so here too.")
            return True
        as_before = PrecedentProposal(current, precedent).request(DecisionMode.AS_BEFORE)
        return self._do(lambda: session.queue.decide_all([as_before]), go_on=True)

    def review_precedents(self) -> None:
        """Review everything open that has a clear precedent."""
        session = self._disagreements.session
        proposals = session.queue.proposals() if session else []
        if session is None or not proposals:
            self.said.emit("Nothing that is open is similar to an earlier decision.")
        else:
            self._review("Decided before", [proposal_row(session, each) for each in proposals])

    def edit(self) -> None:
        """Take up the longest tag to be changed; that decides nothing before it is confirmed."""
        at = self._disagreements.looked_at()
        if at is None:
            return
        session, current = at
        if session.queue.is_open(current):
            marks = [mark for reading in readings(*at) for mark in reading.marks]
            span, phi_type = max(marks, key=lambda each: each[0].end - each[0].start)
            self._view.select(span.shifted(current.shift))
            self._draft = current, phi_type
            self._pane.show_state(
                f"Not decided yet: Enter takes what is selected as {phi_type.name}, Alt with ←→ "
                "moves its start, with ↑↓ its end; a type's key gives it another type."
            )
            return
        decision = session.queue.decision(current)
        placed = session.queue.gold.tags_of(decision) if decision else []
        if placed:
            self._editor.show(placed[0])
            self.said.emit("Alt with ←→ moves its start, with ↑↓ its end; a type's key retypes it.")
        else:
            self.said.emit("The gold standard has no tag here: select text, then give it a type.")

    def move_edge(self, edge: str, by: int, *, word: bool = False) -> None:
        """Move an edge of what E has taken up, which decides, else of the tag at the caret."""
        session, selected = self._disagreements.session, self._view.selected_span()
        if session is None or selected is None or self._drafted() is None:
            self._editor.move_edge(edge, by, word=word)
        elif moved := with_edge_moved(session.view.text, selected, edge, by, word=word):
            self._take_draft(moved)

    def edit_alike(self) -> None:
        """Decide all that say the same of the same words as the current one was decided."""
        if at := self._disagreements.looked_at():
            session, current = at
            self._decide_listed(lambda: session.queue.alike_as_decided(current))

    def reopen(self) -> None:
        if at := self._disagreements.looked_at():
            session, current = at
            self._do(lambda: session.queue.reopen(current))

    def flag(self) -> None:
        if at := self._disagreements.looked_at():
            before = at[0].queue.remark_on(at[1]) or Remark()
            self.remark(before.reason, not before.discuss)

    def remark(self, reason: str, discuss: bool) -> None:
        """Keep a remark on the current disagreement, unless it is the one that is there."""
        session, current = self._disagreements.session, self._disagreements.current
        if session is None or current is None:
            return
        before = session.queue.remark_on(current) or Remark()
        if (before.reason, before.discuss) == (reason.strip(), discuss):
            return
        try:
            session.queue.remark(current, reason, discuss=discuss)
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._disagreements.tell()

    def _drafted(self) -> tuple[Disagreement, PhiType] | None:
        """What E has taken up, while it is selected and not decided."""
        session, draft = self._disagreements.session, self._draft
        if session is None or draft is None or self._view.selected_span() is None:
            return None
        is_here = draft[0] is self._disagreements.current and session.queue.is_open(draft[0])
        return draft if is_here else None

    def _drop_draft(self) -> None:
        """Forget what E has taken up once it is selected no more."""
        if self._draft and not self._drafted():
            self._disagreements.tell()

    def _forget_draft(self) -> None:
        self._draft = None

    def _take_draft(self, span: Span, *, go_on: bool = False) -> bool:
        """Decide on a stretch of the merged view as the type that E has taken up."""
        session, draft = self._disagreements.session, self._drafted()
        if session is None or draft is None:
            return False
        current, phi_type = draft
        section = session.view.section(current.record_id)
        if not Span(section.start, section.end).contains(span):
            self.said.emit("A tag cannot reach into another record.")
            return False
        marks = ((span.shifted(-current.shift), phi_type),)
        request = DecisionRequest(current, choice_of(current.key.sides, marks), marks)
        done = self._do(lambda: session.queue.decide_all([request]), go_on=go_on)
        decision = session.queue.decision(current)
        if decision and not go_on:
            self._editor.show(session.queue.gold.tags_of(decision)[0])
        return done

    def _write_reason(self) -> None:
        if self._disagreements.looked_at():
            self._pane.edit_reason()

    def _meant(
        self, at: tuple[AdjudicationSession, Disagreement], shown: DecisionChoice
    ) -> DecisionChoice:
        """Whose tags a key takes. Raises RequestError where it has none to take."""
        if shown is DecisionChoice.BOTH and sum(map(bool, at[1].key.sides)) < 2:
            raise RequestError("only one annotator has a tag here: take that one")
        if shown.side is None:
            return shown
        hidden = self._disagreements.names_hidden
        return choice_of_digit(*at, shown.side + 1, hidden=hidden)

    def _decide_listed(self, wanted: Callable[[], Sequence[DecisionRequest]]) -> None:
        """Decide what is wanted at once where that is one, else let it be ticked first."""
        session = self._disagreements.session
        try:
            requests = wanted()
        except RequestError as error:
            self.said.emit(sentence(error))
            return
        if session is not None and len(requests) > 1:
            self._review("Similar", similar_rows(session, requests))
        elif session is not None:
            self._do(lambda: session.queue.decide_all(requests), go_on=True)

    def _do(self, change: Callable[[], Edit], *, go_on: bool = False) -> bool:
        try:
            edit = change()
        except RequestError as error:
            self.said.emit(sentence(error))
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._editor.follow(edit)
            self.edited.emit(edit)
            self.said.emit(f"{edit.done[:1].upper()}{edit.done[1:]}.")
            self._disagreements.refresh()
            if go_on:
                self._disagreements.go_on()
            return True
        return False

    def _asked(self, action: str) -> None:
        if action == "accept":
            self.take_precedent()
        else:
            self.handlers(len(SIDES))[action]()
        self.left.emit()

    def _review(self, title: str, rows: Sequence[ProposalRow]) -> None:
        dialog = ProposalDialog(title, rows, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.taken.connect(self._take)
        dialog.row_shown.connect(self._show)
        dialog.finished.connect(partial(self._go_back, self._disagreements.current))
        dialog.open()

    def _take(self, rows: Sequence[ProposalRow]) -> None:
        session = self._disagreements.session
        if session is not None:
            requests = [row.request for row in rows]
            self._do(lambda: session.queue.decide_all(requests))

    def _show(self, row: ProposalRow) -> None:
        self._disagreements.show(row.request.disagreement)

    def _go_back(self, before: Disagreement | None, _result: int) -> None:
        """Go on from where one was, wherever the list has led."""
        self._disagreements.go_back(before)
        self.left.emit()
