"""From a key to a decision about the disagreement that is shown, or to one about many at once."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from adjudicator.decisions import SIDES, DecisionChoice, DecisionMode, Remark
from adjudicator.difference import context
from adjudicator.disagreements import Disagreement
from adjudicator.precedents import PrecedentProposal
from adjudicator.questions import (
    kind_words,
    marked_text,
    marked_types,
    meant_choice,
    times_words,
)
from adjudicator.session import AdjudicationSession
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_controller import DisagreementController
from shared.errors import RequestError, TandemError
from shared.project.edits import Edit
from shared.widgets.parts.messages import sentence
from shared.widgets.parts.review_list import ReviewList, ReviewModel
from shared.widgets.tags.tag_editor import TagEditor


class DecisionController(QObject):
    """Carries out decisions and remarks on the current disagreement, and goes on to the next.

    Signals: `edited` (Edit) after every decision; `said` (str) for the status line; `failed`
    (Exception) where something could not be kept; `left` when the text should have the keys again.
    """

    edited = Signal(object)
    said = Signal(str)
    failed = Signal(object)
    left = Signal()

    def __init__(
        self, disagreements: DisagreementController, editor: TagEditor, pane: DecisionPane
    ) -> None:
        super().__init__(disagreements)
        self._disagreements = disagreements
        self._editor = editor
        self._pane = pane
        pane.asked.connect(self._asked)
        pane.remarked.connect(self.remark)

    def handlers(self, sides: int) -> dict[str, Callable[[], object]]:
        """What carries out the actions that are about one disagreement, by their names."""
        handlers: dict[str, Callable[[], object]] = {
            "edit_decision": self.edit,
            "edit_decision_alike": self.edit_alike,
            "reopen": self.reopen,
            "reason": self._pane.edit_reason,
            "discuss": self.flag,
        }
        for choice in (*SIDES[:sides], DecisionChoice.BOTH, DecisionChoice.NEITHER):
            name = f"take_{choice.value}"
            handlers[name] = partial(self.decide, choice)
            handlers[f"{name}_alike"] = partial(self.decide, choice, same_text=True)
        return handlers

    def decide(self, shown: DecisionChoice, *, same_text: bool = False, stay: bool = False) -> bool:
        """Decide the current disagreement as is shown in a place; True where that was possible.

        Goes on to the next open one, unless it is to `stay`.
        """
        session, current = self._at()
        if session is None or current is None:
            return False
        choice = meant_choice(session, shown)
        return self._do(
            lambda: session.queue.decide(current, choice, same_text=same_text), go_on=not stay
        )

    def take(self, proposals: Iterable[PrecedentProposal]) -> None:
        """Decide many as was decided before."""
        session, _ = self._at()
        if session is not None:
            self._do(lambda: session.queue.apply_precedents(proposals))

    def take_precedent(self) -> bool:
        """Decide as was decided before, where the caret is at the current one and it was."""
        session, current = self._at()
        if session is None or current is None or not self._disagreements.is_at_caret:
            return False
        precedent = session.queue.precedent(current)
        if precedent is None:
            return False
        as_before = [PrecedentProposal(current, precedent)]
        return self._do(
            lambda: session.queue.apply_precedents(as_before, DecisionMode.AS_BEFORE), go_on=True
        )

    def edit(self) -> None:
        """Take the first side that has a tag into the gold standard, ready to be changed there."""
        session, current = self._at()
        if session is None or current is None:
            return
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
        """Decide all that say the same as the current one was decided."""
        session, current = self._at()
        decision = session.queue.decision(current) if session and current else None
        if session is None or current is None or decision is None:
            self.said.emit("Decide this one first, then the similar ones.")
            return
        self._do(
            lambda: session.queue.decide_with(current, decision.marks, same_text=True), go_on=True
        )

    def reopen(self) -> None:
        """Take the decision about the current disagreement back."""
        session, current = self._at()
        if session is not None and current is not None:
            self._do(lambda: session.queue.reopen(current))

    def flag(self) -> None:
        """Flag the current disagreement as one to be discussed, or take the flag away."""
        before = self._note()
        self.remark(before.reason, not before.discuss)

    def remark(self, reason: str, discuss: bool) -> None:
        """Keep a remark on the current disagreement, unless it is the one that is there."""
        session, current, before = self._session, self._disagreements.current, self._note()
        if session is None or current is None:
            return
        if (before.reason, before.discuss) == (reason.strip(), discuss):
            return
        try:
            session.queue.remark(current, reason, discuss=discuss)
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._disagreements.tell_anew()

    @property
    def _session(self) -> AdjudicationSession | None:
        return self._disagreements.session

    def _at(self) -> tuple[AdjudicationSession | None, Disagreement | None]:
        """What is open, with the disagreement there."""
        return self._session, self._disagreements.current

    def _note(self) -> Remark:
        session, current = self._session, self._disagreements.current
        note = session.queue.remark_on(current) if session and current else None
        return note or Remark()

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


_BEFORE_TITLE, _PATTERN_TITLE = "Decided before", "Of the same pattern"
_RECORD, _KIND, _BEFORE, _TEXT, _AFTER, _TYPES, _SAID = range(7)
_WIDTHS = (92, 126, 220, 180, 220, 120)


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One disagreement: what would stand in the gold standard, and what speaks for it."""

    proposal: PrecedentProposal
    kind: str
    before: str
    text: str
    after: str
    types: str
    said: str


