"""The quiet strip that says which record one is reading."""

from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from shared.model import MergedView
from shared.widgets.look.theme import LIGHT, Theme

_INDENT = 14


class BandText(NamedTuple):
    """What a band says: `110-02` in bold, then `2 of 3`."""

    record_id: str
    place: str


def band_text(view: MergedView, offset: int) -> BandText | None:
    """Return what to say about the record at an offset, None where there are no records."""
    if not view.sections:
        return None
    section = view.section_at(offset)
    number = view.sections.index(section) + 1
    return BandText(section.record_id, f"{number} of {len(view.sections)}")


def band_height(font: QFont) -> int:
    return round(QFontMetricsF(font).height() + 10)


def paint_band(painter: QPainter, rect: QRectF, text: BandText, theme: Theme, font: QFont) -> None:
    """Draw one band into `rect`."""
    painter.fillRect(rect, QColor(theme.band))
    painter.setPen(QPen(QColor(theme.hairline), 1))
    painter.drawLine(rect.bottomLeft(), rect.bottomRight())
    bold = QFont(font)
    bold.setBold(True)
    middle = Qt.AlignmentFlag.AlignVCenter
    inner = rect.adjusted(_INDENT, 0, -_INDENT, 0)
    painter.setFont(bold)
    painter.setPen(QColor(theme.text))
    painter.drawText(inner, middle, text.record_id)
    inner.adjust(QFontMetricsF(bold).horizontalAdvance(text.record_id) + 14, 0, 0, 0)
    painter.setFont(font)
    painter.setPen(QColor(theme.muted))
    painter.drawText(inner, middle, text.place)


class RecordBand(QWidget):
    """The band of the record at the top of the view, always in sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("recordBand")
        self.setAccessibleName("Record on screen")
        self._text: BandText | None = None
        self._theme = LIGHT

    @property
    def text(self) -> BandText | None:
        return self._text

    def show_text(self, text: BandText | None) -> None:
        if text != self._text:
            self._text = text
            self.setAccessibleDescription(f"{text.record_id}, {text.place}" if text else "")
            self.update()

    def apply_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, band_height(self.font()))

    def paintEvent(self, event: QPaintEvent) -> None:  # noqa: ARG002
        painter = QPainter(self)
        rect = QRectF(self.rect())
        if self._text is None:
            painter.fillRect(rect, QColor(self._theme.page))
        else:
            paint_band(painter, rect, self._text, self._theme, self.font())
        painter.end()
