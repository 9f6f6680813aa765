"""What is chosen holds at once; a key that is another's is refused by name."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QKeySequenceEdit,
    QLabel,
    QLineEdit,
    QMainWindow,
    QPushButton,
    QTreeWidget,
)

from shared.widgets.actions.actions import ActionSpec, ActionTable
from shared.widgets.actions.key_bindings import KeyBindings
from shared.widgets.settings.preferences import preference_store
from shared.widgets.window.preference_dialog import PreferenceDialog

SPECS = (
    ActionSpec("find", "&Find…", "&Go", ("Ctrl+F",)),
    ActionSpec("next_tag", "&Next tag", "&Go", ("N",), in_view_only=True),
    ActionSpec("save", "&Save", "&Edit", ("Ctrl+S", "F2")),
)


@pytest.fixture
def store(qapp):
    return preference_store()


@pytest.fixture
def table(qtbot):
    window = QMainWindow()
    qtbot.addWidget(window)
    return ActionTable(window, SPECS, {each.name: print for each in SPECS}, window)


@pytest.fixture
def dialog(qtbot, store, table):
    made = PreferenceDialog(store, table, "annotation", table.tool_bar)
    qtbot.addWidget(made)
    made.show()
    return made


def press(dialog, name, key, modifier=Qt.KeyboardModifier.NoModifier):
    dialog.findChild(KeyBindings).choose(name)
    edit = dialog.findChild(QKeySequenceEdit, "keyEdit")
    QTest.keyClick(edit, key, modifier)
    QTest.qWait(10)


def said(dialog):
    return dialog.findChild(QLabel, "statusBannerText").text()


def test_size_and_spacing_hold_at_once(dialog, store):
    dialog.findChild(QDoubleSpinBox, "preferredSize").setValue(17)
    dialog.findChild(QDoubleSpinBox, "preferredLineSpacing").stepUp()
    assert (store.values.font_size, store.values.line_spacing) == (17.0, 1.1)


def test_the_theme_is_chosen_by_keyboard(dialog, store):
    QTest.keyClicks(dialog.findChild(QComboBox, "preferredTheme"), "Dark")
    assert store.values.theme == "dark"


def test_monospaced_fonts_can_be_asked_for(dialog, store):
    family = dialog.findChild(QComboBox, "preferredFamily")
    everything = family.count()
    dialog.findChild(QCheckBox).click()
    assert 1 < family.count() < everything
    QTest.keyClicks(family, "DejaVu Sans Mono")
    assert store.values.font_family == "DejaVu Sans Mono"


def test_all_defaults_can_be_restored(dialog, store):
    before = store.values
    store.change(font_family="DejaVu Serif", font_size=20.0, line_spacing=2.0, theme="dark")
    store.change(compact=True)
    usual = next(each for each in dialog.findChildren(QPushButton) if "defaults" in each.text())
    usual.click()
    assert store.values == before


def test_compact_text_is_chosen_by_a_click_and_follows_the_key(dialog, store):
    box = dialog.findChild(QCheckBox, "preferredCompact")
    QTest.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    assert store.values.compact
    store.change(compact=False)
    assert not box.isChecked()


def test_the_dialog_follows_changes_from_elsewhere(dialog, store):
    store.change(font_size=23.0, theme="light")
    assert dialog.findChild(QDoubleSpinBox, "preferredSize").value() == 23.0
    assert dialog.findChild(QComboBox, "preferredTheme").currentText() == "Light"


def test_a_new_key_holds_at_once(dialog, store, table):
    press(dialog, "find", Qt.Key.Key_F3)
    assert table.specs[0].shortcuts == ("F3",)
    assert store.values.bindings("annotation") == {"find": ("F3",)}


def test_a_key_that_is_taken_is_refused_by_name(dialog, store, table):
    press(dialog, "find", Qt.Key.Key_N)
    assert "“Find…”" in said(dialog)
    assert "“Next tag”" in said(dialog)
    assert (table.specs[0].shortcuts, store.values.keys) == (("Ctrl+F",), {})


def test_a_key_without_an_action_says_what_to_do(dialog, store):
    QTest.keyClick(dialog.findChild(QKeySequenceEdit), Qt.Key.Key_F3)
    QTest.qWait(10)
    assert said(dialog).startswith("Choose an action")


@pytest.mark.parametrize(("words", "keys"), [("default", ("Ctrl+F",)), ("remove", ())])
def test_a_key_can_go_and_come_back(dialog, table, words, keys):
    press(dialog, "find", Qt.Key.Key_F3)
    buttons = dialog.findChild(KeyBindings).findChildren(QPushButton)
    next(each for each in buttons if each.text().lower().strip("&").startswith(words)).click()
    assert table.specs[0].shortcuts == keys


def test_all_keys_can_come_back(dialog, store, table):
    press(dialog, "find", Qt.Key.Key_F3)
    press(dialog, "save", Qt.Key.Key_F4)
    buttons = dialog.findChild(KeyBindings).findChildren(QPushButton)
    next(each for each in buttons if "All" in each.text()).click()
    assert table.specs == SPECS


def test_the_list_can_be_narrowed(dialog):
    QTest.keyClicks(dialog.findChild(QLineEdit, "keyFilter"), "f2")
    tree = dialog.findChild(QTreeWidget, "keyList")
    shown = [tree.topLevelItem(at) for at in range(3) if not tree.topLevelItem(at).isHidden()]
    assert [each.text(0) for each in shown] == ["Edit: Save"]
