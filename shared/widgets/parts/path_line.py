"""A folder or a file to type in or to choose."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget


class PathLine(QWidget):
    """A line with a button, for a folder, a `file` or a `new_file`.

    `changed` whenever another path stands there.
    """

    changed = Signal()

    def __init__(
        self,
        name: str,
        parent: QWidget | None = None,
        *,
        file: bool = False,
        new_file: bool = False,
    ) -> None:
        super().__init__(parent)
        self._name = name
        self._is_file = file or new_file
        self._is_new = new_file
        self._line = QLineEdit()
        self._line.setAccessibleName(name)
        self._line.textChanged.connect(self.changed)
        button = QPushButton("Choose…")
        button.setAccessibleName(f"Choose: {name}")
        button.setAutoDefault(False)
        button.clicked.connect(self._choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._line, 1)
        layout.addWidget(button)
        self.setFocusProxy(self._line)

    @property
    def path(self) -> Path | None:
        """The path, None while the line is empty."""
        text = self._line.text().strip()
        return Path(text).expanduser() if text else None

    def set_path(self, path: Path) -> None:
        self._line.setText(str(path))

    def _choose(self) -> None:
        if self._is_file:
            dialog = QFileDialog(self, self._name, str(self.path or Path.home()))
            if self._is_new:
                dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
            else:
                dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
            _ask(dialog, self._line.setText)
        else:
            choose_folder(self, self._name, self.set_path, self.path)


def choose_folder(
    window: QWidget, title: str, take: Callable[[Path], object], begin: Path | None = None
) -> None:
    """Ask for a folder, without an event loop of its own."""

    def taken(chosen: str) -> None:
        take(Path(chosen))

    dialog = QFileDialog(window, title, str(begin or Path.home()))
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    _ask(dialog, taken)


def _ask(dialog: QFileDialog, take: Callable[[str], object]) -> None:
    dialog.fileSelected.connect(take)
    dialog.finished.connect(dialog.deleteLater)
    dialog.open()
