"""Filling a document with a long text while the first page can be read already.

Qt takes some 2 microseconds for each line, 0.2 s for the 100,000 lines of 5 MB.
"""

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextCursor, QTextDocument

FIRST_PIECE = 100_000
_PIECE = 60_000
_PAUSE = 5


class TextLoader(QObject):
    """Puts a display copy into a document, the start at once and the rest when there is time.

    Whoever needs a position asks `load_to` first.
    """

    def __init__(self, document: QTextDocument, text: str) -> None:
        super().__init__(document)
        self._document = document
        self._text = text
        self._loaded = self._line_end(FIRST_PIECE)
        document.setPlainText(text[: self._loaded])
        self._timer = QTimer(self)
        self._timer.setInterval(_PAUSE)
        self._timer.timeout.connect(self._load_piece)
        if not self.is_done:
            self._timer.start()

    @property
    def is_done(self) -> bool:
        return self._loaded == len(self._text)

    @property
    def length(self) -> int:
        """The number of UTF-16 units that are in the document."""
        return self._document.characterCount() - 1

    def load_to(self, position: int) -> None:
        """Have the document reach beyond a UTF-16 position."""
        if position >= self.length:
            # a unit is at most a character, so this is far enough
            self._load(self._loaded + position - self.length + _PIECE)

    def load_all(self) -> None:
        self._load(len(self._text))

    def _load_piece(self) -> None:
        self._load(self._loaded + _PIECE)

    def _load(self, end: int) -> None:
        if not self.is_done:
            start, self._loaded = self._loaded, self._line_end(end)
            cursor = QTextCursor(self._document)
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(self._text[start : self._loaded])
        if self.is_done:
            self._timer.stop()
            self._text = ""
            self._loaded = 0

    def _line_end(self, offset: int) -> int:
        """The end of the line at `offset`, or of the text."""
        found = self._text.find("\n", offset)
        return found + 1 if found >= 0 else len(self._text)
