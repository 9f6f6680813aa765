"""The data card of a release, to read."""

from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QTextBrowser, QVBoxLayout, QWidget

from shared.errors import FileFormatError
from shared.project.atomic_file import read_file
from shared.surrogates.data_card import CARD


class DataCardView(QDialog):
    """Shows the card in a release's folder; raises FileError where there is none."""

    def __init__(self, out: Path, parent: QWidget | None = None) -> None:
        data = read_file(out / CARD)
        if data is None:
            raise FileFormatError(out, f"has no {CARD}")
        super().__init__(parent)
        self.setObjectName("dataCard")
        self.setWindowTitle("Data card")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        page = QTextBrowser()
        page.setObjectName("dataCardPage")
        page.setMarkdown(data.decode("utf-8", "replace"))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.close)
        layout = QVBoxLayout(self)
        layout.addWidget(page)
        layout.addWidget(buttons)
        self.resize(760, 720)
