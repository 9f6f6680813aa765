"""The strokes of marks: what tells a tag, a suggestion and two annotators apart without colour."""

from collections.abc import Iterable
from functools import cache

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen

from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.document.view_geometry import Piece
from shared.widgets.look.theme import Theme

LABEL_SIZE = 0.62
SMALLEST_LABEL = 6.5
_UNDERLINED = {MarkStyle.TAG, MarkStyle.UNTAGGED}
_LANES = 3
_LEAST_SHARED = 5
"""Pixels that a label which was moved aside still shares with its mark."""
_PRIORITY = (MarkStyle.TAG, MarkStyle.FIRST, MarkStyle.SUGGESTION, MarkStyle.UNTAGGED)


def label_font(text_font: QFont) -> QFont:
    """Return the font of the labels over text in `text_font`."""
    font = QFont(text_font)
    font.setBold(True)
    font.setPointSizeF(max(SMALLEST_LABEL, text_font.pointSizeF() * LABEL_SIZE))
    return font


class MarkPainter:
    """Draws the pieces of marks, fills before the text and strokes after it."""

    def __init__(self, theme: Theme, text_font: QFont) -> None:
        self._theme = theme
        self.font = label_font(text_font)
        self.metrics = QFontMetricsF(self.font)
        self._tint = cache(theme.tint)
        self._ink = cache(theme.ink)
        self._width = cache(self.metrics.horizontalAdvance)

    def fill(self, painter: QPainter, placed: Iterable[Piece]) -> None:
        """Draw what lies under the text."""
        found = QColor(self._theme.found)
        for each in placed:
            if each.mark.style is MarkStyle.TAG:
                painter.fillRect(each.rect, self._tint(each.mark.category_colour))
            elif each.mark.style is MarkStyle.FOUND:
                painter.fillRect(each.rect, found)

    def stroke(self, painter: QPainter, placed: list[Piece], current: Mark | None) -> None:
        """Draw lines, outlines and labels."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for each in placed:
            self._lines(painter, each)
        self._labels(painter, placed)
        for each in placed:
            if each.mark == current:
                self._outline(painter, each)

    def _lines(self, painter: QPainter, placed: Piece) -> None:
        style, ink = placed.mark.style, self._ink(placed.mark.category_colour)
        if style in _UNDERLINED:
            self._underline(painter, placed, ink)
        elif style is MarkStyle.SUGGESTION:
            _dashed_box(painter, placed, ink)
        elif style is MarkStyle.FIRST:
            _bracket(painter, placed, QPen(ink, 1.6), -2.5 - 2.5 * min(placed.lane, 1))
        elif style is MarkStyle.SECOND:
            pen = QPen(ink, 1.6, Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([3.0, 1.8])
            _bracket(painter, placed, pen, 6.5 + 2.5 * min(placed.lane, 1))

    def _underline(self, painter: QPainter, placed: Piece, ink: QColor) -> None:
        rect = placed.rect
        top = rect.bottom() - 1 + 3 * min(placed.lane, _LANES - 1)
        if placed.mark.style is MarkStyle.TAG:
            painter.fillRect(QRectF(rect.left(), round(top), rect.width(), 2), ink)
        else:
            # square dots: round ones take Qt a hundred times as long
            pen = QPen(ink, 2.0, Qt.PenStyle.CustomDashLine, Qt.PenCapStyle.FlatCap)
            pen.setDashPattern([1.0, 1.0])
            painter.setPen(pen)
            y = round(top) + 1
            painter.drawLine(QPointF(rect.left() + 1, y), QPointF(rect.right() - 1, y))

    def _labels(self, painter: QPainter, placed: list[Piece]) -> None:
        painter.setFont(self.font)
        painter.setPen(QColor(self._theme.text))
        starts = [each for each in placed if each.is_start and each.mark.label]
        starts.sort(key=_label_order)
        ends: dict[int, float] = {}
        for each in starts:
            self._label(painter, each, ends)

    def _label(self, painter: QPainter, piece: Piece, ends: dict[int, float]) -> None:
        """Draw a label, beside one that is in its way as long as it begins above its mark."""
        text = _label(piece.mark)
        width = self._width(text)
        below = piece.mark.style is MarkStyle.SECOND
        baseline = round(
            piece.rect.bottom() + 10 + self.metrics.capHeight() if below else piece.rect.top() - 4
        )
        wanted = piece.rect.right() - width if piece.leftward else piece.rect.left()
        wanted = min(wanted, painter.viewport().right() - width)
        left = max(wanted, ends.get(baseline, 0.0))
        if left == wanted or left <= piece.rect.right() - _LEAST_SHARED:
            painter.drawText(QPointF(left, baseline), text)
            ends[baseline] = left + width + 4

    def _outline(self, painter: QPainter, piece: Piece) -> None:
        painter.setPen(QPen(QColor(self._theme.accent), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(piece.rect.adjusted(-1.5, -1.5, 1.5, 2.5), 2.5, 2.5)


def _label(mark: Mark) -> str:
    """A dot says that there is a note; every suggestion has one, so there it would say nothing."""
    noted = mark.note and mark.style is not MarkStyle.SUGGESTION
    return f"{mark.label} •" if noted else mark.label


def _label_order(placed: Piece) -> tuple[int, float, int]:
    style = placed.mark.style
    rank = _PRIORITY.index(style) if style in _PRIORITY else len(_PRIORITY)
    return round(placed.rect.top()), placed.rect.left(), rank


def _dashed_box(painter: QPainter, placed: Piece, ink: QColor) -> None:
    pen = QPen(ink, 1.3, Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = 0.5 + 2 * min(placed.lane, 1)
    painter.drawRect(placed.rect.adjusted(0.5, inset, -0.5, 0.5 - inset))


def _bracket(painter: QPainter, piece: Piece, pen: QPen, offset: float) -> None:
    """Draw a line above (offset < 0) or below the text, with a hook where the mark ends."""
    rect = piece.rect
    y = round(rect.top() + offset if offset < 0 else rect.bottom() + offset) + 0.5
    hook = y + (4.0 if offset < 0 else -4.0)
    left, right = rect.left() + 0.8, rect.right() - 0.8
    painter.setPen(pen)
    painter.drawLine(QPointF(left, y), QPointF(right, y))
    painter.setPen(QPen(pen.color(), pen.widthF()))
    begins, ends = (
        (piece.is_end, piece.is_start) if piece.leftward else (piece.is_start, piece.is_end)
    )
    for x, closed in ((left, begins), (right, ends)):
        if closed:
            painter.drawLine(QPointF(x, y), QPointF(x, hook))
