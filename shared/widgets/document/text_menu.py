"""The menu on the text: what one can do with what is under the pointer or at the caret."""

from collections.abc import Sequence

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QMenu

from shared.widgets.actions.actions import ActionTable
from shared.widgets.document.document_view import DocumentView


class TextMenu(QObject):
    """Pops up at a right click or at the menu key.

    `entries` are names of actions, or titles of menus that hang below; "" is a line between.
    """

    def __init__(self, view: DocumentView, table: ActionTable, entries: Sequence[str]) -> None:
        super().__init__(view)
        self._view = view
        self._menu = QMenu(view)
        self._menu.setObjectName("textMenu")
        self._menu.setAccessibleName("What to do here")
        names = {spec.name for spec in table.specs}
        for each in entries:
            if not each:
                self._menu.addSeparator()
            elif each in names:
                self._menu.addAction(table.action(each))
            else:
                self._menu.addMenu(table.menu(each))
        if entries:
            view.customContextMenuRequested.connect(self._pop_up)

    def _pop_up(self, place: QPoint) -> None:
        if self._view.merged_view.sections:
            self._menu.popup(self._view.viewport().mapToGlobal(place))
