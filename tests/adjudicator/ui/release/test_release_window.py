"""The release window, with mouse and keys: the list read through, edited, released."""

import errno
import os
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QListWidget,
    QPushButton,
    QSpinBox,
    QTextBrowser,
    QToolButton,
    QTreeWidget,
)
from pytestqt.qtbot import QtBot

from adjudicator.ui.actions import action_table
from adjudicator.ui.release.window import ReleaseWindow
from shared.formats.record_folder import read_folder
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.adjudicator.clerk import LEAKY, SOURCES, Clerk, accept, line, make


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


# ---------------------------------------------------------------- the list


def test_what_needs_a_person_comes_first(clerk):
    assert list(clerk.sections) == ["To look at – 2", "People – 6", "Places – 2", "Dates – 5"]
    assert clerk.sections["To look at – 2"] == ["sings in a choir"] * 2


def test_all_patients_are_shown_and_the_one_that_is_open_on_wish(open_release, tmp_path):
    clerk = open_release(make(tmp_path, SOURCES), "111")
    assert "People – 6" in clerk.sections
    clerk.choose("releasePatient", "111 (open)")
    assert "People – 1" in clerk.sections
    clerk.choose("releasePatient", "110")
    assert "People – 5" in clerk.sections


def test_the_list_is_filtered_by_words_and_by_type(clerk):
    clerk.filter("petty")
    assert clerk.sections == {"People – 3": ["Petty"] * 3}
    clerk.filter("")
    clerk.choose("releaseType", "ROOM")
    assert clerk.sections == {"Places – 1": ["Room 12"]}


def test_space_says_that_it_looks_right_for_all_alike(clerk):
    clerk.press(Qt.Key.Key_Space)
    assert not any(each.startswith("To look at") for each in clerk.sections)
    assert clerk.said == "2 looked at."


def test_a_double_click_edits_all_alike(clerk):
    clerk.go_to("Petty")
    QTest.mouseDClick(clerk.tree.viewport(), Qt.MouseButton.LeftButton, pos=clerk.place("Petty"))
    assert "Enter changes all 3 alike" in clerk.said
    clerk.write("Naylor")
    assert clerk.surrogates("Petty") == ["Naylor"] * 3
    assert clerk.said.startswith("3 changed.")


@pytest.mark.parametrize("how", ["key before", "key in the editor", "button"])
def test_only_this_one_is_edited(clerk, how):
    shift = Qt.KeyboardModifier.ShiftModifier
    clerk.go_to("Petty", 1)
    before = clerk.surrogates("Petty")
    if how == "button":
        clerk.click("release.edit_one")
        clerk.write("Naylor")
    elif how == "key before":
        clerk.press(Qt.Key.Key_F2, shift)
        clerk.write("Naylor")
    else:
        clerk.press(Qt.Key.Key_F2)
        clerk.write("Naylor", shift)
    assert sorted(clerk.surrogates("Petty")) == sorted(["Naylor", *before[1:]])


def test_escape_leaves_all_as_it_is(clerk):
    before = clerk.surrogates("Petty")
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    QTest.keyClicks(clerk.editor(), "Naylor")
    QTest.keyClick(clerk.editor(), Qt.Key.Key_Escape)
    assert clerk.surrogates("Petty") == before


def test_the_reader_stays_at_the_row(clerk, qtbot):
    clerk.go_to("Petty", 1)
    clerk.press(Qt.Key.Key_F2)
    with qtbot.assertNotEmitted(clerk.window.place_chosen):
        clerk.write("Naylor")
    assert clerk.tree.chosen[0].replacement.original == "Petty"


