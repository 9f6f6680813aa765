"""A folder to type in or to choose."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget


class FolderLine(QWidget):
    """A line with a button; `changed` whenever another folder stands there."""

    changed = Signal()

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name = name
        self._line = QLineEdit()
        self._line.setAccessibleName(name)
        self._line.textChanged.connect(self.changed)
        button = QPushButton("&Choose…")
        button.setAccessibleName(f"Choose: {name}")
        button.setAutoDefault(False)
        button.clicked.connect(self._choose)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._line, 1)
        layout.addWidget(button)
        self.setFocusProxy(self._line)

    @property
    def folder(self) -> Path | None:
        """The folder, None while the line is empty."""
        text = self._line.text().strip()
        return Path(text).expanduser() if text else None

    def set_folder(self, folder: Path) -> None:
        self._line.setText(str(folder))

    def _choose(self) -> None:
        dialog = QFileDialog(self, self._name, str(self.folder or Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        dialog.fileSelected.connect(self._line.setText)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
