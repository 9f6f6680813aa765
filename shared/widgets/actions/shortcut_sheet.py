"""All actions and their keys on one sheet, beside the window while one works."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QDialog, QTreeWidgetItem, QVBoxLayout, QWidget

from shared.widgets.actions.filtered_tree import FilteredTree


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
        self._tree = FilteredTree("shortcutTree", "shortcutFilter", "shortcuts")
        layout = QVBoxLayout(self)
        layout.addWidget(self._tree.filter)
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
        self._tree.narrow()
        self.show()
        self.activateWindow()
