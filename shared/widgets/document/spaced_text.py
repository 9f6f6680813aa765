"""The records of a patient as one scroll of lines with room for labels, and a band per record.

Where the caret is and what is selected is the record text's; what is marked is the document view's.
"""

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from shared.model import MergedView, Patient, Span
from shared.text.utf16 import Utf16Map, display_copy
from shared.widgets.document.mark_painter import label_font
from shared.widgets.document.record_band import (
    BandText,
    RecordBand,
    band_height,
    band_text,
    paint_band,
)
from shared.widgets.document.spaced_layout import SpacedLayout, Spacing, reading_document
from shared.widgets.document.text_loader import TextLoader
from shared.widgets.document.view_geometry import Line, visible_blocks, visible_lines
from shared.widgets.look.framed_list import draw_plainly
from shared.widgets.look.theme import LIGHT, Theme

READING_SIZE = 11.0
"""Points of the text at first, for those whose system writes smaller."""
_NOTHING = MergedView(Patient("", ()))


class SpacedText(QPlainTextEdit):
    """Shows a merged view, read-only. All offsets are its code points; Qt's positions stay inside.

    Signals: `visible_changed` (Span or None) after scrolling; `zoomed` (int) by Ctrl and the wheel:
    1 for larger text, -1 for smaller.
    """

    visible_changed = Signal(object)
    zoomed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = _NOTHING
        self._units = Utf16Map("")
        self._theme = LIGHT
        self._line_factor = 1.0
        self._compact = False
        self._two_layers = False
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
        before = self.document()
        self._layout = self._new_layout(display_copy(view.text))
        before.deleteLater()
        self._scrolled()

    def clear_document(self) -> None:
        """Show nothing."""
        self.open(_NOTHING)

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

    @property
    def is_compact(self) -> bool:
        return self._compact

    def set_reading_font(
        self, font: QFont, line_factor: float = 1.0, *, compact: bool = False
    ) -> None:
        """Show the text in this font; `line_factor` 1.5 makes lines half as high again.

        Compact lines are as high as the font wants them, without room for labels.
        """
        self._line_factor = line_factor
        self._compact = compact
        self.setFont(font)
        self._fonts_changed()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self.viewport())
        for block, _, top, _ in visible_blocks(self, self._layout, event.rect()):
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

    def wheelEvent(self, event: QWheelEvent) -> None:
        if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        elif event.angleDelta().y():
            self.zoomed.emit(1 if event.angleDelta().y() > 0 else -1)

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
        draw_plainly(self)
        self.setCursorWidth(2)
        self.setAcceptDrops(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setViewportMargins(0, band_height(self.font()), 0, 0)
        self.verticalScrollBar().valueChanged.connect(self._scrolled)

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
        return Spacing.fitting(
            label,
            text,
            second=self._two_layers,
            factor=self._line_factor,
            compact=self._compact,
        )

    def _fonts_changed(self) -> None:
        self._layout.space(self._spacing())
        self._band.setFont(self.font())
        self.setViewportMargins(0, band_height(self.font()), 0, 0)
        self._scrolled()

    def _lines_within(self, rect: QRect) -> Iterator[Line]:
        return visible_lines(self, self._layout, rect)

    def _scrolled(self) -> None:
        self._repaint_bands()
        self._band.show_text(self._band_text(self.firstVisibleBlock().position()))
        self._seen.start(0)

    def _repaint_bands(self) -> None:
        """Qt moves what was painted; a band is not painted while its record is at the very top."""
        page, height = self.viewport(), round(self._layout.spacing.band)
        for block, _, top, _ in visible_blocks(self, self._layout, page.rect()):
            if block.position() in self._layout.band_positions:
                page.update(0, round(top), page.width(), height)

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
