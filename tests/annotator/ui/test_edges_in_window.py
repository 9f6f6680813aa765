"""Where a tag begins and ends, by mouse and key, in the annotation window."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from shared.model import Span
from tests.annotator.page import press, tags

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def texts():
    return {"1-01": "Greta Otterham Teasdale, seen at Mercy Hospital of Reading.\nNo change."}


def select(window, text):
    start = window.view.merged_view.text.index(text)
    window.view.select(Span(start, start + len(text)))


def tag(window, text, key):
    select(window, text)
    press(window, key)


def edge(window, offset):
    cursor = window.view.textCursor()
    cursor.setPosition(offset)
    return window.view.cursorRect(cursor).center()


def drag(window, start, end, dx=0):
    viewport, left = window.view.viewport(), Qt.MouseButton.LeftButton
    QTest.mousePress(viewport, left, pos=edge(window, start) + QPoint(dx, 0))
    QTest.mouseMove(viewport, edge(window, end))
    QTest.mouseRelease(viewport, left, pos=edge(window, end))


def test_dragging_an_edge_is_one_step_that_can_be_undone(window):
    tag(window, "Greta Otterham Teasdale", Qt.Key.Key_T)
    drag(window, 0, window.view.merged_view.text.index("Teasdale"), dx=2)
    assert tags(window) == [("Teasdale", "PATIENT")]
    press(window, Qt.Key.Key_Z, CTRL)
    assert tags(window) == [("Greta Otterham Teasdale", "PATIENT")]


def test_an_edge_that_is_dragged_over_a_tag_of_its_type_takes_it_in(window):
    tag(window, "Greta", Qt.Key.Key_T)
    tag(window, "Teasdale", Qt.Key.Key_T)
    drag(window, len("Greta"), window.view.merged_view.text.index(", seen"), dx=-2)
    assert tags(window) == [("Greta Otterham Teasdale", "PATIENT")]
    press(window, Qt.Key.Key_Z, CTRL)
    assert tags(window) == [("Greta", "PATIENT"), ("Teasdale", "PATIENT")]


def test_less_than_a_tag_and_its_type_again_makes_it_smaller(window):
    tag(window, "Greta Otterham Teasdale", Qt.Key.Key_T)
    tag(window, "Greta", Qt.Key.Key_T)
    assert tags(window) == [("Greta", "PATIENT")]
    press(window, Qt.Key.Key_Z, CTRL)
    assert tags(window) == [("Greta Otterham Teasdale", "PATIENT")]


def test_another_type_within_a_tag_is_a_tag_of_its_own_and_that_is_said(window):
    tag(window, "Mercy Hospital of Reading", Qt.Key.Key_H)
    tag(window, "Reading", Qt.Key.Key_C)
    assert sorted(tags(window)) == [("Mercy Hospital of Reading", "HOSPITAL"), ("Reading", "CITY")]
    said = window.statusBar().currentMessage()
    assert said == "Tagged as CITY inside HOSPITAL; both tags stay."


def test_a_tag_that_lies_in_no_other_is_not_said_to(window):
    tag(window, "Reading", Qt.Key.Key_C)
    assert "inside" not in window.statusBar().currentMessage()


def test_exact_characters_is_a_mode_that_is_shown(window):
    shown = window._parts.exact
    press(window, Qt.Key.Key_X, CTRL | SHIFT)
    assert shown.text() == "Exact characters"
    drag(window, 1, 4)
    press(window, Qt.Key.Key_T)
    assert tags(window) == [("ret", "PATIENT")]
    press(window, Qt.Key.Key_X, CTRL | SHIFT)
    assert shown.text() == ""
    drag(window, 7, 9)
    assert window.view.selected_span().text_in(window.view.merged_view.text) == "Otterham"


def test_among_exact_characters_the_keys_select_them_too(window):
    press(window, Qt.Key.Key_X, CTRL | SHIFT)
    window.view.set_caret(0)
    for _ in range(3):
        press(window, Qt.Key.Key_Right, SHIFT)
    press(window, Qt.Key.Key_T)
    assert tags(window) == [("Gre", "PATIENT")]


class TestArabic:
    @pytest.fixture
    def texts(self):
        return {"1-01": "حضر أحمد خالد المنصوري اليوم.\n"}

    @pytest.mark.parametrize(
        ("key", "modifier", "text"),
        [
            (Qt.Key.Key_Right, ALT | SHIFT, "أحمد خالد"),
            (Qt.Key.Key_Up, ALT | SHIFT, "خالد المنصوري"),
            (Qt.Key.Key_Left, ALT, "الد"),
            (Qt.Key.Key_Down, ALT, "خال"),
        ],
    )
    def test_keys_move_edges_to_where_their_arrows_point(self, window, key, modifier, text):
        window.view.set_caret(window.view.merged_view.text.index("خالد"))
        press(window, Qt.Key.Key_T)
        press(window, key, modifier)
        assert [each for each, _ in tags(window)] == [text]
