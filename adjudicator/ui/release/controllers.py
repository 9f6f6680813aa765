"""What the release window does: the work off its thread, edits of the list, the release at last."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl, Signal
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from adjudicator.release.draft import ReleaseBlocker
from adjudicator.release.rows import ReleaseRow
from adjudicator.release.session import ReleaseSession
from adjudicator.release.source import SurrogateOptions
from adjudicator.release.writing import ReleaseOptions
from adjudicator.ui.release.dialog import DataCardView, ReleaseDialog
from shared.errors import TandemError
from shared.project.project import Project
from shared.widgets.parts.background_task import CancelledError, ProgressTask
from shared.widgets.parts.messages import StatusBanner, Tone


class ReleaseWork(QObject):
    """One piece of work at a time, which can be cancelled and then leaves nothing.

    Signals: `begun` (ProgressTask, what it does), then one of `opened` (ReleaseSession), `released`
    (ReleaseOptions), `cancelled`, `failed` (Exception).
    """

    begun = Signal(object, str)
    opened = Signal(object)
    released = Signal(object)
    cancelled = Signal()
    failed = Signal(object)

    def __init__(self, project: Project, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._project = project
        self._task: ProgressTask | None = None

    @property
    def is_running(self) -> bool:
        return self._task is not None

    def open(self, options: SurrogateOptions) -> None:
        """Read the project and replace every PHI; what runs already is cancelled."""
        project = self._project

        def work(job: ProgressTask) -> ReleaseSession:
            return ReleaseSession.open(project, options, job.watch)

        self._start(work, "Replacing all PHI", self.opened.emit)

    def release(self, session: ReleaseSession, options: ReleaseOptions) -> None:
        """Write a release."""

        def work(job: ProgressTask) -> ReleaseOptions:
            session.release(options, job.watch)
            return options

        self._start(work, "Writing the release", self.released.emit)

    def cancel(self) -> None:
        """End what runs, at its next step."""
        if self._task is not None:
            self._task.cancel()

    def wait(self) -> None:
        """Block until nothing of this runs any more."""
        if self._task is not None:
            self._task.wait()

    def _start(
        self, work: Callable[[ProgressTask], object], what: str, use: Callable[[object], object]
    ) -> None:
        self.cancel()
        task: ProgressTask = ProgressTask(lambda _: work(task), self)
        self._task = task

        def succeed(outcome: object) -> None:
            if task is self._task:
                self._task = None
                use(outcome)

        def fail(error: Exception) -> None:
            if task is self._task:
                self._task = None
                self._tell(error)

        task.succeeded.connect(succeed)
        task.failed.connect(fail)
        task.finished.connect(task.deleteLater)
        self.begun.emit(task, what)
        task.start()

    def _tell(self, error: Exception) -> None:
        if isinstance(error, CancelledError):
            self.cancelled.emit()
        else:
            self.failed.emit(error)


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


class ReleaseWriter(QObject):
    """Asks for a release's options, lets it be written, and says in the banner that it is."""

    def __init__(self, work: ReleaseWork, banner: StatusBanner, window: QWidget) -> None:
        super().__init__(window)
        self._work = work
        self._banner = banner
        self._window = window
        self._session: ReleaseSession | None = None
        self._card: DataCardView | None = None
        work.released.connect(self._tell)

    def ask(self, session: ReleaseSession) -> None:
        """Open the dialog; what it asks for is written then."""
        self._session = session
        dialog = ReleaseDialog(session, self._window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.wanted.connect(self._write)
        dialog.open()

    def close(self) -> None:
        """Let what is shown of a release go."""
        if self._card is not None:
            self._card.close()
            self._card = None

    def _write(self, options: ReleaseOptions) -> None:
        if self._session is not None:
            self._banner.clear()
            self._work.release(self._session, options)

    def _tell(self, options: ReleaseOptions) -> None:
        if self._session is None:
            return
        draft = self._session.draft
        self._banner.show_message(
            f"{draft.record_count:,} records of {len(draft.patients):,} patients were released to "
            f"{options.out}. Reload (F5) to begin the next release.",
            Tone.HINT,
            {
                "Data card": lambda: self._show_card(options.out),
                "Open folder": lambda: _open_folder(options.out),
            },
        )

    def _show_card(self, out: Path) -> None:
        try:
            card = DataCardView(out, self._window)
        except TandemError as error:
            self._banner.show_error(error)
        else:
            self.close()
            self._card = card
            card.destroyed.connect(self._forget_card)
            card.show()

    def _forget_card(self) -> None:
        self._card = None


def _open_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
