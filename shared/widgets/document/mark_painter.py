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
_LANES, _COMPACT_LANES = 3, 2
_FLAG = 6.0
"""Pixels that the sign of a note is wide and high."""
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

    def __init__(
        self, theme: Theme, text_font: QFont, *, compact: bool = False, two_rows: bool = False
    ) -> None:
        """Compact lines have a label over the current mark alone; `two_rows` has room for two."""
        self._theme = theme
        self._compact = compact
        self._two_rows = two_rows
        self.font = label_font(text_font)
        self.metrics = QFontMetricsF(self.font)
        self._tint = cache(theme.tint)
        self._ink = cache(theme.ink)
        self._width = cache(self.metrics.horizontalAdvance)
        self.reach = self.metrics.height() + 6.0 if compact else 0.0
        """How far a label may reach beyond the room of its line."""

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
        self._signs(painter, placed)
        if not self._compact:
            self._labels(painter, placed)
        for each in placed:
            if each.mark == current:
                self._outline(painter, each)
                if self._compact and each.is_start:
                    self._chip(painter, each)

    def _lines(self, painter: QPainter, placed: Piece) -> None:
        style, lane = placed.mark.style, min(placed.lane, 1)
        if style is MarkStyle.NOTE:
            return
        ink = self._ink(placed.mark.category_colour)
        if style in _UNDERLINED:
            self._underline(painter, placed, ink)
        elif style is MarkStyle.SUGGESTION:
            _dashed_box(painter, placed, ink)
        elif style is MarkStyle.FIRST:
            offset = -1.0 - 2.0 * lane if self._compact else -2.5 - 2.5 * lane
            _bracket(painter, placed, QPen(ink, 1.6), offset)
        elif style is MarkStyle.SECOND:
            pen = QPen(ink, 1.6, Qt.PenStyle.CustomDashLine)
            pen.setDashPattern([3.0, 1.8])
            offset = 4.0 + 2.0 * lane if self._compact else 5.0 + 2.5 * lane
            _bracket(painter, placed, pen, offset)

    def _underline(self, painter: QPainter, placed: Piece, ink: QColor) -> None:
        rect = placed.rect
        lanes = _COMPACT_LANES if self._compact else _LANES
        top = rect.bottom() - (2 if self._compact else 1) + 3 * min(placed.lane, lanes - 1)
        if placed.mark.style is MarkStyle.TAG:
            begins, ends = _closed(placed)  # tags that touch are told apart
            left, right = round(rect.left()) + begins, round(rect.right()) - ends
            painter.fillRect(QRectF(left, round(top), right - left, 2), ink)
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
        starts = [
            each
            for each in placed
            if each.is_start and each.mark.label and each.mark.style is not MarkStyle.NOTE
        ]
        starts.sort(key=_label_order_of_two if self._two_rows else _label_order)
        ends: dict[int, float] = {}
        for each in starts:
            self._label(painter, each, ends)

    def _label(self, painter: QPainter, piece: Piece, ends: dict[int, float]) -> None:
        """Draw a label, beside one that is in its way as long as it begins above its mark."""
        text = _label(piece.mark)
        width = self._width(text)
        below = piece.mark.style is MarkStyle.SECOND
        baseline = round(
            piece.rect.bottom() + 9 + self.metrics.capHeight() if below else piece.rect.top() - 4
        )
        wanted = piece.rect.right() - width if piece.leftward else piece.rect.left()
        wanted = min(wanted, painter.viewport().right() - width)
        left = max(wanted, ends.get(baseline, 0.0))
        if self._two_rows and not below and left > wanted:
            baseline -= round(self.metrics.capHeight() + 3)
            left = max(wanted, ends.get(baseline, 0.0))
        if left == wanted or left <= piece.rect.right() - _LEAST_SHARED:
            painter.drawText(QPointF(left, baseline), text)
            ends[baseline] = left + width + 4

    def _chip(self, painter: QPainter, piece: Piece) -> None:
        """Draw the label of a mark over the lines around, which leave no room for it."""
        text = _label(piece.mark) or piece.mark.style.value
        width, height = self._width(text) + 8, self.metrics.capHeight() + 6
        left = piece.rect.right() - width if piece.leftward else piece.rect.left() - 1.5
        left = max(0.0, min(left, painter.viewport().right() - width))
        top = piece.rect.top() - 1 - height
        if top < 0:
            top = piece.rect.bottom() + 3
        chip = QRectF(left, round(top), width, height)
        painter.setFont(self.font)
        painter.setPen(QPen(QColor(self._theme.accent), 1))
        painter.setBrush(QColor(self._theme.page))
        painter.drawRoundedRect(chip, 2.5, 2.5)
        painter.setPen(QColor(self._theme.text))
        painter.drawText(QPointF(chip.left() + 4, chip.bottom() - 3), text)

    def _signs(self, painter: QPainter, placed: Iterable[Piece]) -> None:
        """Draw what says that there is a note behind the end of what it is about."""
        ends: dict[tuple[float, float], float] = {}
        for piece in placed:
            if piece.mark.style is MarkStyle.NOTE and piece.is_end:
                x = piece.rect.left() if piece.leftward else piece.rect.right()
                moved = ends.get((x, piece.rect.top()), 0.0)
                ends[x, piece.rect.top()] = moved + self._sign(painter, piece, x, moved)

    def _sign(self, painter: QPainter, piece: Piece, x: float, moved: float) -> float:
        """Draw one sign, so far beyond the edge `x`; returns the width that it takes."""
        text, top = piece.mark.label, piece.rect.top()
        width = self._width(text) + 2 if text else _FLAG + 1
        left = x - moved - width if piece.leftward else x + moved + 1
        accent = QColor(self._theme.accent)
        if text:
            painter.setFont(self.font)
            painter.setPen(accent)
            painter.drawText(QPointF(left, top + self.metrics.capHeight() + 1), text)
        else:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(accent)
            corners = [QPointF(left, top), QPointF(left + _FLAG, top), QPointF(left, top + _FLAG)]
            painter.drawPolygon(corners)
        return width

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


