"""The last step of a release: what is asked, the writing, and what is said and shown of it."""

from pathlib import Path

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from adjudicator.release.session import ReleaseSession
from adjudicator.release.writing import ReleaseOptions
from adjudicator.ui.release.dialog import DataCardView, ReleaseDialog
from adjudicator.ui.release.work import ReleaseWork
from shared.errors import TandemError
from shared.widgets.parts.messages import StatusBanner, Tone


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
