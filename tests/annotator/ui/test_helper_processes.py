"""The processes beside the annotation window end with it."""

import pytest

from annotator.ui.main_window import AnnotationWindow
from shared.processes import preload
from shared.project.settings import Policy
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
