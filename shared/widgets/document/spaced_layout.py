"""Lines with room for labels above, underlines below, and a band where a record begins.

Compact lines leave room for underlines and brackets alone.
"""

from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QObject, QPointF, QRectF, Qt, QTimer
from PySide6.QtGui import QFont, QFontMetricsF, QTextBlock, QTextDocument, QTextOption
from PySide6.QtWidgets import QPlainTextDocumentLayout, QPlainTextEdit

_MARGIN = 14
_TAB = 8


@dataclass(frozen=True, slots=True)
class Spacing:
    """Pixels kept free above and below each line, and above a record's first one."""

    above: float
    below: float
    band: float

    @classmethod
    def fitting(
        cls,
        label: QFontMetricsF,
        text: QFontMetricsF,
        *,
        second: bool,
        factor: float = 1.0,
        compact: bool = False,
    ) -> "Spacing":
        """Return the spacing for these fonts.

        `second` makes room for what two annotators say: for a second row of labels above the line,
        and for one below it.
        """
        row = label.capHeight()
        if compact:
            above, below = (4.0, 6.0) if second else (0.0, 2.0)
        else:
            above = row + 5.0 + (row + 2.0 if second else 0.0)
            below = row + 11.0 if second else 7.0
        more = text.height() * (factor - 1.0) / 2
        return cls(above + more, below + more, text.height() + 26.0)


def reading_document(parent: QObject, font: QFont) -> QTextDocument:
    """Return an empty document for reading: no undo, lines wrapped, each in its own direction."""
    document = QTextDocument(parent)
    document.setUndoRedoEnabled(False)
    document.setDocumentMargin(_MARGIN)
    document.setDefaultFont(font)
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
    option.setTabStopDistance(QFontMetricsF(font).horizontalAdvance(" ") * _TAB)
    document.setDefaultTextOption(option)
    return document


class SpacedLayout(QPlainTextDocumentLayout):
    """A plain text layout that leaves the `Spacing` free around every line.

    Blocks are laid out when somebody first asks for their size. Qt must hear through
    documentSizeChanged that a block has more lines than assumed, else the scroll bar ends short of
    the end of the text; but not while it asks, so a timer tells it afterwards.
    """

    def __init__(self, document: QTextDocument, edit: QPlainTextEdit, spacing: Spacing) -> None:
        super().__init__(document)
        # never self.document(): asking a layout makes PySide take it for its document's owner,
        # which it then deletes twice
        self._document = document
        self._edit = edit
        self.spacing = spacing
        self.band_positions: Collection[int] = ()
        """UTF-16 positions of the blocks that have a band above."""
        self._rects: dict[int, QRectF] = {}
        """Of the blocks that are laid out, by number: Qt asks for them again and again."""
        self.version = 0
        """Another number for every change of what is laid out already."""
        self.update.connect(self._forget)
        self._resized = QTimer(self)
        self._resized.setSingleShot(True)
        self._resized.setInterval(0)
        self._resized.timeout.connect(self._tell_size)

    def space(self, spacing: Spacing) -> None:
        """Lay everything out anew with this spacing; how far one can scroll follows at once."""
        self.spacing = spacing
        self._document.markContentsDirty(0, self._document.characterCount())
        self._tell_size()

    def settle(self) -> None:
        """Tell now, not later, if the number of lines has changed."""
        if self._resized.isActive():
            self._resized.stop()
            self._tell_size()

    def line_above(self, position: int, height: float) -> int:
        """The number of the line about `height` pixels above that at a UTF-16 position."""
        block = self._document.findBlock(position)
        self.blockBoundingRect(block)
        room = height - block.layout().lineForTextPosition(position - block.position()).y()
        while room > 0 and block.previous().isValid():
            block = block.previous()
            room -= self.blockBoundingRect(block).height()
        self.settle()
        layout = block.layout()
        numbers = range(layout.lineCount())
        above = bisect_left(numbers, -room, key=lambda number: layout.lineAt(number).y())
        return block.firstLineNumber() + above

    def blockBoundingRect(self, block: QTextBlock) -> QRectF:
        number = block.blockNumber()
        if number in self._rects:
            return self._rects[number]
        if not block.isValid():
            return QRectF()
        if block.layout().lineCount() == 0:
            self._lay_out(block)
        rect = super().blockBoundingRect(block)
        if block.length() > 1:
            rect.adjust(0.0, 0.0, 0.0, self.spacing.below)
        self._rects[number] = rect
        return rect

    def documentChanged(self, from_: int, removed: int, added: int) -> None:
        self._forget()
        super().documentChanged(from_, removed, added)
        if self._document.blockCount() == 1:
            # Qt lays a lone block out at once, by its own rules
            self._document.firstBlock().clearLayout()
        self._forget()

    def _forget(self) -> None:
        self._rects = {}
        self.version += 1

    def _lay_out(self, block: QTextBlock) -> None:
        layout = block.layout()
        margin = self._document.documentMargin()
        width = max(40.0, self._edit.viewport().width() - 2 * margin)
        is_empty = block.length() == 1  # it needs no room around it
        above, below = (0.0, 0.0) if is_empty else (self.spacing.above, self.spacing.below)
        layout.setTextOption(self._option(block))
        layout.beginLayout()
        y = self.spacing.band if block.position() in self.band_positions else 0.0
        while (line := layout.createLine()).isValid():
            line.setLeadingIncluded(True)
            line.setLineWidth(width)
            y += above
            line.setPosition(QPointF(margin, y))
            y += line.height() + below
        layout.endLayout()
        if block.lineCount() != layout.lineCount():
            block.setLineCount(layout.lineCount())
            self._resized.start()

    def _option(self, block: QTextBlock) -> QTextOption:
        option = self._document.defaultTextOption()
        if block.textDirection() is Qt.LayoutDirection.RightToLeft:
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        return option

    def _tell_size(self) -> None:
        self.documentSizeChanged.emit(self.documentSize())
