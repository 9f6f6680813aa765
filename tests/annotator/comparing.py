"""A window in which an annotator compares a patient with the gold standard, and what it says."""

import hashlib

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QDockWidget, QLabel, QTableView

from tests.annotator.gold import adjudicate, project_that_shows_gold

ANA = ["Seen by [Lee|DOCTOR] of [Mercy|HOSPITAL] on [May 9|DATE].", "[Ann|PATIENT] came again."]
BEN = ["Seen by [Lee|PATIENT] of [Mercy|HOSPITAL] on [May|DATE] 9.", "Ann came again."]
SHIFT = Qt.KeyboardModifier.ShiftModifier
COMPARE = Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


def label(window, name):
    found = window.findChild(QLabel, name)
    return found.text() if found.isVisible() else ""


def banner(window):
    return label(window, "statusBannerText")


def said(window):
    return window.statusBar().currentMessage()


def rows(window):
    model = window.findChild(QTableView, "comparisonTable").model()
    columns = range(model.columnCount())
    return [tuple(model.index(n, at).data() for at in columns) for n in range(model.rowCount())]


def row(window):
    selected = window.findChild(QTableView, "comparisonTable").selectionModel().selectedRows()
    return [each.row() for each in selected]


def selected(window):
    span = window.view.selected_span()
    return span.text_in(window.view.merged_view.text) if span else None


def is_comparing(window):
    shown = window.findChild(QDockWidget, "dock.comparison").isVisible()
    assert shown == window.findChild(QAction, "action.compare_gold").isChecked()
    assert not (shown and window.session)
    return shown


def marks(window):
    text = window.view.merged_view.text
    return [
        (each.span.text_in(text), each.label, each.style.name)
        for each in sorted(window.view.marks(), key=lambda each: (each.start, each.style))
    ]


def digest(folder):
    files = sorted(each for each in folder.rglob("*") if each.is_file())
    return hashlib.sha256(b"".join(bytes(each) + each.read_bytes() for each in files)).hexdigest()


def compared_project(root):
    """A project that shows gold, whose patient 110 is adjudicated and 120 is not."""
    made = project_that_shows_gold(root, ANA, BEN, p120=(ANA, BEN))
    adjudicate(made, reasons=[("Lee", "Title before the name, as ana says")])
    return made
