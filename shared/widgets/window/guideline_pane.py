"""The guidelines inside the window, opened at the section that is asked for."""

from PySide6.QtGui import QTextBlock, QTextCursor, QTextDocument
from PySide6.QtWidgets import QLineEdit, QTextBrowser, QVBoxLayout, QWidget


class GuidelinePane(QWidget):
    """A text in Markdown with a search line above it."""

    def __init__(self, markdown: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._browser = QTextBrowser()
        self._browser.setAccessibleName("Guidelines")
        self._browser.setMarkdown(markdown)
        self._browser.setOpenLinks(False)
        self._search = QLineEdit()
        self._search.setPlaceholderText("Search the guidelines")
        self._search.setAccessibleName("Search the guidelines")
        self._search.setClearButtonEnabled(True)
        self._search.returnPressed.connect(self._find_next)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._search)
        layout.addWidget(self._browser)

    def open_section(self, heading: str) -> bool:
        """Scroll to the heading whose words include `heading`; False where there is none."""
        block = self._browser.document().begin()
        while block.isValid():
            if block.blockFormat().headingLevel() and _names(block, heading):
                self._show(block)
                return True
            block = block.next()
        return False

    def _show(self, block: QTextBlock) -> None:
        self._browser.moveCursor(QTextCursor.MoveOperation.End)
        self._browser.setTextCursor(QTextCursor(block))
        self._browser.ensureCursorVisible()

    def _find_next(self) -> None:
        words = self._search.text()
        if words and not self._browser.find(words):
            self._browser.moveCursor(QTextCursor.MoveOperation.Start)
            self._browser.find(words, QTextDocument.FindFlag(0))


def _names(block: QTextBlock, heading: str) -> bool:
    return heading.casefold() in block.text().casefold().replace(",", " ").split()
