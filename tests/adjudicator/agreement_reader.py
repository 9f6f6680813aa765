"""A hand on the agreement window, and what the two annotators of its tests say."""

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QListWidget, QPushButton, QTableView, QToolButton
from pytestqt.qtbot import QtBot

from shared.model import Layer
from shared.project.project import Project
from tests.builders import marked_up

BY_TYPE = "Strict agreement by category and type"
ANA = ("Seen by [Lee|DOCTOR] on [3/4|DATE].", "[Kai|PATIENT] called.")
BEN = ("Seen by [Lee|DOCTOR] on [3/4|DATE].", "Kai called.")


def write_gold(project: Project, *sources: str) -> None:
    for each, source in zip(project.patient("110").documents, sources, strict=True):
        layer = Layer.of(each.record_id, "gold", marked_up(source)[1])
        project.write_layer("gold", each, layer, None)


class Reader:
    """Looks at the agreement window, clicks in it and presses its keys."""

    def __init__(self, window, qtbot: QtBot) -> None:
        self.window = window
        self._qtbot = qtbot

    @property
    def table(self) -> QTableView:
        return self.window.findChild(QTableView, "agreementTable")

    @property
    def tags(self) -> QTableView:
        return self.window.findChild(QTableView, "agreementTags")

    @property
    def contents(self) -> QListWidget:
        return self.window.findChild(QListWidget, "agreementContents")

    @property
    def titles(self) -> list[str]:
        return [self.contents.item(number).text() for number in range(self.contents.count())]

    @property
    def banner(self) -> str:
        label = self.window.findChild(QLabel, "statusBannerText")
        return label.text() if label.isVisible() else ""

    def wait(self) -> "Reader":
        """Let the window finish what it is at."""
        self._qtbot.waitUntil(lambda: self.window.shown is not None, timeout=20_000)
        self._qtbot.waitUntil(lambda: not self.window.is_busy, timeout=20_000)
        return self

    def turn_to(self, title: str) -> None:
        item = self.contents.item(self.titles.index(title))
        place = self.contents.visualItemRect(item).center()
        QTest.mouseClick(self.contents.viewport(), Qt.MouseButton.LeftButton, pos=place)

    def cells(self, table: QTableView) -> list[list[str]]:
        model = table.model()
        return [
            [str(model.index(row, column).data()) for column in range(model.columnCount())]
            for row in range(model.rowCount())
        ]

    def click(self, table: QTableView, row: int, title: str) -> None:
        QTest.mouseClick(
            table.viewport(), Qt.MouseButton.LeftButton, pos=self._place(table, row, title)
        )
        self.wait()

    def click_twice(self, table: QTableView, row: int, title: str) -> None:
        place = self._place(table, row, title)
        QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        QTest.mouseDClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
        self.wait()

    def sort_by(self, title: str) -> None:
        header = self.table.horizontalHeader()
        place = header.sectionViewportPosition(self._column(self.table, title)) + 8
        QTest.mouseClick(
            header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(place, header.height() // 2)
        )

    def choose(self, name: str, text: str) -> None:
        self.pick(name, text)
        self.wait()

    def pick(self, name: str, text: str) -> None:
        """Choose and do not wait for what comes of it."""
        box = self.window.findChild(QComboBox, name)
        number = [box.itemText(each).strip() for each in range(box.count())].index(text)
        box.setFocus()
        QTest.keyClick(box, Qt.Key.Key_Home)
        for _ in range(number):
            QTest.keyClick(box, Qt.Key.Key_Down)

    def press_when_visible(self, name: str) -> None:
        """Press a button once it is there."""
        button = self.window.findChild(QToolButton, name)
        self._qtbot.waitUntil(button.isVisible)
        self.press(name)

    def press(self, name: str) -> None:
        button = self.window.findChild(QPushButton, name) or self.window.findChild(
            QToolButton, name
        )
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    def row_of(self, *words: str) -> int:
        """The line of the table with these words."""
        return next(
            number for number, row in enumerate(self.cells(self.table)) if set(words) <= set(row)
        )

    def _place(self, table: QTableView, row: int, title: str) -> QPoint:
        index = table.model().index(row, self._column(table, title))
        table.scrollTo(index)
        return table.visualRect(index).center()

    def _column(self, table: QTableView, title: str) -> int:
        model = table.model()
        heads = [
            model.headerData(number, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
            for number in range(model.columnCount())
        ]
        return heads.index(title)
