"""One decision for all that are alike: nothing off the screen changes unlisted."""

from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QStyleOptionViewItem

from adjudicator.session import AdjudicationSession
from tests.adjudicator.projects import make_project

REPEATS = "[Kai|PATIENT]: [Lee|DOCTOR] saw [Lee|DOCTOR], then [Lee|DOCTOR]."
NONE = "Kai: Lee saw Lee, then Lee."
MAY = "Brought in by [May|DATE], seen by Dr. [May|DATE]."


def test_shift_lists_all_with_context_before_anything_changes(open_window, tmp_path, review):
    hand = open_window(make_project(tmp_path, [MAY], ["Brought in by May, seen by Dr. May."]))
    hand.press("Shift+0")
    dialog, _ = review(hand)
    assert hand.text("decisionCount") == "0 of 2 decided"
    cells = [dialog.model.cells(row) for row in dialog.model.rows]
    assert [each[2:7] for each in cells] == [
        ("Brought in by ", "May", ", seen by Dr. May.", "no tag", "this one, open"),
        ("Brought in by May, seen by Dr. ", "May", ".", "no tag", "same words, open"),
    ]


def test_what_is_unticked_stays_open(open_window, tmp_path, review):
    hand = open_window(make_project(tmp_path, [MAY], ["Brought in by May, seen by Dr. May."]))
    hand.press("Shift+0")
    _, table = review(hand)
    QTest.keyClick(table, Qt.Key.Key_Down)
    QTest.keyClick(table, Qt.Key.Key_Space)
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert hand.column(4) == ["no tag", "open"]


def test_esc_decides_nothing(open_window, tmp_path, review):
    hand = open_window(make_project(tmp_path, [REPEATS], [NONE]))
    hand.press("1", "Shift+1")
    dialog, _ = review(hand)
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert hand.gold() == [("Kai", "PATIENT")]


def test_enter_decides_all_as_one_step(open_window, tmp_path, review, qtbot):
    hand = open_window(make_project(tmp_path, [REPEATS], [NONE]))
    hand.press("1", "Shift+1")
    _, table = review(hand)
    QTest.keyClick(table, Qt.Key.Key_Return)
    qtbot.waitUntil(hand.window.view.hasFocus)
    assert Counter(hand.gold()) == {("Kai", "PATIENT"): 1, ("Lee", "DOCTOR"): 3}
    hand.press("Ctrl+Z")
    assert hand.gold() == [("Kai", "PATIENT")]


def test_one_without_others_is_decided_at_once(open_window, tmp_path, review):
    hand = open_window(make_project(tmp_path, [REPEATS], [NONE]))
    hand.press("Shift+1")
    assert review(hand)[0] is None
    assert hand.gold() == [("Kai", "PATIENT")]


def test_a_decision_right_after_an_undo_is_kept(open_window, tmp_path, review, qtbot):
    project = make_project(tmp_path, [REPEATS], [NONE])
    hand = open_window(project)
    hand.press("1", "Shift+1")
    QTest.keyClick(review(hand)[1], Qt.Key.Key_Return)
    qtbot.waitUntil(hand.window.view.hasFocus)
    hand.press("Ctrl+Z", "1")
    assert Counter(hand.gold()) == {("Kai", "PATIENT"): 1, ("Lee", "DOCTOR"): 1}
    assert hand.window.close()
    with AdjudicationSession(project, "110", "carol") as session:
        assert [each.phi_type.name for each in session.tags] == ["PATIENT", "DOCTOR"]


def test_the_pane_says_how_many_are_alike(open_window, tmp_path):
    hand = open_window(make_project(tmp_path, [REPEATS], [NONE]))
    hand.press("1")
    assert hand.text("decisionAlike").startswith("2 others are similar")


def test_shift_e_lists_what_is_to_be_as_the_one_that_was_edited(open_window, tmp_path, review):
    hand = open_window(make_project(tmp_path, [REPEATS], [NONE]))
    hand.press("1", "E", "U", "Shift+E")
    dialog, table = review(hand)
    assert [dialog.model.cells(row)[6] for row in dialog.model.rows] == [
        "this one, USERNAME",
        "same words, open",
        "same words, open",
    ]
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert Counter(hand.gold()) == {("Kai", "PATIENT"): 1, ("Lee", "USERNAME"): 3}


@pytest.mark.parametrize("width", [1240, 900])
def test_the_text_that_is_decided_is_shown_whole_where_there_is_room(
    open_window, tmp_path, review, qtbot, width
):
    """It is what one ticks by; of one that is too long both edges are seen."""
    name = "Evangelisches Krankenhaus am Weidendamm, Innere Medizin"
    line = f"Die Patientin wurde am Abend aus dem [{name}|HOSPITAL] in unsere Abteilung verlegt."
    tagged = "\n".join([line] * 3)
    bare = tagged.replace("[", "").replace("|HOSPITAL]", "")
    hand = open_window(make_project(tmp_path, [tagged], [bare]))
    hand.press("Shift+1")
    dialog, table = review(hand)
    dialog.resize(width, 500)
    qtbot.waitUntil(lambda: dialog.width() == width)
    assert table.model().index(0, 3).data() == f"[{name}]"
    assert table.columnWidth(3) >= min(table.sizeHintForColumn(3), table.viewport().width() // 2)
    assert table.columnWidth(3) >= table.fontMetrics().horizontalAdvance(name) or width == 900
    assert sum(map(table.columnWidth, range(7))) <= table.viewport().width()
    some_letters = 5 * table.fontMetrics().averageCharWidth()
    assert min(table.columnWidth(2), table.columnWidth(4)) >= some_letters
    option = QStyleOptionViewItem()
    table.itemDelegateForColumn(3).initStyleOption(option, table.model().index(0, 3))
    assert option.textElideMode is Qt.TextElideMode.ElideMiddle


def test_in_arabic_what_comes_before_stands_at_the_right(open_window, tmp_path, review):
    tagged = "المريض [سليم|PATIENT] يشكو، ثم شكر [سليم|PATIENT] الطبيب."
    plain = tagged.replace("[", "").replace("|PATIENT]", "")
    hand = open_window(make_project(tmp_path, [tagged], [plain]))
    hand.press("Shift+1")
    dialog, table = review(hand)
    cells = [each.strip("\u200f") for each in dialog.model.cells(dialog.model.rows[0])]
    assert cells[3] == "[سليم]"
    assert (cells[2].split()[0], cells[4].strip()) == ("يشكو،", "المريض")
    QTest.keyClick(table, Qt.Key.Key_Escape)
