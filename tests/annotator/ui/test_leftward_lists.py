"""Lists of places in script that runs from right to left: what comes before stands at the right."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem, QTableView

from shared.widgets.tags.place_list import PlaceList
from tests.annotator.page import press, put_caret

TEXT = (
    "اسم المريض: سليم حمدان، عمره 72 سنة.\nراجع سليم العيادة مع ابنته ريم.\nName: Salim Hamdan.\n"
)
LEFT, RIGHT = Qt.TextElideMode.ElideLeft, Qt.TextElideMode.ElideRight


@pytest.fixture
def texts():
    return {"1-01": TEXT}


@pytest.fixture
def table(window):
    def listed(word):
        put_caret(window, word)
        press(window, Qt.Key.Key_T)
        press(window, Qt.Key.Key_A)
        return window.findChild(PlaceList).findChild(QTableView)

    yield listed
    window.findChild(PlaceList).reject()


def cells(table, row):
    return [table.model().index(row, column).data().strip("\u200e\u200f") for column in (1, 2, 3)]


def option(table, row, column):
    index, made = table.model().index(row, column), QStyleOptionViewItem()
    table.itemDelegateForColumn(column).initStyleOption(made, index)
    return made


def test_what_comes_before_stands_at_the_right_and_what_comes_after_at_the_left(table):
    shown = table("سليم")
    after, text, before = cells(shown, 0)
    assert (after[:7], text, before) == (" حمدان،", "سليم", "اسم المريض: ")
    after, text, before = cells(shown, 1)
    assert (after[:8], text, before[-6:]) == (" العيادة", "سليم", " راجع ")


def test_each_side_is_whole_beside_the_text_and_cut_at_its_far_end(table):
    shown = table("سليم")
    sides = [option(shown, 0, column) for column in (1, 3)]
    assert {each.direction for each in sides} == {Qt.LayoutDirection.RightToLeft}
    assert [each.textElideMode for each in sides] == [RIGHT, LEFT]  # of either the far end
    absolute = Qt.AlignmentFlag.AlignAbsolute
    assert [each.displayAlignment & absolute for each in sides] == [absolute, absolute]


def test_a_number_goes_by_its_line(table):
    after, text, before = cells(table("72"), 0)
    assert (after[:4], text, before[-5:]) == (" سنة", "72", "عمره ")


def test_a_line_from_left_to_right_stays_so(table):
    shown = table("Salim")
    assert cells(shown, 0)[1:] == ["Salim", " Hamdan. ⏎ "]
    assert [option(shown, 0, column).textElideMode for column in (1, 3)] == [LEFT, RIGHT]
