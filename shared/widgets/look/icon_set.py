"""Icons as Qt has them, sharp at every scale."""

from functools import cache

from PySide6.QtCore import QByteArray, QRectF, Qt
from PySide6.QtGui import QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from icons import icon_bytes

_SIZES = (16, 20, 24, 32, 48, 64)


@cache
def load_icon(name: str) -> QIcon:
    """Return the icon `name`, an empty one for "". Raises KeyError where there is none."""
    icon = QIcon()
    if name:
        renderer = QSvgRenderer(QByteArray(icon_bytes(name)))
        for size in _SIZES:
            icon.addPixmap(_rendered(renderer, size))
    return icon


def _rendered(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap
