"""The release window beside the adjudication window."""

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QTreeWidget,
)

from adjudicator.ui.actions import action_table
from shared.model.i2b2_2014 import I2B2_2014
from tests.adjudicator.clerk import LEAKY, SOURCES, Clerk, make


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
