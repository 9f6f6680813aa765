"""A clerk at the release window: reads it, clicks in it and presses its keys."""

from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QPushButton,
    QTableView,
)
from pytestqt.qtbot import QtBot

from adjudicator.ui.release.list import ReleaseList
from adjudicator.ui.release.model import RECORD, SURROGATE
from adjudicator.ui.release.window import ReleaseWindow

SOURCES = {
    "110-01": "Record date: [2007-05-09|DATE]\n[Dennis Holcomb|PATIENT], [53|AGE], "
    "seen by Dr. [Petty|DOCTOR] at [Green Hospital|HOSPITAL].\nBack on [5/20|DATE].",
    "110-02": "Record date: [2007-06-09|DATE]\nMr. [Holcomb|PATIENT] [sings in a choir|OTHER], "
    "[sings in a choir|OTHER]. Dr. [Petty|DOCTOR], then [Petty|DOCTOR].",
    "111-01": "Record date: [2007-06-09|DATE]\n[Ann Lee|PATIENT], [Room 12|ROOM].",
}
LEAKY = SOURCES | {"112-01": "Record date: [2007-06-09|DATE]\n[Ann Lee|PATIENT], then LEE."}


class Clerk:
    """Reads the release window, clicks in it and presses its keys."""

    def __init__(self, window: ReleaseWindow, qtbot: QtBot) -> None:
        self.window = window
        self._qtbot = qtbot

    @property
    def tree(self) -> ReleaseList:
        return self.window.findChild(ReleaseList)

    @property
    def blockers(self) -> QTableView:
        return self.window.findChild(QTableView, "releaseObstacles")

    @property
    def banner(self) -> str:
        label = self.window.findChild(QLabel, "statusBannerText")
        return label.text() if label.isVisible() else ""

    @property
    def said(self) -> str:
        return self.window.statusBar().currentMessage()

    @property
    def sections(self) -> dict[str, list[str]]:
        """The originals listed, by the words of their section."""
        model = self.tree.rows
        found: dict[str, list[str]] = {}
        for number in range(model.rowCount()):
            section = model.index(number, 0)
            rows = range(model.rowCount(section))
            found[section.data()] = [
                model.row_at(model.index(row, 0, section)).replacement.original for row in rows
            ]
        return found

    def surrogates(self, original: str) -> list[str]:
        rows = self.window.session.rows()
        return [
            each.replacement.surrogate for each in rows if each.replacement.original == original
        ]

    def wait(self) -> "Clerk":
        self._qtbot.waitUntil(lambda: not self.window.is_busy, timeout=20_000)
        self._qtbot.waitUntil(lambda: self.window.session is not None, timeout=20_000)
        return self

    def go_to(self, original: str, number: int = 0) -> None:
        """Click the row of this text; the window is the active one, as it is under a hand."""
        self._activate()
        self.tree.scrollTo(self.index(original, number))
        QTest.mouseClick(
            self.tree.viewport(), Qt.MouseButton.LeftButton, pos=self.place(original, number)
        )

    def index(self, original: str, number: int = 0, column: int = RECORD):
        model = self.tree.rows
        found = [
            model.index(row, column, model.index(section, 0))
            for section in range(model.rowCount())
            for row in range(model.rowCount(model.index(section, 0)))
        ]
        return [each for each in found if model.row_at(each).replacement.original == original][
            number
        ]

    def place(self, original: str, number: int = 0, column: int = SURROGATE) -> QPoint:
        return self.tree.visualRect(self.index(original, number, column)).center()

    def press(self, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.tree, key, modifier)

    def press_anywhere(self, key: Qt.Key, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        """Press a key of the window."""
        self._activate()
        QTest.keyClick(self.window, key, modifier)

    def look_again(self) -> None:
        self.press_anywhere(Qt.Key.Key_F5)
        self.wait()

    def editor(self) -> QLineEdit:
        return self.tree.findChild(QLineEdit, "surrogateEditor")

    def write(self, text: str, modifier=Qt.KeyboardModifier.NoModifier) -> None:
        """Write into the editor that is open and press Enter."""
        editor = self.editor()
        editor.selectAll()
        QTest.keyClicks(editor, text)
        with self._qtbot.waitSignal(self.tree.written):
            QTest.keyClick(editor, Qt.Key.Key_Return, modifier)

    def click(self, name: str) -> None:
        QTest.mouseClick(self.window.findChild(QPushButton, name), Qt.MouseButton.LeftButton)

    def filter(self, words: str) -> None:
        line = self.window.findChild(QLineEdit, "releaseFilter")
        line.clear()
        QTest.keyClicks(line, words)
        self._qtbot.wait(250)

    def choose(self, name: str, text: str) -> None:
        box = self.window.findChild(QComboBox, name)
        box.setFocus()
        number = box.findText(text)
        QTest.keyClick(box, Qt.Key.Key_Home)
        for _ in range(number):
            QTest.keyClick(box, Qt.Key.Key_Down)

    def review(self) -> None:
        """Look at every surrogate, and let those stand that ask for it."""
        self._activate()
        self.tree.setFocus()
        QTest.keyClick(self.tree, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClick(self.tree, Qt.Key.Key_Space)

    def dismiss(self, reason: str) -> None:
        """Dismiss the blocker that is current, by keys."""
        self.blockers.setFocus()
        QTest.keyClick(self.blockers, Qt.Key.Key_X)
        line = self.window.findChild(QLineEdit, "dismissalReason")
        QTest.keyClicks(line, reason)
        QTest.keyClick(line, Qt.Key.Key_Return)

    def dialog(self) -> QDialog:
        self.click("release.release")
        return self.window.findChild(QDialog, "releaseDialog")

    def _activate(self) -> None:
        with self._qtbot.waitActive(self.window):
            self.window.activateWindow()

    def release(self, folder: Path) -> None:
        dialog = self.dialog()
        line(dialog, "releaseFolder").setText(str(folder))
        accept(dialog)
        self.wait()


def line(dialog: QDialog, name: str) -> QLineEdit:
    found = dialog.findChild(QLineEdit, name)
    return found or dialog.findChild(object, name).findChild(QLineEdit)


def accept(dialog: QDialog) -> None:
    button = next(each for each in dialog.findChildren(QPushButton) if each.text() == "&Release")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
