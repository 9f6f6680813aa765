"""Precedents, the review list, remarks, and more than two annotators, by real keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit, QToolButton

from adjudicator.decisions import DecisionChoice, DecisionMode
from adjudicator.session import AdjudicationSession
from shared.widgets.document.marks import MarkStyle
from tests.adjudicator.projects import add_third, make_project

FIRST = ("[Kai|PATIENT] saw [Lee|DOCTOR] on [1/2/71|DATE].",)
SECOND = ("Kai saw Lee on 1/2/71.",)
LATER = ("[Kai|PATIENT] saw [Roe|DOCTOR] on [3/4/72|DATE].", "Kai saw Roe on 3/4/72.")


@pytest.fixture
def after_two(open_window, tmp_path, qtbot):
    """A window on the third patient of three; about the others everything was decided."""
    others = {f"p{number}": (FIRST, SECOND) for number in (120, 130)}
    project = make_project(tmp_path, LATER[:1], LATER[1:], **others)
    for patient_id in ("120", "130"):
        with AdjudicationSession(project, patient_id, "dora") as session:
            for each in session.queue:
                session.queue.decide(each, DecisionChoice.FIRST)
            session.finish()
    hand = open_window(project)
    qtbot.waitUntil(lambda: hand.text("decisionBefore") != "")
    return hand


class TestPrecedents:
    def test_the_pane_says_how_often(self, after_two):
        said = after_two.text("decisionBefore")
        assert said == "[Kai] PATIENT: decided this way 2 times (same words)"

    def test_return_takes_it(self, after_two):
        kai = after_two.window.disagreements.current
        after_two.press("Return")
        decision = after_two.window.session.queue.decision(kai)
        assert (decision.choice, decision.mode) == (DecisionChoice.FIRST, DecisionMode.AS_BEFORE)
        assert after_two.current() == "Roe"

    def test_the_button_takes_it(self, after_two):
        after_two.click("decide.accept")
        assert ("Kai", "PATIENT") in after_two.gold()

    def test_without_one_return_says_so(self, hand):
        hand.press("Return")
        assert hand.said.startswith("There is nothing here to accept")
        assert hand.text("decisionCount") == "0 of 2 decided"

    def test_away_from_it_return_is_not_for_it(self, after_two):
        after_two.window.view.set_caret(5)
        after_two.press("Return")
        assert after_two.text("decisionCount") == "0 of 3 decided"


class TestReviewList:
    def test_enter_takes_all_that_are_ticked_as_one_step(self, after_two, review, qtbot):
        after_two.press("Shift+Return")
        _, table = review(after_two)
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert len(after_two.gold()) == 3
        assert after_two.said.startswith("Everything is decided")
        qtbot.waitUntil(after_two.window.view.hasFocus)
        after_two.press("Ctrl+Z")
        assert after_two.gold() == []

    def test_space_unticks(self, after_two, review):
        after_two.press("Shift+Return")
        _, table = review(after_two)
        QTest.keyClick(table, Qt.Key.Key_Space)
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert after_two.text("decisionCount") == "2 of 3 decided"

    def test_esc_decides_nothing(self, after_two, review):
        after_two.press("Shift+Return")
        dialog, _ = review(after_two)
        QTest.keyClick(dialog, Qt.Key.Key_Escape)
        assert after_two.text("decisionCount") == "0 of 3 decided"

    def test_rows_say_what_would_stand_and_why(self, after_two, review):
        after_two.press("Shift+Return")
        dialog, _ = review(after_two)
        cells = [dialog.model.cells(row) for row in dialog.model.rows]
        assert ("110-01", "one-sided", "", "[Kai]", " saw Roe on 3/4/72.", "PATIENT") in [
            each[:6] for each in cells
        ]
        assert {each[6] for each in cells} == {
            "2 times (same words)",
            "2 times (same form, same word before)",
        }

    def test_the_row_looked_at_is_shown_in_the_text(self, after_two, review):
        after_two.press("Shift+Return")
        dialog, table = review(after_two)
        QTest.keyClick(table, Qt.Key.Key_Down)
        shown = dialog.model.rows[1].request.disagreement
        assert after_two.window.disagreements.current is shown

    def test_one_is_back_where_one_was(self, after_two, review):
        """Looking at a row further down leaves nothing behind."""
        kai = after_two.window.disagreements.current
        after_two.press("Shift+Return")
        dialog, table = review(after_two)
        (row,) = (n for n, each in enumerate(dialog.model.rows) if "Kai" in each.cells[3])
        table.selectRow(row)
        QTest.keyClick(table, Qt.Key.Key_Space)
        table.selectRow(len(dialog.model.rows) - 1)
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert after_two.window.disagreements.current is kai

    def test_nothing_to_review_is_said(self, hand):
        hand.press("Shift+Return")
        assert hand.said == "Nothing that is open is similar to an earlier decision."

    def test_alt_decides_and_lists_all_of_the_form(self, open_window, tmp_path, review):
        dates = "[1/2/71|DATE], [3/4/72|DATE], [5/6/73|DATE]"
        hand = open_window(make_project(tmp_path, [dates], ["1/2/71, 3/4/72, 5/6/73"]))
        hand.press("Alt+1")
        dialog, table = review(hand)
        assert len(dialog.model.rows) == 2
        QTest.keyClick(table, Qt.Key.Key_Return)
        assert hand.text("decisionCount").startswith("3 of 3")

    def test_no_phi_goes_by_the_words_not_by_the_form(self, open_window, tmp_path, review):
        hand = open_window(make_project(tmp_path, ["[1/2|DATE] [3/4|DATE]"], ["1/2 3/4"]))
        hand.press("Alt+0")
        assert review(hand)[0] is None
        assert hand.said == "Nothing else that is open has the same pattern."


class TestRemarks:
    def test_a_reason_is_written_and_the_text_has_the_keys_again(self, hand):
        hand.press("Ctrl+E")
        field = hand.window.findChild(QLineEdit, "decisionReason")
        QTest.keyClicks(field, "1 for one")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert (
            hand.window.session.queue.remark_on(hand.window.disagreements.current).reason
            == "1 for one"
        )
        assert hand.window.view.hasFocus()

    def test_esc_forgets_what_was_written(self, hand):
        hand.press("Ctrl+E")
        field = hand.window.findChild(QLineEdit, "decisionReason")
        QTest.keyClicks(field, "no")
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert hand.window.session.queue.remark_on(hand.window.disagreements.current) is None
        assert field.text() == ""

    def test_q_flags_and_takes_the_flag_away(self, hand):
        hand.press("Q")
        assert hand.column(4)[0] == "open ?"
        assert hand.window.findChild(QCheckBox, "decisionDiscuss").isChecked()
        hand.press("Q")
        assert hand.column(4)[0] == "open"

    def test_each_disagreement_has_its_own(self, hand):
        hand.press("Q", "N")
        assert not hand.window.findChild(QCheckBox, "decisionDiscuss").isChecked()

    def test_the_filter_finds_what_is_flagged(self, hand):
        hand.press("Q")
        hand.window.findChild(QLineEdit, "disagreementFilter").setText("discuss")
        assert hand.column(0) == ["Kai"]


class TestThree:
    @pytest.fixture
    def three(self, open_window, tmp_path):
        project = make_project(tmp_path, ["[Lee|DOCTOR]"], ["[Lee|PATIENT]"])
        return open_window(add_third(project, ["[Lee|DOCTOR]"]))

    def test_what_most_say_is_the_first_card(self, three):
        button = three.window.findChild(QToolButton, "decide.take_first")
        assert button.text() == "1  by 2 of 3 · ana, cem"
        three.press("1")
        assert three.gold() == [("Lee", "DOCTOR")]
        assert three.column(4) == ["DOCTOR"]

    def test_a_digit_without_card_says_so(self, three):
        assert not three.window.findChild(QToolButton, "decide.take_third").isVisible()
        three.press("3")
        assert three.said == "There are only 2 readings with a tag here; 0 for no tag."
        assert three.gold() == []

    def test_nine_takes_all(self, three):
        three.press("9")
        assert three.said.startswith("The tags of several annotators overlap")

    def test_those_who_say_the_same_share_a_lane(self, three):
        lanes = {each.label: each.style for each in three.window.view.marks()}
        assert lanes == {"1 DOCTOR": MarkStyle.FIRST, "2 PATIENT": MarkStyle.SECOND}


class TestBlind:
    def test_names_are_nowhere_and_stay_so(self, open_window, tmp_path):
        hand = open_window(make_project(tmp_path), blind=True)
        assert not hand.window.actions_table.action("hide_names").isEnabled()
        hand.press("1", "P")
        said = [hand.window.findChild(QToolButton, f"decide.take_{n}").text() for n in ("first",)]
        assert said == ["1  First  ✓"]

    def test_the_digit_takes_what_is_shown_in_its_place(self, open_window, tmp_path):
        others = {f"p{n}": (["[Lee|DOCTOR]"], ["[Lee|PATIENT]"]) for n in range(120, 128)}
        project = make_project(tmp_path, **others)
        hand = open_window(project, None, blind=True)
        swapped = set()
        for patient_id in project.patient_ids[1:]:
            hand.window.open_patient(patient_id)
            hand.window.view.setFocus()
            shown = hand.text("take_first.text")
            hand.press("1")
            swapped.add(hand.window.session.order[0])
            assert hand.gold()[0][1] in shown
        assert swapped == {0, 1}
