"""Many tags at once, from the table and from the groups by text; each change is one step."""

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMenu

from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.widgets.settings.preferences import preference_store
from shared.widgets.tags.tag_table import TagTable
from shared.widgets.tags.type_palette import TypePicker

TEXT = "Lee, then Lee, then Kai, then Lee."
CONTROL = Qt.KeyboardModifier.ControlModifier
FLAGS = QItemSelectionModel.SelectionFlag


@pytest.fixture
def window(qtbot, tmp_path):
    records = [Record(Document("1-01", "1", TEXT))]
    project = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    made = AnnotationWindow(project, "ana")
    qtbot.addWidget(made)
    made.show()
    made.open_patient("1")
    qtbot.waitUntil(made.view.hasFocus)
    for offset in (0, 10, 20):
        made.view.set_caret(offset)
        QTest.keyClick(made.view, Qt.Key.Key_O)
    yield made
    made.close()


@pytest.fixture
def table(window):
    return window.findChild(TagTable)


def tags(window):
    return [(each.start, each.phi_type.name) for each in window.session.tags]


def groups(table):
    model = table.tree.groups
    return [
        model.index(at, 0).data(Qt.ItemDataRole.AccessibleTextRole)
        for at in range(model.rowCount())
    ]


def pick(window, name):
    picker = next(each for each in window.findChildren(TypePicker) if each.isVisible())
    QTest.keyClicks(picker.findChild(QLineEdit), name)
    QTest.keyClick(picker.findChild(QLineEdit), Qt.Key.Key_Return)


def press_in(shown, key, modifiers=Qt.KeyboardModifier.NoModifier):
    shown.setFocus()
    QTest.keyClick(shown, key, modifiers)


def test_selected_tags_are_retyped_as_one_step(window, table):
    table.table.selectAll()
    press_in(table.table, Qt.Key.Key_T, CONTROL)
    pick(window, "patient")
    assert tags(window) == [(0, "PATIENT"), (10, "PATIENT"), (20, "PATIENT")]
    assert len(table.selected_keys()) == 3
    QTest.keyClick(window.view, Qt.Key.Key_Z, CONTROL)
    assert tags(window) == [(0, "DOCTOR"), (10, "DOCTOR"), (20, "DOCTOR")]


def test_delete_in_the_table_removes_what_is_selected_as_one_step(window, table):
    table.table.selectAll()
    press_in(table.table, Qt.Key.Key_Delete)
    assert tags(window) == []
    QTest.keyClick(window.view, Qt.Key.Key_Z, CONTROL)
    assert len(tags(window)) == 3


def test_delete_while_writing_a_comment_is_the_comments(window, table):
    table.edit_comment(next(iter(window.session.tags)).key)
    editor = table.table.findChild(QLineEdit)
    QTest.keyClicks(editor, "x")
    QTest.keyClick(editor, Qt.Key.Key_Delete)
    assert len(tags(window)) == 3


@pytest.mark.parametrize("key", [Qt.Key.Key_T, Qt.Key.Key_Delete])
def test_without_a_selection_it_is_said_what_to_do(window, table, key):
    QTest.keyClick(window.view, key, CONTROL)
    assert window.statusBar().currentMessage() == "Select tags in the table first."
    assert len(tags(window)) == 3


def test_groups_say_what_is_tagged_and_follow_the_work(window, table, qtbot):
    QTest.keyClick(window.view, Qt.Key.Key_G, CONTROL)
    qtbot.waitUntil(
        lambda: groups(table) == ["Kai – DOCTOR – tagged 1 of 1", "Lee – DOCTOR – tagged 2 of 3"]
    )
    window.view.set_caret(30)
    QTest.keyClick(window.view, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: groups(table)[1] == "Lee – DOCTOR – tagged 3 of 3")


def test_a_group_is_removed_as_one_step(window, table, qtbot):
    table.show_grouped(True)
    qtbot.waitUntil(lambda: len(groups(table)) == 2)
    table.tree.selectionModel().select(table.tree.groups.index(1, 0), FLAGS.Select | FLAGS.Rows)
    press_in(table.tree, Qt.Key.Key_Delete)
    assert tags(window) == [(20, "DOCTOR")]


def test_an_untagged_place_of_a_group_is_gone_to_and_tagged_by_enter(window, table, qtbot):
    table.show_grouped(True)
    tree = table.tree
    qtbot.waitUntil(lambda: "2 of 3" in groups(table)[1])
    lee = tree.groups.index(1, 0)
    tree.expand(lee)
    tree.setCurrentIndex(tree.groups.index(2, 0, lee))
    press_in(tree, Qt.Key.Key_Return)
    assert window.view.selected_span().start == 30
    QTest.keyClick(window.view, Qt.Key.Key_Return)
    assert tags(window)[-1] == (30, "DOCTOR")


def test_the_way_the_tags_are_shown_is_remembered(window, table):
    QTest.keyClick(window.view, Qt.Key.Key_G, CONTROL)
    assert preference_store().values.group_tags
    preference_store().change(group_tags=False)
    assert not table.is_grouped


def test_the_context_menu_offers_both(table):
    menu = table.tree.findChild(QMenu, "tagGroupsMenu")
    names = [each.objectName() for each in menu.actions()]
    assert names == ["action.retype_selected", "action.remove_selected"]