def test_an_edit_is_taken_back(clerk):
    before = clerk.surrogates("Petty")
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Naylor")
    clerk.press_anywhere(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert clerk.surrogates("Petty") == before


def test_what_the_system_refuses_is_said_and_not_shown(clerk, monkeypatch):
    before = clerk.surrogates("Petty")

    def refuse(source: object, target: object) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Naylor")
    assert "permission denied" in clerk.banner
    assert clerk.surrogates("Petty") == before


# ---------------------------------------------------------------- obstacles


def test_a_leak_leads_to_its_place_and_may_be_no_phi(open_release, tmp_path, qtbot):
    clerk = open_release(make(tmp_path, LEAKY))
    count = clerk.obstacles.model().rowCount()
    assert count >= 1
    with qtbot.waitSignal(clerk.window.place_chosen) as shown:
        QTest.keyClick(clerk.obstacles, Qt.Key.Key_Return)
    assert shown.args[:2] == ["112", "112-01"]
    for _ in range(count):
        clerk.click("releaseClear")
    assert clerk.window.session.obstacles == []
    assert "Nothing stands" in clerk.window.findChild(QLabel, "releaseObstacleCount").text()


def test_a_surrogate_that_leaks_is_found_in_the_list(clerk):
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Holcomb")
    clerk.filter("choir")
    QTest.keyClick(clerk.obstacles, Qt.Key.Key_Return)
    assert clerk.tree.chosen[0].replacement.original == "Petty"


def test_a_release_that_is_blocked_says_so_and_writes_nothing(open_release, tmp_path):
    clerk = open_release(make(tmp_path, LEAKY))
    clerk.release(tmp_path / "out")
    assert "against a release" in clerk.banner
    assert not (tmp_path / "out").exists()


def test_a_patient_without_gold_stands_in_the_way(open_release, tmp_path):
    project = make(tmp_path, SOURCES)
    (project.root / "gold" / "111-01.xml").unlink()
    clerk = open_release(project)
    model = clerk.obstacles.model()
    assert "111 has no gold standard" in model.index(0, 4).data()


# ---------------------------------------------------------------- the release


def test_a_release_is_written_and_its_card_shown(clerk, tmp_path):
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    types = dialog.findChild(QListWidget, "releaseUnmark")
    item = types.findItems("ROOM", Qt.MatchFlag.MatchExactly)[0]
    item.setCheckState(Qt.CheckState.Checked)
    dialog.findChild(QSpinBox, "releaseTest").setValue(40)
    accept(dialog)
    clerk.wait()
    assert "3 records of 2 patients are released" in clerk.banner
    assert (tmp_path / "out" / "train").is_dir()
    button = next(
        each for each in clerk.window.findChildren(QToolButton) if each.text() == "Data card"
    )
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    page = clerk.window.findChild(QTextBrowser, "dataCardPage")
    assert "Every PHI in these records is a surrogate" in page.toPlainText()
    assert "ROOM" in page.toPlainText()


def test_after_a_release_the_list_is_closed_and_looking_again_begins_the_next(clerk, tmp_path):
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Naylor")
    before = clerk.surrogates("Dennis Holcomb")
    clerk.release(tmp_path / "out")
    assert not clerk.window.findChild(QPushButton, "release.edit").isEnabled()
    clerk.look_again()
    assert clerk.surrogates("Petty") == ["Naylor"] * 3
    assert clerk.surrogates("Dennis Holcomb") != before
    assert clerk.window.findChild(QPushButton, "release.edit").isEnabled()


def test_an_earlier_release_is_replaced_only_where_it_is_said(clerk, tmp_path):
    clerk.release(tmp_path / "out")
    first = (tmp_path / "out" / "text" / "110-01.txt").read_text()
    clerk.look_again()
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    accept(dialog)
    problem = dialog.findChild(QLabel, "releaseProblem")
    assert "earlier release" in problem.text()
    assert problem.isVisible()
    QTest.mouseClick(
        dialog.findChild(QCheckBox, "releaseReplace"), Qt.MouseButton.LeftButton, pos=QPoint(8, 8)
    )
    accept(dialog)
    clerk.wait()
    assert "are released" in clerk.banner
    assert (tmp_path / "out" / "text" / "110-01.txt").read_text() != first
    assert len(read_folder(tmp_path / "out" / "xml").records) == 3


def test_a_map_is_kept_only_under_a_passphrase_written_twice(clerk, tmp_path):
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    keep = dialog.findChild(QCheckBox, "releaseKeepMap")
    QTest.mouseClick(keep, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    problem = dialog.findChild(QLabel, "releaseProblem")
    QTest.keyClicks(line(dialog, "releasePassphrase"), "short")
    accept(dialog)
    assert "differ" in problem.text()
    QTest.keyClicks(line(dialog, "releasePassphraseAgain"), "short")
    accept(dialog)
    assert "12 characters" in problem.text()
    for name in ("releasePassphrase", "releasePassphraseAgain"):
        line(dialog, name).clear()
        QTest.keyClicks(line(dialog, name), "a long passphrase")
    accept(dialog)
    clerk.wait()
    kept = clerk.window.session.project.root / "surrogates" / "map.tandem"
    assert b"Holcomb" not in kept.read_bytes()


def test_a_full_disk_is_said_and_leaves_no_release(clerk, tmp_path, monkeypatch):
    left = [3]
    write = os.write

    def full(descriptor: int, data: bytes) -> int:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(descriptor, data)

    monkeypatch.setattr(os, "write", full)
    clerk.release(tmp_path / "out")
    monkeypatch.undo()
    assert "free some space" in clerk.banner
    assert not (tmp_path / "out").exists()
    assert clerk.window.findChild(QPushButton, "release.release").isEnabled()


def test_a_folder_that_the_system_refuses_is_said(clerk, tmp_path):
    (tmp_path / "file").write_text("no folder")
    clerk.release(tmp_path / "file" / "out")
    assert "file exists; give another name" in clerk.banner
    assert clerk.window.findChild(QPushButton, "release.release").isEnabled()


def test_a_folder_that_is_no_release_is_refused_before_anything_is_written(clerk, tmp_path):
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "a.txt").write_text("mine")
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "letters"))
    accept(dialog)
    assert "is no release" in dialog.findChild(QLabel, "releaseProblem").text()
    assert [each.name for each in (tmp_path / "letters").iterdir()] == ["a.txt"]
    dialog.reject()


