"""Every action by its words: type a few letters, Enter does it."""

from PySide6.QtCore import QPoint, QRect, QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from shared.widgets.actions.actions import ActionTable
from shared.widgets.parts.choice_popup import ChoicePopup, PopupItem

_WIDTH = 460


class CommandList(ChoicePopup):
    """Pops up over the top of the records and triggers what is picked."""

    def __init__(self, view: QWidget) -> None:
        super().__init__(view, digits=False, width=_WIDTH)
        self.setObjectName("commandList")
        self.setAccessibleName("Commands")
        self._view = view
        self.picked.connect(self._trigger)

    def open(self, table: ActionTable) -> None:
        """Show the actions of a table that can be used now, with their menus and keys."""
        choices = [
            PopupItem(f"{menu}: {text}" if menu else text, action, keys, action.icon())
            for action, menu, text, keys in table.listed()
            if action.isEnabled()
        ]
        left = self._view.mapToGlobal(QPoint((self._view.width() - _WIDTH) // 2, 24))
        self.pop_up(choices, None, QRect(left, QSize(_WIDTH, 0)))

    def _trigger(self, action: QAction) -> None:
        self._view.setFocus()
        action.trigger()
