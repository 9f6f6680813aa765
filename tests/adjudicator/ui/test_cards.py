"""What the cards and the list say of a disagreement, and that only 0 ever says "no tag"."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextLayout
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QToolButton

from adjudicator.decisions import DecisionChoice
from adjudicator.session import AdjudicationSession
from tests.adjudicator.projects import add_third, make_project
from tests.annotator.gold import project_that_shows_gold


def button(hand, name: str) -> str:
    return hand.window.findChild(QToolButton, f"decide.{name}").text()


@pytest.mark.parametrize("key", ["2", "Shift+2", "Alt+2"])
def test_the_digit_of_a_side_without_tag_decides_nothing_and_says_so(hand, key):
    hand.press(key)
    assert hand.said == "Here ben has no tag; 0 for no tag."
    assert hand.column(4) == ["open", "open"]
    assert hand.current() == "Kai"


@pytest.mark.parametrize("key", ["3", "Shift+3", "Alt+3"])
def test_both_is_not_to_be_had_where_one_side_alone_has_a_tag(hand, key):
    assert not hand.window.findChild(QToolButton, "decide.take_both").isEnabled()
    hand.press(key)
    assert hand.said == "Only one annotator has a tag here: take that one."
    assert hand.column(4) == ["open", "open"]
    assert hand.current() == "Kai"


def test_with_names_hidden_it_names_nobody(hand):
    hand.window.actions_table.action("hide_names").trigger()
    hand.press("2")
    assert hand.said == "Here the second annotator has no tag; 0 for no tag."


def test_a_card_without_tag_bears_the_key_that_says_so(hand):
    assert (button(hand, "take_first"), button(hand, "take_second")) == (
        "1  First · ana",
        "0  Second · ben",
    )
    hand.click("decide.take_second")
    assert hand.column(4) == ["no tag", "open"]


def test_a_click_anywhere_on_a_card_takes_it(hand):
    QTest.mouseClick(hand.window.findChild(QLabel, "take_second.text"), Qt.MouseButton.LeftButton)
    assert hand.column(4) == ["no tag", "open"]
    card = hand.window.findChild(QLabel, "take_first.text").parentWidget()
    QTest.mouseClick(card, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
    assert hand.column(4) == ["no tag", "DOCTOR"]


def test_a_double_click_on_a_card_decides_once(hand):
    text, left = hand.window.findChild(QLabel, "take_first.text"), Qt.MouseButton.LeftButton
    QTest.mouseClick(text, left)
    QTest.mouseDClick(text, left)
    QTest.mouseRelease(text, left)
    assert hand.column(4) == ["PATIENT", "open"]


def test_a_press_that_is_let_go_beside_the_card_decides_nothing(hand):
    text, left = hand.window.findChild(QLabel, "take_first.text"), Qt.MouseButton.LeftButton
    QTest.mousePress(text, left)
    QTest.mouseRelease(text, left, pos=QPoint(0, -300))
    QTest.mouseClick(text, Qt.MouseButton.RightButton)
    assert hand.column(4) == ["open", "open"]


def test_the_list_says_what_came_of_it(open_window, tmp_path):
    ana = ["[May|DATE] [Boston|CITY]", "[Lee|DOCTOR]", "[Roe|DOCTOR]"]
    ben = ["[May Boston|HOSPITAL]", "Lee", "Roe"]
    hand = open_window(make_project(tmp_path, ana, ben))
    hand.press("1", "0", "1")
    assert hand.column(4) == ["DOCTOR", "no tag", "DATE + CITY"]
    hand.press("P")
    assert hand.text("decisionState").startswith("Decided: no tag, by carol")


def test_a_side_with_several_tags_says_which_type_is_whose(open_window, tmp_path):
    ana, ben = ["[Kai|PATIENT] [Boston|CITY]"], ["[Kai Boston|PATIENT]"]
    hand = open_window(make_project(tmp_path, ana, ben))
    assert hand.text("take_first.text").splitlines()[-1] == "■ “Kai” NAME:PATIENT   ■ “Boston” " + (
        "LOCATION:CITY"
    )
    assert hand.text("take_second.text").splitlines()[-1] == "■ NAME:PATIENT"


def test_no_tag_of_an_earlier_decision_is_told_and_not_taken(open_window, tmp_path, qtbot):
    first, second = ["[Kai|PATIENT] came."], ["Kai came."]
    project = make_project(tmp_path, first, second, p120=(first, second))
    with AdjudicationSession(project, "120", "dora") as session:
        session.queue.decide(session.queue[0], DecisionChoice.NEITHER)
        session.finish()
    hand = open_window(project)
    qtbot.waitUntil(lambda: hand.text("decisionBefore").startswith("no tag: decided this way once"))
    assert not hand.window.findChild(QToolButton, "decide.accept").isVisible()
    hand.press("Return")
    assert hand.said == "Earlier this was decided as no tag; 0 decides so here too."
    assert hand.column(4) == ["open"]


class TestThree:
    @pytest.fixture
    def three(self, open_window, tmp_path):
        """One name that one of three tagged, one that the others call otherwise than the first."""
        project = make_project(tmp_path, ["[Lee|DOCTOR] Kai"], ["[Lee|PATIENT] Kai"])
        return open_window(add_third(project, ["[Lee|PATIENT] [Kai|PATIENT]"]))

    def test_what_most_say_comes_first(self, three):
        three.press("N")
        assert [button(three, f"take_{name}") for name in ("first", "second")] == [
            "1  by 2 of 3 · ben, cem",
            "2  by 1 of 3 · ana",
        ]
        three.press("1")
        assert three.column(4) == ["open", "PATIENT"]

    def test_that_there_is_no_tag_comes_last_whoever_says_it(self, three):
        assert [button(three, f"take_{name}") for name in ("first", "second")] == [
            "1  by 1 of 3 · cem",
            "0  by 2 of 3 · ana, ben",
        ]
        three.press("2")
        assert three.said == "There is only 1 reading with a tag here; 0 for no tag."
        assert three.column(4)[0] == "open"

    def test_marks_bear_the_digits_of_their_cards(self, three):
        labels = sorted(each.label for each in three.window.view.marks())
        assert labels == ["1 PATIENT", "1 PATIENT", "2 DOCTOR"]


def test_that_annotators_read_reasons_is_said_where_they_do_and_only_there(open_window, tmp_path):
    def asked(hand):
        return hand.window.findChild(QLineEdit, "decisionReason").placeholderText()

    shown = open_window(project_that_shows_gold(tmp_path))
    assert asked(shown) == "Reason for annotators (Ctrl+E)"
    (tmp_path / "other").mkdir()
    assert asked(open_window(make_project(tmp_path / "other"))) == "Reason (Ctrl+E)"


def test_an_arabic_name_does_not_turn_around_what_is_said_of_it(open_window, tmp_path, qtbot):
    first, second = ["[أحمد|PATIENT] حضر."], ["أحمد حضر."]
    project = make_project(tmp_path, first, second, p120=(first, second))
    with AdjudicationSession(project, "120", "dora") as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        session.finish()
    hand = open_window(project)
    qtbot.waitUntil(lambda: "decided this way" in hand.text("decisionBefore"))
    assert not is_right_to_left(hand.text("decisionBefore"))
    hand.press("1")
    assert hand.text("decisionState").startswith("Decided: \u2068[أحمد]\u2069 PATIENT, by carol")


def is_right_to_left(text):
    """Which way Qt writes a text as a whole."""
    layout = QTextLayout(text)
    layout.beginLayout()
    line = layout.createLine()
    layout.endLayout()
    return line.cursorToX(0)[0] > line.cursorToX(len(text))[0]
