"""What changes tags off the screen lists them first; a key that has nothing to do says so."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView

from shared.widgets.parts.messages import StatusBanner
from shared.widgets.tags.place_list import PlaceList
from tests.annotator.page import press, put_caret, tags
from tests.places import hint, take_list

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
RECORDS = {
    "English": ("Mary", "Mary is kind. Mary had tea. MARY left.\n"),
    "Spanish": ("Ferrándiz", "Sra. Ferrándiz. Acude Ferrán-\ndiz. FERRANDIZ, Ana.\n"),
    "Chinese": ("王小明", "姓名：王小明\n王小\n明先生，王小明。\n"),
    "Arabic": ("سالم", "المريض سالم. حضر سالم\nوخرج سَالم.\n"),
}


@pytest.fixture(params=list(RECORDS), ids=list(RECORDS))
def name(request):
    return request.param


@pytest.fixture
def texts(name):
    return {"1-01": RECORDS[name][1]}


@pytest.fixture
def tagged(window, name, qtbot):
    """The window with all three places tagged, the caret on the first."""
    text = RECORDS[name][0]
    window.view.set_caret(RECORDS[name][1].index(text))
    on = Qt.Key.Key_Left if name == "Arabic" else Qt.Key.Key_Right  # as the eye goes
    while len(window.view.selected_span() or ()) < len(text):
        press(window, on, SHIFT)
    press(window, Qt.Key.Key_T)
    qtbot.waitUntil(lambda: window._work.untagged._live is not None)
    press(window, Qt.Key.Key_F9)
    press(window, Qt.Key.Key_Return, SHIFT)
    assert take_list(window) == 2
    put_caret(window, text)
    return window


def untick_last(window):
    table = window.findChild(PlaceList).findChild(QTableView)
    while not table.hasFocus():  # the test's own time limit ends this
        QTest.qWait(5)
    QTest.keyClick(table, Qt.Key.Key_End, CONTROL)
    QTest.keyClick(table, Qt.Key.Key_Space)


def test_shift_delete_lists_what_it_removes(tagged):
    press(tagged, Qt.Key.Key_Delete, SHIFT)
    assert len(tags(tagged)) == 3
    untick_last(tagged)
    assert take_list(tagged) == 3
    assert len(tags(tagged)) == 1
    press(tagged, Qt.Key.Key_Z, CONTROL)
    assert len(tags(tagged)) == 3


def test_shift_delete_on_the_only_one_asks_nothing(tagged):
    press(tagged, Qt.Key.Key_Delete, SHIFT)
    untick_last(tagged)
    take_list(tagged)
    tagged.editor.go_next()
    press(tagged, Qt.Key.Key_Delete, SHIFT)
    assert not tags(tagged)


def test_ctrl_r_lists_what_it_retypes(tagged, qtbot):
    press(tagged, Qt.Key.Key_R, CONTROL)
    lines = tagged.findChildren(QLineEdit)
    qtbot.waitUntil(lambda: any(each.hasFocus() for each in lines))
    line = next(each for each in lines if each.hasFocus())
    QTest.keyClicks(line, "doctor")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert {name for _, name in tags(tagged)} == {"PATIENT"}
    untick_last(tagged)
    assert take_list(tagged) == 3
    assert sorted(name for _, name in tags(tagged)) == ["DOCTOR", "DOCTOR", "PATIENT"]


def test_enter_on_a_place_that_f9_has_tagged_is_no_trouble(window, name, qtbot):
    text = RECORDS[name][0]
    window.view.set_caret(RECORDS[name][1].index(text))
    on = Qt.Key.Key_Left if name == "Arabic" else Qt.Key.Key_Right
    while len(window.view.selected_span() or ()) < len(text):
        press(window, on, SHIFT)
    press(window, Qt.Key.Key_T)
    count = window.findChild(QLabel, "findingCount")
    qtbot.waitUntil(lambda: count.text().endswith("findings"), timeout=20_000)
    press(window, Qt.Key.Key_F9)
    place = window.view.selected_span()
    press(window, Qt.Key.Key_Return)
    assert len(tags(window)) == 2
    window.view.select(place)  # again, before the check has looked
    press(window, Qt.Key.Key_Return)
    assert len(tags(window)) == 2
    assert not window.findChild(StatusBanner).text


def test_keys_are_told_in_one_place_and_enter_has_one_name(tagged, qtbot):
    press(tagged, Qt.Key.Key_Z, CONTROL)
    press(tagged, Qt.Key.Key_F9)
    qtbot.waitUntil(lambda: "Enter tags it here too" in hint(tagged))
    said = tagged.statusBar().currentMessage()
    assert said == "Tagged elsewhere as PATIENT. 2 untagged to look at."
    action = tagged.actions_table.action
    for key in ("accept", "accept_everywhere"):
        assert "Return" not in action(key).shortcut().toString() + action(key).toolTip()
        assert "Enter" in action(key).shortcut().toString()
    QTest.keyClick(tagged.view, Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert len(tags(tagged)) == 2
