"""Work in a project that was handed out goes back: a new file and its passphrase."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from shared.errors import TandemError
from shared.project.files import is_there
from shared.project.handed_work import refuse_present, write_handed_in
from shared.project.project import Project
from shared.widgets.look.theme import theme_named
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.parts.path_line import PathLine
from shared.widgets.settings.preferences import preference_store


class HandInDialog(QDialog):
    """Writes the work into a file. Closed, it calls `come_back` with what was handed in, if any.

    `leave` saves and closes what is open, False where that cannot be.
    """

    def __init__(
        self,
        project: Project,
        leave: Callable[[], bool],
        come_back: Callable[[str], None],
        parent: QWidget,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("handIn")
        self.setWindowTitle("Hand in")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._said = ""
        self._project = project
        self._leave, self._come_back = leave, come_back
        self._banner = StatusBanner()
        self._banner.apply_theme(theme_named(preference_store().values.theme))
        self.file = PathLine("A new file for your work", new_file=True)
        self.file.set_path(_proposed(project.root))
        self._first = _secret("Passphrase")
        self._again = _secret("Passphrase again")
        self._buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        self._ok = self._buttons.button(QDialogButtonBox.StandardButton.Ok)
        self._ok.setText("&Hand in")
        self._lay_out()
        self._buttons.accepted.connect(self._hand_in)
        self._buttons.rejected.connect(self.reject)
        self.finished.connect(self._finished)
        for changed in (self.file.changed, self._first.textChanged, self._again.textChanged):
            changed.connect(self._allow)
        self._allow()
        self._first.setFocus()

    def leave_with_window(self) -> None:
        """Close as the window does, which opens nothing again."""
        self.finished.disconnect(self._finished)
        self.close()

    def _finished(self) -> None:
        self._come_back(self._said)

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow("&File", self.file)
        form.addRow("&Passphrase", self._first)
        form.addRow("&Again", self._again)
        said = QLabel("Send the file and, another way, its passphrase to whoever handed it out.")
        layout = QVBoxLayout(self)
        layout.addWidget(self._banner)
        layout.addLayout(form)
        layout.addWidget(said)
        layout.addStretch()
        layout.addWidget(self._buttons)
        self.resize(620, 240)

    def _allow(self) -> None:
        typed = self._first.text()
        self._ok.setEnabled(bool(self.file.path and typed and typed == self._again.text()))

    def _hand_in(self) -> None:
        path = self.file.path
        if path is None:
            return
        try:
            refuse_present(path)
            if self._leave():
                self._write(path)
            else:  # why stands in the window below
                self.reject()
        except TandemError as error:
            self._banner.show_error(error)

    def _write(self, path: Path) -> None:
        done, patients = write_handed_in(self._project, path, self._first.text())
        self._said = (
            f"Handed in: {done} of {patients} patients done, encrypted in "
            f"{path}. Send it to whoever handed the work out; you can go on and hand in again."
        )
        self.accept()


def _secret(name: str) -> QLineEdit:
    line = QLineEdit(echoMode=QLineEdit.EchoMode.Password)
    line.setAccessibleName(name)
    return line


def _proposed(root: Path) -> Path:
    """A new file beside the project."""
    names = (f"{root.name}-handed-in{number}" for number in ("", *(f"-{n}" for n in range(2, 999))))
    return next(path for path in map(root.with_name, names) if not is_there(path))
