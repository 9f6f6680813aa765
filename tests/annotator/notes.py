"""What a hand does about notes in the annotation window, and what it and the disk say."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPlainTextEdit, QTableView

from shared.model import Span
from shared.project.notes import NoteBook, NotePlace
from shared.project.project import Project
from shared.widgets.document.marks import MarkStyle
from tests.annotator.page import press

CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
LEE = NotePlace("1-01", Span(26, 29))


def on_disk(project, reader="ana", patient_id="1"):
    """What is on the disk, read as another program would."""
    book = NoteBook(Project.open(project.root), reader)
    book.refresh()
    return [
        (each.note.kind.value, each.note.place, each.note.text) for each in book.threads(patient_id)
    ]


def box(window):
    return window.findChild(QPlainTextEdit, "noteText")


def write(window, text, *keys):
    QTest.keyClicks(box(window), text)
    for key in keys or (Qt.Key.Key_Return,):
        QTest.keyClick(box(window), key)


def note(window, text, *keys):
    press(window, Qt.Key.Key_N, CONTROL)
    write(window, text, *keys)


def ask(window, text):
    press(window, Qt.Key.Key_N, CONTROL | SHIFT)
    write(window, text)


def rows(window):
    model = window.findChild(QTableView, "noteTable").model()
    return [
        tuple(str(model.index(row, column).data()) for column in range(3))
        for row in range(model.rowCount())
    ]


def click_row(window, row):
    table = window.findChild(QTableView, "noteTable")
    place = table.visualRect(table.model().index(row, 1)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)


def said(window):
    return window.statusBar().currentMessage()


def shown(window):
    return window.findChild(QPlainTextEdit, "noteSaid").toPlainText()


def signs(window):
    text = window.view.merged_view.text
    marks = [each for each in window.view.marks() if each.style is MarkStyle.NOTE]
    return [(each.span.text_in(text), each.label) for each in marks]


def states(window):
    model = window.findChild(QTableView, "worklist").model()
    return {model.index(n, 0).data(): model.index(n, 1).data() for n in range(model.rowCount())}


def answer(project, text, number=0):
    book = NoteBook(Project.open(project.root), "gold")
    book.refresh()
    book.answer(book.threads("1")[number], text)


def come_back(window):
    QApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
