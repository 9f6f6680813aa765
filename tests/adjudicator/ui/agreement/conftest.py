"""The agreement window of a project with two patients."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from shared.project.project import Project
from tests.adjudicator.agreement_reader import ANA, BEN, Reader
from tests.adjudicator.projects import make_project


@pytest.fixture(autouse=True)
def _gone_at_the_end(qapp) -> Iterator[None]:
    """Let windows go before Python's garbage collector takes them apart."""
    yield
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)


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
