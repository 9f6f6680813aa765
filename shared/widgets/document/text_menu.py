"""The menu on the text: what one can do with what is under the pointer or at the caret."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from shared.widgets.actions.actions import ActionTable
from shared.widgets.document.document_view import DocumentView


def add_text_menu(view: DocumentView, table: ActionTable, entries: Sequence[str]) -> None:
    """Give the text a menu, at a right click and at the menu key.

    `entries` are names of actions, or titles of menus that hang below; "" is a line between.
    """
    menu = QMenu(view)
    menu.setObjectName("textMenu")
    menu.setAccessibleName("What to do here")
    names = {spec.name for spec in table.specs}
    for each in entries:
        if not each:
            menu.addSeparator()
        elif each in names:
            menu.addAction(table.action(each))
        else:
            menu.addMenu(table.menu(each))

    def pop_up(place: QPoint) -> None:
        if view.merged_view.sections:
            menu.popup(view.viewport().mapToGlobal(place))

    if entries:
        view.menu_wanted.connect(pop_up)
