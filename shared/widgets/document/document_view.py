"""The document view: the text of a patient, its marks, and what mouse and keys do in it."""

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from shared.text.words import chunk_at, trimmed
from shared.widgets.document.arm_cursor import arm_cursor
from shared.widgets.document.marked_text import MarkedText
from shared.widgets.document.marks import OFFERS
from shared.widgets.document.view_geometry import caret_position
from shared.widgets.document.view_pointer import ViewPointer
from shared.widgets.look.theme import Theme


class DocumentView(MarkedText):
    """Shows a merged view with its marks; places the caret and selects as an editor does.

    While a type is armed, one click on a word and the end of a drag pick a span. Signals beside
    those of the marked text: `span_picked` (Span), `mark_activated` (Mark) when one was clicked,
    `mark_taken` (Mark) when an offer was double-clicked, `disarmed` when Esc ended arming.
    """

    span_picked = Signal(object)
    mark_activated = Signal(object)
    mark_taken = Signal(object)
    disarmed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("documentView")
        self.setAccessibleName("Records of the patient")
        self._armed = self._armed_colour = ""
        self._clicked = (-1, -1)
        self._pointer = ViewPointer(self, self)
        self.arm(None)

    @property
    def armed(self) -> str:
        """The label that a click tags with, "" while none is armed."""
        return self._armed

    def arm(self, label: str | None, colour: str = "") -> None:
        """Let clicks and drags pick spans for this label, shown at the pointer; None ends it."""
        self._armed, self._armed_colour = label or "", colour
        if label:
            ink = self._theme.ink(colour)
            self.viewport().setCursor(arm_cursor(label, ink, self._theme, self.font()))
        else:
            self.viewport().setCursor(Qt.CursorShape.IBeamCursor)

    def apply_theme(self, theme: Theme) -> None:
        """Show page, text and marks in the colours of a theme."""
        super().apply_theme(theme)
        self.arm(self._armed, self._armed_colour)

    def position_at(self, point: QPointF) -> int:
        """Return the UTF-16 position of the edge between characters nearest to a point."""
        line = self.line_near(point)
        return caret_position(line, point.x()) if line else self._loader.length

    def begin_selection(self, position: int, *, extend: bool) -> None:
        """Start selecting at a UTF-16 position, or go on with the selection there is."""
        self._exact = False
        self._place(position, self.textCursor().anchor() if extend else position)

    def extend_selection(self, position: int) -> None:
        """Select up to a UTF-16 position."""
        self._place(position, self.textCursor().anchor())

    def finish_selection(self, *, exact: bool) -> None:
        """End a drag: show what it amounts to, or hand it over while a type is armed."""
        self._exact = exact
        span = self.selected_span()
        if span is None:
            return
        if self._armed:
            self.set_caret(span.end)
            self.span_picked.emit(span)
        else:
            self.select(span)

    def click(self, point: QPointF) -> None:
        """Do what one click means: pick the chunk while a type is armed, else activate a mark."""
        offset = self.character_at(point)
        if offset is None:
            return
        if self._armed:
            self._pick_chunk(offset)
        elif marks := self.marks_at(offset):
            # clicking the same place again goes on to the next of several marks
            times = self._clicked[1] + 1 if self._clicked[0] == offset else 0
            self._clicked = (offset, times)
            self.mark_activated.emit(marks[times % len(marks)])

    def double_click(self, point: QPointF) -> None:
        """Take the tag that is offered at a point, else select what one click would tag."""
        offset = self.character_at(point)
        if offset is None or self._armed:
            return
        offered = next((each for each in self.marks_at(offset) if each.style in OFFERS), None)
        if offered is not None:
            self.set_caret(offered.start)
            self.mark_taken.emit(offered)
        elif (chunk := chunk_at(self._view.text, offset)) is not None:
            self.select(chunk)

    def select_line(self, point: QPointF) -> None:
        """Select the record's own line at a point, without the blanks around it."""
        text = self._view.text
        offset = self._units.to_offset(self.position_at(point))
        end = text.find("\n", offset)
        line = trimmed(text, text.rfind("\n", 0, offset) + 1, end if end >= 0 else len(text))
        if line is not None and not self._armed:
            self.select(line)

    def scroll_lines(self, count: int) -> None:
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + count)

    def text_height(self) -> int:
        return self.viewport().height()

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self._armed
        ):
            # Esc ends arming, whatever else it is bound to
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._armed:
            self.arm(None)
            self.disarmed.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pointer.press(event)
        elif event.button() is Qt.MouseButton.RightButton and not self.textCursor().hasSelection():
            self._place(self.position_at(event.position()))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._pointer.move(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pointer.release(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._pointer.double_click(event)

    def _pick_chunk(self, offset: int) -> None:
        chunk = chunk_at(self._view.text, offset)
        if chunk is not None:
            self.set_caret(chunk.end)
            self.span_picked.emit(chunk)
