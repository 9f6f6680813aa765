"""Both windows and their dialogs for those who see little, use no mouse, or ask for help."""

import sys

import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAccessible, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolButton, QTreeWidget, QWidget

from adjudicator.ui.main_window import AdjudicationWindow
from annotator.ui.main_window import AnnotationWindow
from shared.formats.base import Record
from shared.model import Document, PhiType, Span
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.widgets.look.framed_list import FramedList
from shared.widgets.look.icon_set import load_icon
from shared.widgets.settings.preferences import preference_store
from shared.widgets.start.start_window import StartWindow
from shared.widgets.window.application import create_application

TEXT = "Kai Yamamoto, seen by Dr. Lee.\nLee called."
TOOLS = Qt.KeyboardModifier.NoModifier
BY_TAB = Qt.FocusPolicy.TabFocus


@pytest.fixture(autouse=True)
def _look(qapp, monkeypatch):
    """Have the windows look as they do for users."""
    monkeypatch.setattr(sys, "excepthook", sys.excepthook)
    create_application([])


@pytest.fixture
def project(tmp_path):
    records = [Record(Document("1-01", "1", TEXT))]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


def annotation(project):
    window = AnnotationWindow(project, "ana")
    window.show()
    window.open_patient("1")
    window.session.tag(Span(26, 29), PhiType("NAME", "DOCTOR"))
    return window


def adjudication(project):
    for name in ("ana", "ben"):
        project.set_state("1", name, State.DONE)
    window = AdjudicationWindow(project, "carol")
    window.show()
    window.open_patient("1")
    return window


WINDOWS = pytest.mark.parametrize("make", [annotation, adjudication])


@pytest.fixture
def opened(qtbot, project):
    """Opens a window, and closes it and what it has shown at the end."""
    windows = []

    def open_with(make, *actions):
        window = make(project)
        windows.append(window)
        qtbot.waitActive(window)
        for name in actions:
            window.actions_table.action(name).trigger()
        QApplication.processEvents()
        return window

    yield open_with
    for window in windows:
        for dialog in window.findChildren(QDialog):
            dialog.close()
        window.close()
        window.close()
        window.deleteLater()


def own(widget):
    """True for what Tandem made; what Qt puts inside its own controls is Qt's to name."""
    return not any(
        each.objectName().startswith("qt_") or type(each).__name__ == "QTabBar"
        for each in (widget, widget.parentWidget())
        if each is not None
    )


def reachable(top):
    found = [each for each in top.findChildren(QWidget) if each.window() is top.window()]
    return [
        each
        for each in found
        if each.isVisible()
        and each.isEnabled()
        and each.focusPolicy() & BY_TAB == BY_TAB
        and each.focusProxy() is None
    ]


def faces(top):
    """Every visible control with its accessible face."""
    for each in reachable(top):
        if own(each):
            yield each, QAccessible.queryAccessibleInterface(each)


def said(widget):
    return f"{type(widget).__name__} {widget.objectName()} in {type(widget.parent()).__name__}"


def nameless(top):
    return [
        said(widget)
        for widget, face in faces(top)
        if not face.text(QAccessible.Text.Name).strip()
        or face.role() in {QAccessible.Role.NoRole, QAccessible.Role.Client}
    ]


def reached_by_tab(first):
    """The widgets that have the focus one after the other, as Tab is pressed."""
    first.setFocus(Qt.FocusReason.TabFocusReason)
    seen = [QApplication.focusWidget()]
    for _ in range(200):
        QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        if QApplication.focusWidget() is seen[0]:
            break
        seen.append(QApplication.focusWidget())
    return seen


def dialog_of(window, action):
    before = set(window.findChildren(QDialog))
    window.actions_table.action(action).trigger()
    QApplication.processEvents()
    return next(each for each in window.findChildren(QDialog) if each not in before)


@WINDOWS
def test_every_control_of_a_window_has_a_name_and_a_role(opened, make):
    window = opened(make, "find")
    assert len(list(faces(window))) > 5
    assert nameless(window) == []


