"""The text of a patient with everything that is marked in it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import ceil

from PySide6.QtCore import QEvent, QPointF, QRect, Signal
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QToolTip, QWidget

from shared.language.languages import Language, default_language
from shared.model import MergedView, Span
from shared.widgets.document.mark_painter import MarkPainter
from shared.widgets.document.marks import Mark, MarkIndex, MarkStyle
from shared.widgets.document.record_text import RecordText
from shared.widgets.document.tag_edges import TagEdge, edge_near
from shared.widgets.document.view_geometry import (
    Line,
    Piece,
    character_position,
    nearest_line,
    pieces,
)
from shared.widgets.look.theme import Theme
from shared.widgets.parts.plain_tip import plain_tip

_NEAR = 500
"""Marks within so many characters of the page may share their lanes with one that is on it."""
_FEW = 20
"""More marks near the page than this changed at once, and all of it is painted anew."""


class MarkedText(RecordText):
    """Shows a merged view with its marks; what has changed is painted, and nothing else.

    Signals beside those of the text: `marks_replaced` when others are shown than before,
    `marks_changed` (list of Mark removed, list of Mark added).
    """

    marks_replaced = Signal()
    marks_changed = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._marks = MarkIndex()
        self._current: Mark | None = None
        self._painter = self._new_painter()
        self._signs: dict[str, list[Mark]] = {}

    @property
    def current_mark(self) -> Mark | None:
        """The mark that is emphasised."""
        return self._current

    def open(
        self, view: MergedView, read_language: Callable[[], Language] = default_language
    ) -> None:
        """Show a merged view from its start, without marks."""
        self._marks.replace(())
        self._signs = {}
        self._current = None
        super().open(view, read_language)
        self._painter = self._new_painter()
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
        if not (gone or new):
            return
        self._marks.change(gone, new)
        self._make_room()
        self._update_around([*gone, *new])
        self.marks_changed.emit(gone, new)

    def show_signs(self, owner: str, signs: Iterable[tuple[Span, str, str]]) -> None:
        """Show small signs behind stretches of text, and no others of this owner.

        Each has a span, the tooltip, and one or two characters to show, "" for a flag. They go with
        the patient.
        """
        before = self._signs.get(owner, [])
        after = [
            Mark(span.start, span.end, sign, "", MarkStyle.NOTE, (owner, number), tip)
            for number, (span, tip, sign) in enumerate(signs)
        ]
        self._signs[owner] = after
        self.change_marks(before, after)

    def marks(self) -> list[Mark]:
        return list(self._marks)

    def marks_within(self, span: Span) -> list[Mark]:
        """Return the marks over any character of a stretch."""
        return self._marks.query(span.start, span.end)

    def marks_at(self, offset: int) -> list[Mark]:
        """Return the marks over the character at `offset`, shortest first."""
        return self._marks.at(offset)

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

    def line_near(self, point: QPointF) -> Line | None:
        """The line whose text is nearest to a point."""
        rect = self.viewport().rect()
        y = min(max(point.y(), 0.0), rect.height() - 1.0)
        return nearest_line(self._lines_within(QRect(0, int(y), rect.width(), 1)), y)

    def character_at(self, point: QPointF) -> int | None:
        """The offset of the character at a point; None where there is none."""
        line = self.line_near(point)
        position = character_position(line, point) if line else None
        return None if position is None else self._units.to_offset(position)

    def edge_at(self, point: QPointF) -> TagEdge | None:
        """The edge of a tag that one takes hold of at a point."""
        line = self.line_near(point)
        if line is None or not line.top <= point.y() <= line.top + line.height:
            return None
        start, end = map(self._units.to_offset, (line.start, line.end))
        tags = [each for each in self._marks.query(start, end) if each.style is MarkStyle.TAG]
        text = self._view.text
        there = pieces(tags, [line], text, self._units)
        return edge_near(there, point.x(), self._current, text)

    def apply_theme(self, theme: Theme) -> None:
        """Show page, text and marks in the colours of a theme."""
        super().apply_theme(theme)
        self._painter = self._new_painter()

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

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            self._show_tip(event)
            return True
        return super().viewportEvent(event)

    def _fonts_changed(self) -> None:
        super()._fonts_changed()
        self._painter = self._new_painter()

    def _new_painter(self) -> MarkPainter:
        return MarkPainter(
            self._theme, self.font(), compact=self._compact, two_rows=self._two_layers
        )

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
        spacing, beyond = self._layout.spacing, self._painter.reach
        top = int(lines[0].top - max(spacing.above, beyond)) - 1
        bottom = int(lines[-1].top + lines[-1].height + max(spacing.below, beyond)) + 2
        self.viewport().update(0, top, self.viewport().width(), bottom - top)

    def _placed(self, rect: QRect) -> list[Piece]:
        beyond = ceil(self._painter.reach)  # the label of a line that is itself not painted anew
        lines = list(self._lines_within(rect.adjusted(0, -beyond, 0, beyond)))
        if not lines:
            return []
        start = self._units.to_offset(lines[0].start)
        marks = self._marks.query(start, self._units.to_offset(lines[-1].end) + 1)
        placed = pieces(marks, lines, self._view.text, self._units)
        for piece in placed:
            piece.lane = self._marks.lane(piece.mark)
        return placed

    def _show_tip(self, event: QHelpEvent) -> None:
        offset = self.character_at(QPointF(event.pos()))
        marks = [] if offset is None else self.marks_at(offset)
        text = "\n".join(map(_tip, marks))
        QToolTip.showText(event.globalPos(), plain_tip(text), self.viewport())


def _tip(mark: Mark) -> str:
    if mark.style is MarkStyle.NOTE:
        return mark.note
    kind = "" if mark.style is MarkStyle.TAG else f" ({mark.style})"
    return f"{mark.label}{kind}" + (f"\n{mark.note}" if mark.note else "")
