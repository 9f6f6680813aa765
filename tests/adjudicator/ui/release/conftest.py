"""Release windows that are closed when a test has ended."""

from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

from adjudicator.ui.release.window import ReleaseWindow
from shared.project.project import Project
from tests.adjudicator.clerk import SOURCES, Clerk
from tests.adjudicator.release.sessions import make


@pytest.fixture
def open_release(qtbot: QtBot) -> Iterator:
    windows: list[ReleaseWindow] = []

    def open_on(project: Project, patient_id: str = "") -> Clerk:
        window = ReleaseWindow(project)
        windows.append(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        window.begin(patient_id)
        return Clerk(window, qtbot).wait()

    yield open_on
    for window in windows:
        window.close()
        window._work.wait()
        window.deleteLater()


@pytest.fixture
def clerk(open_release, tmp_path) -> Clerk:
    return open_release(make(tmp_path, SOURCES))
