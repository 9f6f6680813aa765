"""From a key to a decision about the disagreement that is being looked at."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal

from adjudicator.decisions import SIDES, Choice, Way
from adjudicator.disagreements import Disagreement
from adjudicator.proposals import Proposal
from adjudicator.questions import meant_choice
from adjudicator.session import AdjudicationSession
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_guide import DisagreementGuide
from shared.errors import RequestError, TandemError
from shared.project.edits import Edit
from shared.widgets.parts.messages import sentence
from shared.widgets.tags.tag_editor import TagEditor


class Decider(QObject):
    """Carries out decisions on the disagreement that the guide is at, and has it go on.

    Signals: `edited` (Edit) after every decision; `said` (str) for the status line; `failed`
    (Exception) where a decision could not be kept; `left` after a click on a button of the pane.
    """

    edited = Signal(object)
    said = Signal(str)
    failed = Signal(object)
    left = Signal()

    def __init__(self, guide: DisagreementGuide, editor: TagEditor, pane: DecisionPane) -> None:
        super().__init__(guide)
        self._guide = guide
        self._editor = editor
        pane.asked.connect(self._asked)

    def handlers(self, sides: int) -> dict[str, Callable[[], object]]:
        """What carries out the actions of the table that decide one by one, by their names."""
        handlers: dict[str, Callable[[], object]] = {
            "edit_decision": self.edit,
            "edit_decision_alike": self.edit_alike,
            "reopen": self.reopen,
        }
        for choice in (*SIDES[:sides], Choice.BOTH, Choice.NEITHER):
            name = f"take_{choice.value}"
            handlers[name] = partial(self.decide, choice)
            handlers[f"{name}_alike"] = partial(self.decide, choice, alike=True)
        return handlers

    def decide(self, shown: Choice, *, alike: bool = False, stay: bool = False) -> bool:
        """Decide the current disagreement as is shown in a place; True where that was possible.

        Goes on to the next open one, unless it is to `stay`.
        """
        session, current = self._at()
        if session is None or current is None:
            return False
        choice = meant_choice(session, shown)
        return self._do(lambda: session.decide(current, choice, alike=alike), go_on=not stay)

    def take(self, proposals: Iterable[Proposal]) -> None:
        """Decide many as was decided before."""
        session, _ = self._at()
        if session is not None:
            self._do(lambda: session.take(proposals))

    def take_precedent(self) -> bool:
        """Decide as was decided before, where the caret is at the current one and it was."""
        session, current = self._at()
        if session is None or current is None or not self._guide.is_at_caret:
            return False
        precedent = session.precedent(current)
        if precedent is None:
            return False
        as_before = [Proposal(current, precedent)]
        return self._do(lambda: session.take(as_before, Way.AS_BEFORE), go_on=True)

    def edit(self) -> None:
        """Take the first side that has a tag into the gold standard, ready to be changed there."""
        session, current = self._at()
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
        session, current = self._at()
        decision = session.decision(current) if session and current else None
        if session is None or current is None or decision is None:
            self.said.emit("Decide this one first, then all that are alike.")
            return
        marks = [(span.shifted(current.shift), phi_type) for span, phi_type in decision.marks]
        self._do(lambda: session.edit(current, marks, alike=True), go_on=True)

    def reopen(self) -> None:
        """Take the decision about the current disagreement back."""
        session, current = self._at()
        if session is not None and current is not None:
            self._do(lambda: session.reopen(current))

    def _at(self) -> tuple[AdjudicationSession | None, Disagreement | None]:
        """What is open, with the disagreement there, once an edit on its way is made."""
        self._editor.finish()
        return self._guide.session, self._guide.current

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
            self._guide.draw_touched()
            if go_on:
                self._guide.go_on()
            else:
                self._guide.tell()
            return True
        return False

    def _asked(self, action: str) -> None:
        if action == "accept":
            self.take_precedent()
        else:
            self.handlers(len(SIDES))[action]()
        self.left.emit()
