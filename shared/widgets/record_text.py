"""The records of a patient as one scroll of read-only text: offsets, caret, selection, bands.

What is marked in the text, and what the mouse does, is the document view's.
"""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QMimeData, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QTextCursor,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from shared.model import MergedView, Patient, Span
from shared.text.utf16 import Utf16Map, display_copy
from shared.text.words import chunk_at, snapped
from shared.widgets.mark_painter import label_font
from shared.widgets.record_band import (
    BandText,
    RecordBand,
    band_height,
    band_text,
    paint_band,
)
from shared.widgets.spaced_layout import SpacedLayout, Spacing, reading_document
from shared.widgets.text_loader import TextLoader
from shared.widgets.theme import LIGHT, Theme
from shared.widgets.view_geometry import Line, visible_blocks, visible_lines

READING_SIZE = 11.0
"""Points of the text at first, for those whose system writes smaller."""
_NOTHING = MergedView(Patient("", ()))
_TO_THE_END = (
    QKeySequence.StandardKey.MoveToEndOfDocument,
    QKeySequence.StandardKey.SelectEndOfDocument,
)


class RecordText(QPlainTextEdit):
    """Shows a merged view. All offsets are its code points; Qt's positions stay in here.

    No selection reaches over the edge of a record. Signals: `caret_moved` (int),
    `selection_changed`, `visible_changed` (Span or None) after scrolling.
    """

    caret_moved = Signal(int)
    selection_changed = Signal()
    visible_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = _NOTHING
        self._units = Utf16Map("")
        self._theme = LIGHT
        self._line_factor = 1.0
        self._two_layers = False
        self._exact = False
        self._clipping = False
        self._band = RecordBand(self)
        self._seen = QTimer(self)
        self._seen.setSingleShot(True)
        self._seen.timeout.connect(self._tell_visible)
        self._layout = self._new_layout("")
        self._set_up()
        font = QFont(self.font())
        font.setPointSizeF(max(font.pointSizeF(), READING_SIZE))
        self.setFont(font)

    @property
    def merged_view(self) -> MergedView:
        """What is open; a patient without records when nothing is."""
        return self._view

    @property
    def theme(self) -> Theme:
        return self._theme

    def open(self, view: MergedView) -> None:
        """Show a merged view from its start."""
        self._view = view
        self._units = Utf16Map(view.text)
        self._two_layers = False
        self._exact = False
        before = self.document()
        self._layout = self._new_layout(display_copy(view.text))
        before.deleteLater()
        self._scrolled()
        self.caret_moved.emit(0)

    def clear_document(self) -> None:
        """Show nothing."""
        self.open(_NOTHING)

    def caret(self) -> int:
        return self._units.to_offset(self.textCursor().position())

    def set_caret(self, offset: int) -> None:
        """Put the caret before the character at `offset` and bring it into sight."""
        self._place(self._units.to_units(offset))

    def caret_rectangle(self) -> QRect:
        """Return where the caret is, in coordinates of the screen, for what pops up there."""
        rect = self.cursorRect()
        return QRect(self.viewport().mapToGlobal(rect.topLeft()), rect.size())

    def select(self, span: Span) -> None:
        """Select exactly these characters, the caret at their end, and bring it into sight."""
        self._place(self._units.to_units(span.end), self._units.to_units(span.start))
        self._exact = True

    def selected_span(self) -> Span | None:
        """What is selected: grown to whole words and trimmed, unless exact characters were asked.

        Exact is what `select` has set, and what the mouse selected with Alt held at its release.
        """
        span = self._marked_out()
        if span is None or self._exact:
            return span
        return snapped(self._view.text, span.start, span.end)

    def target_span(self) -> Span | None:
        """What tagging acts on: the selection, else the chunk at the caret; None in white space."""
        if self.textCursor().hasSelection():
            return self.selected_span()
        return chunk_at(self._view.text, self.caret())

    def reveal(self, span: Span) -> None:
        """Scroll so that the span is in sight, with context above it; not at all if it is."""
        visible = self.visible_span()
        if visible is None or not visible.contains(span):
            self.scroll_to(span.start)

    def scroll_to(self, offset: int, below: float = 1 / 3) -> None:
        """Scroll so that the line with a character stands this far down the page."""
        position = self._units.to_units(offset)
        self._loader.load_to(position)
        top = self._layout.line_above(position, self.viewport().height() * below)
        self.verticalScrollBar().setValue(top)

    def visible_span(self) -> Span | None:
        """The text of the lines that are whole on the screen; None where there is none."""
        height = self.viewport().height()
        lines = list(self._lines_within(self.viewport().rect()))
        whole = [line for line in lines if line.top >= 0 and line.top + line.height <= height]
        if not whole:
            return None
        start, end = self._units.to_offset(whole[0].start), self._units.to_offset(whole[-1].end)
        return Span(start, end) if start < end else None

    def apply_theme(self, theme: Theme) -> None:
        """Show page and text in the colours of a theme."""
        self._theme = theme
        self.setPalette(theme.palette())
        self._band.apply_theme(theme)
        self.viewport().update()

    def set_reading_font(self, font: QFont, line_factor: float = 1.0) -> None:
        """Show the text in this font; `line_factor` 1.5 makes lines half as high again."""
        self._line_factor = line_factor
        self.setFont(font)
        self._fonts_changed()

    def createMimeDataFromSelection(self) -> QMimeData:
        span = self._marked_out()
        copied = QMimeData()
        copied.setText(span.text_in(self._view.text) if span else "")
        return copied

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self._select_record()
            return
        if any(map(event.matches, _TO_THE_END)):
            self._loader.load_all()
        before = self._marked_out()
        super().keyPressEvent(event)
        if self._marked_out() != before:
            self._exact = False

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        for block, _, top, _ in visible_blocks(self, event.rect()):
            # the record at the very top has its band above the page
            if top > 1 and block.position() in self._layout.band_positions:
                self._paint_band(painter, block.position(), top)
        if self.hasFocus():
            painter.fillRect(0, 0, 3, self.viewport().height(), self.palette().accent())
        painter.end()
        super().paintEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        frame = self.contentsRect()
        width, height = self.viewport().width(), band_height(self.font())
        self._band.setGeometry(frame.left(), frame.top(), width, height)
        self._scrolled()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fonts_changed()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()

    def _set_up(self) -> None:
        self.setReadOnly(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByKeyboard
            | Qt.TextInteractionFlag.TextSelectableByMouse
        )
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setCursorWidth(2)
        self.setAcceptDrops(False)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setViewportMargins(0, band_height(self.font()), 0, 0)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.cursorPositionChanged.connect(self._caret_moved)
        self.selectionChanged.connect(self._keep_in_record)

    def _new_layout(self, text: str) -> SpacedLayout:
        """Put the text into a fresh document: Qt takes less time to fill one than to refill it."""
        document = reading_document(self, self.font())
        self._loader = TextLoader(document, text)
        layout = SpacedLayout(document, self, self._spacing())
        layout.band_positions = frozenset(
            self._units.to_units(section.start) for section in self._view.sections[1:]
        )
        document.setDocumentLayout(layout)
        self.setDocument(document)
        return layout

    def _spacing(self) -> Spacing:
        label, text = QFontMetricsF(label_font(self.font())), QFontMetricsF(self.font())
        return Spacing.fitting(label, text, second=self._two_layers, factor=self._line_factor)

    def _fonts_changed(self) -> None:
        self._layout.spacing = self._spacing()
        document = self.document()
        document.markContentsDirty(0, document.characterCount())
        self._band.setFont(self.font())
        self.setViewportMargins(0, band_height(self.font()), 0, 0)
        self._scrolled()

    def _lines_within(self, rect: QRect) -> Iterator[Line]:
        return visible_lines(self, rect, self._layout.spacing)

    def _place(self, position: int, anchor: int | None = None) -> None:
        self._loader.load_to(max(position, anchor or 0))
        cursor = self.textCursor()
        cursor.setPosition(position if anchor is None else anchor)
        cursor.setPosition(position, QTextCursor.MoveMode.KeepAnchor)
        self.setTextCursor(cursor)

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
        """Mend what Qt does not reckon with: the room above the line at the top of the page."""
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

    def _scrolled(self) -> None:
        self._band.show_text(self._band_text(self.firstVisibleBlock().position()))
        self._seen.start(0)

    def _tell_visible(self) -> None:
        self.visible_changed.emit(self.visible_span())

    def _band_text(self, position: int) -> BandText | None:
        return band_text(self._view, self._units.to_offset(position))

    def _paint_band(self, painter: QPainter, position: int, top: float) -> None:
        text = self._band_text(position)
        height = band_height(self.font())
        below = (self._layout.spacing.band - height) / 2
        rect = QRectF(0, round(top + below), self.viewport().width(), height)
        if text is not None:
            paint_band(painter, rect, text, self._theme, self.font())