def test_a_project_that_cannot_be_read_is_said(open_release, tmp_path, qtbot):
    project = make(tmp_path, SOURCES)
    (project.root / "surrogates").mkdir()
    (project.root / "surrogates" / "draft.key").write_text("no key")
    window = ReleaseWindow(project)
    window.show()
    window.begin()
    qtbot.waitUntil(lambda: not window.is_busy, timeout=20_000)
    assert "is no key of a review" in Clerk(window, qtbot).banner
    window.close()
    window.deleteLater()


def test_a_release_is_cancelled_and_nothing_is_left(open_release, tmp_path, qtbot):
    clerk = open_release(make(tmp_path, SOURCES))
    dialog = clerk.dialog()
    line(dialog, "releaseFolder").setText(str(tmp_path / "out"))
    clerk.window._work.begun.connect(lambda task, _what: task.cancel())
    accept(dialog)
    clerk.wait()
    assert clerk.said == "Cancelled; nothing was written."
    assert not (tmp_path / "out").exists()
    assert clerk.window.findChild(QPushButton, "release.release").isEnabled()


def test_days_of_the_week_are_kept_on_wish(open_release, tmp_path):
    clerk = open_release(make(tmp_path, {"110-01": "[Wednesday|DATE], [2007-05-09|DATE]"}))
    box = clerk.window.findChild(QCheckBox, "releaseWeekdays")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, 8))
    clerk.wait()
    assert clerk.surrogates("Wednesday") == ["Wednesday"]


# ---------------------------------------------------------------- beside the adjudication window


def test_the_action_is_in_table_menu_and_sheet(open_window, tmp_path):
    hand = open_window(make(tmp_path, SOURCES), force=True)
    table = hand.window.actions_table
    spec = next(each for each in action_table(I2B2_2014) if each.name == "release")
    listed = [(menu, text, keys) for _, menu, text, keys in table.listed()]
    assert table.action("release") in table.menu(spec.menu).actions()
    assert ("View", "Release", "Ctrl+Shift+R") in listed
    hand.press("?")
    sheet = hand.window.findChild(QTreeWidget, "shortcutTree")
    found = sheet.findItems("Release…", Qt.MatchFlag.MatchRecursive | Qt.MatchFlag.MatchExactly)
    assert [each.text(1) for each in found] == ["Ctrl+Shift+R"]
    hand.window.findChild(QDialog, "shortcutSheet").close()


def finish(hand) -> None:
    """Say that the patient is done, and once more where something is said against it."""
    session = hand.window.session
    for _ in range(2):
        if hand.window.session is session and not session.is_done:
            hand.press("Ctrl+D")


def test_a_place_is_shown_in_its_record_and_the_window_goes_with_the_other(
    open_window, tmp_path, qtbot
):
    hand = open_window(make(tmp_path, LEAKY), force=True)
    finish(hand)
    hand.press("Ctrl+Shift+R")
    clerk = Clerk(hand.window.release.window, qtbot).wait()
    assert clerk.window.findChild(QComboBox, "releasePatient").itemText(1) == "110 (open)"
    QTest.keyClick(clerk.obstacles, Qt.Key.Key_Return)
    assert hand.window.session.patient_id == "112"
    assert hand.window.view.selected_span().text_in(hand.window.session.view.text).lower() == "lee"
    hand.window.close()
    assert hand.window.release.window is None


def test_a_leak_that_was_tagged_is_gone_when_one_looks_again(open_window, tmp_path, qtbot):
    hand = open_window(make(tmp_path, LEAKY), force=True)
    finish(hand)
    hand.press("Ctrl+Shift+R")
    clerk = Clerk(hand.window.release.window, qtbot).wait()
    QTest.keyClick(clerk.obstacles, Qt.Key.Key_Return)
    with qtbot.waitActive(hand.window):
        hand.window.activateWindow()
    hand.press("T")
    finish(hand)
    clerk.look_again()
    assert clerk.window.session.obstacles == []


def test_to_look_at_a_place_does_not_take_a_gold_standard_away(open_window, tmp_path):
    project = make(tmp_path, SOURCES)
    hand = open_window(project, force=True)
    hand.window.open_patient("111")
    assert project.is_adjudicated("110")
    hand.window.open_patient("110")
    assert project.is_adjudicated("111")
    hand.window.view.set_caret(0)
    hand.press("T")
    assert not project.is_adjudicated("110")
