"""A decision key acts on the disagreement at the caret, which is the one in pane and table."""

import random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from tests.adjudicator.projects import make_project

NOTHING_HERE = "There is no disagreement at the caret. F8 goes to the next open one."


def click_on(hand, words: str) -> None:
    """Click amid these words of the records."""
    view = hand.window.view
    offset = hand.window.session.view.text.index(words) + len(words) // 2
    view.reveal(hand.window.session.view.sections[0])
    view.scroll_to(offset)
    for x in range(0, view.viewport().width(), 3):
        for y in range(0, view.viewport().height(), 6):
            if view.character_at(QPoint(x, y)) == offset:
                QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, y))
                return
    raise AssertionError(f"{words} is not in sight")


def decided(hand) -> str:
    return hand.text("decisionCount").partition(" decided")[0]


def chosen_rows(hand) -> list[int]:
    return [index.row() for index in hand.table.selectionModel().selectedRows()]


def in_pane(hand) -> str:
    """The number of the disagreement that the pane asks about, "" where it asks about none."""
    box = hand.window.findChild(QWidget, "decide.take_neither")
    return hand.text("decisionTitle").partition(".")[0] if box.isVisible() else ""


@pytest.mark.parametrize("key", ["0", "1", "2", "3", "E", "Shift+0", "Alt+1", "Backspace", "Q"])
def test_at_an_agreed_tag_nothing_is_decided_and_it_is_said(hand, key):
    click_on(hand, "Mercy")
    hand.press(key)
    assert hand.said == NOTHING_HERE
    assert decided(hand) == "0 of 2"
    assert hand.gold() == [("Mercy", "HOSPITAL")]


def test_at_an_agreed_tag_pane_and_table_show_none(hand):
    click_on(hand, "Mercy")
    assert in_pane(hand) == ""
    assert hand.text("decisionTitle") == NOTHING_HERE
    assert chosen_rows(hand) == []


@pytest.mark.parametrize("key", ["Space", "Ctrl+Space"])
def test_a_row_selected_by_a_key_is_the_current_one(hand, key):
    click_on(hand, "Mercy")
    hand.press_in_table(key)
    rows = chosen_rows(hand)
    assert [in_pane(hand)] == ([str(rows[0] + 1)] if rows else [""])


def test_at_untagged_text_nothing_is_decided(hand):
    click_on(hand, "Seen")
    hand.press("0")
    assert (decided(hand), hand.said) == ("0 of 2", NOTHING_HERE)


def test_a_walk_to_a_tag_of_another_record_leads_away_from_what_was_decided(hand):
    """Once everything is decided, F7 goes to a tag, and 0 leaves the decision before alone."""
    hand.press("1", "1", "F7")
    click_on(hand, "Mercy")
    hand.press("0")
    assert hand.column(4) == ["PATIENT", "DOCTOR"]


def test_a_click_on_a_tag_that_was_decided_is_at_its_disagreement(hand):
    hand.press("1")
    click_on(hand, "Kai")
    assert (in_pane(hand), chosen_rows(hand)) == ("1", [0])
    hand.press("0")
    assert hand.column(4) == ["no tag", "open"]


def test_the_caret_takes_pane_and_table_along(hand):
    click_on(hand, "Lee")
    assert (in_pane(hand), chosen_rows(hand)) == ("2", [1])
    hand.press("2")
    assert hand.column(4) == ["open", "PATIENT"]


def test_a_row_takes_caret_and_pane_along(hand):
    click_on(hand, "Mercy")
    row = hand.table.visualRect(hand.table.model().index(1, 0)).center()
    QTest.mouseClick(hand.table.viewport(), Qt.MouseButton.LeftButton, pos=row)
    assert (in_pane(hand), hand.window.view.selected_span()) == (
        "2",
        hand.window.disagreements.current.span,
    )


@pytest.mark.parametrize(("key", "wanted"), [("F8", "1"), ("N", "2"), ("P", "2")])
def test_from_elsewhere_one_goes_back_to_what_is_open_and_on_from_it(hand, key, wanted):
    click_on(hand, "Mercy")
    hand.press(key)
    assert in_pane(hand) == wanted
    assert hand.window.view.current_mark is None


def test_what_was_edited_beyond_its_disagreement_is_still_it(hand):
    """The tag that a decision made is where it is, however far it reaches."""
    hand.press("E", "Alt+Shift+Down")
    assert hand.gold()[-1] == ("Kai called", "PATIENT")
    click_on(hand, "called")
    assert in_pane(hand) == "1"


def test_a_filter_that_hides_the_current_one_leaves_caret_and_pane_at_it(hand):
    field = hand.window.findChild(QLineEdit, "disagreementFilter")
    QTest.keyClicks(field, "Lee")
    assert (in_pane(hand), chosen_rows(hand)) == ("1", [])
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    QTest.keyClick(field, Qt.Key.Key_Backspace)
    assert chosen_rows(hand) == [0]


def test_a_reason_is_asked_for_nothing(hand):
    click_on(hand, "Mercy")
    hand.press("Ctrl+E")
    assert hand.said == NOTHING_HERE
    assert not hand.window.findChild(QLineEdit, "decisionReason").hasFocus()


def test_whatever_is_done_caret_pane_and_table_are_at_the_same_one(open_window, tmp_path):
    """Random keys and clicks; after each, all three tell of one disagreement, or of none."""
    ana = ["[Kai|PATIENT] saw [Lee|DOCTOR] at [Mercy|HOSPITAL] on [May 9|DATE].", "[Lee|DOCTOR]"]
    ben = ["Kai saw [Lee|PATIENT] at [Mercy|HOSPITAL] on [May|DATE] 9.", "Lee"]
    hand = open_window(make_project(tmp_path, ana, ben))
    keys = ("0", "1", "2", "3", "N", "P", "F7", "F8", "Left", "Right", "Down", "Home", "Ctrl+Z",
            "Backspace", "Del", "Alt+Down", "E", "O", "Shift+Right", "Ctrl+Shift+Z")  # fmt: skip
    chance = random.Random(7)
    for _ in range(300):
        hand.press(chance.choice(keys))
        current = hand.window.disagreements.current
        queue, view = hand.window.session.queue, hand.window.view
        assert in_pane(hand) == (str(queue.number(current) + 1) if current else "")
        assert chosen_rows(hand) == ([queue.number(current)] if current else [])
        selected = view.selected_span()
        place = (selected.start, selected.end) if selected else (view.caret(), view.caret())
        if current is not None:
            tags = queue.gold.tags_of(queue.decision(current)) if queue.decision(current) else []
            spans = [current.span, *(each.span for each in tags)]
            assert any(each.start <= place[1] and place[0] <= each.end for each in spans)
