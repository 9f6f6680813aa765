"""Whose key makes keyed pseudonyms: one for each patient that nobody keeps, or one from a file."""

from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QWidget

from adjudicator.ui.filter_row import offer

_EACH = "A key for each patient"
_CHOOSE = "A key from a file…"


class KeyBox(QComboBox):
    """The list `releaseKey`; `changed` where another key is wanted.

    Only the place of the file is held here, and that while the window is open; the key itself is
    read by whoever makes the pseudonyms.
    """

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.path: Path | None = None
        """The file with the key, None where each patient has one of their own."""
        self.setObjectName("releaseKey")
        self.setAccessibleName("Key")
        self.setToolTip(
            "With a key from a file, 32 bytes or more, the same text has the same pseudonym in all "
            "patients and releases; without, no two patients can be compared"
        )
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.activated.connect(self._take)
        self.show_path(None)
        self.hide()

    def show_path(self, path: Path | None) -> None:
        """Show which key is used."""
        self.path = path
        own = [(f"Key: {path.name}", str(path))] if path else []
        offer(self, [(_EACH, ""), *own, (_CHOOSE, None)])
        self.setCurrentIndex(len(own))

    def _take(self, index: int) -> None:
        said: str | None = self.itemData(index)
        if said is None:
            self._choose()
        else:
            self._use(Path(said) if said else None)

    def _choose(self) -> None:
        """Ask for a file, without an event loop of its own; until then nothing is changed."""
        self.show_path(self.path)
        dialog = QFileDialog(self, "The key of the pseudonyms", str(Path.home()))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(self._use_file)
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _use_file(self, chosen: str) -> None:
        self._use(Path(chosen))

    def _use(self, path: Path | None) -> None:
        if path != self.path:
            self.show_path(path)
            self.changed.emit()
