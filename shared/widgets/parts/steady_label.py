"""Words that change often, in a line that is not laid out anew each time."""

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QLabel, QWidget

_MARGIN = 8


class SteadyLabel(QLabel):
    """Is as wide as the widest text that it has shown since it was cleared.

    A label of a fixed size spares its window a new layout at each new text.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        wide = metrics.horizontalAdvance(text) + 2 * _MARGIN + 1 if text else 0
        if wide > self.minimumWidth() or metrics.height() != self.minimumHeight():
            self.setFixedSize(max(wide, self.minimumWidth()), metrics.height())
