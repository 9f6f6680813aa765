"""Layouts of widgets, counted."""

from PySide6.QtCore import QEvent, QObject


class Layouts(QObject):
    """Counts how often a widget was asked to lay itself out."""

    count = 0

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.LayoutRequest
        return super().eventFilter(watched, event)