@WINDOWS
@pytest.mark.parametrize("action", ["preferences", "shortcuts"])
def test_every_control_of_a_dialog_has_a_name_and_a_role(opened, make, action):
    dialog = dialog_of(opened(make), action)
    assert list(faces(dialog))
    assert nameless(dialog) == []


def test_the_review_list_is_named_too(opened):
    window = opened(annotation)
    window.view.set_caret(26)
    assert nameless(dialog_of(window, "annotate_all")) == []


def test_the_start_window_and_its_steps_are_named_too(qtbot):
    start = StartWindow(lambda folder: folder)
    qtbot.addWidget(start)
    start.show()
    wizard = start.new_project()
    assert nameless(start) == []
    for _ in wizard.pageIds():
        assert nameless(wizard) == []
        wizard.setCurrentId(wizard.currentId() + 1) if wizard.nextId() > 0 else None
    wizard.reject()


@WINDOWS
def test_every_control_is_reached_by_tab(opened, make):
    window = opened(make, "find")
    seen = reached_by_tab(window.view)
    assert [said(each) for each in reachable(window) if each not in seen] == []


@WINDOWS
def test_every_control_of_the_preferences_is_reached_by_tab(opened, make):
    dialog = dialog_of(opened(make), "preferences")
    first = reachable(dialog)[0]
    seen = reached_by_tab(first)
    assert [said(each) for each in reachable(dialog) if each not in seen] == []


def framed(widget):
    """What draws the frame that shows the focus: the widget, or the frame that it lies in."""
    above = widget
    while above is not None and not isinstance(above, FramedList):
        above = above.parentWidget()
    return above or widget


@WINDOWS
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_one_sees_where_the_focus_is(opened, make, theme):
    preference_store().change(theme=theme)
    window = opened(make, "find")
    blind = []
    for widget in [each for each in reachable(window) if own(each)]:
        other = window.view if widget is not window.view else window.findChild(QWidget, "findText")
        other.setFocus(Qt.FocusReason.TabFocusReason)
        without = framed(widget).grab().toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        if framed(widget).grab().toImage() == without:
            blind.append(said(widget))
    assert blind == []


def rows_of_the_sheet(window):
    tree = dialog_of(window, "shortcuts").findChild(QTreeWidget, "shortcutTree")
    menus = [tree.topLevelItem(at) for at in range(tree.topLevelItemCount())]
    return [
        (menu.text(0), menu.child(at).text(0), menu.child(at).text(1))
        for menu in menus
        for at in range(menu.childCount())
    ]


@WINDOWS
def test_menus_sheet_and_action_table_agree(opened, make):
    window = opened(make)
    table = window.actions_table
    wanted = {
        (menu, table.action(spec.name).text().replace("&", ""), keys)
        for spec, (_, menu, _, keys) in zip(table.specs, table.listed(), strict=True)
    }
    in_menus = {
        (menu.text().replace("&", ""), action.text().replace("&", ""), keys_of(action))
        for menu in window.menuBar().actions()
        for action in menu.menu().actions()
        if not action.isSeparator() and action.menu() is None
    }
    assert in_menus == wanted
    assert {(m, t.replace("&", ""), k) for m, t, k in rows_of_the_sheet(window)} == wanted


def keys_of(action):
    native = QKeySequence.SequenceFormat.NativeText
    words = (each.toString(native).replace("Return", "Enter") for each in action.shortcuts())
    return ", ".join(dict.fromkeys(words))


@WINDOWS
def test_icons_are_sharp_at_twice_the_size(opened, make):
    window = opened(make)
    for action in window.actions_table:
        if not action.icon().isNull():
            assert action.icon().pixmap(QSize(24, 24), 2.0).size() == QSize(48, 48)
    assert load_icon("find").pixmap(QSize(16, 16), 2.0).size() == QSize(32, 32)


def test_tool_buttons_say_more_than_a_picture(opened):
    window = opened(annotation)
    buttons = window.actions_table.tool_bar.findChildren(QToolButton)
    assert all(each.toolTip() for each in buttons if each.defaultAction())
