"""The process beside the adjudication window ends with it."""

import pytest

from shared.processes import preload
from tests.adjudicator.projects import make_project
from tests.process_tree import CAN_TELL, running_below

pytestmark = pytest.mark.skipif(not CAN_TELL, reason="the system does not tell processes")


@pytest.fixture
def before():
    preload("annotator.ui.preloaded")
    return running_below()


def test_a_closed_window_leaves_none(open_window, tmp_path, qtbot, before):
    hand = open_window(make_project(tmp_path))
    qtbot.waitUntil(lambda: len(running_below() - before) == 1, timeout=60_000)
    hand.window.close()
    assert running_below() <= before


def test_nor_one_closed_while_it_works(open_window, tmp_path, qtbot, before):
    project = make_project(tmp_path)
    for delay in (0, 30, 60, 120, 250):
        hand = open_window(project)
        qtbot.wait(delay)
        hand.window.close()
        qtbot.wait(150)  # what was on its way comes to nothing
        assert running_below() <= before
