"""A patient with more disagreements than a page shows: what is out of sight comes a turn later."""

from collections import Counter

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QDockWidget, QLabel

from shared.widgets.document.marks import MarkStyle
from shared.widgets.findings.finding_pane import FindingPane
from tests.adjudicator.projects import make_project

LINES = 400
ANA = "[Kai|PATIENT] came to Mercy and was seen there.\n"
BEN = "Kai came to [Mercy|HOSPITAL] and was seen there.\n"


def lanes(hand) -> Counter[MarkStyle]:
    return Counter(each.style for each in hand.window.view.marks() if each.style != MarkStyle.TAG)


def rows(hand) -> Counter[str]:
    return Counter(hand.column(0))


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, [ANA * LINES], [BEN * LINES])


@pytest.fixture
def hand(open_window, project):
    return open_window(project)


def test_the_page_has_its_lanes_at_once_and_the_rest_soon(open_window, project, qtbot):
    hand = open_window(project)  # here, since events are handled after a fixture
    view = hand.window.view
    assert {each.style for each in view.marks_within(view.visible_span())} == {
        MarkStyle.FIRST,
        MarkStyle.SECOND,
    }
    assert lanes(hand).total() < 2 * LINES
    qtbot.waitUntil(lambda: lanes(hand).total() == 2 * LINES)
    assert lanes(hand) == {MarkStyle.FIRST: LINES, MarkStyle.SECOND: LINES}


def test_a_mark_below_the_text_is_among_the_first_since_it_moves_the_lines(open_window, tmp_path):
    ana, ben = [ANA * LINES, "Mercy"], [f"Kai{ANA[13:]}" * LINES, "[Mercy|HOSPITAL]"]
    hand = open_window(make_project(tmp_path, ana, ben))
    assert lanes(hand)[MarkStyle.SECOND] == 1


def test_leaving_a_patient_at_once_leaves_nothing_of_it(hand, qtbot):
    hand.window.open_patient("110")
    assert hand.window.session is not None
    hand.window.close()
    qtbot.wait(50)
    assert hand.window.session is None
    assert not hand.window.view.marks()


def test_every_row_says_what_it_is_about(hand):
    assert rows(hand) == {"Kai": LINES, "Mercy": LINES}


def test_a_precedent_that_comes_into_sight_moves_no_other_pane(hand, qtbot):
    docks = hand.window.findChildren(QDockWidget)
    docks = [each for each in docks if each.x() >= 0]  # those behind a tab lie out of the window
    findings = hand.window.findChild(FindingPane)
    qtbot.waitUntil(lambda: "Looking" not in findings.summary, timeout=60_000)
    before = settled(docks, qtbot)
    told = hand.window.findChild(QLabel, "decisionBefore")
    assert not told.isVisible()
    hand.press("1")
    assert told.isVisible()
    assert settled(docks, qtbot) == before


def settled(docks, qtbot) -> list[QRect]:
    """The places of docks once they are the same in two turns of the event loop."""
    places: list[list[QRect]] = []

    def is_settled() -> bool:
        places.append([each.geometry() for each in docks])
        return len(places) > 1 and places[-1] == places[-2]

    qtbot.waitUntil(is_settled)
    return places[-1]
