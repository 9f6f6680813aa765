"""Actions and their keys in a tree, and the line that narrows it down to words or keys."""

from collections.abc import Sequence

from PySide6.QtWidgets import QHeaderView, QLineEdit, QTreeWidget, QTreeWidgetItem


class FilteredTree(QTreeWidget):
    """Two columns, whose owner puts `filter` above them; `what` is filtered, in words."""

    def __init__(self, name: str, filter_name: str, what: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName("Actions and their keys")
        self.setHeaderLabels(["Action", "Keys"])
        self.header().setStretchLastSection(False)
        self.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.filter = QLineEdit(placeholderText="Filter by words or keys", clearButtonEnabled=True)
        self.filter.setObjectName(filter_name)
        self.filter.setAccessibleName(f"Filter {what}")
        self.filter.textChanged.connect(self.narrow)

    def narrow(self) -> None:
        """Show the rows that the filter fits, and those above them."""
        words = self.filter.text().lower().split()
        for item in items_below(self.invisibleRootItem()):
            _narrow(item, words)


def items_below(item: QTreeWidgetItem) -> list[QTreeWidgetItem]:
    children = (item.child(at) for at in range(item.childCount()))
    return [each for each in children if each is not None]


def _narrow(item: QTreeWidgetItem, words: Sequence[str]) -> bool:
    """Show an item or hide it; returns whether it is shown."""
    line = f"{item.text(0)} {item.text(1)}".lower()
    below = [_narrow(each, words) for each in items_below(item)]
    shown = any(below) if below else all(word in line for word in words)
    item.setHidden(not shown)
    return shown
