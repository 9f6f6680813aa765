"""From a key to a decision about the disagreement that is shown, or to one about many at once."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from adjudicator.decisions import SIDES, DecisionChoice, DecisionMode, Remark
from adjudicator.disagreements import Disagreement
from adjudicator.precedents import PrecedentProposal
from adjudicator.questions import meant_choice
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_controller import DisagreementController
from adjudicator.ui.proposal_list import ProposalDialog, ProposalRow, proposal_row
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
            "reason": self._pane.edit_reason,
            "discuss": self.flag,
            "review_precedents": self.review_precedents,
        }
        for choice in (*SIDES[:sides], DecisionChoice.BOTH, DecisionChoice.NEITHER):
            name = f"take_{choice.value}"
            handlers[name] = partial(self.decide, choice)
            handlers[f"{name}_alike"] = partial(self.decide, choice, same_text=True)
            handlers[f"{name}_form"] = partial(self.decide_form, choice)
        return handlers

    def decide(self, shown: DecisionChoice, *, same_text: bool = False, stay: bool = False) -> bool:
        """Decide the current disagreement as is shown in a place; True where that was possible.

        Goes on to the next open one, unless it is to `stay`.
        """
        at = self._disagreements.looked_at()
        if at is None:
            return False
        session, current = at
        choice = meant_choice(session, shown)
        return self._do(
            lambda: session.queue.decide(current, choice, same_text=same_text), go_on=not stay
        )

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
        """Decide as was decided before, where the caret is at the current one and it was."""
        at = self._disagreements.looked_at()
        if at is None or not self._disagreements.is_at_caret:
            return False
        session, current = at
        precedent = session.queue.precedent(current)
        if precedent is None:
            return False
        as_before = [PrecedentProposal(current, precedent)]
        return self._do(
            lambda: session.queue.apply_precedents(as_before, DecisionMode.AS_BEFORE), go_on=True
        )

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
        at = self._disagreements.looked_at()
        decision = at[0].queue.decision(at[1]) if at else None
        if at is None or decision is None:
            self.said.emit("Decide this one first, then the similar ones.")
            return
        session, current = at
        self._do(
            lambda: session.queue.decide_with(current, decision.marks, same_text=True), go_on=True
        )

    def reopen(self) -> None:
        if at := self._disagreements.looked_at():
            session, current = at
            self._do(lambda: session.queue.reopen(current))

    def flag(self) -> None:
        before = self._remark()
        self.remark(before.reason, not before.discuss)

    def remark(self, reason: str, discuss: bool) -> None:
        """Keep a remark on the current disagreement, unless it is the one that is there."""
        at, before = self._disagreements.looked_at(), self._remark()
        if at is None or (before.reason, before.discuss) == (reason.strip(), discuss):
            return
        session, current = at
        try:
            session.queue.remark(current, reason, discuss=discuss)
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._disagreements.tell()

    def _remark(self) -> Remark:
        at = self._disagreements.looked_at()
        return (at and at[0].queue.remark_on(at[1])) or Remark()

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
            self._disagreements.draw_touched()
            if go_on:
                self._disagreements.go_on()
            else:
                self._disagreements.tell()
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
            proposals = [row.proposal for row in rows]
            self._do(lambda: session.queue.apply_precedents(proposals))

    def _show(self, row: ProposalRow) -> None:
        self._disagreements.show(row.proposal.disagreement)

    def _go_back(self, before: Disagreement | None, _result: int) -> None:
        """Go on from where one was, wherever the list has led."""
        self._disagreements.go_back(before)
        self.left.emit()
