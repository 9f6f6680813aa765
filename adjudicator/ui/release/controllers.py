"""What one can do to a release that is shown: edit its list, have it written, see its data card."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from adjudicator.release.draft import ReleaseBlocker
from adjudicator.release.held_back import Held, in_words
from adjudicator.release.restored_records import restore_release
from adjudicator.release.rows import ReleaseRow
from adjudicator.release.session import ReleaseSession
from adjudicator.release.writing import ReleaseOptions
from adjudicator.ui.latest_task import LatestTask
from adjudicator.ui.release.dialog import DataCardView, ReleaseDialog
from adjudicator.ui.release.restoring import RestoreDialog, Restoring
from shared.errors import TandemError
from shared.project.project import Project
from shared.widgets.parts.background_task import ProgressTask
from shared.widgets.parts.messages import StatusBanner, Tone


class ReleaseController(QObject):
    """Changes the list as it is asked to, but not while it is made or released; releases it.

    What cannot be done is said in the banner. Signals: `said` (str), and `changed` when the list
    is to be shown anew, and `risk_wanted` (Path) to see what may be left in a release.
    """

    said = Signal(str)
    changed = Signal()
    risk_wanted = Signal(object)

    def __init__(
        self, project: Project, work: LatestTask, banner: StatusBanner, window: QWidget
    ) -> None:
        super().__init__(window)
        self._project = project
        self._restoring: Restoring | None = None
        """What was asked for when it could not be restored, to be asked for again."""
        self.session: ReleaseSession | None = None
        """The release under way, None until it is made."""
        self._work = work
        self._banner = banner
        self._window = window

    def explain(self, row: ReleaseRow) -> None:
        """Say what the keys do in the cell that is being edited."""
        count = len(self.session.same_text(row)) if self.session else 0
        enter = f"Enter changes all {count} with this text" if count > 1 else "Enter changes it"
        self.said.emit(f"{enter}, Shift+Enter only this one, Esc none.")

    def write(self, row: ReleaseRow, text: str, same_text: bool) -> None:
        def edit(session: ReleaseSession) -> str:
            edited = session.edit(row, text, same_text=same_text)
            others = f" {edited.others} more of {row.group} were not changed: check them too."
            return f"{edited.changed} changed." + (others if edited.others and row.group else "")

        self._change(edit)

    def approve(self, rows: Sequence[ReleaseRow]) -> None:
        def approve(session: ReleaseSession) -> str:
            count = session.approve(rows)
            return f"{count} reviewed." if count else "None of these needs review."

        self._change(approve)

    def dismiss(self, blocker: ReleaseBlocker, reason: str) -> None:
        self._change(lambda session: session.dismiss(blocker, reason), "Dismissed.")

    def hold_back(self, keys: Sequence[Held], reason: str) -> None:
        what = in_words(keys[0]) if len(keys) == 1 else f"{len(keys):,}"
        said = f"Held back: {what}. Ctrl+Z takes it back."
        self._change(lambda session: session.hold_back(keys, reason), said)

    def let_in(self, key: Held) -> None:
        said = f"Held back no more: {in_words(key)}."
        self._change(lambda session: session.let_in(key), said)

    def undo(self) -> None:
        self._change(ReleaseSession.undo, "The last change was undone.")

    def ask(self) -> None:
        """Ask for the options of the release; what is asked for is written then."""
        if self.session is not None:
            dialog = ReleaseDialog(self.session, self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.wanted.connect(partial(self._release, self.session))
            dialog.open()

    def ask_to_restore(self) -> None:
        """Ask which release is to be led back by its map; its records are written then."""
        dialog = RestoreDialog(self._project.root, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if self._restoring is not None:
            dialog.show_again(self._restoring)
        dialog.wanted.connect(self._restore)
        dialog.open()

    def close(self) -> None:
        self._work.stop()
        for card in self._window.findChildren(DataCardView):
            card.close()

    def _change(self, what: Callable[[ReleaseSession], str | None], done: str = "") -> None:
        if self.session is None or self._work.is_running:
            return
        try:
            said = what(self.session) or done
        except TandemError as error:
            self._banner.show_error(error)
        else:
            self._banner.clear()
            self.said.emit(said)
        self.changed.emit()

    def _release(self, session: ReleaseSession, options: ReleaseOptions) -> None:
        def write(job: ProgressTask) -> None:
            session.release(options, job.watch)

        def tell(_outcome: None) -> None:
            self._tell_released(session, options.out)

        self._banner.clear()
        self._work.start(write, tell, "Writing the release")

    def _tell_released(self, session: ReleaseSession, out: Path) -> None:
        self.changed.emit()
        self._banner.show_message(
            f"{session.draft.record_count:,} records of {len(session.draft.surrogates):,} patients "
            f"were released to {out}{_held_back(session)}. Reload (F5) to begin the next release.",
            Tone.HINT,
            {
                "Data card": partial(self._show_card, out),
                "What may be left": partial(self.risk_wanted.emit, out),
                "Open folder": partial(_open_folder, out),
            },
        )

    def _restore(self, asked: Restoring) -> None:
        root = self._project.root

        def write(job: ProgressTask) -> int:
            return restore_release(asked.kept, asked.release, asked.out, root, job.watch)

        def tell(count: int) -> None:
            self._restoring = None
            self._banner.show_message(
                f"{count:,} records stand in {asked.out} as they were. They name the patients "
                "again.",
                Tone.HINT,
                {"Open folder": partial(_open_folder, asked.out)},
            )

        self._restoring = replace(asked, kept=replace(asked.kept, passphrase=""))
        self._banner.clear()
        self._work.start(write, tell, "Restoring the release")

    def _show_card(self, out: Path) -> None:
        for card in self._window.findChildren(DataCardView):
            card.close()
        try:
            DataCardView(out, self._window).show()
        except TandemError as error:
            self._banner.show_error(error)


def _open_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


def _held_back(session: ReleaseSession) -> str:
    count = session.records_held
    return f", {count:,} held back" if count else ""
