"""A document view on the screen, and a hand on mouse and keyboard."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from shared.model import Document, MergedView, Patient, Span
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle

_NO = Qt.KeyboardModifier.NoModifier


class Hand:
    """Sends real events to a view; offsets are code points of its merged view."""

    def __init__(self, view: DocumentView) -> None:
        self.view = view

    def at(self, offset: int) -> QPoint:
        """A point of the viewport inside the character at `offset`."""
        cursor = self._cursor(offset)
        here = self.view.cursorRect(cursor)
        cursor.movePosition(QTextCursor.MoveOperation.NextCharacter)
        after = self.view.cursorRect(cursor)
        same_line = here.top() == after.top()
        x = (here.center().x() + after.center().x()) // 2 if same_line else here.center().x() + 1
        return QPoint(x, here.center().y())

    def edge(self, offset: int) -> QPoint:
        """The point of the viewport where the caret before the character at `offset` stands."""
        return self.view.cursorRect(self._cursor(offset)).center()

    def click(self, offset: int, dy: int = 0) -> None:
        point = self.at(offset) + QPoint(0, dy)
        QTest.mouseClick(self.view.viewport(), Qt.MouseButton.LeftButton, _NO, point)

    def double_click(self, offset: int) -> None:
        self.click(offset)
        point = self.at(offset)
        QTest.mouseDClick(self.view.viewport(), Qt.MouseButton.LeftButton, _NO, point)

    def drag(self, start: int, end: int, modifier: Qt.KeyboardModifier = _NO) -> None:
        """Press at the edge before `start`, move, release at the edge before `end`."""
        viewport, button = self.view.viewport(), Qt.MouseButton.LeftButton
        QTest.mousePress(viewport, button, _NO, self.edge(start))
        QTest.mouseMove(viewport, self.edge(end))
        QTest.mouseRelease(viewport, button, modifier, self.edge(end))

    def key(self, key: Qt.Key, modifier: Qt.KeyboardModifier = _NO, times: int = 1) -> None:
        for _ in range(times):
            QTest.keyClick(self.view, key, modifier)

    def _cursor(self, offset: int) -> QTextCursor:
        cursor = QTextCursor(self.view.document())
        cursor.setPosition(len(self.view.merged_view.text[:offset].encode("utf-16-le")) // 2)
        return cursor


@pytest.fixture
def show_view(qtbot: QtBot) -> Callable[..., DocumentView]:
    """Makes a view that is on the screen with records of these texts open."""

    def show(*texts: str, width: int = 900, height: int = 500) -> DocumentView:
        view = DocumentView()
        qtbot.addWidget(view)
        view.resize(width, height)
        view.show()
        view.open(merged(*texts))
        view.setFocus()
        return view

    return show


def merged(*texts: str) -> MergedView:
    records = enumerate(texts, start=1)
    return MergedView(Patient("110", tuple(Document(f"110-{n:02}", "110", t) for n, t in records)))


@pytest.fixture
def merge() -> Callable[..., MergedView]:
    return merged


def mark_of(
    view: DocumentView, text: str, label: str = "DOCTOR", style: MarkStyle = MarkStyle.TAG
) -> Mark:
    start = view.merged_view.text.index(text)
    return Mark(start, start + len(text), label, "#D55E00", style, key=text)


@pytest.fixture
def mark() -> Callable[..., Mark]:
    """Makes a mark on the first place of a text."""
    return mark_of


def span_of(view: DocumentView, text: str) -> Span:
    start = view.merged_view.text.index(text)
    return Span(start, start + len(text))


@pytest.fixture
def span() -> Callable[..., Span]:
    return span_of
