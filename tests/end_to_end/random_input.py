"""Random input to a window, as somebody gives it who does not look: keys, clicks, drags, menus.

Only events reach the window, but where Qt's offscreen platform has none: sizes and panes.
"""

from collections import deque
from collections.abc import Callable, Iterator
from random import Random

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QInputMethodEvent, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QFileDialog,
    QLineEdit,
    QMenu,
    QSlider,
    QTabBar,
    QWidget,
)

from shared.project.edits import PlacedTag
from shared.widgets.window.patient_window import PatientWindow

NONE, SHIFT, CONTROL, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)
_LEFT = Qt.MouseButton.LeftButton
_MODIFIERS = (NONE, NONE, NONE, SHIFT, CONTROL, ALT, CONTROL | SHIFT, ALT | SHIFT, CONTROL | ALT)
_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789 '.,?é中ب"
_KEYS = tuple(
    Qt.Key[f"Key_{name}"]
    for name in (
        "Left Right Up Down Left Right Up Down PageUp PageDown Home End Tab Backtab Space Return "
        "Enter Escape Backspace Delete Menu F1 F2 F3 F4 F5 F6 F7 F8 F9 F10 F11 F12"
    ).split()
)
_ANSWERS = (Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Space, Qt.Key.Key_Down, Qt.Key.Key_Tab)
_CLICKED = (QAbstractButton, QComboBox, QTabBar, QSlider, QLineEdit)
RARE = {"action.quit", "action.patient_done", "action.skip_patient", "action.learn"}
"""What would end or close what one is at, were it as frequent as the rest."""


