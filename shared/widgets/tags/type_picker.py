"""Choosing one of a category's types, at the text that is being tagged."""

from collections.abc import Iterable

from PySide6.QtCore import QRect, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from shared.model import PhiType, Schema
from shared.widgets.look.icon_set import key_cap
from shared.widgets.look.theme import Theme, theme_of
from shared.widgets.parts.choice_popup import ChoicePopup, PopupItem


class TypePicker(ChoicePopup):
    """Pops up at the caret; typing filters, a digit or Enter takes a type; `chosen` (PhiType)."""

    chosen = Signal(object)

    def __init__(self, schema: Schema, parent: QWidget) -> None:
        super().__init__(parent, digits=True)
        self.setObjectName("typePicker")
        self.setAccessibleName("Types")
        self._schema = schema
        self.picked.connect(self.chosen)

    def open(self, types: Iterable[PhiType], last: PhiType | None, rect: QRect) -> None:
        """Show these types below `rect` (screen), the last used one highlighted."""
        theme = theme_of(QGuiApplication.palette())
        self.pop_up((self._choice(each, theme) for each in types), last, rect)

    def _choice(self, phi_type: PhiType, theme: Theme) -> PopupItem:
        key = self._schema.find(phi_type).key
        return PopupItem(
            phi_type.name, phi_type, icon=key_cap(key, self._schema.colour(phi_type), theme)
        )
