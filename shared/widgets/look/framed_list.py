"""The frame of a list that is often drawn: the list itself is drawn without asking Python."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QFrame,
    QHeaderView,
    QScrollBar,
    QStyle,
    QStyleFactory,
    QStyleOptionFrame,
    QVBoxLayout,
    QWidget,
)

from shared.widgets.look.control_style import FOCUS_WIDTH, ScrollBarStyle, draw_focus


class FramedList(QWidget):
    """Draws the frame around some lists, as `ControlStyle` does around all others.

    The lists lie in `content`, which may be the only one itself; they must have no tick boxes.
    """

    def __init__(self, content: QWidget, *lists: QAbstractScrollArea) -> None:
        super().__init__()
        self._lists = lists
        for each in lists:
            each.setFrameShape(QFrame.Shape.NoFrame)
            each.installEventFilter(self)
            draw_plainly(each)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(*(FOCUS_WIDTH,) * 4)
        layout.addWidget(content)
        self.setSizePolicy(content.sizePolicy())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.FocusIn, QEvent.Type.FocusOut}:
            self.update()
        return super().eventFilter(watched, event)

    def paintEvent(self, _: QPaintEvent) -> None:
        option = QStyleOptionFrame()
        option.initFrom(self)
        painter = QPainter(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Frame, option, painter, self)
        if any(each.hasFocus() for each in self._lists):
            draw_focus(option, painter)
        painter.end()


def draw_plainly(area: QAbstractScrollArea) -> None:
    """Let Qt alone draw what scrolls and its headers; scroll bars hide what is below.

    The windows' own style is asked by Qt a dozen times for every cell, each time by way of Python.
    """
    for each in (area, *area.findChildren(QHeaderView)):
        each.setStyle(QStyleFactory.create("Fusion"))  # its own: with the widget it is gone
    for bar in area.findChildren(QScrollBar):
        bar.setStyle(ScrollBarStyle())
        bar.setAutoFillBackground(True)
