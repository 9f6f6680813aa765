"""What the mouse does in the document view: placing the caret, selecting, picking words.

Qt's own mouse handling is not used: between spaced lines it jumps to line ends, it starts dragging
text out of the window, and it knows neither chunks nor records.
"""

from enum import Enum, auto
from typing import Protocol

from PySide6.QtCore import QElapsedTimer, QObject, QPointF, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QMouseEvent

_STEADY = 4
"""A press and release within this many pixels is a click, whatever lies between."""
_SCROLL_INTERVAL = 50


class PointerTarget(Protocol):
    """What the pointer needs of the view. Positions are edges between characters, in UTF-16."""

    def position_at(self, point: QPointF) -> int: ...
    def begin_selection(self, position: int, *, extend: bool) -> None: ...
    def extend_selection(self, position: int) -> None: ...
    def finish_selection(self, *, exact: bool) -> None: ...
    def click(self, point: QPointF) -> None: ...
    def double_click(self, point: QPointF) -> None: ...
    def select_line(self, point: QPointF) -> None: ...
    def scroll_lines(self, count: int) -> None: ...
    def text_height(self) -> int: ...


class _Gesture(Enum):
    NONE = auto()
    PRESSED = auto()
    DRAGGING = auto()
    DONE = auto()


class ViewPointer(QObject):
    """Turns mouse events into what they mean."""

    def __init__(self, target: PointerTarget, parent: QObject) -> None:
        super().__init__(parent)
        self._target = target
        self._gesture = _Gesture.NONE
        self._pressed_at = QPointF()
        self._now_at = QPointF()
        self._since_double = QElapsedTimer()
        self._scrolling = QTimer(self)
        self._scrolling.setInterval(_SCROLL_INTERVAL)
        self._scrolling.timeout.connect(self._scroll)

    def press(self, event: QMouseEvent) -> None:
        point = event.position()
        self._pressed_at = self._now_at = point
        if self._is_third_press(point):
            self._gesture = _Gesture.DONE
            self._target.select_line(point)
            return
        self._gesture = _Gesture.PRESSED
        extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._target.begin_selection(self._target.position_at(point), extend=extend)
        if extend:
            self._gesture = _Gesture.DRAGGING

    def move(self, event: QMouseEvent) -> None:
        self._now_at = event.position()
        if self._gesture is _Gesture.PRESSED and not self._is_steady():
            self._gesture = _Gesture.DRAGGING
        if self._gesture is _Gesture.DRAGGING:
            self._target.extend_selection(self._target.position_at(self._now_at))
            self._scroll_if_outside()

    def release(self, event: QMouseEvent) -> None:
        self._scrolling.stop()
        gesture, self._gesture = self._gesture, _Gesture.NONE
        if gesture is _Gesture.DRAGGING:
            exact = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
            self._target.finish_selection(exact=exact)
        elif gesture is _Gesture.PRESSED:
            self._target.click(event.position())

    def double_click(self, event: QMouseEvent) -> None:
        self._gesture = _Gesture.DONE
        self._pressed_at = event.position()
        self._since_double.start()
        self._target.double_click(event.position())

    def _is_steady(self) -> bool:
        return (self._now_at - self._pressed_at).manhattanLength() < _STEADY

    def _is_third_press(self, point: QPointF) -> bool:
        if not self._since_double.isValid():
            return False
        in_time = (
            self._since_double.elapsed() < QGuiApplication.styleHints().mouseDoubleClickInterval()
        )
        self._since_double.invalidate()
        return in_time and (point - self._pressed_at).manhattanLength() < _STEADY

    def _scroll_if_outside(self) -> None:
        outside = not 0 <= self._now_at.y() < self._target.text_height()
        if outside and not self._scrolling.isActive():
            self._scrolling.start()
        elif not outside:
            self._scrolling.stop()

    def _scroll(self) -> None:
        above = self._now_at.y()
        below = above - self._target.text_height()
        by = above if above < 0 else max(below, 0)
        self._target.scroll_lines((1 if by >= 0 else -1) * (1 + int(abs(by)) // 40))
        self._target.extend_selection(self._target.position_at(self._now_at))
