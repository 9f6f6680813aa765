"""The processes beside the annotation window end with it."""

import os
import shutil
import signal
import sys
from multiprocessing import current_process

import pytest
from PySide6.QtCore import Qt

from annotator.ui.main_window import AnnotationWindow
from shared.processes import preload
from shared.project.settings import Policy
from tests.annotator.page import press
from tests.process_tree import CAN_TELL, running_below

pytestmark = pytest.mark.skipif(not CAN_TELL, reason="the system does not tell processes")


@pytest.fixture
def before():
    preload("annotator.ui.preloaded")
    return running_below()


@pytest.fixture
def working(qtbot, project, before):
    """A window with a process that suggests and one that looks for findings."""
    project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
    window = AnnotationWindow(project, "ana", learns=False)
    qtbot.addWidget(window)
    window.show()
    window.open_patient(None)
    qtbot.waitUntil(lambda: len(running_below() - before) == 2, timeout=60_000)
    return window


def test_a_closed_window_leaves_none(working, before):
    working.close()
    assert running_below() <= before


def test_nor_one_closed_while_they_work(qtbot, project, before):
    project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
    for delay in (0, 30, 60, 120, 250):
        window = AnnotationWindow(project, "ana", learns=False)
        qtbot.addWidget(window)
        window.show()
        window.open_patient(None)
        qtbot.wait(delay)
        window.close()
        qtbot.wait(150)  # what was on its way comes to nothing
        assert running_below() <= before


@pytest.mark.skipif(sys.platform != "linux", reason="processes are not copied there")
def test_f5_looks_again_where_a_helper_died_and_what_begins_it_was_cleaned_away(
    working, qtbot, before
):
    findings = working._findings
    qtbot.waitUntil(lambda: not findings._search.is_looking)
    shutil.rmtree(vars(current_process())["_config"]["tempdir"])
    for each in running_below() - before:
        os.kill(each, signal.SIGKILL)
    press(working, Qt.Key.Key_F5)  # which may find out that it has died
    qtbot.waitUntil(lambda: not findings._search.is_looking)
    with qtbot.waitSignal(findings.found):
        press(working, Qt.Key.Key_F5)
    assert findings.left_sentence() != "Findings are not known; F5 looks again."
