"""Work that was handed out is opened from the start window, by its buttons and dialogs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLabel, QListWidget, QPushButton

from shared.project.assignments import State
from shared.project.handed_work import hand_out
from shared.widgets.start.start_window import StartWindow
from tests.adjudicator.projects import make_project

PASSPHRASE = "correct horse battery"  # noqa: S105  of tests


@pytest.fixture
def file(tmp_path):
    project = make_project(tmp_path, ("Kai came.",), ("Kai came.",), State.TO_DO)
    path = tmp_path / "for-ana"
    path.write_bytes(hand_out(project, "ana", (), PASSPHRASE))
    return path


@pytest.fixture
def start(qtbot):
    window = StartWindow(lambda folder: folder)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    return window


@pytest.fixture
def press(start, file, tmp_path, monkeypatch):
    """Presses the button and answers the dialogs; the last words answer for the folder."""

    def pressed(passphrase=PASSPHRASE, path=file, folder="work"):
        monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(path), ""))
        monkeypatch.setattr(QInputDialog, "getText", lambda *_: (passphrase, True))
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / folder), ""))
        button = start.findChild(QPushButton, "openHandedOut")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)

    return pressed


def said(start):
    label = start.findChild(QLabel, "statusBannerText")
    return label.text() if label.isVisible() else ""


def test_it_becomes_a_project_of_one_annotator(start, press, tmp_path):
    press()
    people = start.findChild(QListWidget, "annotators")
    assert people.isVisible()
    listed = [people.item(row).text() for row in range(people.count())]
    assert listed == ["ana   0 of 1 patients done"]  # nobody adjudicates here
    assert (tmp_path / "work" / "handed_out.json").is_file()
    assert not said(start)


def test_a_wrong_passphrase_is_said_and_makes_nothing(start, press, tmp_path):
    press("another passphrase")
    assert "the passphrase is not the one it was written with" in said(start)
    assert not (tmp_path / "work").exists()


def test_a_folder_that_holds_something_is_not_touched(start, press, tmp_path):
    press(folder="project")
    assert "already exists and is not empty" in said(start)
    assert not (tmp_path / "project" / "handed_out.json").exists()


def test_any_other_file_is_said_to_be_none(start, press, tmp_path):
    (tmp_path / "letter").write_text("Dear ana")
    press(path=tmp_path / "letter")
    assert "is not work that was handed out" in said(start)
