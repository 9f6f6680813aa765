"""Icons: of actions, and a small square in a category's colour with a key on it."""

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer

from icons import icon_bytes
from shared.widgets.look.theme import Theme

_SIZES = (16, 20, 24, 32, 48, 64)
_FADED = 0.3
"""How much of an icon is left where its action is disabled."""


@cache
def load_icon(name: str) -> QIcon:
    """Return the icon `name`, an empty one for "". Raises KeyError where there is none."""
    icon = QIcon()
    if name:
        renderer = QSvgRenderer(QByteArray(icon_bytes(name)))
        for size in _SIZES:
            pixmap = _rendered(renderer, size)
            icon.addPixmap(pixmap)
            icon.addPixmap(_faded(pixmap), QIcon.Mode.Disabled)
    return icon


def _rendered(renderer: QSvgRenderer, size: int) -> QPixmap:
    pixmap = QPixmap(size, size)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    renderer.render(painter, QRectF(0, 0, size, size))
    painter.end()
    return pixmap


def _faded(pixmap: QPixmap) -> QPixmap:
    """What cannot be done now; the style itself would fade for a light page alone."""
    faded = QPixmap(pixmap.size())
    faded.fill(Qt.GlobalColor.transparent)
    painter = QPainter(faded)
    painter.setOpacity(_FADED)
    painter.drawPixmap(0, 0, pixmap)
    painter.end()
    return faded


_SIDE = 20
_GAP = 4
_RATIO = 3


KEY_CAP_SIZE = QSize(_SIDE + _GAP, _SIDE)


@lru_cache(maxsize=512)
def key_cap(key: str, colour: str, theme: Theme) -> QIcon:
    """Return the square as an icon; drawn as a tag is, tint and underline, the key on it."""
    pixmap = QPixmap((_SIDE + _GAP) * _RATIO, _SIDE * _RATIO)
    pixmap.setDevicePixelRatio(_RATIO)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    rect = QRectF(0.5, 0.5, _SIDE - 1, _SIDE - 1)
    painter.fillRect(rect, QColor(theme.page))
    painter.fillRect(rect, theme.tint(colour))
    painter.fillRect(QRectF(0.5, _SIDE - 3, _SIDE - 1, 2.5), theme.ink(colour))
    font = QFont(painter.font())
    font.setPixelSize(12)
    font.setBold(True)
    painter.setFont(font)
    painter.setPen(QColor(theme.text))
    painter.drawText(rect.adjusted(0, -1, 0, -2), Qt.AlignmentFlag.AlignCenter, key.upper())
    painter.end()
    return QIcon(pixmap)
