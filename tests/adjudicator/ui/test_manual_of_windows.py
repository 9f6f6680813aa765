"""Release and agreement window open their page of the manual."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

import manual
from adjudicator.ui.agreement.window import AgreementWindow
from adjudicator.ui.release.window import ReleaseWindow
from shared.widgets.parts import manual_opener
from tests.adjudicator.projects import make_project

TEXTS = ["[Kai Yamamoto|PATIENT] came."]


@pytest.mark.parametrize(
    ("kind", "button", "page"),
    [
        (ReleaseWindow, "release.manual", "release"),
        (AgreementWindow, "agreementHelp", "project_lead"),
    ],
)
def test_the_manual_is_opened_at_the_page_of_the_window(
    kind, button, page, tmp_path, qtbot, monkeypatch
):
    opened = []
    built = tmp_path / "html" / "manual" / f"{page}.html"
    monkeypatch.setattr(manual, "__file__", str(tmp_path / "__init__.py"))
    monkeypatch.setattr(
        manual_opener.QDesktopServices,
        "openUrl",
        lambda url: opened.append(url.toLocalFile()) or True,
    )
    window = kind(make_project(tmp_path, TEXTS, TEXTS))
    qtbot.addWidget(window)
    with qtbot.waitActive(window):
        window.show()
        window.activateWindow()
    QTest.keyClick(window, Qt.Key.Key_F1, Qt.KeyboardModifier.ShiftModifier)
    assert "make manual" in window.statusBar().currentMessage()
    built.parent.mkdir(parents=True)
    built.touch()
    QTest.mouseClick(window.findChild(QPushButton, button), Qt.MouseButton.LeftButton)
    assert opened == [str(built)]
    window.close()


@pytest.mark.parametrize("name", ["index", "release", "project_lead"])
def test_the_pages_that_windows_open_are_written(name):
    assert (Path(manual.__file__).parent / f"{name}.md").is_file()
