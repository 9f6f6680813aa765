"""Words that change often, in a line that is not laid out anew each time."""

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

_MARGIN = 8


class FixedLayoutLabel(QLabel):
    """Is as wide as the widest text that it has shown since it was cleared.

    A label of a fixed size spares its window a new layout at each new text. With a text it has
    room for `likely` from the first.
    """

    def __init__(self, likely: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent, textFormat=Qt.TextFormat.PlainText)
        self._likely = likely
        self.setContentsMargins(_MARGIN, 0, _MARGIN, 0)
        self._fit()

    def setText(self, text: str) -> None:
        if text != self.text():
            super().setText(text)
            self._fit()

    def clear(self) -> None:
        super().clear()
        self.setFixedWidth(0)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.StyleChange}:
            self.setFixedWidth(0)
            self._fit()

    def _fit(self) -> None:
        metrics, text = self.fontMetrics(), self.text()
        widest = max(map(metrics.horizontalAdvance, (text, self._likely)))
        wide = widest + 2 * _MARGIN + 1 if text else 0
        if wide > self.minimumWidth() or metrics.height() != self.minimumHeight():
            self.setFixedSize(max(wide, self.minimumWidth()), metrics.height())


class FixedLayoutLines(QWidget):
    """Words that change often, in as many lines as they need; a new number of lines is laid out.

    Nothing around is told of a text for which there is room.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._label = QLabel(self, textFormat=Qt.TextFormat.PlainText)
        self._label.setWordWrap(True)
        self._needed = 0
        self.setSizePolicy(self._label.sizePolicy())

    def text(self) -> str:
        return self._label.text()

    def setText(self, text: str) -> None:
        if text != self.text():
            self._label.setText(text)
            self._make_room()

    def clear(self) -> None:
        self.setText("")

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._label.heightForWidth(width)

    def sizeHint(self) -> QSize:
        return self._label.sizeHint()

    def minimumSizeHint(self) -> QSize:
        return self._label.minimumSizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label.setGeometry(self.rect())
        self._make_room()

    def _make_room(self) -> None:
        needed = self.heightForWidth(self.width())
        if needed != self._needed:
            self._needed = needed
            self.updateGeometry()
