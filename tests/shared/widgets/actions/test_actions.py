"""One table makes menus, tool bar, keys and sheet; plain letters act in the view only."""

import re
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QMainWindow, QTreeWidget, QVBoxLayout, QWidget

from shared.errors import RequestError
from shared.widgets.actions.actions import ActionSpec, ActionTable, key_conflicts
from shared.widgets.document.document_view import DocumentView

SPECS = (
    ActionSpec("find", "&Find…", "&Go", ("Ctrl+F",), tip="Look for text", icon="find"),
    ActionSpec("next_tag", "&Next tag", "&Go", ("N", "F8"), icon="next-tag", in_view_only=True),
    ActionSpec("remove", "Re&move", "&Edit", ("Del",), in_view_only=True, separator_before=True),
    ActionSpec("dark", "&Dark", "&Edit", checkable=True),
    ActionSpec("shortcuts", "Shortcuts", "", ("?",), in_view_only=True),
)


class Place:
    """A window with a view, a line to type in, and the actions that were done."""

    def __init__(self, qtbot, specs=SPECS):
        self.window = QMainWindow()
        qtbot.addWidget(self.window)
        self.view, self.line, self.done = DocumentView(), QLineEdit(), []
        page = QWidget()
        layout = QVBoxLayout(page)
        layout.addWidget(self.view)
        layout.addWidget(self.line)
        self.window.setCentralWidget(page)
        handlers = {each.name: self._handler(each.name) for each in specs}
        self.table = ActionTable(self.window, specs, handlers, self.view)
        self.window.show()
        self.window.activateWindow()
        self.view.setFocus()
        qtbot.waitUntil(self.view.hasFocus)

    def _handler(self, name):
        return lambda: self.done.append(name)


@pytest.fixture
def place(qtbot):
    return Place(qtbot)


@pytest.mark.parametrize(
    ("key", "modifier", "name"),
    [
        (Qt.Key.Key_N, Qt.KeyboardModifier.NoModifier, "next_tag"),
        (Qt.Key.Key_F8, Qt.KeyboardModifier.NoModifier, "next_tag"),
        (Qt.Key.Key_Delete, Qt.KeyboardModifier.NoModifier, "remove"),
        (Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier, "find"),
        (Qt.Key.Key_Question, Qt.KeyboardModifier.NoModifier, "shortcuts"),
    ],
)
def test_a_key_in_the_view_does_its_action(place, key, modifier, name):
    QTest.keyClick(place.view, key, modifier)
    assert place.done == [name]


def test_letters_typed_elsewhere_are_letters(place):
    place.line.setFocus()
    QTest.keyClicks(place.line, "nN?")
    assert (place.line.text(), place.done) == ("nN?", [])


