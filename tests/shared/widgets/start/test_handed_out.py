"""Work that was handed out is opened from the start window, by its buttons and dialogs."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QListWidget, QPushButton

from shared.project.assignments import State
from shared.project.handed_work import hand_out
from shared.widgets.start.handed_out_dialog import HandedOutDialog
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
def press(start, file, tmp_path):
    """Presses the button and fills in the dialog, which it returns; `folder` None leaves it."""

    def pressed(passphrase=PASSPHRASE, path=file, folder="work"):
        button = start.findChild(QPushButton, "openHandedOut")
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)  # comes back
        (dialog,) = (each for each in start.findChildren(HandedOutDialog) if each.isVisible())
        dialog.file.set_path(path)
        (asked,) = passphrase_lines(dialog)
        asked.setFocus()
        QTest.keyClicks(asked, passphrase)
        if folder is not None:
            dialog.folder.set_path(tmp_path / folder)
        QTest.keyClick(asked, Qt.Key.Key_Return)
        return dialog

    yield pressed
    for dialog in start.findChildren(HandedOutDialog):
        dialog.close()


def passphrase_lines(dialog):
    lines = dialog.findChildren(QLineEdit)
    return [each for each in lines if each.accessibleName() == "Passphrase"]


def said(window):
    label = window.findChild(QLabel, "statusBannerText")
    return label.text() if label.isVisible() else ""


def test_it_becomes_a_project_of_one_annotator(start, press, tmp_path):
    press()
    people = start.findChild(QListWidget, "annotators")
    assert people.isVisible()
    listed = [people.item(row).text() for row in range(people.count())]
    assert listed == ["ana   0 of 1 patients done"]  # nobody adjudicates here
    assert (tmp_path / "work" / "handed_out.json").is_file()
    assert not said(start)


def test_the_folder_proposed_lies_beside_the_file(start, press, tmp_path):
    press(folder=None)
    assert start.findChild(QListWidget, "annotators").isVisible()
    assert (tmp_path / "for-ana-work" / "handed_out.json").is_file()


def test_a_wrong_passphrase_is_said_makes_nothing_and_can_be_typed_again(start, press, tmp_path):
    dialog = press("another passphrase")
    assert "the passphrase is not the one it was written with" in said(dialog)
    assert not (tmp_path / "work").exists()
    (asked,) = passphrase_lines(dialog)
    asked.selectAll()
    QTest.keyClicks(asked, PASSPHRASE)
    QTest.keyClick(asked, Qt.Key.Key_Return)
    assert (tmp_path / "work" / "handed_out.json").is_file()


def test_a_folder_that_holds_something_is_not_touched(press, tmp_path):
    dialog = press(folder="project")
    assert "already exists and is not empty" in said(dialog)
    assert not (tmp_path / "project" / "handed_out.json").exists()


def test_any_other_file_is_said_to_be_none(press, tmp_path):
    (tmp_path / "letter").write_text("Dear ana")
    assert "is not work that was handed out" in said(press(path=tmp_path / "letter"))


def test_a_file_that_is_not_there_is_said(press, tmp_path):
    assert "does not exist; check the name" in said(press(path=tmp_path / "for-ben"))
