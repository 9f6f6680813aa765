"""The list at the caret: type to filter, digits pick, Enter takes what is highlighted."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QListWidget, QMainWindow

from shared.model import PhiType
from shared.model.i2b2_2014 import I2B2_2014
from shared.widgets.document.document_view import DocumentView
from shared.widgets.tags.type_palette import TypePicker

TYPES = [each.phi_type for each in I2B2_2014.category("LOCATION").types]
CITY = PhiType("LOCATION", "CITY")


@pytest.fixture
def picker(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    view = DocumentView()
    window.setCentralWidget(view)
    window.resize(800, 600)
    window.show()
    window.activateWindow()
    view.setFocus()
    qtbot.waitUntil(view.hasFocus)
    picker = TypePicker(I2B2_2014, view)
    picker.open(TYPES, CITY, view.caret_rectangle())
    yield picker
    window.close()


@pytest.fixture
def line(picker):
    return picker.findChild(QLineEdit)


@pytest.fixture
def chosen(picker):
    found = []
    picker.chosen.connect(found.append)
    return found


def test_all_types_are_shown_and_the_last_used_is_highlighted(picker):
    assert picker.texts == [each.name for each in TYPES]
    assert picker.highlighted == CITY
    assert picker.isVisible()


def test_enter_takes_the_last_used(picker, line, chosen):
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert chosen == [CITY]
    assert not picker.isVisible()


def test_without_a_last_used_the_first_is_highlighted(picker, line, chosen):
    picker.open(TYPES, None, QRect(50, 50, 2, 20))
    QTest.keyClick(line, Qt.Key.Key_Enter)
    assert chosen == [TYPES[0]]


def test_typing_filters_and_enter_takes_the_first(picker, line, chosen):
    QTest.keyClicks(line, "co")
    assert picker.texts == ["COUNTRY"] or picker.texts[0].startswith("CO")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert chosen == [PhiType("LOCATION", "COUNTRY")]


def test_what_starts_with_the_text_comes_first(picker, line):
    QTest.keyClicks(line, "t")
    assert all("T" in each for each in picker.texts)
    QTest.keyClicks(line, "-")
    assert picker.texts == []


@pytest.mark.parametrize(("digit", "number"), [("1", 0), ("6", 5), ("0", 9)])
def test_a_digit_takes_a_line(picker, line, chosen, digit, number):
    QTest.keyClicks(line, digit)
    assert chosen == [TYPES[number]]


def test_a_digit_counts_the_filtered_lines(picker, line, chosen):
    QTest.keyClicks(line, "st")
    second = picker.texts[1]
    QTest.keyClicks(line, "2")
    assert [each.name for each in chosen] == [second]


def test_a_digit_without_a_line_takes_nothing(picker, line, chosen):
    QTest.keyClicks(line, "zip9")
    assert chosen == []
    assert picker.isVisible()


def test_arrows_move_and_stop_at_the_ends(picker, line, chosen):
    QTest.keyClick(line, Qt.Key.Key_Down)
    assert picker.highlighted == TYPES[TYPES.index(CITY) + 1]
    for _ in range(20):
        QTest.keyClick(line, Qt.Key.Key_Up)
    assert picker.highlighted == TYPES[0]


def test_escape_closes_and_gives_the_keyboard_back(picker, line, chosen):
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert (picker.isVisible(), chosen) == (False, [])
    assert picker.window().centralWidget().hasFocus()


def test_nothing_fits_and_enter_does_nothing(picker, line, chosen):
    QTest.keyClicks(line, "xyz")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert (picker.highlighted, chosen) == (None, [])


def test_a_click_takes_a_line(picker, chosen):
    rows = picker.findChild(QListWidget)
    point = rows.visualItemRect(rows.item(2)).center()
    QTest.mouseClick(rows.viewport(), Qt.MouseButton.LeftButton, pos=point)
    assert chosen == [TYPES[2]]


def test_it_goes_when_one_works_elsewhere(picker):
    picker.window().centralWidget().setFocus()
    assert not picker.isVisible()


def test_its_keys_are_its_own_whatever_they_are_bound_to(picker, line, chosen):
    stolen = []
    for key in ("Esc", "Return", "3"):
        QShortcut(QKeySequence(key), picker.window()).activated.connect(lambda: stolen.append(1))
    QTest.keyClicks(line, "3")
    assert (stolen, chosen) == ([], [TYPES[2]])


@pytest.mark.parametrize("place", [(10, 10), (790, 590), (400, 300), (-50, 900)])
def test_it_stays_inside_the_window(picker, place):
    window = picker.window()
    corner = window.mapToGlobal(window.rect().topLeft())
    picker.open(TYPES, None, QRect(corner.x() + place[0], corner.y() + place[1], 2, 20))
    assert window.rect().contains(picker.geometry())
