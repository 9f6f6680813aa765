"""Leaves the keys to a menu that is open: Qt would give them to the shortcuts behind it."""

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

_FOCUS = {QEvent.Type.FocusIn, QEvent.Type.FocusOut}


class PopupKeys(QObject):
    """Watches the widgets in which plain letters act.

    A menu takes no focus from them, so Qt would still try their shortcuts first. The whole
    application is listened to only as long as a menu is open.
    """

    def watch(self, widget: QWidget) -> None:
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind in _FOCUS:
            self._listen()
        elif kind == QEvent.Type.ShortcutOverride and self._listen():
            event.accept()
            return True
        return super().eventFilter(watched, event)

    def _listen(self) -> bool:
        """Listen to the application as long as a menu is open; returns whether one is."""
        is_open = QApplication.activePopupWidget() is not None
        application = QCoreApplication.instance()
        if application is not None and is_open:
            application.installEventFilter(self)
        elif application is not None:
            application.removeEventFilter(self)
        return is_open
