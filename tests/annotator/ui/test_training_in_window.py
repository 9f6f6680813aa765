"""Learning beside the annotation window: after a patient is done, in sight, and to be stopped."""

import os
import signal
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QToolButton, QWidget

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project

TEXT = "Seen by Tarkan Velo in the ward. Tarkan Velo was told.\n"
CONTROL = Qt.KeyboardModifier.ControlModifier
LONG = 240_000
"""Training has the lowest priority of all that runs: beside much else it waits."""
pytestmark = pytest.mark.timeout(600)


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", str(n), TEXT)) for n in range(1, 4)]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


@pytest.fixture
def window(qtbot, project):
    made = AnnotationWindow(project, "ana")
    qtbot.addWidget(made)
    made.show()
    made.open_patient("1")
    qtbot.waitUntil(made.view.hasFocus)
    return made


def finish(window):
    """Tag every Velo and say that the patient is done."""
    text = window.view.merged_view.text
    for at in (text.index("Velo"), text.rindex("Velo")):
        window.view.set_caret(at)
        QTest.keyClick(window.view, Qt.Key.Key_O)
    QTest.keyClick(window.view, Qt.Key.Key_D, CONTROL)
    if window.session.patient_id == "1":  # not all was on the screen yet
        QTest.keyClick(window.view, Qt.Key.Key_D, CONTROL)


def bar(window):
    return window.findChild(QWidget, "learning")


def said(window):
    return window.statusBar().currentMessage()


def test_a_finished_patient_is_learnt_from_and_that_is_said(window, project, qtbot):
    finish(window)
    assert bar(window).isVisible()
    qtbot.waitUntil(lambda: "Trained on 1 patient;" in said(window), timeout=LONG)
    assert not bar(window).isVisible()
    window.open_patient("3")
    about = window._parts.suggestions
    qtbot.waitUntil(lambda: "a model of 1 patient of yours" in about.about, timeout=LONG)


def test_learning_can_be_stopped(window, project):
    finish(window)
    window.findChild(QToolButton, "stopLearning").click()
    assert not bar(window).isVisible()
    assert "stopped" in said(window)
    assert not (project.root / "models" / "ana").exists()


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_trainer_that_dies_is_said_and_can_be_started_again(window, qtbot):
    finish(window)
    os.kill(window._learning._learner._training._process.pid, signal.SIGKILL)
    qtbot.waitUntil(lambda: "start it again" in said(window), timeout=20_000)
    window.actions_table.action("learn").trigger()
    assert bar(window).isVisible()
    qtbot.waitUntil(lambda: "Trained on 1 patient;" in said(window), timeout=LONG)


def test_closing_ends_the_training_and_the_next_window_begins_it(window, project, qtbot):
    finish(window)
    assert window.close()
    assert not window._learning.running
    again = AnnotationWindow(project, "ana")
    qtbot.addWidget(again)
    again.show()
    qtbot.waitUntil(lambda: "Trained on 1 patient;" in said(again), timeout=LONG)


def test_nothing_to_learn_from_is_said(window):
    window.actions_table.action("learn").trigger()
    assert "nothing to train on" in said(window)


def test_patients_can_be_ordered_by_what_they_teach(window, qtbot):
    action = window.actions_table.action("instructive_first")
    action.trigger()
    qtbot.waitUntil(lambda: "most informative patients come first" in said(window), timeout=LONG)
    assert sorted(window._parts.worklist.patient_ids) == ["1", "2", "3"]
    assert "uncertainty" in window._order.hint("2")
    action.trigger()
    assert window._parts.worklist.patient_ids == ["1", "2", "3"]


def test_closing_ends_the_search_for_instructive_patients(window):
    window.actions_table.action("instructive_first").trigger()
    task = window._order._task
    assert window.close()
    task.wait()
    assert window._order._process is None
