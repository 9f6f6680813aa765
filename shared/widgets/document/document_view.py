"""The document view: the text of a patient, its marks, and what mouse and keys do in it.

Qt's own mouse handling is not used: between spaced lines it jumps to line ends, it starts dragging
text out of the window, and it knows neither chunks nor records.
"""

from enum import Enum, auto

from PySide6.QtCore import QElapsedTimer, QEvent, QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from shared.language.chunks import chunk_at
from shared.model import Span
from shared.text.words import trimmed
from shared.widgets.document.arm_cursor import arm_cursor
from shared.widgets.document.marked_text import MarkedText
from shared.widgets.document.marks import OFFERS, MarkStyle
from shared.widgets.document.tag_edges import TagEdge
from shared.widgets.document.view_geometry import caret_position, passed_over
from shared.widgets.look.theme import Theme

_STEADY = 4
"""A press and release within this many pixels is a click, whatever lies between."""
_SCROLL_MS = 50
_EXACT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.AltModifier
"""Held at the end of a drag, they keep it from growing to whole words; window managers take Alt."""


class _Gesture(Enum):
    NONE = auto()
    PRESSED = auto()
    DRAGGING = auto()
    MOVING_EDGE = auto()
    DONE = auto()


class DocumentView(MarkedText):
    """Shows a merged view with its marks; places the caret and selects as an editor does.

    While a type is armed, one click on a word and the end of a drag pick a span. Signals beside
    those of the marked text: `span_picked` (Span), `mark_activated` (Mark) when one was clicked,
    `mark_taken` (Mark) when an offer was double-clicked, `edge_dragged` (Mark, Span) when an edge
    of a tag was, `disarmed` when Esc ended arming, `menu_wanted` (QPoint of the viewport) for a
    menu on what is at the caret.
    """

    span_picked = Signal(object)
    mark_activated = Signal(object)
    mark_taken = Signal(object)
    edge_dragged = Signal(object, object)
    disarmed = Signal()
    menu_wanted = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("documentView")
        self.setAccessibleName("Records of the patient")
        self.tags_are_fixed = False
        """Whether edges of tags stay where they are, since they are only looked at."""
        self._armed = self._armed_colour = ""
        self._clicked = (-1, -1)
        self._gesture = _Gesture.NONE
        self._pressed_at = self._now_at = QPointF()
        self._drag_from = (0, 0.0)
        """The position in the text and the x at which a drag began."""
        self._edge: TagEdge | None = None
        """The edge under the pointer, or the one that is held."""
        self._since_double = QElapsedTimer()
        self._scrolling = QTimer(self, interval=_SCROLL_MS)
        self._scrolling.timeout.connect(self._scroll_on)
        self.viewport().setMouseTracking(True)
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
            shape = Qt.CursorShape.SizeHorCursor if self._edge else Qt.CursorShape.IBeamCursor
            self.viewport().setCursor(shape)

    def apply_theme(self, theme: Theme) -> None:
        """Show page, text and marks in the colours of a theme."""
        super().apply_theme(theme)
        self.arm(self._armed, self._armed_colour)

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and (self._armed or self._gesture is _Gesture.MOVING_EDGE)
        ):
            # Esc ends what one is at, whatever else it is bound to
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._gesture is _Gesture.MOVING_EDGE:
            self._gesture = _Gesture.DONE
            self._let_go()
        elif event.key() == Qt.Key.Key_Escape and self._armed:
            self.arm(None)
            self.disarmed.emit()
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        point = event.position()
        if event.button() is Qt.MouseButton.RightButton:
            self._go_under(point)
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        third = self._is_third_press(point)
        self._pressed_at = self._now_at = point
        if third:
            self._gesture = _Gesture.DONE
            self._select_line(point)
            return
        extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._gesture = _Gesture.DRAGGING if extend else _Gesture.PRESSED
        self._exact = self.exact_characters
        position = self._position_at(point)
        self._hold(None if extend else self._edge_under(point))
        self._place(position, self.textCursor().anchor() if extend else position)
        self._drag_from = self.textCursor().anchor(), -1.0 if extend else point.x()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if not event.buttons() & Qt.MouseButton.LeftButton:
            self._hold(self._edge_under(event.position()))
            return
        self._now_at = event.position()
        if self._gesture is _Gesture.PRESSED and not self._is_near_press(self._now_at):
            self._gesture = _Gesture.MOVING_EDGE if self._edge else _Gesture.DRAGGING
        if self._gesture in {_Gesture.DRAGGING, _Gesture.MOVING_EDGE}:
            self._drag_on()
            if 0 <= self._now_at.y() < self.viewport().height():
                self._scrolling.stop()
            elif not self._scrolling.isActive():
                self._scrolling.start()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            return
        self._scrolling.stop()
        gesture, self._gesture = self._gesture, _Gesture.NONE
        self._exact = self.exact_characters or bool(event.modifiers() & _EXACT)
        if gesture is _Gesture.DRAGGING:
            self._end_drag()
        elif gesture is _Gesture.MOVING_EDGE:
            self._end_edge_drag()
        elif gesture is _Gesture.PRESSED:
            self._click(event.position())

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._gesture = _Gesture.DONE
            self._pressed_at = event.position()
            self._since_double.start()
            self._double_click(event.position())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_key = event.reason() is QContextMenuEvent.Reason.Keyboard
        place = self.cursorRect().bottomLeft() if by_key else event.pos()
        self.menu_wanted.emit(place)

    def _go_under(self, point: QPointF) -> None:
        """Let a menu at a point be about what is there; a selection that is there stays."""
        offset = self.character_at(point)
        selected = self._marked_out()
        if offset is not None and selected is not None and selected.start <= offset < selected.end:
            return
        if offset is None:
            self._place(self._position_at(point))
            return
        self._place(self._units.to_units(offset))
        marks = [each for each in self.marks_at(offset) if each.style is not MarkStyle.NOTE]
        if marks and self.current_mark not in marks:
            self.mark_activated.emit(marks[0])

    def _position_at(self, point: QPointF) -> int:
        """The UTF-16 position of the edge between characters nearest to a point."""
        line = self.line_near(point)
        return caret_position(line, point.x()) if line else self._loader.length

    def _is_near_press(self, point: QPointF) -> bool:
        return (point - self._pressed_at).manhattanLength() < _STEADY

    def _is_third_press(self, point: QPointF) -> bool:
        if not self._since_double.isValid():
            return False
        wait = QGuiApplication.styleHints().mouseDoubleClickInterval()
        in_time = self._since_double.elapsed() < wait
        self._since_double.invalidate()
        return in_time and self._is_near_press(point)

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self._gesture is _Gesture.NONE:
            self._hold(None)

    def _edge_under(self, point: QPointF) -> TagEdge | None:
        return None if self._armed or self.tags_are_fixed else self.edge_at(point)

    def _hold(self, edge: TagEdge | None) -> None:
        """Let the next drag move this edge, and show so at the pointer; None for no edge."""
        if edge != self._edge:
            self._edge = edge
            self.arm(self._armed, self._armed_colour)

    def _moved_edge(self) -> Span | None:
        """The span of the tag whose edge is held, as it would be now."""
        offset = self._units.to_offset(self._position_at(self._now_at))
        return self._edge.moved(self._view, offset, exact=self._exact) if self._edge else None

    def _drag_on(self) -> None:
        if self._gesture is _Gesture.DRAGGING:
            self._place(*self._dragged_ends())
        elif self._edge is not None:
            span = self._moved_edge() or self._edge.mark.span
            ends = (span.start, span.end) if self._edge.is_start else (span.end, span.start)
            self._place(*map(self._units.to_units, ends))

    def _dragged_ends(self) -> tuple[int, int]:
        """Where the caret of a drag and its other end are."""
        (anchor, x), line = self._drag_from, self.line_near(self._now_at)
        passed = None
        if line is not None and x >= 0 and line.start <= anchor <= line.end:
            passed = passed_over(line, x, self._now_at.x(), self._view.text, self._units)
        return passed or (self._position_at(self._now_at), anchor)

    def _end_edge_drag(self) -> None:
        edge, span = self._edge, self._moved_edge()
        self._let_go()
        if edge is not None and span is not None and span != edge.mark.span:
            self.edge_dragged.emit(edge.mark, span)

    def _let_go(self) -> None:
        """Have the caret in the tag whose edge was held, and nothing selected."""
        self._scrolling.stop()
        if self._edge is not None:
            self._place(self._units.to_units(self._edge.mark.start))
        self._hold(None)

    def _scroll_on(self) -> None:
        """Scroll while a drag is above or below the text, the faster the farther."""
        above = self._now_at.y()
        by = above if above < 0 else max(above - self.viewport().height(), 0)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + (1 if by >= 0 else -1) * (1 + int(abs(by)) // 40))
        self._drag_on()

    def _end_drag(self) -> None:
        """Show what a drag amounts to, or hand it over while a type is armed."""
        span = self.selected_span()
        if span is None:
            return
        if self._armed:
            self.set_caret(span.end)
            self.span_picked.emit(span)
        else:
            self.select(span)

    def _click(self, point: QPointF) -> None:
        """Pick the chunk at a point while a type is armed, else activate a mark."""
        offset = self.character_at(point)
        if offset is None:
            return
        if self._armed:
            chunk = chunk_at(self._view.text, offset, self.language)
            if chunk is not None:
                self.set_caret(chunk.end)
                self.span_picked.emit(chunk)
        elif marks := [each for each in self.marks_at(offset) if each.style is not MarkStyle.NOTE]:
            # clicking the same place again goes on to the next of several marks
            times = self._clicked[1] + 1 if self._clicked[0] == offset else 0
            self._clicked = (offset, times)
            if any(self.caret() == each.end for each in marks):
                self._place(self._units.to_units(offset))  # behind it there may be another
            self.mark_activated.emit(marks[times % len(marks)])

    def _double_click(self, point: QPointF) -> None:
        """Take the tag that is offered at a point, else select what one click would tag."""
        offset = self.character_at(point)
        if offset is None or self._armed:
            return
        offered = next((each for each in self.marks_at(offset) if each.style in OFFERS), None)
        if offered is not None:
            self.set_caret(offered.start)
            self.mark_taken.emit(offered)
        elif (chunk := chunk_at(self._view.text, offset, self.language)) is not None:
            self.select(chunk)

    def _select_line(self, point: QPointF) -> None:
        """Select the record's own line at a point, without the blanks around it."""
        text = self._view.text
        offset = self._units.to_offset(self._position_at(point))
        end = text.find("\n", offset)
        line = trimmed(text, text.rfind("\n", 0, offset) + 1, end if end >= 0 else len(text))
        if line is not None and not self._armed:
            self.select(line)
