"""From a key to a decision about the disagreement that is shown, or to one about many at once."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from adjudicator.decisions import SIDES, DecisionChoice, DecisionMode, DecisionRequest, Remark
from adjudicator.disagreements import Disagreement
from adjudicator.precedents import PrecedentProposal
from adjudicator.questions import choice_of_digit
from adjudicator.session import AdjudicationSession
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_controller import DisagreementController
from adjudicator.ui.proposal_list import ProposalDialog, ProposalRow, proposal_row, similar_rows
from shared.errors import RequestError, TandemError
from shared.project.edits import Edit
from shared.widgets.parts.messages import sentence
from shared.widgets.tags.tag_editor import TagEditor


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
        editor: TagEditor,
        pane: DecisionPane,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._disagreements = disagreements
        self._editor = editor
        self._pane = pane
        self._window = window
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
        """Decide as was decided before, where the caret is at a disagreement of which it was."""
        self._disagreements.follow_caret()
        session, current = self._disagreements.session, self._disagreements.current
        if session is None or current is None:
            return False
        precedent = session.queue.precedent(current)
        if precedent is None:
            return False
        if not precedent.marks:
            self.said.emit("Earlier this was no tag; 0 decides so here too.")
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
        """Take the first side that has a tag into the gold standard, ready to be changed there."""
        at = self._disagreements.looked_at()
        if at is None:
            return
        session, current = at
        if session.queue.is_open(current):
            sides = (current.key.sides[number] for number in session.order)
            marks = next(marks for marks in sides if marks)
            self._do(lambda: session.queue.decide_with(current, marks))
        decision = session.queue.decision(current)
        placed = session.queue.gold.tags_of(decision) if decision else []
        if placed:
            self._editor.show(placed[0])
            self.said.emit("Alt with ←→ moves its start, with ↑↓ its end; a type's key retypes it.")
        else:
            self.said.emit("The gold standard has no tag here: select text, then give it a type.")

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

    def _write_reason(self) -> None:
        if self._disagreements.looked_at():
            self._pane.edit_reason()

    def _meant(
        self, at: tuple[AdjudicationSession, Disagreement], shown: DecisionChoice
    ) -> DecisionChoice:
        """Whose tags a key takes. Raises RequestError where it has none to take."""
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
