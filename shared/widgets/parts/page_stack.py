"""Widgets in one place, of which one is shown."""

from collections.abc import Iterable
from functools import reduce

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget


class PageStack(QWidget):
    """Shows one of its pages, at its own size; the first at first.

    Qt's stacked widget has the whole window laid out anew where another page is shown. The hints of
    this one are the largest of its pages, whichever is shown, and so it need not tell of it.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: list[QWidget] = []
        self._current: QWidget | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def current(self) -> QWidget | None:
        """The page that is shown, None where there is none."""
        return self._current

    def add(self, page: QWidget) -> None:
        """Add a page behind the others."""
        page.setParent(self)
        page.setGeometry(self.rect())
        page.setVisible(not self._pages)
        self._pages.append(page)
        self._current = self._current or page
        self.updateGeometry()

    def show_page(self, page: QWidget) -> None:
        """Show one of the pages; where the one before had the focus, it gets that."""
        before, self._current = self._current, page
        if before is page or before is None:
            return
        had_focus = before.hasFocus()
        page.setGeometry(self.rect())
        page.show()
        if had_focus:
            page.setFocus()
        before.hide()

    def sizeHint(self) -> QSize:
        return _largest(each.sizeHint() for each in self._pages)

    def minimumSizeHint(self) -> QSize:
        return _largest(each.minimumSizeHint() for each in self._pages)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._current is not None:
            self._current.setGeometry(self.rect())


def _largest(sizes: Iterable[QSize]) -> QSize:
    return reduce(QSize.expandedTo, sizes, QSize())
