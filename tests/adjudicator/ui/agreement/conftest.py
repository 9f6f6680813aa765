"""The agreement window of a project with two patients."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from shared.project.project import Project
from tests.adjudicator.agreement_reader import ANA, BEN, Reader
from tests.adjudicator.projects import make_project


@pytest.fixture
def project(tmp_path) -> Project:
    return make_project(tmp_path, ANA, BEN, p120=(ANA, ANA))


@pytest.fixture
def hand(open_window, project):
    return open_window(project, "120")


@pytest.fixture
def reader(hand, qtbot: QtBot) -> Reader:
    QTest.keyClick(
        hand.window.view,
        Qt.Key.Key_A,
        Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
    )
    return Reader(hand.window.agreement.window, qtbot).wait()
