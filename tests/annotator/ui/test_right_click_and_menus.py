"""A menu is about what was clicked, and while one is open it gets the keys."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy
from tests.annotator.page import wait_for_suggestions
from tests.menus import (
    choose,
    doubled_letters,
    right_click,
    right_click_row,
    right_click_text,
    type_to,
)

TEXT = "Seen by Dr. Lee on 05/09/2007, phone (617) 555-0134.\nBack on 05/10/2007. 王小明李大为来。"
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def window(qtbot, tmp_path):
    records = [Record(Document("1-01", "1", TEXT))]
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
    made = AnnotationWindow(project, "ana", learns=False)
    qtbot.addWidget(made)
    made.show()
    made.open_patient("1")
    qtbot.waitUntil(made.view.hasFocus)
    wait_for_suggestions(made, qtbot)
    return made


def tags(window):
    return [(each.span.text_in(TEXT), each.phi_type.name) for each in window.session.tags]


def tag(window, text, key):
    start = TEXT.index(text)
    window.view.select(Span(start, start + len(text)))
    QTest.keyClick(window.view, key)


def selected(window):
    span = window.view.selected_span()
    return span and span.text_in(TEXT)


def test_a_right_click_leaves_what_is_selected_elsewhere(window):
    QTest.keyClick(window.view, Qt.Key.Key_F8)
    assert selected(window) == "Lee"
    choose(right_click_text(window, TEXT.index("617")), "accept")
    assert tags(window) == [("(617) 555-0134", "PHONE")]


def test_a_right_click_removes_the_tag_that_was_clicked(window):
    tag(window, "Lee", Qt.Key.Key_O)
    tag(window, "05/10/2007", Qt.Key.Key_D)
    window.view.select(Span(TEXT.index("Lee"), TEXT.index("Lee") + 3))
    choose(right_click_text(window, TEXT.index("/2007. ")), "remove")
    assert tags(window) == [("Lee", "DOCTOR")]


def test_a_right_click_inside_the_selection_keeps_it(window):
    window.view.select(Span(0, TEXT.index("Lee") + 3))
    right_click_text(window, TEXT.index("Dr")).close()
    assert selected(window) == "Seen by Dr. Lee"


@pytest.mark.parametrize("click", ["right", "left"])
def test_of_tags_that_touch_the_one_that_was_clicked_is_meant(window, click):
    tag(window, "王小明", Qt.Key.Key_T)
    tag(window, "李大为", Qt.Key.Key_O)
    last = TEXT.index("明")
    if click == "right":
        choose(right_click_text(window, last), "remove")
    else:
        right_click_text(window, 0).close()
        cursor = window.view.textCursor()
        cursor.setPosition(last + 1)
        place = window.view.cursorRect(cursor).center() - QPoint(3, 0)
        QTest.mouseClick(window.view.viewport(), Qt.MouseButton.LeftButton, pos=place)
        QTest.keyClick(window.view, Qt.Key.Key_Delete)
    assert tags(window) == [("李大为", "DOCTOR")]


def test_the_menu_on_a_suggestion_in_the_list_is_about_that_row(window, qtbot):
    pane = window._parts.suggestions
    window._parts.bring_forward(pane)
    QTest.keyClick(window.view, Qt.Key.Key_F8)
    qtbot.waitUntil(lambda: pane.model.rowCount() > 2)
    texts = [pane.model.index(row, 0).data() for row in range(pane.model.rowCount())]
    choose(right_click_row(pane.tree, texts.index("05/10/2007")), "accept")
    assert tags(window) == [("05/10/2007", "DATE")]


def test_an_arrow_in_the_list_of_suggestions_goes_along_in_the_text(window, qtbot):
    pane = window._parts.suggestions
    window._parts.bring_forward(pane)
    qtbot.waitUntil(lambda: pane.model.rowCount() > 2)
    pane.tree.setFocus()
    pane.tree.setCurrentIndex(pane.model.index(0, 0))
    QTest.keyClick(pane.tree, Qt.Key.Key_Down)
    assert selected(window) == pane.tree.currentIndex().siblingAtColumn(0).data()
    assert pane.tree.hasFocus()


def test_the_menu_on_a_tag_in_the_table_is_about_that_row(window):
    tag(window, "Lee", Qt.Key.Key_O)
    tag(window, "05/10/2007", Qt.Key.Key_D)
    window._parts.bring_forward(window._parts.tags)
    table = window._parts.tags.table
    menu = right_click_row(table, 0)
    assert window.editor.current().span.text_in(TEXT) == "Lee"
    choose(menu, "remove_selected")
    assert tags(window) == [("05/10/2007", "DATE")]


def test_an_arrow_in_the_tag_table_goes_along_in_the_text(window):
    tag(window, "Lee", Qt.Key.Key_O)
    tag(window, "05/10/2007", Qt.Key.Key_D)
    table = window._parts.tags.table
    table.setFocus()
    table.selectRow(0)
    QTest.keyClick(table, Qt.Key.Key_Down)
    assert window.editor.current().span.text_in(TEXT) == "05/10/2007"
    assert table.hasFocus()


def test_there_is_no_menu_where_there_is_no_row(window):
    tag(window, "Lee", Qt.Key.Key_O)
    table = window._parts.tags.table
    window._parts.bring_forward(window._parts.tags)
    place = QPoint(20, table.viewport().height() - 3)
    assert right_click(table.viewport(), place) is None


def test_the_menu_key_opens_the_menu_at_the_caret(window):
    window.view.set_caret(TEXT.index("Lee"))
    asked = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(300, 200), QPoint())
    QApplication.sendEvent(window.view.viewport(), asked)
    menu = QApplication.activePopupWidget()
    caret = window.view.caret_rectangle()
    assert isinstance(menu, QMenu)
    assert (menu.pos() - caret.bottomLeft()).manhattanLength() < 8
    menu.close()


@pytest.mark.parametrize(("menu", "key"), [(Qt.Key.Key_E, Qt.Key.Key_M), (None, Qt.Key.Key_M)])
def test_an_open_menu_gets_the_letter_that_is_underlined_in_it(window, menu, key):
    tag(window, "Lee", Qt.Key.Key_O)
    if menu is not None:
        type_to(window, menu, ALT)
    else:
        right_click_text(window, TEXT.index("Lee"))
    assert QApplication.activePopupWidget() is not None
    type_to(window, key)
    assert tags(window) == []
    assert QApplication.activePopupWidget() is None


@pytest.mark.parametrize("key", ["D", "O", "X", "7", "F8", "Delete"])
def test_no_key_acts_behind_an_open_menu(window, key):
    tag(window, "Lee", Qt.Key.Key_O)
    before = tags(window), window.view.caret(), selected(window)
    type_to(window, Qt.Key.Key_H, ALT)
    menu = QApplication.activePopupWidget()
    type_to(window, Qt.Key[f"Key_{key}"])
    assert (tags(window), window.view.caret(), selected(window)) == before
    if menu is not None:
        menu.close()


def test_keys_act_again_once_the_menu_is_closed(window):
    tag(window, "Lee", Qt.Key.Key_O)
    type_to(window, Qt.Key.Key_E, ALT)
    type_to(window, Qt.Key.Key_Escape)
    type_to(window, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
    window.view.setFocus()
    type_to(window, Qt.Key.Key_T)
    assert tags(window) == [("Lee", "PATIENT")]


def test_every_letter_leads_to_one_menu_and_one_action(window):
    assert doubled_letters(window) == []
