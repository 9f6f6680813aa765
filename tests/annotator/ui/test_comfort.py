"""The window is as its user prefers it, and comes back as it was left."""

from threading import Event

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QDockWidget, QToolButton

from annotator.ui.main_window import AnnotationWindow, AnnotatorPanes
from shared.errors import StorageError
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.settings import Policy
from shared.widgets.document.overview_ruler import OverviewRuler
from shared.widgets.look import theme
from shared.widgets.parts import background_task
from shared.widgets.parts.background_task import TaskLine
from shared.widgets.parts.messages import StatusBanner
from shared.widgets.settings.preferences import preference_store
from shared.widgets.tags import untagged_marks
from shared.widgets.tags.type_palette import TypePalette

TEXT = "Kai Yamamoto was seen by Dr. Lee.\n" * 200
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", str(n), TEXT)) for n in range(1, 4)]
    made = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    made.set_suggestions(made.suggestions.changed("ana", Policy.OFF))
    return made


@pytest.fixture
def show(qtbot, project):
    windows = []

    def make(patient=None):
        window = AnnotationWindow(project, "ana")
        qtbot.addWidget(window)
        windows.append(window)
        window.show()
        window.open_patient(patient)
        qtbot.waitUntil(window.view.hasFocus)
        return window

    yield make
    for window in windows:
        window.close()


def press(window, key, modifiers=Qt.KeyboardModifier.NoModifier):
    QTest.keyClick(window.view, key, modifiers)


def wheel(view, delta, modifiers):
    middle = QPointF(view.viewport().rect().center())
    there = view.viewport().mapToGlobal(middle)
    event = QWheelEvent(
        middle,
        there,
        QPoint(),
        QPoint(0, delta),
        Qt.MouseButton.NoButton,
        modifiers,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view.viewport(), event)


def test_larger_text_is_larger_in_the_next_window_too(show):
    window = show()
    size = window.view.font().pointSizeF()
    press(window, Qt.Key.Key_Plus, CONTROL)
    press(window, Qt.Key.Key_Plus, CONTROL)
    assert window.view.font().pointSizeF() == size + 2
    window.close()
    assert show().view.font().pointSizeF() == size + 2


def test_the_wheel_makes_text_larger_and_scrolls_without_ctrl(show):
    window = show()
    size = window.view.font().pointSizeF()
    wheel(window.view, 120, CONTROL)
    assert window.view.font().pointSizeF() == size + 1
    wheel(window.view, -120, Qt.KeyboardModifier.NoModifier)
    assert window.view.font().pointSizeF() == size + 1
    assert window.view.verticalScrollBar().value() > 0


def test_the_usual_size_comes_back(show):
    window = show()
    size = window.view.font().pointSizeF()
    press(window, Qt.Key.Key_Minus, CONTROL)
    press(window, Qt.Key.Key_0, CONTROL)
    assert window.view.font().pointSizeF() == size


def test_preferences_hold_at_once_in_every_window(show):
    one, other = show("1"), show("2")
    preference_store().change(font_family="DejaVu Sans Mono", line_spacing=1.5, theme="dark")
    for window in (one, other):
        assert window.view.font().family() == "DejaVu Sans Mono"
        assert window.view.theme.dark
        assert window.actions_table.action("dark").isChecked()


def test_line_spacing_moves_the_lines_apart(show):
    window = show()
    lines = window.view.visible_span()
    preference_store().change(line_spacing=2.0)
    assert window.view.visible_span().end < lines.end


def test_the_system_is_followed_when_it_goes_dark(show, monkeypatch):
    window = show()
    assert not window.view.theme.dark
    monkeypatch.setattr(theme, "system_theme", lambda: theme.DARK)
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert window.view.theme.dark


def test_a_theme_of_ones_own_stays_whatever_the_system_does(show, monkeypatch):
    window = show()
    preference_store().change(theme="light")
    monkeypatch.setattr(theme, "system_theme", lambda: theme.DARK)
    QGuiApplication.styleHints().colorSchemeChanged.emit(Qt.ColorScheme.Dark)
    assert not window.view.theme.dark


def test_the_preferences_open_beside_the_window(show):
    window = show()
    press(window, Qt.Key.Key_Comma, CONTROL)
    dialog = window.findChild(QDialog, "preferenceDialog")
    assert dialog.isVisible()
    assert not dialog.isModal()
    dialog.close()