class RandomInput:
    """Does one thing after another to `window`, as `draw` has it; `recent` is what it did last."""

    def __init__(self, window: PatientWindow, draw: Random) -> None:
        self.window = window
        self.draw = draw
        self.recent: deque[str] = deque(maxlen=40)
        self._ways: list[tuple[int, Callable[[], object]]] = [
            (24, self._action_key),
            (14, self._letter),
            (14, self._key),
            (16, self._click_text),
            (8, self._drag_text),
            (6, self._drag_edge),
            (6, self._right_click),
            (8, self._click_part),
            (10, self._click_row),
            (2, self._open_menu),
            (2, self._undo_burst),
            (2, self._turn_panes),
            (1, self._resize),
            (2, self._focus_text),
        ]

    def step(self) -> None:
        """Answer what is in front of the window, or else do something in it."""
        popup = QApplication.activePopupWidget()
        dialog = QApplication.activeModalWidget() or QApplication.activeWindow()
        if isinstance(popup, QMenu):
            self._in_menu(popup)
        elif popup is not None:
            self._in_popup(popup)
        elif isinstance(dialog, QMenu) or isinstance(QApplication.focusWidget(), QMenu):
            self._focus_text()  # the platform leaves a menu active that is gone
        elif dialog is not None and dialog is not self.window:
            self._in_dialog(dialog)
        else:
            self._in_window()

    def _note(self, what: str) -> None:
        self.recent.append(what)

    def _in_window(self) -> None:
        weights, ways = zip(*self._ways, strict=True)
        self.draw.choices(ways, weights)[0]()

    def _press(self, widget: QWidget, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        self._note(f"{key.name} {modifiers} in {_name(widget)}")
        QTest.keyClick(widget, key, modifiers)

    def _target(self) -> QWidget:
        return QApplication.focusWidget() or self.window.view

    def _action_key(self) -> None:
        """The key of an action, whatever has the focus."""
        actions = [each for each in self.window.actions_table if each.shortcuts()]
        action = self.draw.choice(actions)
        if action.objectName() in RARE and self.draw.random() < 0.9:
            return
        self._type(self.draw.choice(action.shortcuts()))

    def _type(self, keys: QKeySequence) -> None:
        self._press(self._target(), keys[0].key(), keys[0].keyboardModifiers())

    def _letter(self) -> None:
        self._letter_to(self._target())

    def _key(self) -> None:
        self._press(self._target(), self.draw.choice(_KEYS), self.draw.choice(_MODIFIERS))

    def _focus_text(self) -> None:
        self._note("focus to the text")
        self.window.activateWindow()
        self.window.view.setFocus()

    def _undo_burst(self) -> None:
        for _ in range(self.draw.randrange(1, 12)):
            self._press(self._target(), Qt.Key.Key_Z, self.draw.choice((CONTROL, CONTROL | SHIFT)))

    def _point(self, widget: QWidget) -> QPoint:
        width, height = max(1, widget.width()), max(1, widget.height())
        return QPoint(self.draw.randrange(width), self.draw.randrange(height))

    def _click(self, widget: QWidget, place: QPoint) -> None:
        modifiers = self.draw.choice(_MODIFIERS) if self.draw.random() < 0.3 else NONE
        self._note(f"click {modifiers} {place.toTuple()} in {_name(widget)}")
        if self.draw.random() < 0.15:
            QTest.mouseDClick(widget, _LEFT, modifiers, place)
        else:
            QTest.mouseClick(widget, _LEFT, modifiers, place)

    def _click_text(self) -> None:
        viewport = self.window.view.viewport()
        self._click(viewport, self._place_of_tag() or self._point(viewport))

    def _drag_text(self) -> None:
        viewport = self.window.view.viewport()
        start = self._point(viewport)
        far = self.draw.random() < 0.2
        dy = self.draw.randrange(-300, 300) if far else self.draw.randrange(-20, 21)
        self._drag(viewport, start, start + QPoint(self.draw.randrange(-200, 300), dy))

    def _drag_edge(self) -> None:
        if (place := self._place_of_tag(edge=True)) is not None:
            by = QPoint(self.draw.randrange(-120, 120), self.draw.choice((0, 0, 0, 40, -40)))
            self._drag(self.window.view.viewport(), place, place + by)

    def _drag(self, widget: QWidget, start: QPoint, end: QPoint) -> None:
        modifiers = self.draw.choice((NONE, NONE, NONE, SHIFT, CONTROL))
        self._note(f"drag {modifiers} {start.toTuple()} to {end.toTuple()} in {_name(widget)}")
        QTest.mousePress(widget, _LEFT, modifiers, start)
        for part in (0.3, 0.7, 1):
            QTest.mouseMove(widget, start + (end - start) * part)
        if self.draw.random() < 0.1:
            self._press(self._target(), self.draw.choice(_KEYS))
        QTest.mouseRelease(widget, _LEFT, modifiers, end)

    def _place_of_tag(self, *, edge: bool = False) -> QPoint | None:
        """Where a tag is that is on the screen, now and then."""
        session, view = self.window.session, self.window.view
        shown = view.visible_span() if session is not None else None
        if session is None or shown is None or self.draw.random() < 0.5:
            return None
        tags: list[PlacedTag] = list(session.tags.query(shown.start, shown.end))
        if not tags:
            return None
        tag = self.draw.choice(tags)
        at = self.draw.choice((tag.start, tag.end)) if edge else (tag.start + tag.end) // 2
        cursor = view.textCursor()
        cursor.setPosition(len(view.merged_view.text[:at].encode("utf-16-le")) // 2)
        return view.cursorRect(cursor).center()

    def _right_click(self) -> None:
        view = self.window.view.viewport()
        tables = [each.viewport() for each in self._parts(QAbstractItemView)]
        widget = self.draw.choice([view, view, *tables])
        place = self._place_of_tag() if widget is view else None
        self._ask_for_menu(widget, place or self._point(widget))

    def _ask_for_menu(self, widget: QWidget, place: QPoint) -> None:
        self._note(f"right click {place.toTuple()} in {_name(widget)}")
        QTest.mousePress(widget, Qt.MouseButton.RightButton, pos=place)
        event = QContextMenuEvent(
            QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place), NONE
        )
        QApplication.sendEvent(widget, event)
        released = QApplication.activePopupWidget() or widget
        QTest.mouseRelease(released, Qt.MouseButton.RightButton)

    def _click_part(self) -> None:
        parts = [each for kind in _CLICKED for each in self._parts(kind)]
        if parts:
            part = self.draw.choice(parts)
            self._click(part, self._point(part))

    def _click_row(self) -> None:
        if tables := list(self._parts(QAbstractItemView)):
            table = self.draw.choice(tables)
            self._click(table.viewport(), self._point(table.viewport()))

    def _parts(self, kind: type) -> Iterator[QWidget]:
        for each in self.window.findChildren(kind):
            if each.isVisible() and each.isEnabled() and each.window() is self.window:
                yield each

    def _open_menu(self) -> None:
        menus = [each.menu() for each in self.window.menuBar().actions() if each.menu()]
        menu = self.draw.choice(menus)
        self._note(f"menu {menu.title()}")
        bar = self.window.menuBar()
        place = bar.actionGeometry(menu.menuAction()).center()
        QTest.mouseClick(bar, _LEFT, pos=place)

    def _turn_panes(self) -> None:
        docks = self.window.findChildren(QDockWidget)
        first, second = self.draw.sample(docks, 2)
        way = self.draw.random()
        self._note(f"pane {first.objectName()} {way:.2f} {second.objectName()}")
        if way < 0.4:
            first.toggleViewAction().trigger()
        elif way < 0.6 and first.isVisible() and second.isVisible():
            self.window.tabifyDockWidget(first, second)
        elif way < 0.7:
            first.setFloating(not first.isFloating())
        else:
            first.show()
            first.raise_()

    def _resize(self) -> None:
        size = self.draw.choice(((1280, 720), (1600, 1000), (900, 500), (640, 400), (1920, 1200)))
        self._note(f"size {size}")
        self.window.resize(*size)

    def _in_menu(self, menu: QMenu) -> None:
        actions = [
            each
            for each in menu.actions()
            if each.isEnabled() and each.isVisible() and not each.isSeparator()
        ]
        wanted = [each for each in actions if each.objectName() not in RARE]
        way = self.draw.random()
        if way < 0.55 and wanted:
            action = self.draw.choice(wanted)
            self._note(f"choose {action.text()}")
            QTest.mouseClick(menu, _LEFT, pos=menu.actionGeometry(action).center())
        elif way < 0.7:
            self._letter_to(menu)
        else:
            key = self.draw.choice((*_ANSWERS, Qt.Key.Key_Up, Qt.Key.Key_Left, Qt.Key.Key_Right))
            active = menu.activeAction()
            is_rare = active is not None and active.objectName() in RARE
            self._press(menu, Qt.Key.Key_Escape if is_rare else key)

    def _letter_to(self, widget: QWidget) -> None:
        character, target = self.draw.choice(_CHARACTERS), QApplication.focusWidget() or widget
        self._note(f"{character!r} in {_name(target)}")
        if character.isascii():
            QTest.keyClicks(target, character)
        else:  # as an input method gives it
            event = QInputMethodEvent()
            event.setCommitString(character)
            QApplication.sendEvent(target, event)

    def _in_popup(self, popup: QWidget) -> None:
        """A list to choose from, or the list of a box."""
        target = popup.focusWidget() or popup
        way = self.draw.random()
        if way < 0.4:
            self._letter_to(target)
        elif way < 0.8:
            self._press(target, self.draw.choice(_ANSWERS))
        else:
            self._click(popup, self._point(popup))

    def _in_dialog(self, dialog: QWidget) -> None:
        """A list to tick, a question, a sheet; where files are chosen, nothing is."""
        if isinstance(dialog, QFileDialog):
            self._note("no file")
            dialog.reject()
            return
        target = dialog.focusWidget() or dialog
        way = self.draw.random()
        parts = [
            each
            for kind in (*_CLICKED, QAbstractScrollArea)
            for each in dialog.findChildren(kind)
            if each.isVisible() and each.isEnabled()
        ]
        if way < 0.15 and parts:
            part = self.draw.choice(parts)
            part = part.viewport() if isinstance(part, QAbstractScrollArea) else part
            self._click(part, self._point(part))
        elif way < 0.3:
            self._letter_to(target)
        elif way < 0.85:
            self._press(target, self.draw.choice(_ANSWERS))
        elif isinstance(dialog, QDialog):
            self._note(f"reject {_name(dialog)}")
            dialog.reject()
        else:
            self._note(f"close {_name(dialog)}")
            dialog.close()


def _name(widget: QWidget) -> str:
    """The name of a widget, or of the one that it belongs to."""
    owner: QWidget | None = widget
    while owner is not None and (not owner.objectName() or owner.objectName().startswith("qt_")):
        owner = owner.parentWidget()
    return f"{type(widget).__name__} of {owner.objectName() if owner else '?'}"
