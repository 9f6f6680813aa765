"""A menu is about what was clicked, and while one is open it gets the keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QToolButton, QWidget

from tests.menus import choose, doubled_letters, right_click_text, type_to

ALT = Qt.KeyboardModifier.AltModifier


def test_a_right_click_removes_the_tag_that_was_clicked(hand):
    window = hand.window
    agreed = next(iter(window.session.tags))
    text = agreed.span.text_in(window.session.view.text)
    hand.press("F8")
    choose(right_click_text(window, agreed.start), "remove")
    assert text not in [each for each, _ in hand.gold()]


@pytest.mark.parametrize("place", ["text", "table"])
@pytest.mark.parametrize("key", ["1", "0", "E"])
def test_no_decision_key_acts_behind_an_open_menu(hand, place, key):
    before = hand.gold()
    (hand.window.view if place == "text" else hand.table).setFocus()
    type_to(hand.window, Qt.Key.Key_V, ALT)
    menu = QApplication.activePopupWidget()
    assert menu is not None
    type_to(hand.window, Qt.Key[f"Key_{key}"])
    menu.close()
    assert hand.gold() == before
    assert hand.window.session.queue.progress.decided == 0


def test_decision_keys_act_again_once_the_menu_is_closed(hand):
    hand.table.setFocus()
    type_to(hand.window, Qt.Key.Key_V, ALT)
    QApplication.activePopupWidget().close()
    hand.table.setFocus()
    QTest.keyClick(hand.window.windowHandle(), Qt.Key.Key_1)
    assert hand.window.session.queue.progress.decided == 1


def test_every_letter_leads_to_one_menu_and_one_action(hand):
    assert doubled_letters(hand.window) == []


@pytest.mark.parametrize("double", [False, True])
def test_a_click_on_what_the_banner_says_leaves_the_keys_to_the_text(hand, double):
    hand.window.findChild(QWidget, "statusBanner").show_message("Something to say.")
    said = hand.window.findChild(QLabel, "statusBannerText")
    assert said.isVisible()
    (QTest.mouseDClick if double else QTest.mouseClick)(said, Qt.MouseButton.LeftButton)
    type_to(hand.window, Qt.Key.Key_N)
    assert hand.current() == "Lee"
    type_to(hand.window, Qt.Key.Key_1)
    assert hand.column(4) == ["open", "DOCTOR"]


def test_who_closes_the_banner_by_keys_is_back_in_the_text(hand):
    banner = hand.window.findChild(QWidget, "statusBanner")
    banner.show_message("Something to say.")
    close = banner.findChild(QToolButton)
    close.setFocus(Qt.FocusReason.TabFocusReason)
    type_to(hand.window, Qt.Key.Key_Space)
    assert not banner.isVisible()
    type_to(hand.window, Qt.Key.Key_N)
    assert hand.current() == "Lee"
