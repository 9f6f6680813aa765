"""Qt's Fusion style, with tick boxes that one can see on a dark page too."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPalette, QPen, QPolygonF
from PySide6.QtWidgets import QProxyStyle, QStyle, QStyleOption, QWidget

_BOXES = {
    QStyle.PrimitiveElement.PE_IndicatorCheckBox,
    QStyle.PrimitiveElement.PE_IndicatorItemViewItemCheck,
}


class ControlStyle(QProxyStyle):
    """Draws tick boxes in the colours of the text; Fusion takes shades of the window instead."""

    def __init__(self) -> None:
        super().__init__("Fusion")

    def drawPrimitive(
        self,
        element: QStyle.PrimitiveElement,
        option: QStyleOption,
        painter: QPainter,
        widget: QWidget | None = None,
    ) -> None:
        if element in _BOXES:
            _draw_tick_box(option, painter)
        else:
            super().drawPrimitive(element, option, painter, widget)


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
