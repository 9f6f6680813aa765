"""The adjudication window on a small project, and a hand on its keyboard."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QTextDocument
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QTableView, QToolButton
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from adjudicator.ui.main_window import AdjudicationWindow
from adjudicator.worklist import OpenOptions
from shared.project.project import Project
from tests.adjudicator.projects import make_project
from tests.events import process_events


class Hand:
    """Presses keys and reads what the window says."""

    def __init__(self, window: AdjudicationWindow) -> None:
        self.window = window

    @property
    def banner(self) -> str:
        label = self.window.findChild(QLabel, "statusBannerText")
        return label.text() if label.isVisible() else ""

    @property
    def table(self) -> QTableView:
        return self.window.findChild(QTableView, "disagreementTable")

    @property
    def said(self) -> str:
        return self.window.statusBar().currentMessage()

    def press(self, *keys: str) -> None:
        """Press keys in the document view, written as in `Shift+1`."""
        for key in keys:
            self._send(self.window.view, key)

    def finish(self) -> None:
        """Press the key that marks the patient as done, once findings are looked for."""
        findings = self.window.findChild(QLabel, "findingCount")
        while findings.text().startswith("Looking"):  # the test's own time limit ends this
            process_events()
        self.press("Ctrl+D")
        if self.banner.startswith("Findings are still being looked for."):  # it had not begun yet
            self.press("Ctrl+D")

    def press_in_table(self, *keys: str) -> None:
        for key in keys:
            self._send(self.table, key)

    def click(self, button: str) -> None:
        found = self.window.findChild(QToolButton, button)
        QTest.mouseClick(found, Qt.MouseButton.LeftButton)

    def text(self, label: str) -> str:
        """What a label of the decision pane says, without its look."""
        found = self.window.findChild(QLabel, label)
        document = QTextDocument()
        document.setHtml(found.text())
        return document.toPlainText()

    def column(self, number: int) -> list[str]:
        model = self.table.model()
        return [str(model.index(row, number).data()) for row in range(model.rowCount())]

    def patients(self) -> list[tuple[str, str]]:
        model = self.window.findChild(QTableView, "worklist").model()
        return [
            (str(model.index(row, 0).data()), str(model.index(row, 1).data()))
            for row in range(model.rowCount())
        ]

    def gold(self) -> list[tuple[str, str]]:
        session = self.window.session
        return [(each.span.text_in(session.view.text), each.phi_type.name) for each in session.tags]

    def current(self) -> str:
        """The text of the disagreement that is being reviewed."""
        current = self.window.disagreements.current
        return current.span.text_in(self.window.session.view.text)

    def _send(self, widget, key: str) -> None:
        combination = QKeySequence(key)[0]
        QTest.keyClick(widget, combination.key(), combination.keyboardModifiers())


@pytest.fixture
def open_window(qtbot: QtBot) -> Iterator:
    """Open windows on projects; each is closed at the end, its patient with it."""
    windows: list[AdjudicationWindow] = []

    def open_on(project: Project, patient: str | None = "110", **options: bool) -> Hand:
        window = AdjudicationWindow(project, "carol", OpenOptions(**options))
        windows.append(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        window.open_patient(patient)
        window.view.setFocus()
        return Hand(window)

    yield open_on
    for window in windows:
        window.close()
        window.close()
        window.deleteLater()


@pytest.fixture
def hand(open_window, tmp_path) -> Hand:
    return open_window(make_project(tmp_path))


@pytest.fixture
def review(qtbot):
    """The list, once it has the keys, and its table; what a test leaves open is closed."""
    shown: list[QDialog] = []

    def found(hand):
        dialog = hand.window.findChild(QDialog, "reviewDialog")
        table = dialog and dialog.findChild(QTableView, "reviewTable")
        if table is not None:
            qtbot.waitUntil(table.hasFocus)
            shown.append(dialog)
        return dialog, table

    yield found
    for dialog in shown:
        if isValid(dialog):
            dialog.reject()