def test_keys_are_as_preferred_from_the_start(show):
    store = preference_store()
    store.put(store.values.with_bindings("annotation", {"next_tag": ("F7",)}))
    assert show().actions_table.action("next_tag").shortcut().toString() == "F7"


def test_a_preferred_key_that_this_project_needs_is_said_and_left(show):
    store = preference_store()
    store.put(store.values.with_bindings("annotation", {"next_tag": ("O",), "find": ("Ctrl+F12",)}))
    window = show()
    assert window.actions_table.action("next_tag").shortcut().toString() == "N"
    assert window.actions_table.action("find").shortcut().toString() == "Ctrl+F12"
    assert "“Name: DOCTOR”" in window.statusBar().currentMessage()


def test_the_arrangement_comes_back(show):
    window = show()
    window.findChild(QDockWidget, "dock.types").close()
    window.resize(780, 640)
    window.close()
    again = show()
    assert again.size().toTuple() == (780, 640)
    assert not again.findChild(QDockWidget, "dock.types").isVisible()


def test_a_window_that_qt_polishes_while_it_is_made_comes_back_as_it_was(show, monkeypatch):
    made = AnnotatorPanes.__init__

    def with_polish(self, window, schema):
        made(self, window, schema)
        QApplication.sendEvent(window, QEvent(QEvent.Type.Polish))  # as stacking panes may do

    monkeypatch.setattr(AnnotatorPanes, "__init__", with_polish)
    window = show()
    window.resize(780, 640)
    window.close()
    assert show().size().toTuple() == (780, 640)


def test_one_is_back_where_one_was(show, qtbot):
    window = show("2")
    at = TEXT.index("Lee", 4000)
    window.view.set_caret(at)
    window.view.verticalScrollBar().setValue(window.view.verticalScrollBar().value() - 3)
    top = window.view.visible_span().start
    window.close()
    again = show()
    assert again.session.patient_id == "2"
    assert again.view.caret() == at
    assert again.view.visible_span().start == top


def test_the_place_in_a_patient_survives_going_to_another(show):
    window = show("1")
    window.view.set_caret(3000)
    press(window, Qt.Key.Key_PageDown, CONTROL)
    assert window.session.patient_id == "2"
    press(window, Qt.Key.Key_PageUp, CONTROL)
    assert window.view.caret() == 3000


def test_a_patient_that_is_done_is_not_gone_back_to(show, project):
    window = show("1")
    window.close()
    project.set_state("1", "ana", State.DONE)
    assert show().session.patient_id == "2"


def test_the_overview_leads_to_tags_and_back_to_the_text(show, qtbot):
    window = show("1")
    at = TEXT.index("Lee", 5000)
    window.view.set_caret(at)
    press(window, Qt.Key.Key_O)
    window.view.set_caret(0)
    overview = window.findChild(OverviewRuler)
    overview.settle()
    y = round(overview.y_of(at))
    QTest.mouseClick(overview, Qt.MouseButton.LeftButton, pos=QPoint(5, y))
    assert window.view.caret() == at
    assert window.view.hasFocus()


def test_types_have_their_full_height_in_the_window(show):
    buttons = show("1").findChild(TypePalette).findChildren(QToolButton)
    assert all(each.height() == each.sizeHint().height() for each in buttons)


def test_a_long_look_for_untagged_text_is_shown_in_the_status_bar(show, qtbot, monkeypatch):
    go = Event()
    made = untagged_marks.UntaggedPlaces
    monkeypatch.setattr(background_task, "PATIENCE_MS", 20)
    monkeypatch.setattr(
        untagged_marks, "UntaggedPlaces", lambda *given: go.wait(5) and made(*given)
    )
    window = show("1")
    qtbot.waitUntil(window.findChild(TaskLine).isVisible)
    go.set()
    qtbot.waitUntil(lambda: not window.findChild(TaskLine).isVisible())


def test_preferences_that_cannot_be_kept_are_said_but_not_over_trouble_with_the_work(show):
    window = show("1")
    banner = window.findChild(StatusBanner)
    trouble = StorageError("preferences", "permission denied; ask its owner for access")
    preference_store().failed.emit(trouble)
    assert "preferences: permission denied" in banner.text
    banner.show_message("The project cannot be written.")
    preference_store().failed.emit(trouble)
    assert banner.text == "The project cannot be written."
    assert "permission denied" in window.statusBar().currentMessage()