def test_keys_with_ctrl_act_everywhere(place):
    place.line.setFocus()
    QTest.keyClick(place.line, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert place.done == ["find"]


def test_every_action_has_its_object_name(place):
    assert [each.objectName() for each in place.table] == [f"action.{each.name}" for each in SPECS]


def test_menus_hold_the_actions_in_order(place):
    titles = [each.text() for each in place.window.menuBar().actions()]
    go = [each.objectName() for each in place.table.menu("&Go").actions()]
    assert titles == ["&Go", "&Edit"]
    assert go == ["action.find", "action.next_tag"]
    assert place.table.menu("&Edit").actions()[0].isSeparator()


def test_the_tool_bar_holds_those_with_an_icon(place):
    shown = [each for each in place.table.tool_bar.actions() if not each.isSeparator()]
    assert [each.objectName() for each in shown] == ["action.find", "action.next_tag"]
    assert not any(each.icon().isNull() for each in shown)


def test_the_tooltip_tells_the_key(place):
    assert place.table.action("find").toolTip() == "Look for text (Ctrl+F)"
    assert place.table.action("next_tag").toolTip() == "Next tag (N, F8)"


def test_the_sheet_shows_every_action_with_its_keys(place):
    place.table.show_shortcuts()
    tree = place.window.findChild(QTreeWidget, "shortcutTree")
    menus = [tree.topLevelItem(at) for at in range(tree.topLevelItemCount())]
    rows = {m.child(at).text(0): m.child(at).text(1) for m in menus for at in range(m.childCount())}
    assert rows == {
        "Find…": "Ctrl+F",
        "Next tag": "N, F8",
        "Remove": "Del",
        "Dark": "",
        "Shortcuts": "?",
    }
    tree.window().close()


def test_the_sheet_can_be_narrowed(place):
    place.table.show_shortcuts()
    sheet = place.window.findChild(QTreeWidget, "shortcutTree").window()
    QTest.keyClicks(sheet.findChild(QLineEdit, "shortcutFilter"), "tag")
    tree = sheet.findChild(QTreeWidget)
    assert [tree.topLevelItem(at).isHidden() for at in range(3)] == [False, True, True]
    sheet.close()


def test_a_key_can_be_changed(place):
    place.table.rebind({"next_tag": ["Ctrl+J"]})
    QTest.keyClick(place.view, Qt.Key.Key_N)
    QTest.keyClick(place.view, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    assert place.done == ["next_tag"]
    assert place.table.specs[1].shortcuts == ("Ctrl+J",)


def test_keys_not_named_come_back(place):
    place.table.rebind({"next_tag": ["Ctrl+J"]})
    place.table.rebind({})
    assert place.table.specs == SPECS


@pytest.mark.parametrize(
    ("bindings", "word"),
    [
        ({"next_tag": ["Ctrl+F"]}, "Find…"),
        ({"nothing": ["Ctrl+J"]}, "nothing"),
        ({"next_tag": ["Ctrl+Foo"]}, "Ctrl+Foo"),
    ],
)
def test_a_key_that_cannot_be_is_refused_with_its_name(place, bindings, word):
    with pytest.raises(RequestError, match=re.escape(word)):
        place.table.rebind(bindings)
    assert place.table.specs == SPECS


def test_swapping_two_keys_is_no_clash(place):
    place.table.rebind({"find": ["N"], "next_tag": ["Ctrl+F"]})
    assert not key_conflicts(place.table.specs)


@pytest.mark.parametrize("key", ["ctrl+f", "Ctrl+F"])
def test_a_clash_is_seen_however_it_is_written(key):
    other = ActionSpec("other", "Other", "&Go", (key,))
    assert [(each.first, each.second) for each in key_conflicts([SPECS[0], other])] == [
        (SPECS[0], other)
    ]


@pytest.mark.parametrize(
    ("specs", "names", "why"),
    [
        (SPECS, ["find"], "without handler"),
        ((SPECS[0], SPECS[0]), ["find"], "twice"),
        ((SPECS[0], replace(SPECS[1], shortcuts=("Ctrl+F",))), ["find", "next_tag"], "both"),
    ],
)
def test_a_wrong_table_is_refused(qtbot, specs, names, why):
    window = QMainWindow()
    qtbot.addWidget(window)
    with pytest.raises(ValueError, match=why):
        ActionTable(window, specs, dict.fromkeys(names, print), window)


def test_actions_can_be_greyed(place):
    place.table.enable(["next_tag"], enabled=False)
    QTest.keyClick(place.view, Qt.Key.Key_N)
    assert place.done == []


@pytest.mark.parametrize("key", ["Z", "Left"])
def test_keys_of_the_window_reach_it_from_the_view(qtbot, key):
    ctrl_z = ActionSpec("undo", "Undo", "&Edit", ("Ctrl+Z",))
    move = ActionSpec("start_left", "Start left", "&Edit", ("Alt+Left",), in_view_only=True)
    place = Place(qtbot, (ctrl_z, move))
    ctrl, alt = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
    QTest.keyClick(place.view, Qt.Key[f"Key_{key}"], ctrl if key == "Z" else alt)
    assert place.done == (["undo"] if key == "Z" else ["start_left"])
