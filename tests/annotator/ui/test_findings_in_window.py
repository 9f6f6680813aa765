"""The findings of an annotator's own layer, by real keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QLabel, QTableView

from adjudicator.ui.actions import action_table as adjudication_table
from annotator.ui.actions import action_table
from annotator.ui.main_window import AnnotationWindow
from shared.consistency.dismissals import dismissals_path
from shared.formats.base import Record
from shared.formats.schema_auto import schema_of_types
from shared.model import Layer, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import Policy
from shared.widgets.actions.common_actions import FINDING_ACTIONS, FINDINGS
from shared.widgets.findings.finding_pane import FindingPane
from shared.widgets.tags.type_palette import TypePicker
from tests.builders import document, marked_up
from tests.menus import choose, right_click_row
from tests.places import dismiss, take_list

MINE = "[Yamamoto|DOCTOR] came. Later Yamamoto left, and Yamamoto rang. So did Okafor."
THEIRS = "Yamamoto came. Later Yamamoto left, and Yamamoto rang. So did [Okafor|DOCTOR]."
CONTROL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def project(tmp_path):
    made = Project.create(
        tmp_path / "p",
        "p",
        I2B2_2014,
        [Record(document(MINE, f"1-0{number}")) for number in (1, 2)],
        ["ana", "ben"],
        1,
    )
    for name, source in (("ana", MINE), ("ben", THEIRS)):
        made.set_suggestions(made.suggestions.changed(name, Policy.OFF))
        for each in made.patient("1").documents:
            layer = Layer.of(each.record_id, name, marked_up(source)[1])
            made.write_layer(name, each, layer, None)
    return made


@pytest.fixture
def window(qtbot, project):
    made = AnnotationWindow(project, "ana")
    qtbot.addWidget(made)
    made.show()
    made.open_patient("1")
    qtbot.waitUntil(made.view.hasFocus)
    qtbot.waitUntil(lambda: len(found(made)) == 4, timeout=20_000)
    return made


def found(window) -> list[str]:
    return [each.text for each in window.findChild(FindingPane).model.all_rows]


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.view, key, modifiers)


def shown(label: QLabel) -> str:
    return label.text().replace("\N{NO-BREAK SPACE}", " ")


def title(window) -> str:
    return window.findChild(QDockWidget, "dock.findings").windowTitle()


def test_where_the_schema_has_no_type_for_what_is_found_the_window_asks(qtbot, tmp_path):
    schema = schema_of_types([PhiType("NAME", "NOMBRE"), PhiType("OTHER", "THING")], "auto")
    source = "Write to ana@example.org today."
    made = Project.create(
        tmp_path / "p", "p", schema, [Record(document(source, "1-01"))], ["ana", "ben"], 1
    )
    made.set_suggestions(made.suggestions.changed("ana", Policy.OFF))
    window = AnnotationWindow(made, "ana")
    qtbot.addWidget(window)
    window.show()
    window.open_patient("1")
    qtbot.waitUntil(window.view.hasFocus)
    qtbot.waitUntil(lambda: found(window) == ["ana@example.org"], timeout=20_000)
    press(window, Qt.Key.Key_F3)
    press(window, Qt.Key.Key_M, CONTROL)
    picker = window.findChild(TypePicker)
    qtbot.waitUntil(picker.isVisible)
    QTest.keyClicks(QApplication.focusWidget(), "thing")
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not found(window), timeout=20_000)
    (placed,) = window.session.tags
    assert (placed.span, placed.phi_type.name) == (Span(9, 24), "THING")


def test_they_are_of_the_annotators_own_layer(window):
    assert set(found(window)) == {"Yamamoto"}


def test_the_tab_says_how_many_there_are(window):
    assert title(window) == "Findings 4"
    press(window, Qt.Key.Key_F3)
    press(window, Qt.Key.Key_M, CONTROL | SHIFT)
    assert take_list(window) == 4
    assert title(window) == "Findings"


def test_f3_brings_the_list_forward_and_shows_the_place(window):
    dock = window.findChild(QDockWidget, "dock.findings")
    assert dock.visibleRegion().isEmpty()
    press(window, Qt.Key.Key_F3)
    assert not dock.visibleRegion().isEmpty()
    assert window.view.selected_span().text_in(window.view.merged_view.text) == "Yamamoto"
    assert window.view.hasFocus()


def test_one_is_mended_and_taken_back(window, qtbot):
    press(window, Qt.Key.Key_F3)
    press(window, Qt.Key.Key_M, CONTROL)
    assert len(window.session.tags) == 3
    assert len(found(window)) == 3
    assert [each.label for each in window.view.marks()].count("DOCTOR") == 3
    press(window, Qt.Key.Key_Z, CONTROL)
    assert [each.label for each in window.view.marks()].count("DOCTOR") == 2
    qtbot.waitUntil(lambda: len(found(window)) == 4, timeout=20_000)


def test_tagging_by_hand_takes_it_off_the_list(window, qtbot):
    press(window, Qt.Key.Key_F3)
    press(window, Qt.Key.Key_O)
    qtbot.waitUntil(lambda: len(found(window)) == 3, timeout=20_000)


def test_a_dismissal_is_the_annotators_own(window, project, qtbot):
    press(window, Qt.Key.Key_F3)
    press(window, Qt.Key.Key_I, CONTROL)
    dismiss(window, "a street")
    (entry,) = read_journal(dismissals_path(project.root, "ana"))
    assert (entry["reason"], entry["who"], entry["layer"]) == ("a street", "ana", "ana")
    assert not read_journal(dismissals_path(project.root, "gold"))
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(lambda: len(found(window)) == 3, timeout=20_000)


def test_the_list_ends_empty(window, qtbot):
    press(window, Qt.Key.Key_F3)
    for _ in range(4):
        press(window, Qt.Key.Key_M, CONTROL)
    press(window, Qt.Key.Key_F5)
    label = window.findChild(QLabel, "findingCount")
    qtbot.waitUntil(lambda: label.text() == "No findings", timeout=20_000)


def test_running_again_says_what_came_of_it(window, qtbot):
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(
        lambda: window.statusBar().currentMessage() == "Checked again: 4 findings.", timeout=20_000
    )


def test_a_look_that_began_before_a_change_is_no_answer(window, qtbot):
    press(window, Qt.Key.Key_F5)
    window.editor.tag_span(Span(21, 29), PhiType("NAME", "DOCTOR"))
    press(window, Qt.Key.Key_F5)
    qtbot.waitUntil(
        lambda: window.statusBar().currentMessage() == "Checked again: 3 findings.", timeout=20_000
    )


def test_the_pane_says_the_keys_as_they_are_bound(window):
    keys = window.findChild(QLabel, "findingKeys")
    assert shown(keys).startswith("F3 next · Ctrl+M applies the fix · ")
    window.actions_table.rebind({"mend_finding": ("Ctrl+J",)})
    assert "Ctrl+J applies the fix" in shown(keys)


def test_a_closed_patient_leaves_nothing_in_the_list(window):
    window.close()
    assert (found(window), title(window)) == ([], "Findings")


@pytest.mark.parametrize("table", [action_table, adjudication_table])
def test_both_windows_have_the_same_actions_on_the_same_keys(table):
    own = tuple(each for each in table(I2B2_2014) if each.menu == FINDINGS)
    assert own[: len(FINDING_ACTIONS)] == FINDING_ACTIONS


def test_menu_and_shortcut_sheet_show_every_one_with_its_key(window):
    actions = window.actions_table
    names = [f"action.{each.name}" for each in FINDING_ACTIONS]
    in_menu = [each.objectName() for each in actions.menu(FINDINGS).actions()]
    assert [each for each in in_menu if each] == names
    listed = {action.objectName(): keys for action, _, _, keys in actions.listed()}
    assert [listed[name] for name in names] == [each.shortcuts[0] for each in FINDING_ACTIONS]


def test_the_menu_on_a_finding_is_about_that_row(window):
    table = window.findChild(QTableView, "findingTable")
    window._parts.bring_forward(window._parts.findings)
    last = table.model().rowCount() - 1
    wanted = window.findChild(FindingPane).model.rows[last]
    choose(right_click_row(table, last), "mend_finding")
    tagged = {(each.record_id, each.tag.start) for each in window.session.tags}
    assert (wanted.record_id, wanted.span.start) in tagged
    assert len(tagged) == 3
