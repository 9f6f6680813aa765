"""E takes up a tag to be changed; that counts as decided once it was confirmed or changed."""

import pytest

from tests.adjudicator.projects import make_project

SHORT_AND_LONG = ["Dr. [Lee|DOCTOR] of Mercy."], ["[Dr. Lee|DOCTOR] of Mercy."]


@pytest.fixture
def lee(open_window, tmp_path):
    return open_window(make_project(tmp_path, *SHORT_AND_LONG))


def selected(hand) -> str:
    span = hand.window.view.selected_span()
    return span.text_in(hand.window.session.view.text) if span else ""


def test_e_alone_decides_nothing(lee):
    lee.press("E")
    assert lee.column(4) == ["open"]
    assert lee.text("decisionCount") == "0 of 1 decided"
    assert lee.gold() == []
    assert lee.text("decisionState").startswith("Not decided yet: Enter takes")


def test_it_starts_from_the_longer_piece(lee):
    lee.press("E")
    assert selected(lee) == "Dr. Lee"


def test_enter_confirms_it(lee):
    lee.press("E", "Return")
    assert lee.gold() == [("Dr. Lee", "DOCTOR")]
    assert lee.text("decisionCount").startswith("1 of 1")


def test_a_moved_edge_decides_as_one_step(lee):
    lee.press("E", "Alt+Shift+Down")
    assert lee.gold() == [("Dr. Lee of", "DOCTOR")]
    lee.press("Alt+Shift+Down")
    assert lee.gold() == [("Dr. Lee of Mercy", "DOCTOR")]
    lee.press("Ctrl+Z", "Ctrl+Z")
    assert (lee.gold(), lee.column(4)) == ([], ["open"])


def test_a_type_decides(lee):
    lee.press("E", "T")
    assert lee.gold() == [("Dr. Lee", "PATIENT")]


def test_what_is_selected_instead_is_what_is_confirmed(lee):
    lee.press("E", "Home", "Shift+Right")
    lee.press("E", "Shift+Left", "Shift+Left", "Shift+Left", "Shift+Left", "Return")
    assert lee.gold() == [("Dr.", "DOCTOR")]


@pytest.mark.parametrize("key", ["Left", "N", "F8"])
def test_walking_away_forgets_it(lee, key):
    lee.press("E", key)
    assert lee.text("decisionState") in ("Open.", "")
    lee.press("Return")
    assert (lee.gold(), lee.column(4)) == ([], ["open"])


def test_a_tag_does_not_reach_into_another_record(open_window, tmp_path):
    hand = open_window(
        make_project(tmp_path, ["Seen by [Lee|DOCTOR]", "Roe"], ["Seen by Lee", "Roe"])
    )
    hand.press("E", "Alt+Shift+Down")
    assert hand.gold() == []
    assert hand.column(4) == ["open"]
