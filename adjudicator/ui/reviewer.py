"""Deciding many at once: what was decided before, and what differs in the same form."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from adjudicator.decisions import SIDES, Choice
from adjudicator.difference import context
from adjudicator.disagreements import Disagreement
from adjudicator.proposals import Proposal
from adjudicator.questions import kind_words, marked_text, marked_types, times_words
from adjudicator.session import AdjudicationSession
from adjudicator.ui.decider import Decider
from adjudicator.ui.disagreement_guide import DisagreementGuide
from adjudicator.ui.review_dialog import ReviewDialog, ReviewRow

_BEFORE = "Decided before"
_FORM = "Of the same form"


class Reviewer(QObject):
    """Opens the list; what is ticked there becomes one decision of the decider's.

    Signals: `said` (str) for the status line; `ended` when the list is closed again.
    """

    said = Signal(str)
    ended = Signal()

    def __init__(self, guide: DisagreementGuide, decider: Decider, window: QWidget) -> None:
        super().__init__(window)
        self._guide = guide
        self._decider = decider
        self._window = window
        self._before: Disagreement | None = None

    def handlers(self, sides: int) -> dict[str, Callable[[], object]]:
        """What carries out the actions of the table that are about many, by their names."""
        handlers: dict[str, Callable[[], object]] = {"review_precedents": self.review}
        for choice in (*SIDES[:sides], Choice.BOTH, Choice.NEITHER):
            handlers[f"take_{choice.value}_form"] = partial(self.decide_form, choice)
        return handlers

    def review(self) -> None:
        """Review everything open that has a clear precedent."""
        session = self._guide.session
        proposals = session.proposals() if session else []
        if proposals:
            self._open(_BEFORE, proposals)
        else:
            self.said.emit("Nothing that is open has its like among the earlier decisions.")

    def decide_form(self, shown: Choice) -> None:
        """Decide the current disagreement, then review all that differ in the same form."""
        session, current = self._guide.session, self._guide.current
        if session is None or current is None or not self._decider.decide(shown, stay=True):
            return
        proposals = session.alike_by_form(current)
        if proposals:
            self._open(_FORM, proposals)
        else:
            self._guide.go_on()
            self.said.emit("Nothing else that is open can be decided by its form.")

    def _open(self, title: str, proposals: Sequence[Proposal]) -> None:
        session = self._guide.session
        if session is None:
            return
        self._before = self._guide.current
        rows = [_row(session, each, by_form=title == _FORM) for each in proposals]
        dialog = ReviewDialog(title, rows, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.taken.connect(self._take)
        dialog.row_shown.connect(self._show)
        dialog.finished.connect(self._end)
        dialog.open()

    def _take(self, rows: Sequence[ReviewRow]) -> None:
        self._decider.take([row.proposal for row in rows])

    def _show(self, row: ReviewRow) -> None:
        self._guide.show(row.proposal.disagreement)

    def _end(self) -> None:
        """Go on from where one was, wherever the list has led."""
        self._guide.go_back(self._before)
        self.ended.emit()


def _row(session: AdjudicationSession, proposal: Proposal, *, by_form: bool) -> ReviewRow:
    disagreement, precedent = proposal.disagreement, proposal.precedent
    before, after = context(session.view, disagreement)
    same = "as the one just decided" if by_form else precedent.likeness.value
    return ReviewRow(
        proposal,
        kind_words(session, disagreement),
        before,
        marked_text(session, disagreement, precedent.marks),
        after,
        marked_types(precedent.marks),
        same if by_form else f"{times_words(precedent)} ({same})",
    )