class ProposalModel(ReviewModel[ProposalRow]):
    """The proposals and which of them are ticked."""

    heads = ("Record", "Differs in", "", "Gold standard", "", "As", "Decided this way")
    before = _BEFORE
    bold = frozenset({_TEXT, _TYPES})

    def cells(self, row: ProposalRow) -> tuple[str, ...]:
        record_id = row.proposal.disagreement.record_id
        return record_id, row.kind, row.before, row.text, row.after, row.types, row.said


class ProposalDialog(ReviewList[ProposalRow]):
    """Shows proposals, all of them ticked."""

    hint = "; Space ticks and unticks, Enter decides"

    def __init__(
        self, title: str, rows: Iterable[ProposalRow], parent: QWidget | None = None
    ) -> None:
        super().__init__(ProposalModel(), title, "&Decide", _WIDTHS, parent)
        self.setObjectName("reviewDialog")
        self._table.setAccessibleName("Disagreements to decide as before")
        self.set_rows(rows)
        self.resize(1240, 560)


class PrecedentReview(QObject):
    """Lists what could be decided as before; what is ticked there is decided at once.

    Signals: `said` (str) for the status line; `ended` when the list is closed again.
    """

    said = Signal(str)
    ended = Signal()

    def __init__(
        self,
        disagreements: DisagreementController,
        decisions: DecisionController,
        window: QWidget,
    ) -> None:
        super().__init__(window)
        self._disagreements = disagreements
        self._decisions = decisions
        self._window = window
        self._before: Disagreement | None = None

    def handlers(self, sides: int) -> dict[str, Callable[[], object]]:
        """What carries out the actions that are about many disagreements, by their names."""
        handlers: dict[str, Callable[[], object]] = {"review_precedents": self.review}
        for choice in (*SIDES[:sides], DecisionChoice.BOTH, DecisionChoice.NEITHER):
            handlers[f"take_{choice.value}_form"] = partial(self.decide_form, choice)
        return handlers

    def review(self) -> None:
        """Review everything open that has a clear precedent."""
        session = self._disagreements.session
        proposals = session.queue.proposals() if session else []
        if proposals:
            self._open(_BEFORE_TITLE, proposals)
        else:
            self.said.emit("Nothing that is open is similar to an earlier decision.")

    def decide_form(self, shown: DecisionChoice) -> None:
        """Decide the current disagreement, then review all that differ in the same form."""
        session, current = self._disagreements.session, self._disagreements.current
        if session is None or current is None or not self._decisions.decide(shown, stay=True):
            return
        proposals = session.queue.similar_by_pattern(current)
        if proposals:
            self._open(_PATTERN_TITLE, proposals)
        else:
            self._disagreements.go_on()
            self.said.emit("Nothing else that is open has the same pattern.")

    def _open(self, title: str, proposals: Sequence[PrecedentProposal]) -> None:
        session = self._disagreements.session
        if session is None:
            return
        self._before = self._disagreements.current
        rows = [_row(session, each, by_form=title == _PATTERN_TITLE) for each in proposals]
        dialog = ProposalDialog(title, rows, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.taken.connect(self._take)
        dialog.row_shown.connect(self._show)
        dialog.finished.connect(self._end)
        dialog.open()

    def _take(self, rows: Sequence[ProposalRow]) -> None:
        self._decisions.take([row.proposal for row in rows])

    def _show(self, row: ProposalRow) -> None:
        self._disagreements.show(row.proposal.disagreement)

    def _end(self) -> None:
        """Go on from where one was, wherever the list has led."""
        self._disagreements.go_back(self._before)
        self.ended.emit()


def _row(
    session: AdjudicationSession, proposal: PrecedentProposal, *, by_form: bool
) -> ProposalRow:
    disagreement, precedent = proposal.disagreement, proposal.precedent
    before, after = context(session.view, disagreement)
    same = "like the one just decided" if by_form else precedent.level.value
    return ProposalRow(
        proposal,
        kind_words(session, disagreement),
        before,
        marked_text(session, disagreement, precedent.marks),
        after,
        marked_types(precedent.marks),
        same if by_form else f"{times_words(precedent)} ({same})",
    )
