"""Records on paper, page by page: their text with its tags as the window draws them.

One can stop after every paragraph, so that nobody waits for a long patient.
"""

from collections.abc import Iterable, Iterator, Sequence

from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QPagedPaintDevice,
    QPageLayout,
    QPainter,
    QPen,
    QTextLayout,
    QTextOption,
)

from shared.errors import RequestError
from shared.model import MergedView
from shared.text.scripts import begins_right_to_left
from shared.text.utf16 import Utf16Map, display_copy
from shared.widgets.document.mark_painter import MarkPainter
from shared.widgets.document.marks import Mark, MarkIndex
from shared.widgets.document.view_geometry import Line, pieces
from shared.widgets.look.theme import LIGHT

_LONGEST = 4000
"""A line of a record that is longer is cut, at a blank where it has some."""
_MARGIN_MM = 16.0
_BELOW = 3.0
_LEGEND_GAP = 14.0


def set_margins(device: QPagedPaintDevice) -> None:
    device.setPageMargins(QMarginsF(*[_MARGIN_MM] * 4), QPageLayout.Unit.Millimeter)


def screen_resolution() -> int:
    """Dots per inch as fonts are measured in them."""
    return round(QGuiApplication.primaryScreen().logicalDotsPerInch())


def draw_records(
    device: QPagedPaintDevice,
    view: MergedView,
    record_ids: Sequence[str],
    tags: Iterable[Mark],
    font: QFont,
) -> Iterator[int]:
    """Draw records, each from the top of a page; yields the number of the page as it goes on.

    Raises RequestError where the device cannot be drawn on.
    """
    marks = MarkIndex(tags)
    painter = QPainter()
    if not painter.begin(device):
        raise RequestError("nothing can be printed there; choose another printer or file")
    try:
        paper = _Paper(device, painter, view, marks, font)
        for number, record_id in enumerate(record_ids):
            paper.begin_record(record_id, is_first=number == 0)
            if number == 0:
                paper.draw_legend(_legend(view, record_ids, marks))
            section = view.section(record_id)
            for start, end in _paragraphs(view.text, section.start, section.end):
                paper.draw_paragraph(start, end)
                yield paper.page
            yield paper.page
    finally:
        painter.end()


def _legend(view: MergedView, record_ids: Sequence[str], marks: MarkIndex) -> dict[str, str]:
    """The colours of the types that are tagged, by label."""
    sections = map(view.section, record_ids)
    found = (mark for each in sections for mark in marks.query(each.start, each.end))
    return dict(sorted({mark.label: mark.category_colour for mark in found}.items()))


def _paragraphs(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    while start < end:
        stop = text.find("\n", start, end)
        stop = end if stop < 0 else stop
        while stop - start > _LONGEST:
            cut = text.rfind(" ", start, start + _LONGEST) + 1 or start + _LONGEST
            yield start, cut
            start = cut
        yield start, stop
        start = stop + 1


class _Paper:
    """Where on which page the next line goes."""

    def __init__(
        self,
        device: QPagedPaintDevice,
        painter: QPainter,
        view: MergedView,
        marks: MarkIndex,
        font: QFont,
    ) -> None:
        self.page = 0
        self._device = device
        self._painter = painter
        self._text = view.text
        self._units = Utf16Map(view.text)
        self._marks = marks
        self._font = font
        self._strokes = MarkPainter(LIGHT, font)
        self._metrics = QFontMetricsF(font)
        self._size = painter.viewport().size()
        self._record_id = ""
        self._y = 0.0

    def begin_record(self, record_id: str, *, is_first: bool) -> None:
        self._record_id = record_id
        if not is_first:
            self._device.newPage()
        self._begin_page()

    def draw_legend(self, colours: dict[str, str]) -> None:
        """Show each label with its colour, in as many lines as they need."""
        if not colours:
            return
        height, left = self._metrics.height(), 0.0
        self._painter.setFont(self._font)
        self._painter.setPen(QColor(LIGHT.text))
        for label, colour in colours.items():
            width = self._metrics.horizontalAdvance(label)
            if left and left + width > self._size.width():
                left, self._y = 0.0, self._y + height + 2 * _BELOW
            rect = QRectF(left, self._y, width, height)
            self._painter.fillRect(rect, LIGHT.tint(colour))
            self._painter.fillRect(QRectF(left, rect.bottom(), width, 2), LIGHT.ink(colour))
            self._painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, label)
            left += width + _LEGEND_GAP
        self._y += 2 * height

    def draw_paragraph(self, start: int, end: int) -> None:
        layout = self._laid_out(display_copy(self._text[start:end]))
        block = self._units.to_units(start)
        for number in range(layout.lineCount()):
            line = layout.lineAt(number)
            first = block + line.textStart()
            placed = Line(
                line, first, first + line.textLength(), block, 0.0, self._y, line.height()
            )
            self._draw_line(placed)

    def _draw_line(self, line: Line) -> None:
        start, end = self._units.to_offset(line.start), self._units.to_offset(line.end)
        marks = self._marks.query(start, end) if start < end else []
        above = self._strokes.metrics.height() if marks else 0.0
        below = _BELOW + (6.0 if marks else 0.0)
        if self._y + above + line.height + below > self._size.height():
            self._device.newPage()
            self._begin_page()
        line.top = self._y + above
        drawn = pieces(marks, [line], self._text, self._units)
        for piece in drawn:
            piece.lane = self._marks.lane(piece.mark)
        self._strokes.fill(self._painter, drawn)
        self._painter.setPen(QColor(LIGHT.text))
        line.line.draw(self._painter, QPointF(0, line.top - line.line.y()))
        self._strokes.stroke(self._painter, drawn, None)
        self._y = line.top + line.height + below

    def _laid_out(self, text: str) -> QTextLayout:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        if not text.isascii() and begins_right_to_left(text):
            option.setAlignment(Qt.AlignmentFlag.AlignRight)
        layout = QTextLayout(text, self._font)
        layout.setTextOption(option)
        layout.beginLayout()
        while (line := layout.createLine()).isValid():
            line.setLineWidth(self._size.width())
        layout.endLayout()
        return layout

    def _begin_page(self) -> None:
        """Draw the head of a page: the record, and the number of the page."""
        self.page += 1
        painter, height = self._painter, self._metrics.height()
        rect = QRectF(0, 0, self._size.width(), height)
        bold = QFont(self._font)
        bold.setBold(True)
        painter.setFont(bold)
        painter.setPen(QColor(LIGHT.text))
        painter.drawText(rect, Qt.AlignmentFlag.AlignLeft, self._record_id)
        painter.setFont(self._font)
        painter.drawText(rect, Qt.AlignmentFlag.AlignRight, f"{self.page}")
        painter.setPen(QPen(QColor(LIGHT.hairline), 1))
        painter.drawLine(QPointF(0, height + 3), QPointF(self._size.width(), height + 3))
        self._y = height + 12
