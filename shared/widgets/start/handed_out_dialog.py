"""Work that was handed out becomes a project: the file, its passphrase and a new folder."""

from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from shared.errors import FileError, TandemError
from shared.project.files import read_file
from shared.project.handed_work import LARGEST_HANDED, open_handed_out
from shared.widgets.look.theme import Theme
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.parts.path_line import PathLine


class HandedOutDialog(QDialog):
    """Asks for all three at once, and stays open with what is wrong: `made` (folder: Path)."""

    made = Signal(object)

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("handedOut")
        self.setWindowTitle("Open handed-out work")
        self._banner = StatusBanner()
        self._banner.apply_theme(theme)
        self.file = PathLine("The file that was handed out", file=True)
        self._passphrase = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
        self._passphrase.setAccessibleName("Passphrase")
        self.folder = PathLine("A new folder for the work")
        self._proposed: Path | None = None
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel
        )
        self._buttons.accepted.connect(self._open)
        self._buttons.rejected.connect(self.reject)
        form = QFormLayout()
        form.addRow("&File", self.file)
        form.addRow("&Passphrase", self._passphrase)
        form.addRow("&New folder", self.folder)
        said = QLabel("Whoever handed the work out knows the passphrase.")
        layout = QVBoxLayout(self)
        layout.addWidget(self._banner)
        layout.addLayout(form)
        layout.addWidget(said)
        layout.addStretch()
        layout.addWidget(self._buttons)
        self.file.changed.connect(self._propose)
        for changed in (self.file.changed, self._passphrase.textChanged, self.folder.changed):
            changed.connect(self._allow)
        self._allow()
        self.resize(620, 240)

    def _propose(self) -> None:
        """Name a folder beside the file, unless somebody chose another."""
        path = self.file.path
        if path is not None and self.folder.path in {None, self._proposed}:
            self._proposed = path.with_name(f"{path.stem}-work")
            self.folder.set_path(self._proposed)

    def _allow(self) -> None:
        whole = bool(self.file.path and self._passphrase.text() and self.folder.path)
        self._buttons.button(QDialogButtonBox.StandardButton.Open).setEnabled(whole)

    def _open(self) -> None:
        path, folder = self.file.path, self.folder.path
        if path is None or folder is None:
            return
        self.setCursor(Qt.CursorShape.WaitCursor)
        try:
            content = read_file(path, largest=LARGEST_HANDED, may_be_link=True)
            if content is None:
                raise FileError(path, "does not exist; check the name")
            project = open_handed_out(content, path, self._passphrase.text(), folder)
        except TandemError as error:
            self._banner.show_error(error)
        else:
            self.made.emit(project.root)
            self.accept()
        finally:
            self.unsetCursor()
