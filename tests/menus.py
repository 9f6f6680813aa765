"""Right clicks and open menus, by the events that the system sends."""

import re
from collections import Counter

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QMainWindow, QMenu, QWidget

from shared.model import Span


def right_click(widget: QWidget, point: QPoint) -> QWidget | None:
    """Press, ask for the menu, release; returns the menu that opened."""
    QTest.mousePress(widget, Qt.MouseButton.RightButton, pos=point)
    reason = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(widget, QContextMenuEvent(reason, point, widget.mapToGlobal(point)))
    menu = QApplication.activePopupWidget()
    QTest.mouseRelease(menu or widget, Qt.MouseButton.RightButton)
    return menu


def right_click_text(window, offset: int) -> QMenu:
    """Right click the middle of a character, scrolled into sight where it is not."""
    window.view.reveal(Span(offset, offset + 1))
    cursor = window.view.textCursor()
    cursor.setPosition(offset)
    left = window.view.cursorRect(cursor)
    cursor.setPosition(offset + 1)
    right = window.view.cursorRect(cursor)
    point = QPoint((left.x() + 2 * right.x()) // 3, left.center().y())
    menu = right_click(window.view.viewport(), point)
    assert isinstance(menu, QMenu)
    return menu


def right_click_row(view: QAbstractItemView, row: int) -> QWidget | None:
    return right_click(view.viewport(), view.visualRect(view.model().index(row, 0)).center())


def choose(menu: QMenu, action: str) -> None:
    """Click an action of an open menu."""
    found = next(each for each in menu.actions() if each.objectName() == f"action.{action}")
    assert found.isEnabled()
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(found).center())


def type_to(
    window: QMainWindow, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """Press a key as the system does: to whatever has the keyboard."""
    QTest.keyClick(window.windowHandle(), key, modifier)


def doubled_letters(window: QMainWindow) -> list[tuple[str, str]]:
    """The letters that lead to two menus of the bar, or to two actions of a menu."""
    menus = [each.menu() for each in window.menuBar().actions()]
    menus.append(window.findChild(QMenu, "textMenu"))
    letters = [("the bar", _letter(each.title())) for each in menus]
    letters += [(m.title(), _letter(a.text())) for m in menus for a in m.actions()]
    return [each for each, times in Counter(letters).items() if each[1] and times > 1]


def _letter(text: str) -> str:
    found = re.search("&([^&])", text.replace("&&", ""))
    return found.group(1).lower() if found else ""
