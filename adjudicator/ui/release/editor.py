"""What a person changes in the list of replacements, one after the other, each to be taken back."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal

from adjudicator.release.draft import ReleaseBlocker
from adjudicator.release.rows import ReleaseRow
from adjudicator.release.session import ReleaseSession
from adjudicator.ui.release.work import ReleaseWork
from shared.errors import TandemError
from shared.widgets.parts.messages import StatusBanner


class ReleaseEditor(QObject):
    """Changes the list as it is asked to, but not while the list is made or released.

    What cannot be done is said in the banner. Signals: `said` (str), and `changed` when the list
    is to be shown anew.
    """

    said = Signal(str)
    changed = Signal()

    def __init__(self, work: ReleaseWork, banner: StatusBanner, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._banner = banner
        self._session: ReleaseSession | None = None

    def take(self, session: ReleaseSession) -> None:
        """Change the list of this session from now on."""
        self._session = session

    def explain(self, row: ReleaseRow) -> None:
        """Say what the keys do in the cell that is being edited."""
        if self._session is not None:
            count = len(self._session.same_text(row))
            same_text = (
                f"Enter changes all {count} with this text, " if count > 1 else "Enter changes it, "
            )
            self.said.emit(f"{same_text}Shift+Enter only this one, Esc none.")

    def write(self, row: ReleaseRow, text: str, same_text: bool) -> None:
        """Let `text` stand for a row, or for all with its text."""

        def edit(session: ReleaseSession) -> str:
            edited = session.edit(row, text, same_text=same_text)
            changed = "1 changed." if edited.changed == 1 else f"{edited.changed} changed."
            others = f" {edited.others} more of {row.group} were not changed: check them too."
            return changed + (others if edited.others and row.group else "")

        self._change(edit)

    def approve(self, rows: Sequence[ReleaseRow]) -> None:
        """Note that these were looked at and are good."""

        def approve(session: ReleaseSession) -> str:
            count = session.approve(rows)
            return f"{count} reviewed." if count else "None of these needs review."

        self._change(approve)

    def confirm_not_phi(self, blocker: ReleaseBlocker) -> None:
        """Note that what stands in the way is no PHI."""

        def clear(session: ReleaseSession) -> str:
            session.confirm_not_phi(blocker)
            return "Marked as not PHI."

        self._change(clear)

    def undo(self) -> None:
        """Take the last change back."""

        def undo(session: ReleaseSession) -> str:
            session.undo()
            return "The last change was undone."

        self._change(undo)

    def _change(self, what: Callable[[ReleaseSession], str]) -> None:
        if self._session is None or self._work.is_running:
            return
        try:
            said = what(self._session)
        except TandemError as error:
            self._banner.show_error(error)
        else:
            self._banner.clear()
            self.said.emit(said)
        self.changed.emit()
