"""A tree of groups that stay open when they are put in another order."""

from typing import Any

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTreeView, QWidget

from shared.widgets.parts.group_model import GroupModel


class GroupTree(QTreeView):
    """Shows a model of groups, and remembers which of them were opened."""

    def __init__(
        self, groups: GroupModel[Any, Any], name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._groups = groups
        self._opened: set[int] = set()
        self.setModel(groups)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setUniformRowHeights(True)
        self.setSortingEnabled(True)
        self.header().setStretchLastSection(False)
        groups.arranged.connect(self._open_again)
        self.expanded.connect(self._note_opened)
        self.collapsed.connect(self._note_closed)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_End or event.text().strip():
            self._groups.fetch_all()  # the last one, or one that begins with a letter
        super().keyPressEvent(event)

    def _note_opened(self, index: QModelIndex) -> None:
        self._opened.add(self._groups.group(index).number)

    def _note_closed(self, index: QModelIndex) -> None:
        self._opened.discard(self._groups.group(index).number)

    def _open_again(self) -> None:
        """Qt forgets what is open when rows are put in order anew."""
        opened, self._opened = self._opened, set()
        for number in opened:
            index = self._groups.index_of_group(number)
            if index.isValid():
                self.expand(index)
