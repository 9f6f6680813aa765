"""Menus on the rows of a table or tree: about the row that was clicked, which is gone to first."""

from collections.abc import Iterable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QAbstractItemView, QMenu


def add_row_menu(view: QAbstractItemView, actions: Iterable[QAction]) -> None:
    """Give the rows a menu; where there is no row, none opens."""
    menu = QMenu(view)
    menu.setObjectName(f"{view.objectName()}Menu")
    menu.setAccessibleName("What to do with the row")
    menu.addActions(list(actions))

    def pop_up(place: QPoint) -> None:
        if view.indexAt(place).isValid():
            menu.popup(view.viewport().mapToGlobal(place))

    view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
    view.customContextMenuRequested.connect(pop_up)
