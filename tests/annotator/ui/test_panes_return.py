"""A pane that was closed comes back from the View menu, in both windows."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QDockWidget, QMenu

from adjudicator.ui.main_window import AdjudicationWindow
from shared.widgets.actions.common_actions import VIEW


@pytest.fixture(params=["annotation", "adjudication"])
def either(request, qtbot, project):
    if request.param == "annotation":
        return request.getfixturevalue("window")
    made = AdjudicationWindow(project, "carol")
    qtbot.addWidget(made)
    made.show()
    return made


def click(menu: QMenu, name: str) -> None:
    action = next(each for each in menu.actions() if each.text().replace("&", "") == name)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def panes_menu(window) -> QMenu:
    view = window.actions_table.menu(VIEW)
    view.popup(window.mapToGlobal(window.rect().center()))
    click(view, "Panes")
    return next(each for each in view.findChildren(QMenu) if each.objectName() == "menu.panes")


def close(dock: QDockWidget) -> None:
    dock.raise_()
    button = dock.findChild(QAbstractButton, "qt_dockwidget_closebutton")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    assert dock.isHidden()


def test_every_pane_that_was_closed_comes_back_to_the_front(either, qtbot):
    docks = either.findChildren(QDockWidget)
    for dock in (each for each in docks if each.toggleViewAction().isVisible()):
        close(dock)
        menu = panes_menu(either)
        qtbot.waitUntil(menu.isVisible)
        click(menu, dock.windowTitle())
        assert dock.isVisible()
        qtbot.waitUntil(lambda pane=dock: not pane.visibleRegion().isEmpty())
