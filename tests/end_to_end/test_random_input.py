"""Random keys and clicks on a fabricated patient: nothing breaks, and nothing is out of step."""

import random
import sys
import time

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog

from annotator.session import AnnotationSession
from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.synthetic import fabricate

pytestmark = pytest.mark.end_to_end

NONE, CONTROL, SHIFT, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)
LETTERS = [getattr(Qt.Key, f"Key_{letter}") for letter in "ABCDEFGHIJKLMNOPRSTUVWXYZ0123456789"]
MOVES = [
    getattr(Qt.Key, f"Key_{name}")
    for name in ("Left", "Right", "Up", "Down", "PageUp", "PageDown", "Home", "End")
]
OTHERS = [
    getattr(Qt.Key, f"Key_{name}")
    for name in ("Return", "Escape", "Delete", "Period", "F1", "F6", "F9", "Tab", "Space")
]
LEAVES = {Qt.Key.Key_Q, Qt.Key.Key_O, Qt.Key.Key_P}  # with Ctrl: quit, or open a file dialog


@pytest.fixture
def project(tmp_path):
    (patient,) = fabricate(1, 11)
    records = [Record(document) for document in patient.patient.documents]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


@pytest.fixture
def no_exceptions(monkeypatch):
    raised = []
    monkeypatch.setattr(sys, "excepthook", lambda *error: raised.append(error))
    yield raised
    assert not raised


def random_key(draw):
    kind = draw.random()
    if kind < 0.45:
        return draw.choice(MOVES), draw.choice([NONE, NONE, SHIFT, CONTROL, CONTROL | SHIFT, ALT])
    if kind < 0.8:
        return draw.choice(LETTERS), NONE
    if kind < 0.9:
        return draw.choice(OTHERS), draw.choice([NONE, NONE, SHIFT])
    return draw.choice([key for key in LETTERS if key not in LEAVES]), CONTROL


def random_click(draw, window):
    viewport = window.view.viewport()
    place = QPoint(draw.randrange(viewport.width()), draw.randrange(viewport.height()))
    modifier = draw.choice([NONE, NONE, NONE, SHIFT, ALT])
    left = Qt.MouseButton.LeftButton
    if draw.random() < 0.5:
        QTest.mouseClick(viewport, left, modifier, place)
    else:
        end = QPoint(draw.randrange(viewport.width()), place.y() + draw.randrange(-20, 21))
        QTest.mousePress(viewport, left, modifier, place)
        QTest.mouseMove(viewport, (place + end) / 2)
        QTest.mouseMove(viewport, end)
        QTest.mouseRelease(viewport, left, modifier, end)


def one_input(draw, window):
    target = QApplication.focusWidget() or window.view
    if draw.random() < 0.25 and target is window.view:
        random_click(draw, window)
    else:
        QTest.keyClick(target, *random_key(draw))
    for dialog in window.findChildren(QDialog):
        if dialog.isVisible() and draw.random() < 0.3:
            dialog.close()
    if draw.random() < 0.05:
        window.activateWindow()
        window.view.setFocus()


@pytest.mark.parametrize(
    "seconds", [4, pytest.param(600, marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
)
def test_nothing_breaks_and_journal_and_files_agree(project, qtbot, no_exceptions, seconds):
    draw = random.Random(seconds)
    window = AnnotationWindow(project, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient(None)
    patient_id = window.session.patient_id
    until = time.monotonic() + seconds
    while time.monotonic() < until and window.session is not None:
        one_input(draw, window)
        QApplication.processEvents()
    for dialog in window.findChildren(QDialog):
        dialog.close()  # the last key may have opened one, over which no window is closed
    shown = {(each.key, each.span, each.phi_type) for each in window.session.tags}
    assert window.close()
    with AnnotationSession(project, "ana", patient_id) as again:
        assert not again.layer.unsaved
        assert {(each.key, each.span, each.phi_type) for each in again.tags} == shown
        while again.undo() is not None:
            pass
        assert not again.tags
