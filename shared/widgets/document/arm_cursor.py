"""The pointer while a type is armed: a text cursor that carries the type's name."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QCursor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPainter,
    QPen,
    QPixmap,
)

from shared.widgets.document.mark_painter import label_font
from shared.widgets.look.theme import Theme

_HOT = QPointF(5.5, 9.5)


def arm_cursor(label: str, ink: QColor, theme: Theme, text_font: QFont) -> QCursor:
    """Return a pointer with an I-beam and the label on a chip in the colour `ink`."""
    font = label_font(text_font)
    metrics = QFontMetricsF(font)
    chip = QRectF(12, 14, metrics.horizontalAdvance(label) + 10, metrics.height() + 3)
    ratio = QGuiApplication.primaryScreen().devicePixelRatio()
    pixmap = QPixmap(int((chip.right() + 2) * ratio), int((chip.bottom() + 2) * ratio))
    pixmap.setDevicePixelRatio(ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for colour, width in ((QColor(theme.page), 4.0), (QColor(theme.text), 1.6)):
        painter.setPen(QPen(colour, width))
        painter.drawLine(QPointF(_HOT.x(), 1.5), QPointF(_HOT.x(), 17.5))
        for y in (1.5, 17.5):
            painter.drawLine(QPointF(_HOT.x() - 3, y), QPointF(_HOT.x() + 3, y))
    painter.setPen(QPen(ink, 1.6))
    painter.setBrush(QColor(theme.page))
    painter.drawRoundedRect(chip, 3, 3)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(chip, Qt.AlignmentFlag.AlignCenter, label)
    painter.end()
    return QCursor(pixmap, round(_HOT.x()), round(_HOT.y()))
