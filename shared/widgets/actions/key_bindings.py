"""Giving actions other keys: choose an action, press the key."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QHBoxLayout,
    QKeySequenceEdit,
    QLabel,
    QPushButton,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from shared.errors import RequestError
from shared.widgets.actions.actions import ActionTable
from shared.widgets.actions.filtered_tree import FilteredTree, items_below
from shared.widgets.look.theme import theme_of
from shared.widgets.parts.messages import StatusBanner, Tone, sentence
from shared.widgets.settings.preferences import Bindings, Preferences, PreferenceStore


class KeyBindings(QWidget):
    """All actions of a window with their keys; a key that is another's already is refused."""

    def __init__(self, store: PreferenceStore, table: ActionTable, window: str) -> None:
        super().__init__()
        self._store = store
        self._table = table
        self._window = window
        self._list = FilteredTree("keyList", "keyFilter", "actions")
        self._list.setRootIsDecorated(False)
        self._key = QKeySequenceEdit()
        self._key.setObjectName("keyEdit")
        self._key.setAccessibleName("New key")
        self._key.setMaximumSequenceLength(1)
        self._key.editingFinished.connect(self._take_key)
        self._banner = StatusBanner()
        self._lay_out()
        self._fill()
        store.changed.connect(self._preferences_changed)

    def choose(self, name: str) -> None:
        """Go to an action."""
        for item in items_below(self._list.invisibleRootItem()):
            if item.data(0, Qt.ItemDataRole.UserRole) == name:
                self._list.setCurrentItem(item)

    def _lay_out(self) -> None:
        label = QLabel("&New key")
        label.setBuddy(self._key)
        line = QHBoxLayout()
        line.addWidget(label)
        line.addWidget(self._key, 1)
        for text, action in (
            ("&Remove key", lambda: self._bind(())),
            ("&Default key", self._give_back),
            ("&All default keys", lambda: self._put({})),
        ):
            button = QPushButton(text)
            button.setAutoDefault(False)
            button.clicked.connect(action)
            line.addWidget(button)
        layout = QVBoxLayout(self)
        layout.addWidget(self._list.filter)
        layout.addWidget(self._banner)
        layout.addWidget(self._list)
        layout.addLayout(line)

    def _preferences_changed(self, values: Preferences) -> None:
        if values.bindings(self._window) != self._shown:
            self._fill()

    def _fill(self) -> None:
        here = self._name()
        self._shown = self._store.values.bindings(self._window)
        self._list.clear()
        for action, menu, text, keys in self._table.listed():
            item = QTreeWidgetItem(self._list, [f"{menu}: {text}" if menu else text, keys])
            item.setData(0, Qt.ItemDataRole.UserRole, action.objectName().removeprefix("action."))
        self._list.narrow()
        self.choose(here)

    def _name(self) -> str:
        """The action that is chosen, "" where none is."""
        item = self._list.currentItem()
        return str(item.data(0, Qt.ItemDataRole.UserRole)) if item else ""

    def _take_key(self) -> None:
        pressed = self._key.keySequence()
        self._key.clear()
        if not pressed.isEmpty():
            self._bind((pressed.toString(QKeySequence.SequenceFormat.PortableText),))

    def _bind(self, keys: tuple[str, ...]) -> None:
        name = self._name()
        if name:
            self._put({**self._store.values.bindings(self._window), name: keys})
        else:
            self._say("Choose an action first, then press its new key.")

    def _give_back(self) -> None:
        name = self._name()
        kept = self._store.values.bindings(self._window).items()
        self._put({each: keys for each, keys in kept if each != name})

    def _put(self, bindings: Bindings) -> None:
        known = {spec.name for spec in self._table.specs}
        try:
            self._table.rebind({name: keys for name, keys in bindings.items() if name in known})
        except RequestError as error:
            self._say(sentence(error))
            return
        self._banner.clear()
        self._store.put(self._store.values.with_bindings(self._window, bindings))
        self._fill()

    def _say(self, text: str) -> None:
        self._banner.apply_theme(theme_of(self.palette()))
        self._banner.show_message(text, Tone.WARNING)
