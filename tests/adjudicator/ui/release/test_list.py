"""The list of the release window, with mouse and keys: read through and edited."""

import errno
import os

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.adjudicator.clerk import SOURCES
from tests.adjudicator.release.sessions import make


def test_what_needs_a_person_comes_first(clerk):
    assert list(clerk.sections) == ["To review – 2", "People – 6", "Places – 2", "Dates – 5"]
    assert clerk.sections["To review – 2"] == ["sings in a choir"] * 2


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
    assert not any(each.startswith("To review") for each in clerk.sections)
    assert clerk.said == "2 reviewed."


def test_a_double_click_edits_all_alike(clerk):
    clerk.go_to("Petty")
    QTest.mouseDClick(clerk.tree.viewport(), Qt.MouseButton.LeftButton, pos=clerk.place("Petty"))
    assert "Enter changes all 3 with this text" in clerk.said
    clerk.write("Naylorby")
    assert clerk.surrogates("Petty") == ["Naylorby"] * 3
    assert clerk.said.startswith("3 changed.")


@pytest.mark.parametrize("how", ["key before", "key in the editor", "button"])
def test_only_this_one_is_edited(clerk, how):
    shift = Qt.KeyboardModifier.ShiftModifier
    clerk.go_to("Petty", 1)
    before = clerk.surrogates("Petty")
    if how == "button":
        clerk.click("release.edit_one")
        clerk.write("Naylorby")
    elif how == "key before":
        clerk.press(Qt.Key.Key_F2, shift)
        clerk.write("Naylorby")
    else:
        clerk.press(Qt.Key.Key_F2)
        clerk.write("Naylorby", shift)
    assert sorted(clerk.surrogates("Petty")) == sorted(["Naylorby", *before[1:]])


def test_escape_leaves_all_as_it_is(clerk):
    before = clerk.surrogates("Petty")
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    QTest.keyClicks(clerk.editor(), "Naylorby")
    QTest.keyClick(clerk.editor(), Qt.Key.Key_Escape)
    assert clerk.surrogates("Petty") == before


def test_the_reader_stays_at_the_row(clerk, qtbot):
    clerk.go_to("Petty", 1)
    clerk.press(Qt.Key.Key_F2)
    with qtbot.assertNotEmitted(clerk.window.place_chosen):
        clerk.write("Naylorby")
    assert clerk.tree.chosen[0].replacement.original == "Petty"


def test_an_edit_is_taken_back(clerk):
    before = clerk.surrogates("Petty")
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Naylorby")
    clerk.press_anywhere(Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert clerk.surrogates("Petty") == before


def test_what_the_system_refuses_is_said_and_not_shown(clerk, monkeypatch):
    before = clerk.surrogates("Petty")

    def refuse(source: object, target: object) -> None:
        raise OSError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(os, "replace", refuse)
    clerk.go_to("Petty")
    clerk.press(Qt.Key.Key_F2)
    clerk.write("Naylorby")
    assert "permission denied" in clerk.banner
    assert clerk.surrogates("Petty") == before
