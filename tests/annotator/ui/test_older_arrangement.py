"""A pane that is newer than the arrangement that a window was left in takes nobody's place."""

import pytest
from PySide6.QtWidgets import QDockWidget

from annotator.ui.main_window import AnnotationWindow


def dock(window, name):
    return window.findChild(QDockWidget, f"dock.{name}")


def is_in_front(window, name):
    return not dock(window, name).visibleRegion().isEmpty()


@pytest.fixture
def opened(qtbot, project):
    def opened(without=""):
        window = AnnotationWindow(project, "ana", learns=False)
        qtbot.addWidget(window)
        if without:  # as in a program that had no such pane
            window.removeDockWidget(dock(window, without))
        window.show()
        return window

    return opened


@pytest.mark.parametrize("front", ["tags", "findings", "guidelines"])
def test_it_waits_behind_the_pane_that_was_in_front(opened, qtbot, front):
    older = opened(without="notes")
    dock(older, front).raise_()
    qtbot.waitUntil(lambda: is_in_front(older, front))
    older.close()
    window = opened()
    qtbot.waitUntil(lambda: is_in_front(window, front))
    qtbot.wait(100)
    assert is_in_front(window, front)
    assert not is_in_front(window, "notes")
    assert dock(window, "notes") in window.tabifiedDockWidgets(dock(window, front))
    dock(window, "notes").raise_()
    qtbot.waitUntil(lambda: is_in_front(window, "notes"))
