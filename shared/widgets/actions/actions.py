"""The one table from which menus, tool bar, shortcuts and the shortcut sheet are made."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolBar, QWidget

from shared.errors import RequestError
from shared.widgets.actions.popup_keys import PopupKeys
from shared.widgets.actions.shortcut_sheet import ShortcutRow, ShortcutSheet
from shared.widgets.look.icon_set import load_icon

_EVERYWHERE = re.compile(r"(.*\+)?F\d+$|(.*\+)?Ctrl\+(?!.*(Return|Enter)$)")
"""Keys with which nobody types or moves in a text, or ends what they write."""


@dataclass(frozen=True, slots=True)
class ActionSpec:
    """One action; its QAction is `action.<name>`.

    `menu` is the title of its menu ("" for none); an action with an icon is in the tool bar. Keys
    without Ctrl that are no function keys, and Enter with any other, act only while the document
    view has the focus, so that one can type them anywhere else; `in_view_only` says so where that
    is not to be told from them.
    """

    name: str
    text: str
    menu: str
    shortcuts: tuple[str, ...] = ()
    tip: str = ""
    icon: str = ""
    in_view_only: bool | None = None
    checkable: bool = False
    separator_before: bool = False

    @property
    def acts_in_view_only(self) -> bool:
        if self.in_view_only is not None:
            return self.in_view_only
        return bool(self.shortcuts) and not any(map(_EVERYWHERE.match, self.shortcuts))

    @property
    def plain_text(self) -> str:
        """The text without the mark of its mnemonic."""
        return self.text.replace("&&", "\0").replace("&", "").replace("\0", "&")


@dataclass(frozen=True, slots=True)
class KeyConflict:
    """Two actions on one key."""

    key: str
    first: ActionSpec
    second: ActionSpec

    def __str__(self) -> str:
        return (
            f"{self.key} is the key of both “{self.first.plain_text}” and "
            f"“{self.second.plain_text}”; give one of them another"
        )


def key_conflicts(specs: Iterable[ActionSpec]) -> list[KeyConflict]:
    """Return every key that two of the actions want."""
    owners: dict[str, ActionSpec] = {}
    found: list[KeyConflict] = []
    for spec in specs:
        for key in map(_portable, spec.shortcuts):
            if key in owners and owners[key].name != spec.name:
                found.append(KeyConflict(key, owners[key], spec))
            owners.setdefault(key, spec)
    return found


class ActionTable(QObject):
    """The actions of a window: in its menus, in its tool bar, and on their keys.

    Raises ValueError where an action has no handler, a handler no action, a name or a key is there
    twice: the table is then wrong, not the user.
    """

    def __init__(
        self,
        window: QMainWindow,
        specs: Sequence[ActionSpec],
        handlers: Mapping[str, Callable[[], object]],
        view: QWidget,
    ) -> None:
        super().__init__(window)
        _check(specs, handlers)
        self._window = window
        self._popup_keys = PopupKeys(self)
        self._popup_keys.watch(view)
        self._specs = {spec.name: spec for spec in specs}
        self._keys = {spec.name: spec.shortcuts for spec in specs}
        self._actions = {spec.name: self._make(spec, handlers[spec.name], view) for spec in specs}
        self._menus: dict[str, QMenu] = {}
        self.tool_bar = QToolBar("Tools", window)
        self._fill_menus()
        self._fill_tool_bar()
        self._sheet: ShortcutSheet | None = None

    @property
    def specs(self) -> tuple[ActionSpec, ...]:
        """All actions in order of the table, with the keys that they have now."""
        return tuple(_with_keys(spec, self._keys[name]) for name, spec in self._specs.items())

    def __iter__(self) -> Iterator[QAction]:
        return iter(self._actions.values())

    def action(self, name: str) -> QAction:
        return self._actions[name]

    def act_in(self, widget: QWidget, names: Iterable[str]) -> None:
        """Let the keys of these actions act in another widget too, while it has the focus."""
        self._popup_keys.watch(widget)
        widget.addActions([self._actions[name] for name in names])

    def menu(self, title: str) -> QMenu:
        return self._menus[title]

    def enable(self, names: Iterable[str], enabled: bool) -> None:
        """Let these actions be used, or grey them."""
        for name in names:
            self._actions[name].setEnabled(enabled)

    def rebind(self, bindings: Mapping[str, Sequence[str]]) -> None:
        """Give actions other keys, by name; those not named get the keys of the table back.

        Raises RequestError, and changes nothing, where two actions would have one key, or where a
        name or a key is unknown.
        """
        keys = {name: spec.shortcuts for name, spec in self._specs.items()}
        for name, wanted in bindings.items():
            if name not in keys:
                raise RequestError(f"there is no action {name} to bind a key to; leave it out")
            keys[name] = tuple(wanted)
        specs = [_with_keys(spec, keys[name]) for name, spec in self._specs.items()]
        _refuse_unknown_keys(specs)
        if found := key_conflicts(specs):
            raise RequestError(str(found[0]))
        self._keys = keys
        for spec in specs:
            _set_keys(self._actions[spec.name], spec)

    def listed(self) -> Iterator[tuple[QAction, str, str, str]]:
        """Yield every action with its menu, its words and its keys, as one reads them."""
        for spec in self.specs:
            text = spec.plain_text.removesuffix("…")
            yield self._actions[spec.name], _title(spec.menu), text, _shown(spec.shortcuts)

    def show_shortcuts(self) -> None:
        """Show all actions and their keys beside the window."""
        if self._sheet is None:
            self._sheet = ShortcutSheet(self._window)
        self._sheet.show_rows(
            ShortcutRow(_title(spec.menu), spec.plain_text, _shown(spec.shortcuts), spec.tip)
            for spec in self.specs
        )

    def _make(self, spec: ActionSpec, handler: Callable[[], object], view: QWidget) -> QAction:
        action = QAction(load_icon(spec.icon), spec.text, self._window)
        action.setObjectName(f"action.{spec.name}")
        action.setCheckable(spec.checkable)

        def trigger() -> None:
            handler()

        action.triggered.connect(trigger)
        if spec.acts_in_view_only:
            action.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
            view.addAction(action)
        else:
            self._window.addAction(action)
        _set_keys(action, spec)
        return action

    def _fill_menus(self) -> None:
        for name, spec in self._specs.items():
            if not spec.menu:
                continue
            if spec.menu not in self._menus:
                menu = self._menus[spec.menu] = self._window.menuBar().addMenu(spec.menu)
                menu.setObjectName(f"menu.{_title(spec.menu).lower()}")
            if spec.separator_before:
                self._menus[spec.menu].addSeparator()
            self._menus[spec.menu].addAction(self._actions[name])

    def _fill_tool_bar(self) -> None:
        self.tool_bar.setObjectName("toolBar")
        menu = ""
        for name, spec in self._specs.items():
            if not spec.icon:
                continue
            if menu and spec.menu != menu:
                self.tool_bar.addSeparator()
            menu = spec.menu
            self.tool_bar.addAction(self._actions[name])
        self.tool_bar.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self._window.addToolBar(self.tool_bar)


def _check(specs: Sequence[ActionSpec], handlers: Mapping[str, object]) -> None:
    names = [spec.name for spec in specs]
    if len(set(names)) < len(names):
        raise ValueError(f"an action is there twice: {sorted(names)}")
    if odd := set(names) ^ set(handlers):
        raise ValueError(f"actions without handler or handlers without action: {sorted(odd)}")
    if found := key_conflicts(specs):
        raise ValueError("; ".join(map(str, found)))


def _refuse_unknown_keys(specs: Iterable[ActionSpec]) -> None:
    for spec in specs:
        for key in spec.shortcuts:
            if not _portable(key):
                raise RequestError(
                    f"{key} is not a key for “{spec.plain_text}”; write it as in Ctrl+Shift+F or F9"
                )


def _portable(key: str) -> str:
    return QKeySequence(key).toString(QKeySequence.SequenceFormat.PortableText)


def _shown(keys: Iterable[str]) -> str:
    """The keys as one reads them: Enter is the word for both keys that say so."""
    native = QKeySequence.SequenceFormat.NativeText
    words = (QKeySequence(key).toString(native).replace("Return", "Enter") for key in keys)
    return ", ".join(dict.fromkeys(words))


def _set_keys(action: QAction, spec: ActionSpec) -> None:
    # a menu shows the first: Enter beside the digits acts as the other does, and gives its name
    keypad = [key.replace("Return", "Enter") for key in spec.shortcuts if "Return" in key]
    action.setShortcuts([QKeySequence(key) for key in dict.fromkeys((*keypad, *spec.shortcuts))])
    keys = f" ({_shown(spec.shortcuts)})" if spec.shortcuts else ""
    action.setToolTip((spec.tip or spec.plain_text.removesuffix("…")) + keys)
    action.setStatusTip(spec.tip)


def _with_keys(spec: ActionSpec, keys: Sequence[str]) -> ActionSpec:
    return spec if tuple(keys) == spec.shortcuts else replace(spec, shortcuts=tuple(keys))


def _title(menu: str) -> str:
    return menu.replace("&", "")
