"""Scroll bars that are seen at once and drawn in no time."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QBrush, QPainter, QPalette, QPolygonF
from PySide6.QtWidgets import (
    QProxyStyle,
    QStyle,
    QStyleOption,
    QStyleOptionComplex,
    QWidget,
)

_THICKNESS = 6
"""Pixels of the handle across the bar."""
_ARROW = 3.5

_SLIDER = QStyle.SubControl.SC_ScrollBarSlider
_ENDS = (QStyle.SubControl.SC_ScrollBarSubLine, QStyle.SubControl.SC_ScrollBarAddLine)


class ScrollBarStyle(QProxyStyle):
    """Qt's Fusion style with plain scroll bars.

    Fusion fills a bar with gradients, which takes as long as all the text beside it.
    """

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if control == QStyle.ComplexControl.CC_ScrollBar and widget is not None:
            self._draw_scroll_bar(option, painter, widget)
        else:
            super().drawComplexControl(control, option, painter, widget)

    def _draw_scroll_bar(
        self, option: QStyleOptionComplex, painter: QPainter, widget: QWidget
    ) -> None:
        palette: QPalette = option.palette
        painter.fillRect(option.rect, palette.window())
        if not option.state & QStyle.StateFlag.State_Enabled:
            return
        across = bool(option.state & QStyle.StateFlag.State_Horizontal)
        ink = palette.placeholderText()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        for end, sign in zip(_ENDS, (-1, 1), strict=True):
            painter.drawPolygon(_arrow(self._part(option, end, widget), sign, across=across))
        painter.setBrush(_handle_brush(option, palette, ink))
        handle = _handle(self._part(option, _SLIDER, widget), across=across)
        painter.drawRoundedRect(handle, _THICKNESS / 2, _THICKNESS / 2)
        painter.restore()

    def _part(self, option: QStyleOptionComplex, part: QStyle.SubControl, widget: QWidget) -> QRect:
        return self.subControlRect(QStyle.ComplexControl.CC_ScrollBar, option, part, widget)


def _handle_brush(option: QStyleOption, palette: QPalette, ink: QBrush) -> QBrush:
    held = bool(option.state & QStyle.StateFlag.State_Sunken)
    return palette.accent() if held else ink


def _handle(rect: QRect, *, across: bool) -> QRectF:
    beside = ((rect.height() if across else rect.width()) - _THICKNESS) / 2
    inset = (1.0, beside) if across else (beside, 1.0)
    return QRectF(rect).adjusted(*inset, -inset[0], -inset[1])


def _arrow(rect: QRect, sign: int, *, across: bool) -> QPolygonF:
    """A triangle in the middle of `rect` that points to the start (-1) or the end (1)."""
    middle = QRectF(rect).center()
    corners = ((-_ARROW, -_ARROW / 2), (_ARROW, -_ARROW / 2), (0.0, _ARROW / 2))
    return QPolygonF(
        [middle + (QPointF(y * sign, x) if across else QPointF(x, y * sign)) for x, y in corners]
    )
