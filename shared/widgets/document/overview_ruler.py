"""The whole patient beside the scroll bar: records, and where in them something is marked."""

from functools import cache

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QImage,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QToolTip, QWidget

from shared.model import Span
from shared.text.blocks import counted
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.document.overview_rows import LANES, SOUGHT, Lane, OverviewRows, TextLines
from shared.widgets.look.theme import LIGHT, Theme
from shared.widgets.parts.plain_tip import plain_tip

_WIDTH = 22
_ROW = 2
"""Pixels that a mark is high."""
_LANES = {Lane.TAGS: (3, 7), Lane.PROPOSED: (11, 4), Lane.SOUGHT: (16, 4)}
"""Where each lane begins, and how wide it is."""
_NEAR = 2
"""A click this many rows beside a mark still means the mark."""
_FEW = 5_000
_QUIET_MS = 30
_SAID = {
    MarkStyle.TAG: "tag",
    MarkStyle.SUGGESTION: "suggestion",
    MarkStyle.FIRST: "upper tag",
    MarkStyle.SECOND: "lower tag",
    MarkStyle.UNTAGGED: "untagged occurrence",
    MarkStyle.FOUND: "search hit",
    MarkStyle.NOTE: "note",
}


class OverviewRuler(QAbstractSlider):
    """Shows where the marks of a document view are; a click goes to one, a drag scrolls.

    Its value is the number of the record's own line at the top of the page.
    """

    def __init__(self, view: DocumentView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overviewRuler")
        self.setAccessibleName("Overview")
        self.setOrientation(Qt.Orientation.Vertical)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # what it does, keys do in the text
        self.setAutoFillBackground(True)  # or all that is below would be painted too
        self._view = view
        self._theme = LIGHT
        self._lines = TextLines(view.merged_view.text)
        self._index = OverviewRows(self._lines, 1)
        self._colour = cache(self._pixel)
        self._shown = view.merged_view
        self._visible: Span | None = None
        self._caret = 0
        self._image = QImage()
        self._pixels = b""
        self._follows = False
        self._is_stale = False
        """Whether the rows lack something, and are to be counted anew."""
        self._soon = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._soon.timeout.connect(self._refresh)
        view.marks_replaced.connect(self._rebuild_soon)
        view.marks_changed.connect(self._marks_changed)
        view.visible_changed.connect(self._scrolled)
        view.caret_moved.connect(self._caret_moved)
        self.valueChanged.connect(self._value_changed)
        self._rebuild_soon()

    def settle(self) -> None:
        """Show now what would be shown in a moment."""
        if self._soon.isActive():
            self._soon.stop()
            self._refresh()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._colour = cache(self._pixel)
        self._redraw()

    def y_of(self, offset: int) -> float:
        """The height at which the line of a character is shown."""
        return self._index.row_of(offset) * _ROW + _ROW / 2

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, 100)

    def minimumSizeHint(self) -> QSize:
        return QSize(_WIDTH, 40)

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002 - it is small
        painter = QPainter(self)
        theme = self._theme
        painter.fillRect(self.rect(), QColor(theme.band))
        self._paint_page(painter)
        painter.setPen(QPen(QColor(theme.muted), 1))
        for section in self._view.merged_view.sections[1:]:
            y = self._index.row_of(section.start) * _ROW - 0.5
            painter.drawLine(QPointF(0, y), QPointF(self.width(), y))
        height = self._index.rows * _ROW
        for lane, (left, width) in _LANES.items():
            target = QRectF(left, 0, width, height)
            painter.drawImage(target, self._image, QRectF(lane, 0, 1, self._index.rows))
        painter.fillRect(self._caret_rect(), QColor(theme.accent))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._rebuild_soon()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.settle()
            mark = self._mark_near(event.position().y())
            if mark is None:
                self._scroll_to(event.position().y())
            else:
                self._view.set_caret(mark.start)
                self._view.reveal(mark.span)
            self._view.setFocus(Qt.FocusReason.MouseFocusReason)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._scroll_to(event.position().y())

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self._view.wheelEvent(event)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            QToolTip.showText(event.globalPos(), plain_tip(self._tip(event.pos().y())), self)
            return True
        return super().event(event)

    def _marks_changed(self, removed: list[Mark], added: list[Mark]) -> None:
        if self._is_stale or len(removed) + len(added) > _FEW:
            self._rebuild_soon()
        else:
            self._index.change(removed, added)
            self._soon.start()

    def _rebuild_soon(self) -> None:
        self._is_stale = True
        self._soon.start()

    def _refresh(self) -> None:
        if self._is_stale:
            self._is_stale = False
            self._rebuild()
        self._redraw()

    def _rebuild(self) -> None:
        if self._view.merged_view is not self._shown:
            self._shown = self._view.merged_view
            self._lines = TextLines(self._shown.text)
        self._index = OverviewRows(self._lines, self.height() // _ROW, self._view.marks())
        self._follows = True
        self.setRange(0, len(self._lines) - 1)
        self._follows = False

    def _redraw(self) -> None:
        rows = self._index.rows
        self._pixels = self._index.pixels(self._colour)
        form = QImage.Format.Format_ARGB32_Premultiplied
        self._image = QImage(self._pixels, LANES, rows, 4 * LANES, form)
        self.setAccessibleDescription(self._said())
        self.update()

    def _pixel(self, kind: str) -> int:
        """The colour of a kind of marks, as a pixel."""
        theme = self._theme
        plain = dict.fromkeys(SOUGHT.values(), theme.accent)
        plain[SOUGHT[MarkStyle.UNTAGGED]] = theme.muted
        return (QColor(plain[kind]) if kind in plain else theme.ink(kind)).rgba()

    def _paint_page(self, painter: QPainter) -> None:
        """Show which part of the text is on the screen."""
        if self._visible is not None:
            top = self.y_of(self._visible.start) - 1
            bottom = self.y_of(self._visible.end - 1) + 1
            shade = QColor(self._theme.muted)
            shade.setAlpha(60)
            painter.fillRect(QRectF(0, top, self.width(), max(bottom - top, 4)), shade)

    def _scrolled(self, visible: Span | None) -> None:
        self._visible = visible
        if visible is not None and not self._is_stale:
            self._follows = True
            self.setValue(self._lines.line_of(visible.start))
            self._follows = False
        self.update()

    def _caret_moved(self) -> None:
        self.update(self._caret_rect())
        self._caret = self._view.caret()
        self.update(self._caret_rect())

    def _caret_rect(self) -> QRect:
        return QRect(0, round(self.y_of(self._caret)) - 1, 3, 2)

    def _value_changed(self, line: int) -> None:
        if not self._follows:
            self._show_line_at(self._lines.start_of(line))

    def _scroll_to(self, y: float) -> None:
        self._show_line_at(self._index.start_of(int(y / _ROW)))

    def _show_line_at(self, offset: int) -> None:
        if offset < len(self._view.merged_view.text):
            self._view.scroll_to(offset)

    def _mark_near(self, y: float) -> Mark | None:
        """The mark whose start is shown nearest to a height, None where none is near."""
        row = int(y / _ROW)
        near = [
            (abs(self._index.row_of(mark.start) - row), mark.start, mark.end, mark)
            for mark in self._view.marks_within(self._around(row))
        ]
        fitting = [each for each in near if each[0] <= _NEAR]
        return min(fitting, key=lambda each: each[:3])[3] if fitting else None

    def _around(self, row: int) -> Span:
        """The text of a row and those beside it."""
        start, after = self._index.start_of(row - _NEAR), row + _NEAR + 1
        last = after >= self._index.rows
        end = len(self._view.merged_view.text) if last else self._index.start_of(after)
        return Span(start, max(end, start + 1))

    def _tip(self, y: float) -> str:
        """The record at a height and what is marked there; types only, never text."""
        view = self._view.merged_view
        if not view.sections:
            return ""
        row = min(max(0, int(y / _ROW)), self._index.rows - 1)
        here = self._around(row)
        labels = {mark.label or mark.style.value for mark in self._view.marks_within(here)}
        return "\n".join([view.section_at(here.start).record_id, *sorted(labels)[:6]])

    def _said(self) -> str:
        """What there is, for those who do not see it."""
        counts = self._index.styles
        records = len(self._view.merged_view.sections)
        said = [counted(counts[style], word) for style, word in _SAID.items() if counts[style]]
        return ", ".join([counted(records, "record"), *said])
