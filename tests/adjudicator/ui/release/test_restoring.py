"""Restoring a keyed release in the window: its records as they were, whole or not at all."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QLineEdit,
    QPushButton,
)

from adjudicator.ui.release.restoring import RestoreDialog
from tests.adjudicator.clerk import SOURCES, Clerk
from tests.adjudicator.release.sessions import PASSPHRASE, make
from tests.disk import filling_disk

SPANISH = {
    "210-01": "Paciente: [Inés Ferrándiz Olmo|PATIENT], [53|AGE] años.\nIngresó el "
    "[9 de mayo de 2007|DATE] en el [Hospital de la Ribera|HOSPITAL].",
    "211-01": "Dr. [Quiñones|DOCTOR], [Cañada Rosal|CITY]. Sin más.",
}
AUTHENTIC = ("Holcomb", "Petty", "Ferrándiz", "Quiñones")


@pytest.fixture(params=[SOURCES, SPANISH], ids=["en", "es"])
def clerk(request: pytest.FixtureRequest, open_release: Callable, tmp_path: Path) -> Clerk:
    """A clerk whose project was released with keyed tags, with the map where it is by itself."""
    clerk = open_release(make(tmp_path / "project", request.param))
    clerk.choose("releaseMode", "Keyed tags")
    clerk.wait()
    clerk.review()
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    for name in ("releasePassphrase", "releasePassphraseAgain"):
        QTest.keyClicks(line(dialog, name), PASSPHRASE)
    QTest.keyClick(dialog, Qt.Key.Key_Return)
    clerk.wait()
    assert "were released" in clerk.banner
    return clerk


def line(dialog: QDialog, name: str) -> QLineEdit:
    found = dialog.findChild(QLineEdit, name)
    return found if found is not None else dialog.findChild(object, name).findChild(QLineEdit)


def asked(clerk: Clerk, out: Path, passphrase: str = PASSPHRASE) -> RestoreDialog:
    """The dialog with everything written into it, by keys."""
    button = clerk.window.findChild(QPushButton, "release.restore")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = clerk.window.findChildren(RestoreDialog)[-1]
    assert dialog.isVisible()
    for name, text in (
        ("restoreRelease", str(out.parent / "out")),
        ("restorePassphrase", passphrase),
        ("restoreFolder", str(out)),
    ):
        line(dialog, name).clear()
        QTest.keyClicks(line(dialog, name), text)
    return dialog


def press(dialog: QDialog) -> None:
    QTest.keyClick(dialog, Qt.Key.Key_Return)


def problem(dialog: QDialog) -> str:
    label = dialog.findChild(QLabel, "restoreProblem")
    return label.text() if label.isVisible() else ""


def sources(clerk: Clerk) -> dict[str, bytes]:
    root = clerk.window.session.project.root
    return {each.name: each.read_bytes() for each in (root / "records").rglob("*.txt")}


def test_the_records_come_back_byte_for_byte_and_are_nobody_elses(clerk, tmp_path):
    back = tmp_path / "back"
    released = "".join(each.read_text() for each in (tmp_path / "out").rglob("*.txt"))
    assert not any(each in released for each in AUTHENTIC)
    press(asked(clerk, back))
    clerk.wait()
    assert "as they were" in clerk.banner
    assert {each.name: each.read_bytes() for each in back.iterdir()} == sources(clerk)
    assert back.stat().st_mode & 0o777 == 0o700
    assert {each.stat().st_mode & 0o777 for each in back.iterdir()} == {0o600}


def test_a_wrong_passphrase_is_one_sentence_and_asked_for_again(clerk, tmp_path):
    back = tmp_path / "back"
    press(asked(clerk, back, "another passphrase"))
    clerk.wait()
    assert "the passphrase is not the one it was written with" in clerk.banner
    assert clerk.banner.count(". ") == 0
    assert not back.exists()
    QTest.mouseClick(
        clerk.window.findChild(QPushButton, "release.restore"), Qt.MouseButton.LeftButton
    )
    dialog = clerk.window.findChildren(RestoreDialog)[-1]
    assert line(dialog, "restoreFolder").text() == str(back)
    assert line(dialog, "restoreRelease").text() == str(tmp_path / "out")
    assert line(dialog, "restorePassphrase").text() == ""
    QTest.keyClicks(line(dialog, "restorePassphrase"), PASSPHRASE)
    press(dialog)
    clerk.wait()
    assert {each.name: each.read_bytes() for each in back.iterdir()} == sources(clerk)


def test_a_record_that_was_changed_leaves_nothing(clerk, tmp_path):
    path = sorted((tmp_path / "out" / "text").iterdir())[-1]
    path.write_text(path.read_text().replace("[", "[ ", 1))
    press(asked(clerk, tmp_path / "back"))
    clerk.wait()
    assert "is not as it was released" in clerk.banner
    assert not any(each in clerk.banner for each in AUTHENTIC)
    assert not (tmp_path / "back").exists()
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".back.unf")]


def test_a_full_disk_leaves_nothing(clerk, tmp_path):
    dialog = asked(clerk, tmp_path / "back")
    with filling_disk(writes=1):
        press(dialog)
        clerk.wait()
    assert "free some space" in clerk.banner
    assert not (tmp_path / "back").exists()


def test_who_cancels_has_nothing(clerk, tmp_path):
    dialog = asked(clerk, tmp_path / "back")
    clerk.window._work.begun.connect(lambda task, _what: task.cancel())
    press(dialog)
    clerk.wait()
    assert clerk.said == "Cancelled; nothing was written."
    assert not (tmp_path / "back").exists()


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("project", "records as they were are there already"),
        ("out/back", "would go out with it"),
        ("out", "would go out with it"),
        ("full", "is not empty"),
    ],
)
def test_a_folder_where_they_must_not_lie_is_refused_at_once(open_release, tmp_path, where, said):
    clerk = open_release(make(tmp_path / "project", {"110-01": "Dr. [Petty|DOCTOR]."}))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "data_card.json").write_text("{}")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a.txt").write_text("mine")
    dialog = asked(clerk, tmp_path / "back")
    line(dialog, "restoreMap").setText(str(tmp_path / "map"))
    project = clerk.window.session.project.root
    out = project / "back" if where == "project" else tmp_path / where
    line(dialog, "restoreFolder").setText(str(out))
    press(dialog)
    assert said in problem(dialog)
    assert dialog.isVisible()
    assert not clerk.window.is_busy
    assert [each.name for each in (tmp_path / "full").iterdir()] == ["a.txt"]
    dialog.reject()


def test_what_is_missing_is_asked_for(open_release, tmp_path):
    clerk = open_release(make(tmp_path / "project", {"110-01": "Dr. [Petty|DOCTOR]."}))
    dialog = asked(clerk, tmp_path / "back", passphrase="")
    press(dialog)
    assert problem(dialog).startswith("Choose the release, its map")
    line(dialog, "restorePassphrase").setText(PASSPHRASE)
    line(dialog, "restoreMap").setText(str(tmp_path / "map"))
    press(dialog)
    assert "is no release" in problem(dialog)
    dialog.reject()


def test_the_map_is_chosen_without_an_event_loop_of_its_own(open_release, tmp_path, qtbot):
    clerk = open_release(make(tmp_path / "project", {"110-01": "Dr. [Petty|DOCTOR]."}))
    dialog = asked(clerk, tmp_path / "back")
    chooser = dialog.findChild(object, "restoreMap").findChild(QPushButton)
    QTest.mouseClick(chooser, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    (offered,) = dialog.findChildren(QFileDialog)
    assert offered.fileMode() is QFileDialog.FileMode.ExistingFile
    offered.fileSelected.emit(str(tmp_path / "map"))
    assert line(dialog, "restoreMap").text() == str(tmp_path / "map")
    offered.reject()
    qtbot.waitUntil(lambda: QApplication.activeModalWidget() is not offered)
    dialog.reject()
