"""The records of a patient as text that one walks through and selects in: caret and selection.

What is marked in the text, and what the mouse does, is the document view's.
"""

from collections.abc import Callable

from PySide6.QtCore import QMimeData, QRect, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence, QTextCursor
from PySide6.QtWidgets import QWidget

from shared.language.chunks import chunk_at
from shared.language.languages import Language, default_language
from shared.model import MergedView, Span
from shared.text.words import snapped
from shared.widgets.document.spaced_text import SpacedText

_TO_THE_END = (
    QKeySequence.StandardKey.MoveToEndOfDocument,
    QKeySequence.StandardKey.SelectEndOfDocument,
)


class RecordText(SpacedText):
    """No selection reaches over the edge of a record.

    Signals beside those of the text: `caret_moved` (int), `selection_changed`.
    """

    caret_moved = Signal(int)
    selection_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.exact_characters = False
        """Whether selections are to stay as they are made, and not to grow to whole words."""
        self._exact = False
        self._clipping = False
        self._read_language: Callable[[], Language] = default_language
        self.cursorPositionChanged.connect(self._caret_moved)
        self.selectionChanged.connect(self._keep_in_record)

    @property
    def language(self) -> Language:
        """The language of the records, read when it is first asked for."""
        return self._read_language()

    def open(
        self, view: MergedView, read_language: Callable[[], Language] = default_language
    ) -> None:
        self._exact = False
        self._read_language = read_language
        super().open(view)
        self.caret_moved.emit(0)

    def caret(self) -> int:
        return self._units.to_offset(self.textCursor().position())

    def set_caret(self, offset: int) -> None:
        """Put the caret before the character at `offset`; out of sight it comes with context."""
        self._show_around(offset, offset)
        self._place(self._units.to_units(offset))

    def caret_rectangle(self) -> QRect:
        """Return where the caret is, in coordinates of the screen, for what pops up there."""
        rect = self.cursorRect()
        return QRect(self.viewport().mapToGlobal(rect.topLeft()), rect.size())

    def select(self, span: Span) -> None:
        """Select exactly these characters, the caret at their end; as `reveal` shows them."""
        self.reveal(span)
        self._place(self._units.to_units(span.end), self._units.to_units(span.start))
        self._exact = True

    def selected_span(self) -> Span | None:
        """What is selected: grown to whole words and trimmed, unless exact characters were asked.

        Exact is what `select` has set, what is selected while `exact_characters` is on, and what
        the mouse selected with Ctrl or Alt held at its release.
        """
        span = self._marked_out()
        if span is None or self._exact:
            return span
        return snapped(self._view.text, span.start, span.end)

    def target_span(self) -> Span | None:
        """What tagging acts on: the selection, else the chunk at the caret; None in white space."""
        if self.textCursor().hasSelection():
            return self.selected_span()
        return chunk_at(self._view.text, self.caret(), self.language)

    def reveal(self, span: Span) -> None:
        """Scroll so that the span is in sight, with context above it; not at all if it is."""
        self._show_around(span.start, span.end)

    def scroll_to(self, offset: int, below: float = 1 / 3) -> None:
        """Scroll so that the line with a character stands this far down the page."""
        position = self._units.to_units(offset)
        self._loader.load_to(position)
        top = self._layout.line_above(position, self.viewport().height() * below)
        self.verticalScrollBar().setValue(top)

    def createMimeDataFromSelection(self) -> QMimeData:
        span = self._marked_out()
        copied = QMimeData()
        copied.setText(span.text_in(self._view.text) if span else "")
        return copied

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Take nothing: Qt would put the text in where it stands, read-only or not."""
        event.ignore()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_record()
            return
        if any(map(event.matches, _TO_THE_END)):
            self._loader.load_all()
        before = self._marked_out()
        if before is not None and event.matches(self._key_of_next_word()):
            self._skip_blanks(before)
        super().keyPressEvent(event)
        if self._marked_out() != before:
            self._exact = self.exact_characters

    def _key_of_next_word(self) -> QKeySequence.StandardKey:
        """What selects to the next word: keys go as the eye does."""
        direction = self.textCursor().block().textDirection()
        if direction is Qt.LayoutDirection.RightToLeft:
            return QKeySequence.StandardKey.SelectPreviousWord
        return QKeySequence.StandardKey.SelectNextWord

    def _skip_blanks(self, marked_out: Span) -> None:
        """Bring the end of a selection behind a word to the next, which is then taken in whole."""
        caret, text = self.caret(), self._view.text
        if caret == marked_out.end and text[caret : caret + 1].isspace():
            following = len(text) - len(text[caret:].lstrip())
            self._place(self._units.to_units(following), self._units.to_units(marked_out.start))

    def _place(self, position: int, anchor: int | None = None) -> None:
        self._loader.load_to(max(position, anchor or 0))
        cursor = self.textCursor()
        cursor.setPosition(position if anchor is None else anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

    def _show_around(self, start: int, end: int) -> None:
        visible = self.visible_span()
        if visible is None or not visible.start <= start <= end <= visible.end:
            self.scroll_to(start)

    def _marked_out(self) -> Span | None:
        """The characters that the selection covers on the screen."""
        cursor = self.textCursor()
        start = self._units.to_offset(cursor.selectionStart())
        end = self._units.to_offset(cursor.selectionEnd())
        return Span(start, end) if start < end else None

    def _select_record(self) -> None:
        section = self._view.section_at(self.caret()) if self._view.sections else None
        if section is not None and section.start < section.end:
            self.select(Span(section.start, section.end))

    def _caret_moved(self) -> None:
        self._keep_caret_in_sight()
        self.caret_moved.emit(self.caret())

    def _keep_caret_in_sight(self) -> None:
        """Add what Qt does not reckon with: the room above the line at the top of the page."""
        over = self.cursorRect().bottom() + self._layout.spacing.below - self.viewport().height()
        if 0 < over < self.viewport().height():
            line = self.cursorRect().height() + self._layout.spacing.above
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + 1 + int(over / line))

    def _keep_in_record(self) -> None:
        """Draw a selection that reaches into another record back to its own."""
        cursor = self.textCursor()
        if self._clipping or not self._view.sections:
            return
        section = self._view.section_at(self._units.to_offset(cursor.anchor()))
        low, high = self._units.to_units(section.start), self._units.to_units(section.end)
        position = min(max(cursor.position(), low), high)
        if position != cursor.position() and cursor.hasSelection():
            self._clipping = True
            self._place(position, cursor.anchor())
            self._clipping = False
        self.selection_changed.emit()
