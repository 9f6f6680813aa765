"""All actions and their keys on one sheet, beside the window while one works."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import (
    QDialog,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)


@dataclass(frozen=True, slots=True)
class ShortcutRow:
    """One line of the sheet; `keys` as the system writes them."""

    menu: str
    text: str
    keys: str
    tip: str = ""


class ShortcutSheet(QDialog):
    """A window without claims: it can stay open, and a filter line narrows it down."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("shortcutSheet")
        self.setWindowTitle("Shortcuts")
        self._filter = QLineEdit()
        self._filter.setObjectName("shortcutFilter")
        self._filter.setAccessibleName("Filter shortcuts")
        self._filter.setPlaceholderText("Filter by words or keys")
        self._filter.setClearButtonEnabled(True)
        self._filter.textChanged.connect(self._narrow)
        self._tree = QTreeWidget()
        self._tree.setObjectName("shortcutTree")
        self._tree.setAccessibleName("Actions and their keys")
        self._tree.setHeaderLabels(["Action", "Keys"])
        self._tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self._tree.header().setStretchLastSection(False)
        self._tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        layout = QVBoxLayout(self)
        layout.addWidget(self._filter)
        layout.addWidget(self._tree)
        self.resize(560, 680)

    def show_rows(self, rows: Iterable[ShortcutRow]) -> None:
        """Show these actions by menu, in their order."""
        self._tree.clear()
        menus: dict[str, QTreeWidgetItem] = {}
        bold = QFont(self.font())
        bold.setBold(True)
        for row in rows:
            title = row.menu or "Elsewhere"
            if title not in menus:
                menus[title] = QTreeWidgetItem(self._tree, [title])
                menus[title].setFont(0, bold)
            item = QTreeWidgetItem(menus[title], [row.text, row.keys])
            item.setToolTip(0, row.tip)
            item.setData(
                0, Qt.ItemDataRole.AccessibleTextRole, f"{row.text}: {row.keys or 'no key'}"
            )
        self._tree.expandAll()
        self._narrow(self._filter.text())
        self.show()
        self.activateWindow()

    def _narrow(self, text: str) -> None:
        words = text.lower().split()
        for number in range(self._tree.topLevelItemCount()):
            menu = self._tree.topLevelItem(number)
            children = [menu.child(at) for at in range(menu.childCount())] if menu else []
            shown = [_shows(child, words) for child in children if child]
            if menu:
                menu.setHidden(not any(shown))


def _shows(item: QTreeWidgetItem, words: list[str]) -> bool:
    line = f"{item.text(0)} {item.text(1)}".lower()
    fits = all(word in line for word in words)
    item.setHidden(not fits)
    return fits
