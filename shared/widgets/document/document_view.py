"""The text of a patient with everything that is marked in it."""

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QEvent, QPointF, QRect, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from shared.model import MergedView, Span
from shared.text.words import chunk_at, trimmed
from shared.widgets.document.arm_cursor import arm_cursor
from shared.widgets.document.mark_index import MarkIndex
from shared.widgets.document.mark_painter import MarkPainter, PlacedPiece
from shared.widgets.document.marks import OFFERS, Mark, MarkStyle
from shared.widgets.document.record_text import RecordText
from shared.widgets.document.view_geometry import (
    Line,
    caret_position,
    character_position,
    nearest_line,
    pieces,
)
from shared.widgets.document.view_pointer import ViewPointer
from shared.widgets.look.theme import DARK, LIGHT, Theme

_NEAR = 500
"""Marks within so many characters of the page may share their lanes with one that is on it."""
_FEW = 20
"""More marks near the page than this changed at once, and all of it is painted anew."""


class DocumentView(RecordText):
    """Shows a merged view with its marks; places the caret and selects as an editor does.

    While a type is armed, one click on a word and the end of a drag pick a span. Signals beside
    those of the text: `span_picked` (Span), `mark_activated` (Mark) when one was clicked,
    `disarmed` when Esc ended arming; `marks_replaced` when others are shown than before, and
    `marks_changed` (list of Mark removed, list of Mark added); `marks_wanted` before somebody is
    told which marks there are, for an owner that has yet to bring some.
    """

    span_picked = Signal(object)
    mark_activated = Signal(object)
    mark_taken = Signal(object)
    disarmed = Signal()
    marks_replaced = Signal()
    marks_wanted = Signal()
    marks_changed = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("documentView")
        self.setAccessibleName("Records of the patient")
        self._marks = MarkIndex()
        self._current: Mark | None = None
        self._armed = self._armed_colour = ""
        self._clicked = (-1, -1)
        self._painter = MarkPainter(self._theme, self.font())
        self._pointer = ViewPointer(self, self)
        self.arm(None)

    @property
    def current_mark(self) -> Mark | None:
        """The mark that is emphasised."""
        return self._current

    @property
    def armed(self) -> str:
        """The label that a click tags with, "" while none is armed."""
        return self._armed

    def open(self, view: MergedView) -> None:
        """Show a merged view from its start, without marks."""
        self._marks.replace(())
        self._current = None
        super().open(view)
        self.marks_replaced.emit()

    def set_marks(self, marks: Iterable[Mark]) -> None:
        """Show these marks and no others."""
        self._marks.replace(marks)
        self._make_room()
        self.viewport().update()
        self.marks_replaced.emit()

    def change_marks(self, removed: Iterable[Mark], added: Iterable[Mark]) -> None:
        """Take some marks away and add others, at the cost of the change alone."""
        gone, new = list(removed), list(added)
        self._marks.change(gone, new)
        self._make_room()
        self._update_around([*gone, *new])
        self.marks_changed.emit(gone, new)

    def marks(self) -> list[Mark]:
        self.marks_wanted.emit()
        return list(self._marks)

    def marks_within(self, span: Span) -> list[Mark]:
        """Return the marks over any character of a stretch."""
        self.marks_wanted.emit()
        return self._marks.query(span.start, span.end)

    def marks_at(self, offset: int) -> list[Mark]:
        """Return the marks over the character at `offset`, shortest first."""
        self.marks_wanted.emit()
        return self._marks.at(offset)

    def marks_at_caret(self) -> list[Mark]:
        """Return the marks at the caret, or else those that end there, shortest first."""
        caret = self.caret()
        return self.marks_at(caret) or (self.marks_at(caret - 1) if caret else [])

    def places_of(self, spans: Iterable[Span]) -> Iterator[tuple[Span, QPointF]]:
        """Yield the stretches that begin on the screen, each with the top left corner there."""
        marks = [Mark(each.start, each.end, "", "", key=each) for each in spans]
        lines = list(self._lines_within(self.viewport().rect()))
        for piece in pieces(marks, lines, self._view.text, self._units):
            if piece.is_start:
                yield Span(piece.mark.start, piece.mark.end), piece.rect.topLeft()

    def set_current_mark(self, mark: Mark | None) -> None:
        """Emphasise one mark, or none."""
        if mark != self._current:
            before, self._current = self._current, mark
            self._update_around(each for each in (before, mark) if each is not None)

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
        self._painter = MarkPainter(theme, self.font())
        self.arm(self._armed, self._armed_colour)

    def set_dark(self, dark: bool) -> None:
        self.apply_theme(DARK if dark else LIGHT)

    def position_at(self, point: QPointF) -> int:
        """Return the UTF-16 position of the edge between characters nearest to a point."""
        line = self._line_near(point)
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
        offset = self._character_at(point)
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
        offset = self._character_at(point)
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

    def paintEvent(self, event: QPaintEvent) -> None:
        placed = self._placed(event.rect())
        painter = QPainter(self.viewport())
        painter.setClipRect(event.rect())
        self._painter.fill(painter, placed)
        painter.end()
        super().paintEvent(event)
        painter = QPainter(self.viewport())
        painter.setClipRect(event.rect())
        self._painter.stroke(painter, placed, self._current)
        painter.end()

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

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        return super().viewportEvent(event)

    def _fonts_changed(self) -> None:
        super()._fonts_changed()
        self._painter = MarkPainter(self._theme, self.font())

    def _make_room(self) -> None:
        if not self._two_layers and self._marks.has(MarkStyle.SECOND):
            self._two_layers = True
            self._fonts_changed()
            self.viewport().update()

    def _update_around(self, marks: Iterable[Mark]) -> None:
        """Paint anew the lines in which something of these marks, or of their lanes, is seen."""
        lines = list(self._lines_within(self.viewport().rect()))
        if not lines:
            return
        start, end = map(self._units.to_offset, (lines[0].start, lines[-1].end))
        near = [each for each in marks if each.start <= end + _NEAR and start - _NEAR <= each.end]
        if len(near) > _FEW:
            self.viewport().update()
            return
        for mark in near:
            low, high = map(self._units.to_units, self._marks.reach(mark))
            self._update_lines([each for each in lines if each.start <= high and low <= each.end])

    def _update_lines(self, lines: Sequence[Line]) -> None:
        if not lines:
            return
        spacing = self._layout.spacing
        top = int(lines[0].top - spacing.above) - 1
        bottom = int(lines[-1].top + lines[-1].height + spacing.below) + 2
        self.viewport().update(0, top, self.viewport().width(), bottom - top)

    def _placed(self, rect: QRect) -> list[PlacedPiece]:
        lines = list(self._lines_within(rect))
        if not lines:
            return []
        start = self._units.to_offset(lines[0].start)
        marks = self._marks.query(start, self._units.to_offset(lines[-1].end) + 1)
        return [
            PlacedPiece(piece, self._marks.lane(piece.mark))
            for piece in pieces(marks, lines, self._view.text, self._units)
        ]

    def _line_near(self, point: QPointF) -> Line | None:
        rect = self.viewport().rect()
        y = min(max(point.y(), 0.0), rect.height() - 1.0)
        return nearest_line(self._lines_within(QRect(0, int(y), rect.width(), 1)), y)

    def _character_at(self, point: QPointF) -> int | None:
        line = self._line_near(point)
        position = character_position(line, point) if line else None
        return None if position is None else self._units.to_offset(position)

    def _pick_chunk(self, offset: int) -> None:
        chunk = chunk_at(self._view.text, offset)
        if chunk is not None:
            self.set_caret(chunk.end)
            self.span_picked.emit(chunk)

    def _show_tip(self, event: QHelpEvent) -> None:
        offset = self._character_at(QPointF(event.pos()))
        marks = [] if offset is None else self.marks_at(offset)
        QToolTip.showText(event.globalPos(), "\n".join(map(_tip, marks)), self.viewport())


def _tip(mark: Mark) -> str:
    kind = "" if mark.style is MarkStyle.TAG else f" ({mark.style})"
    return f"{mark.label}{kind}" + (f"\n{mark.note}" if mark.note else "")
