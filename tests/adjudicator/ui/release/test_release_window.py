"""The release window beside the adjudication window."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QFileDialog,
    QTreeWidget,
)

from adjudicator.ui.actions import action_table
from shared.model.i2b2_2014 import I2B2_2014
from tests.adjudicator.clerk import LEAKY, SOURCES, Clerk
from tests.adjudicator.release.sessions import make


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
    clerk.review()
    QTest.keyClick(clerk.blockers, Qt.Key.Key_Return)
    assert hand.window.session.patient_id == "112"
    assert hand.window.view.selected_span().text_in(hand.window.session.view.text).lower() == "lee"
    hand.window.close()
    assert hand.window.release.window is None


def test_a_leak_that_was_tagged_is_gone_when_one_looks_again(open_window, tmp_path, qtbot):
    hand = open_window(make(tmp_path, LEAKY), force=True)
    finish(hand)
    hand.press("Ctrl+Shift+R")
    clerk = Clerk(hand.window.release.window, qtbot).wait()
    clerk.review()
    QTest.keyClick(clerk.blockers, Qt.Key.Key_Return)
    with qtbot.waitActive(hand.window):
        hand.window.activateWindow()
    hand.press("T")
    finish(hand)
    clerk.look_again()
    assert clerk.window.session.blockers == []


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


def test_the_list_shows_what_is_written_in_the_mode_that_was_chosen(clerk, tmp_path):
    clerk.choose("releaseMode", "Tags")
    clerk.wait()
    assert clerk.surrogates("Dennis Holcomb") == clerk.surrogates("Holcomb") == ["[PATIENT-1]"]
    assert not clerk.window.findChild(QCheckBox, "releaseWeekdays").isEnabled()
    assert not any(section.startswith("To review") for section in clerk.sections)
    clerk.release(tmp_path / "out")
    assert "released" in clerk.banner
    text = (tmp_path / "out" / "text" / "110-01.txt").read_text()
    assert text.startswith("Record date: [DATE-1]\n[PATIENT-1], [AGE-1], seen by Dr. [DOCTOR-1]")


def test_what_was_written_for_one_mode_is_not_in_another(clerk):
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Naylorby")
    clerk.choose("releaseMode", "Tags")
    clerk.wait()
    assert clerk.surrogates("Petty") == ["[DOCTOR-1]"] * 3
    clerk.choose("releaseMode", "Surrogates")
    clerk.wait()
    assert clerk.surrogates("Petty") == ["Naylorby"] * 3


def test_a_list_that_could_not_be_made_leaves_the_mode_of_the_one_that_is_shown(clerk, qtbot):
    path = clerk.window.session.project.root / "surrogates" / "choices-tags.json"
    path.parent.mkdir(exist_ok=True)
    path.write_text("{")
    clerk.choose("releaseMode", "Tags")
    qtbot.waitUntil(lambda: "choices" in clerk.banner, timeout=20_000)
    assert clerk.window.findChild(QComboBox, "releaseMode").currentText() == "Surrogates"
    assert clerk.surrogates("Petty")[0] != "[DOCTOR-1]"


def test_safe_harbor_is_shown_and_what_its_check_finds_stands_in_the_way(open_release, tmp_path):
    source = "Record date: [2007-06-09|DATE]\n[Ann Lee|PATIENT], [92|AGE], see chest_7.jpg."
    clerk = open_release(make(tmp_path, {"112-01": source}))
    clerk.choose("releaseMode", "Safe Harbor")
    clerk.wait()
    assert clerk.surrogates("2007-06-09") == ["2007"]
    assert clerk.surrogates("92") == ["90+"]
    told = [each.what for each in clerk.window.session.blockers]
    assert told == ["Safe Harbor: a file of a picture (Q)"]
    clerk.dismiss("the name of a template")
    assert not clerk.window.session.blockers
    clerk.release(tmp_path / "out")
    text = (tmp_path / "out" / "text" / "112-01.txt").read_text()
    assert text.startswith("Record date: 2007\n[PATIENT-1], 90+, see")


def test_names_are_resampled_and_consistent_again(clerk):
    before = clerk.surrogates("Petty")
    assert len(set(before)) == 1
    clerk.choose("releaseNames", "Resampled")
    clerk.wait()
    assert clerk.window.session.options.resample == 0.5
    clerk.choose("releaseMode", "Tags")
    clerk.wait()
    assert not clerk.window.session.options.resample
    clerk.choose("releaseMode", "Surrogates")
    clerk.wait()
    assert len(set(clerk.surrogates("Petty"))) == 1


@pytest.fixture
def keyed(open_release, tmp_path):
    """A window in keyed mode, and a file with a key."""
    same = "[Ann Lee|PATIENT] came on [2007-06-09|DATE]."
    clerk = open_release(make(tmp_path, {"111-01": same, "112-01": same}))
    path = tmp_path / "our.key"
    path.write_bytes(b"a secret that nobody would guess at")
    clerk.choose("releaseMode", "Keyed tags")
    return clerk.wait(), path


def choose_key(clerk, path):
    """Choose the file in the dialog that the list opens; None gives up."""
    clerk.choose("releaseKey", "A key from a file…")  # comes back
    box = clerk.window.findChild(QComboBox, "releaseKey")
    (dialog,) = (each for each in box.findChildren(QFileDialog) if each.isVisible())
    if path is None:
        dialog.reject()
    else:
        dialog.selectFile(str(path))
        dialog.accept()


def test_with_a_key_from_a_file_patients_can_be_compared_and_nothing_keeps_it(keyed, tmp_path):
    clerk, path = keyed
    assert len(set(clerk.surrogates("Ann Lee"))) == 2
    choose_key(clerk, None)
    assert clerk.window.findChild(QComboBox, "releaseKey").currentText() == "A key for each patient"
    choose_key(clerk, path)
    clerk.wait()
    assert clerk.window.session.options.key == path
    assert len(set(clerk.surrogates("Ann Lee"))) == 1
    clerk.choose("releaseKey", "A key for each patient")
    clerk.wait()
    assert len(set(clerk.surrogates("Ann Lee"))) == 2
    files = [each for each in tmp_path.rglob("*") if each.is_file() and each != path]
    assert not any(b"nobody would guess" in each.read_bytes() for each in files)
    assert not any(b"our.key" in each.read_bytes() for each in files)
    assert "nobody would guess" not in repr(clerk.window.session.draft.source.settings)


def test_what_is_no_key_is_refused_and_none_is_used(keyed, qtbot):
    clerk, path = keyed
    path.write_bytes(b"short")
    choose_key(clerk, path)
    qtbot.waitUntil(lambda: "is no key" in clerk.banner, timeout=20_000)
    assert clerk.window.findChild(QComboBox, "releaseKey").currentText() == "A key for each patient"
    assert len(set(clerk.surrogates("Ann Lee"))) == 2


def test_a_key_is_asked_for_in_keyed_mode_alone(clerk):
    box = clerk.window.findChild(QComboBox, "releaseKey")
    for mode, is_there in (("Keyed tags", True), ("Safe Harbor", False), ("Surrogates", False)):
        clerk.choose("releaseMode", mode)
        clerk.wait()
        assert box.isVisible() == is_there