def _label_order_of_two(placed: Piece) -> tuple[int, bool, float]:
    """The labels of the annotators, then those of the gold standard, which give way upwards."""
    is_gold = placed.mark.style is MarkStyle.TAG
    return round(placed.rect.top()), is_gold, placed.rect.left()


def _dashed_box(painter: QPainter, placed: Piece, ink: QColor) -> None:
    pen = QPen(ink, 1.3, Qt.PenStyle.CustomDashLine)
    pen.setDashPattern([3.0, 2.0])
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = 0.5 + 2 * min(placed.lane, 1)
    painter.drawRect(placed.rect.adjusted(0.5, inset, -0.5, 0.5 - inset))


def _closed(piece: Piece) -> tuple[bool, bool]:
    """Whether the mark has an edge at the left of a piece of it, and at its right."""
    return (piece.is_end, piece.is_start) if piece.leftward else (piece.is_start, piece.is_end)


def _bracket(painter: QPainter, piece: Piece, pen: QPen, offset: float) -> None:
    """Draw a line above (offset < 0) or below the text, with a hook where the mark ends."""
    rect = piece.rect
    y = round(rect.top() + offset if offset < 0 else rect.bottom() + offset) + 0.5
    hook = y + (4.0 if offset < 0 else -4.0)
    left, right = rect.left() + 0.8, rect.right() - 0.8
    painter.setPen(pen)
    painter.drawLine(QPointF(left, y), QPointF(right, y))
    painter.setPen(QPen(pen.color(), pen.widthF()))
    for x, closed in zip((left, right), _closed(piece), strict=True):
        if closed:
            painter.drawLine(QPointF(x, y), QPointF(x, hook))
