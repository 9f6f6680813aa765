"""What a hand does about the place at hand, in either window."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QTableView

from shared.widgets.parts.place_line import PlaceLine
from shared.widgets.tags.place_list import PlaceList


def take_list(window):
    """Take what a list of places has ticked, by Enter; returns how many rows it had."""
    dialog = window.findChild(PlaceList)
    table = dialog.findChild(QTableView)
    _wait_for_focus(table)
    count = table.model().rowCount()
    QTest.keyClick(table, Qt.Key.Key_Return)
    _wait_for_focus(window.view)
    return count


def dismiss(window, reason=""):
    """Write a reason where one is asked for, and press Enter."""
    field = window.findChild(QLineEdit, "dismissalReason")
    assert field.isVisible()
    QTest.keyClicks(field, reason)
    QTest.keyClick(field, Qt.Key.Key_Return)


def hint(window):
    """What stands under the text once the window has seen to its user."""
    QTest.qWait(1)
    return window.findChild(PlaceLine).hint


def _wait_for_focus(widget):
    while not widget.hasFocus():  # the test's own time limit ends this
        QTest.qWait(5)
