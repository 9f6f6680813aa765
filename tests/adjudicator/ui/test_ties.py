"""Where nothing tells which type is right, the window asks, and does nothing by itself."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QToolButton, QWidget

from adjudicator.session import AdjudicationSession
from shared.widgets.document.marks import MarkStyle
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.parts.choice_popup import ChoicePopup
from tests.adjudicator.desk import said_by
from tests.adjudicator.projects import make_project
from tests.places import hint, take_list

TIE = ["Seen by [Okafor|DOCTOR] today.", "[Okafor|PATIENT] called."]


@pytest.fixture
def tie(open_window, tmp_path, qtbot):
    hand = open_window(make_project(tmp_path, TIE, TIE))
    pane = hand.window.findChild(FindingPane)
    qtbot.waitUntil(lambda: len(pane.model.all_rows) == 2, timeout=20_000)
    hand.press("F3")
    return hand


def popup(hand) -> ChoicePopup:
    return hand.window.findChild(ChoicePopup, "tiePopup")


def choose(hand, *keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(popup(hand).findChild(QLineEdit), key)


@pytest.mark.parametrize("key", ["Ctrl+M", "Ctrl+Shift+M"])
def test_a_fix_of_one_against_one_asks_and_changes_nothing(tie, key):
    before = tie.gold()
    tie.press(key)
    assert popup(tie).isVisible()
    assert popup(tie).texts == ["DOCTOR", "PATIENT"]
    assert tie.gold() == before
    choose(tie, Qt.Key.Key_Escape)
    assert tie.gold() == before


def test_each_type_is_shown_with_its_places(tie):
    tie.press("Ctrl+M")
    shown = popup(tie).findChild(QListWidget)
    assert "110-01 …Seen by Okafor today.…" in shown.item(0).text()
    assert "110-02 …Okafor called.…" in shown.item(1).text()


def test_what_is_chosen_is_done_at_the_place_that_is_shown(tie):
    first = tie.window.view.selected_span()
    here = next(each for each in tie.window.session.tags if each.span == first)
    tie.press("Ctrl+M")
    other = ["DOCTOR", "PATIENT"][here.phi_type.name == "DOCTOR"]
    choose(tie, [Qt.Key.Key_1, Qt.Key.Key_2][other == "PATIENT"])
    assert tie.gold() == [("Okafor", other)] * 2
    tie.press("Ctrl+Z")
    assert sorted(tie.gold()) == [("Okafor", "DOCTOR"), ("Okafor", "PATIENT")]


def test_everywhere_makes_all_places_so(tie):
    tie.press("Ctrl+Shift+M")
    choose(tie, Qt.Key.Key_1)
    assert tie.gold() == [("Okafor", "DOCTOR")] * 2


def test_that_all_places_can_be_asked_for_is_shown(tie):
    assert "Shift+Enter asks for all places" in hint(tie.window).replace("Return", "Enter")
    before = tie.gold()
    tie.window.findChild(QToolButton, "finding.all").click()
    assert popup(tie).isVisible()
    assert tie.gold() == before


def test_everywhere_lists_several_places_before_it_makes_them_so(open_window, tmp_path, qtbot):
    source = ["[Okafor|DOCTOR] came. [Okafor|DOCTOR] left.", "[Okafor|PATIENT], [Okafor|PATIENT]."]
    hand = open_window(make_project(tmp_path, source, source))
    pane = hand.window.findChild(FindingPane)
    qtbot.waitUntil(lambda: len(pane.model.all_rows) == 4, timeout=20_000)
    hand.press("F3", "Ctrl+Shift+M")
    before = hand.gold()
    choose(hand, Qt.Key.Key_1)
    assert hand.gold() == before
    assert take_list(hand.window) == 2
    assert hand.gold() == [("Okafor", "DOCTOR")] * 4


def test_an_earlier_decision_without_majority_is_not_taken(open_window, tmp_path, qtbot):
    ana, ben = ["[Kai|PATIENT] came."], ["[Kai|DOCTOR] came."]
    project = make_project(tmp_path, ana, ben, p120=(ana, ben), p130=(ana, ben))
    for side, patient_id in enumerate(("120", "130")):
        with AdjudicationSession(project, patient_id, "dora") as session:
            session.queue.decide(session.queue[0], said_by(session.queue[0], side))
            session.finish()
    hand = open_window(project)
    qtbot.waitUntil(lambda: "differently 1" in hand.text("decisionBefore"))
    assert not hand.window.findChild(QToolButton, "decide.accept").isVisible()
    hand.press("Return")
    assert hand.said.startswith("Earlier decisions differ")
    assert (hand.gold(), hand.column(4)) == ([], ["open"])


def test_untagged_text_of_two_types_equally_often_is_not_tagged_unasked(
    open_window, tmp_path, qtbot
):
    source = ["Seen by [Okafor|DOCTOR] today.", "[Okafor|PATIENT] called Okafor."]
    hand = open_window(make_project(tmp_path, source, source))
    marks = hand.window.view.marks
    qtbot.waitUntil(lambda: any(each.style is MarkStyle.UNTAGGED for each in marks()))
    hand.press("F9")
    assert hand.said.startswith("Tagged elsewhere as DOCTOR and PATIENT. 1 untagged")
    qtbot.waitUntil(lambda: "Enter asks which it is" in hint(hand.window))
    hand.press("Return")
    assert len(hand.gold()) == 2
    picker = hand.window.findChild(QWidget, "typePicker").findChild(QLineEdit)
    qtbot.waitUntil(picker.hasFocus)
    QTest.keyClicks(picker, "patient")
    QTest.keyClick(picker, Qt.Key.Key_Return)
    assert hand.gold()[2] == ("Okafor", "PATIENT")
