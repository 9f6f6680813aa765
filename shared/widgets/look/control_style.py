"""Qt's Fusion style, with tick boxes and a keyboard focus that one can see on every page."""

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QProxyStyle,
    QStyle,
    QStyleHintReturn,
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
        held = bool(option.state & QStyle.StateFlag.State_Sunken)
        painter.setBrush(palette.accent() if held else ink)
        handle = _handle(self._part(option, _SLIDER, widget), across=across)
        painter.drawRoundedRect(handle, _THICKNESS / 2, _THICKNESS / 2)
        painter.restore()

    def _part(self, option: QStyleOptionComplex, part: QStyle.SubControl, widget: QWidget) -> QRect:
        return self.subControlRect(QStyle.ComplexControl.CC_ScrollBar, option, part, widget)


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


_TAB_SPACE = 4
"""Beside the title of a pane that lies behind others, so that five of them fit."""
FOCUS_WIDTH = 2
_FRAME = QStyle.PrimitiveElement.PE_Frame
_BOXES = {
    QStyle.PrimitiveElement.PE_IndicatorCheckBox,
    QStyle.PrimitiveElement.PE_IndicatorItemViewItemCheck,
}

_FRAMED = {QStyle.ComplexControl.CC_Slider, QStyle.ComplexControl.CC_ComboBox}


class ControlStyle(ScrollBarStyle):
    """Draws tick boxes in the colours of the text; Fusion takes shades of the window instead.

    What has the focus has a line of the accent's colour around it, however it came by the focus;
    Fusion shows it after a Tab only, and of lists and tables never.
    """

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if element in _BOXES:
            _draw_tick_box(option, painter)
        elif element == QStyle.PrimitiveElement.PE_FrameFocusRect:
            draw_focus(option, painter)
        else:
            super().drawPrimitive(element, option, painter, widget)
            is_list = element == _FRAME and isinstance(widget, QAbstractScrollArea)
            if is_list and option.state & QStyle.StateFlag.State_HasFocus:
                draw_focus(option, painter)

    def drawComplexControl(
        self,
        control: QStyle.ComplexControl,
        option: QStyleOptionComplex,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        super().drawComplexControl(control, option, painter, widget)
        focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
        if control in _FRAMED and focused:
            draw_focus(option, painter)

    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,  # noqa: N803 - Qt's name
    ) -> int:
        if hint == QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons:
            return 0  # they are black, on a dark page too
        return super().styleHint(hint, option, widget, returnData)

    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        frame = metric == QStyle.PixelMetric.PM_DefaultFrameWidth
        if frame and isinstance(widget, QAbstractScrollArea):
            return FOCUS_WIDTH
        if metric == QStyle.PixelMetric.PM_TabBarTabHSpace:
            return _TAB_SPACE
        return super().pixelMetric(metric, option, widget)


def draw_focus(option: QStyleOption, painter: QPainter) -> None:
    """Draw the line around what has the keys."""
    palette: QPalette = option.palette
    painter.save()
    painter.setPen(QPen(palette.accent().color(), FOCUS_WIDTH))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    inset = FOCUS_WIDTH / 2
    painter.drawRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset))
    painter.restore()


def _draw_tick_box(option: QStyleOption, painter: QPainter) -> None:
    palette: QPalette = option.palette
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    rect = QRectF(option.rect).adjusted(1.5, 1.5, -1.5, -1.5)
    side = min(rect.width(), rect.height())
    box = QRectF(rect.center().x() - side / 2, rect.center().y() - side / 2, side, side)
    focused = bool(option.state & QStyle.StateFlag.State_HasFocus)
    edge = palette.accent() if focused else palette.placeholderText()
    painter.setPen(QPen(edge.color(), 2.0 if focused else 1.2))
    painter.setBrush(palette.base())
    painter.drawRoundedRect(box, 2.5, 2.5)
    if option.state & QStyle.StateFlag.State_On:
        painter.setPen(QPen(palette.text().color(), 2.0, Qt.PenStyle.SolidLine))
        painter.drawPolyline(
            QPolygonF(
                [
                    QPointF(box.left() + side * 0.22, box.top() + side * 0.52),
                    QPointF(box.left() + side * 0.42, box.top() + side * 0.72),
                    QPointF(box.left() + side * 0.79, box.top() + side * 0.28),
                ]
            )
        )
    painter.restore()
