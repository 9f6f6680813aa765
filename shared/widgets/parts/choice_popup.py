"""A short list that pops up where one works: type to filter, Enter takes the highlighted line."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QModelIndex, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QIcon, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from shared.text.flat_text import folded

_MOVES = {
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_PageUp: -8,
    Qt.Key.Key_PageDown: 8,
}
_TAKES = {Qt.Key.Key_Return, Qt.Key.Key_Enter}
_DIGITS = "1234567890"
_SHOWN = 12
_BESIDE = 40
"""Pixels beside a line: its icon, margins and the scroll bar."""


@dataclass(frozen=True, slots=True)
class PopupItem:
    """One line: what it says, what stands for it outside, and a detail (a key) behind it."""

    text: str
    value: object
    detail: str = ""
    icon: QIcon | None = None


class ChoicePopup(QFrame):
    """Shows choices over the window, below a place in it; `picked` (the value of the one taken).

    With `digits` the first ten lines carry a digit that takes them, 1 to 9 and 0. It is a part of
    the window and not a window of its own, so no window system places it elsewhere.
    """

    picked = Signal(object)

    def __init__(self, owner: QWidget, *, digits: bool, width: int = 260) -> None:
        super().__init__(owner)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self._owner = owner
        self._digits = digits
        self._width = width
        self._choices: list[PopupItem] = []
        self._fitting: list[PopupItem] = []
        self._most = 0
        self._hangs_above = False
        self._filter = QLineEdit()
        self._filter.setObjectName("choiceFilter")
        self._filter.setPlaceholderText("Type to filter")
        self._filter.setAccessibleName("Filter")
        self._filter.textChanged.connect(self._narrow)
        self._filter.installEventFilter(self)
        self._list = self._make_list()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.setSpacing(4)
        layout.addWidget(self._filter)
        layout.addWidget(self._list)
        layout.addStretch()
        self.setFocusProxy(self._filter)
        self.hide()

    @property
    def texts(self) -> list[str]:
        """The lines that fit the filter, in order."""
        return [choice.text for choice in self._fitting]

    @property
    def highlighted(self) -> object:
        """The value of the line that Enter takes, None where no line fits the filter."""
        row = self._list.currentRow()
        return self._fitting[row].value if 0 <= row < len(self._fitting) else None

    def pop_up(self, choices: Iterable[PopupItem], first: object, rect: QRect) -> None:
        """Show choices below `rect` (screen), the one with the value `first` highlighted."""
        window = self._owner.window()
        self.setParent(window)
        self._list.ensurePolished()  # its rows are as high as its letters will be
        self._choices = list(choices)
        self._filter.clear()
        self._narrow("")
        values = [choice.value for choice in self._fitting]
        self._list.setCurrentRow(values.index(first) if first in values else 0)
        self.setGeometry(self._place(QRect(window.mapFromGlobal(rect.topLeft()), rect.size())))
        self.show()
        self.raise_()
        self._filter.setFocus(Qt.FocusReason.OtherFocusReason)

    def dismiss(self) -> None:
        """Go away; the owner gets the keyboard back."""
        had_focus = self._filter.hasFocus()
        self.hide()
        if had_focus:
            self._owner.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusOut and watched is self._filter:
            self.hide()
        elif isinstance(event, QKeyEvent) and watched is self._filter:
            if event.type() == QEvent.Type.KeyPress:
                return self._key(event)
            if event.type() == QEvent.Type.ShortcutOverride and self._is_own(event):
                event.accept()
                return True
        return super().eventFilter(watched, event)

    def _make_list(self) -> QListWidget:
        made = QListWidget()
        made.setObjectName("choiceList")
        made.setAccessibleName("Choices")
        made.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        made.setUniformItemSizes(True)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.clicked.connect(self._clicked)
        return made

    def _is_own(self, event: QKeyEvent) -> bool:
        """True for the keys that are not for the filter line, whatever else they are bound to."""
        key = Qt.Key(event.key())
        return key in _MOVES or key in _TAKES or key == Qt.Key.Key_Escape or self._digit(event) >= 0

    def _key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in _MOVES:
            last = len(self._fitting) - 1
            self._list.setCurrentRow(min(max(0, self._list.currentRow() + _MOVES[key]), last))
        elif key in _TAKES:
            self._take(self._list.currentRow())
        elif key == Qt.Key.Key_Escape:
            self.dismiss()
        elif self._digit(event) >= 0:
            self._take(self._digit(event))
        else:
            return False
        return True

    def _digit(self, event: QKeyEvent) -> int:
        """The line that a digit takes, -1 for any other key."""
        return _DIGITS.find(event.text()) if self._digits and event.text() else -1

    def _narrow(self, text: str) -> None:
        words = folded(text).split()
        fitting = [
            choice
            for choice in self._choices
            if all(word in folded(f"{choice.text} {choice.detail}") for word in words)
        ]
        fitting.sort(key=lambda choice: not folded(choice.text).startswith(folded(text).strip()))
        self._fitting = fitting
        self._list.clear()
        for number, choice in enumerate(fitting, start=1):
            self._list.addItem(self._item(number, choice))
        self._list.setCurrentRow(0)
        self._fit()

    def _item(self, number: int, choice: PopupItem) -> QListWidgetItem:
        digit = f"{number % 10}   " if self._digits and number <= 10 else ""
        detail = f"      {choice.detail}" if choice.detail else ""
        item = QListWidgetItem(f"{digit}{choice.text}{detail}")
        width = self._list.fontMetrics().horizontalAdvance(item.text())
        item.setSizeHint(QSize(width + _BESIDE, self._row_height()))
        if choice.icon is not None:
            item.setIcon(choice.icon)
        return item

    def _take(self, row: int) -> None:
        if 0 <= row < len(self._fitting):
            value = self._fitting[row].value
            self.dismiss()
            self.picked.emit(value)

    def _clicked(self, index: QModelIndex) -> None:
        self._take(index.row())

    def _fit(self) -> None:
        """Be as high as what fits the filter; the edge next to the place stays where it is."""
        rows = min(max(len(self._fitting), 1), _SHOWN)
        self._list.setFixedHeight(rows * self._row_height() + 2 * self._list.frameWidth())
        if self.isVisible():
            rect = self.geometry()
            height = min(self._wanted_height(), self._most)
            top = rect.bottom() + 1 - height if self._hangs_above else rect.top()
            self.setGeometry(rect.left(), top, rect.width(), height)

    def _row_height(self) -> int:
        return max(self._list.fontMetrics().height(), self._list.iconSize().height(), 16) + 6

    def _wanted_height(self) -> int:
        return self._list.height() + self._filter.sizeHint().height() + 18

    def _place(self, rect: QRect) -> QRect:
        """Below a place in the window, or above it where there is no room, and in the window."""
        free = self._owner.window().rect().adjusted(4, 4, -4, -4)
        height = self._most = min(self._wanted_height(), free.height())
        below, above = rect.bottom() + 8, rect.top() - 18 - height
        self._hangs_above = below + height > free.bottom()
        y = above if self._hangs_above else below
        y = max(free.top(), min(y, free.bottom() - height))
        width = min(max(self._width, self._list.sizeHintForColumn(0) + _BESIDE), free.width())
        x = max(free.left(), min(rect.left() - 8, free.right() - width))
        return QRect(x, y, width, height)
