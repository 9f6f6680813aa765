"""Reasons and flags on the disagreement that one is looking at."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from adjudicator.decisions import Note
from adjudicator.ui.decision_pane import DecisionPane
from adjudicator.ui.disagreement_guide import DisagreementGuide
from shared.errors import TandemError


class Remarks(QObject):
    """Keeps what is written in the pane; `failed` (Exception) where it could not be kept."""

    failed = Signal(object)

    def __init__(self, guide: DisagreementGuide, pane: DecisionPane, parent: QObject) -> None:
        super().__init__(parent)
        self._guide = guide
        self._pane = pane
        pane.remarked.connect(self.keep)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions of the table that remark, by their names."""
        return {"reason": self._pane.edit_reason, "discuss": self.flag}

    def flag(self) -> None:
        """Flag the current disagreement as one to be discussed, or take the flag away."""
        note = self._note()
        self.keep(note.reason, not note.discuss)

    def keep(self, reason: str, discuss: bool) -> None:
        """Keep a remark on the current disagreement, unless it is the one that is there."""
        session, current, before = self._guide.session, self._guide.current, self._note()
        if session is None or current is None:
            return
        if (before.reason, before.discuss) == (reason.strip(), discuss):
            return
        try:
            session.remark(current, reason, discuss=discuss)
        except TandemError as error:
            self.failed.emit(error)
        else:
            self._guide.tell_anew()

    def _note(self) -> Note:
        session, current = self._guide.session, self._guide.current
        note = session.note(current) if session and current else None
        return note or Note()
