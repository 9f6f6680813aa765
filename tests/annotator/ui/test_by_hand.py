"""What was awkward when a patient was annotated by hand, and is not so any more."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QMenu, QToolButton, QWidget

from annotator.rejections import PlacedSuggestion
from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from tests.annotator.page import press, put_caret, tags, wait_for_suggestions

LINES = "No change since then.\n" * 80
TEXT = f"A Cuban woman of Monday.\n{LINES}Seen by Dr. Okafor onMonday.\n{LINES}The end of Lee.\n"
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def texts():
    return {"1-01": TEXT}


def find(window, phrase, qtbot):
    press(window, Qt.Key.Key_F, CONTROL)
    line = next(each for each in window.findChildren(QLineEdit) if each.hasFocus())
    line.setText(phrase)
    QTest.keyClick(line, Qt.Key.Key_Return)
    QTest.keyClick(line, Qt.Key.Key_Escape)
    qtbot.waitUntil(window.view.hasFocus)


def lines_around(window, word):
    """How many lines are on the screen above and below a word."""
    visible = window.view.visible_span()
    at = TEXT.index(word)
    return TEXT.count("\n", visible.start, at), TEXT.count("\n", at, visible.end)


def test_the_beginning_of_a_word_finds_the_word_to_tag(window, qtbot):
    find(window, "cub", qtbot)
    press(window, Qt.Key.Key_Y)
    assert tags(window) == [("Cuban", "COUNTRY")]


def test_a_part_of_a_word_that_was_looked_for_is_tagged_alone(window, qtbot):
    put_caret(window, "Okafor")
    find(window, "monday", qtbot)
    press(window, Qt.Key.Key_D)
    assert tags(window) == [("Monday", "DATE")]
    assert window.session.tags.next_after(0).start == TEXT.index("onMonday") + 2


@pytest.mark.parametrize(("start", "key"), [(0, Qt.Key.Key_N), (len(TEXT) - 1, Qt.Key.Key_P)])
def test_whatever_one_goes_to_has_text_above_and_below_it(window, start, key):
    put_caret(window, "Okafor")
    press(window, Qt.Key.Key_O)
    window.view.set_caret(start)
    press(window, key)
    above, below = lines_around(window, "Okafor")
    assert above >= 3
    assert below >= 3


def test_undo_goes_to_where_it_took_a_tag_away(window):
    put_caret(window, "Okafor")
    press(window, Qt.Key.Key_O)
    window.view.set_caret(0)
    press(window, Qt.Key.Key_Z, CONTROL)
    assert window.view.selected_span().text_in(TEXT) == "Okafor"
    assert window.view.visible_span().contains(window.view.selected_span())


def test_a_click_on_a_type_is_for_what_is_selected(window, qtbot):
    find(window, "cub", qtbot)
    window.findChild(QToolButton, "type.NAME:PATIENT").click()
    assert tags(window) == [("Cuban", "PATIENT")]
    assert not window.view.armed


def test_the_menu_on_the_text_is_for_the_word_under_the_pointer(window, qtbot):
    window.view.set_caret(TEXT.index("Cuban") + 2)
    press(window, Qt.Key.Key_Y)
    place = window.view.cursorRect().center()
    window.view.set_caret(0)
    viewport = window.view.viewport()
    QTest.mouseClick(viewport, Qt.MouseButton.RightButton, pos=place)
    menu_event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, place, viewport.mapToGlobal(place)
    )
    QApplication.sendEvent(viewport, menu_event)
    menu = window.findChild(QMenu, "textMenu")
    qtbot.waitUntil(menu.isVisible)
    next(each for each in menu.actions() if each.objectName() == "action.remove").trigger()
    menu.close()
    assert tags(window) == []


def test_patient_done_tells_what_was_not_on_the_screen_and_leads_there(window):
    press(window, Qt.Key.Key_D, CONTROL)
    said = window.findChild(QLabel, "statusBannerText").text()
    assert said.startswith("1 record has text that has not been on the screen: ")
    buttons = window.findChildren(QToolButton)
    QTest.mouseClick(
        next(each for each in buttons if each.text() == "Continue reading"),
        Qt.MouseButton.LeftButton,
    )
    visible = window.view.visible_span()
    assert visible.start > 0
    assert window.view.caret() in range(visible.start, visible.end)


def test_a_list_over_the_text_is_as_high_as_what_fits(window):
    press(window, Qt.Key.Key_K, CONTROL)
    popup = window.findChild(QWidget, "commandList")
    whole, top = popup.height(), popup.y()
    QTest.keyClicks(window.focusWidget(), "guidelines")
    assert popup.height() < whole / 2
    assert popup.y() == top
    for _ in range(len("guidelines")):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Backspace)
    assert popup.height() == whole


def test_without_a_patient_nothing_offers_to_change_one(qtbot, tmp_path):
    records = [Record(Document("1-01", "1", TEXT))]
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    window = AnnotationWindow(project, "ana")
    qtbot.addWidget(window)
    table = window.actions_table
    offered = [each.text() for each in table.tool_bar.actions() if each.isEnabled() and each.text()]
    assert offered == [table.action("guidelines").text()]


def palette_click(window, name):
    QTest.mouseClick(window.findChild(QToolButton, name), Qt.MouseButton.LeftButton)


def click_on(window, word):
    put_caret(window, word)
    place = window.view.cursorRect().center()
    put_caret(window, "woman")
    QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place + QPoint(4, 0))


def test_a_type_in_the_palette_is_for_the_suggestion_that_was_clicked(window, qtbot):
    wait_for_suggestions(window, qtbot)
    start, state = TEXT.index("Cuban"), PhiType("LOCATION", "STATE")
    one = PlacedSuggestion(start, start + 5, "1-01", state, 0.7, "test")
    window.session.review.exchange((), [one])
    click_on(window, "Cuban")
    palette_click(window, "type.LOCATION:COUNTRY")
    assert tags(window) == [("Cuban", "COUNTRY")]
    assert not window.view.armed


def test_a_type_in_the_palette_is_for_the_tag_that_was_clicked(window):
    put_caret(window, "Cuban")
    press(window, Qt.Key.Key_C)
    click_on(window, "Cuban")
    palette_click(window, "type.LOCATION:COUNTRY")
    assert tags(window) == [("Cuban", "COUNTRY")]
    assert not window.view.armed


def test_a_type_in_the_palette_leaves_the_tag_alone_that_was_just_made(window):
    put_caret(window, "Cuban")
    press(window, Qt.Key.Key_Y)
    palette_click(window, "type.DATE")
    assert tags(window) == [("Cuban", "COUNTRY")]
    assert window.view.armed


def test_a_word_more_is_one_key_press_wherever_the_selection_ends(window):
    window.view.select(Span(TEXT.index("Cuban"), TEXT.index("Cuban") + 5))
    press(window, Qt.Key.Key_Right, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert window.view.selected_span().text_in(TEXT) == "Cuban woman"
    press(window, Qt.Key.Key_Right, CONTROL | Qt.KeyboardModifier.ShiftModifier)
    assert window.view.selected_span().text_in(TEXT) == "Cuban woman of"
