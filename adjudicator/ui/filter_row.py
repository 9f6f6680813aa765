"""What part of something is shown: lists to choose from, side by side."""

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

_AIR = 8


class FilterRow(QWidget):
    """A line of lists, each behind its title; those who inherit put them there."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._line = QHBoxLayout(self)
        self._line.setContentsMargins(0, 0, 0, 0)

    def _add(self, title: str, name: str) -> QComboBox:
        """Put an empty list at the end of the line; `title` marks its key with `&`."""
        box = QComboBox()
        box.setObjectName(name)
        box.setAccessibleName(title.replace("&", ""))
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        label = QLabel(title, textFormat=Qt.TextFormat.PlainText)
        label.setBuddy(box)
        self._line.addWidget(label)
        self._line.addWidget(box)
        self._line.addSpacing(_AIR)
        return box


def offer(box: QComboBox, offered: Iterable[tuple[str, object]]) -> None:
    """Let a list have these texts with their values; what was chosen stays so, else the first is.

    Says nothing.
    """
    chosen = box.currentData()
    box.clear()
    for text, value in offered:
        box.addItem(text, value)
    choose(box, chosen)


def choose(box: QComboBox, value: object) -> None:
    """Choose the text with this value, the first where there is none. Says nothing."""
    values = [box.itemData(number) for number in range(box.count())]
    box.setCurrentIndex(values.index(value) if value in values else min(0, box.count() - 1))
