"""Keeps a window as its user prefers it: letters, colours and keys."""

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QFont, QGuiApplication
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from shared.errors import RequestError
from shared.widgets.actions.actions import ActionTable
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.spaced_text import READING_SIZE
from shared.widgets.look.theme import Theme, theme_named
from shared.widgets.parts.messages import sentence
from shared.widgets.settings.preferences import (
    LARGEST,
    SMALLEST,
    Bindings,
    Preferences,
    PreferenceStore,
    preference_store,
)
from shared.widgets.window.preference_dialog import PreferenceDialog


class WindowPreferences(QObject):
    """Applies preferences to a window; `name` says whose keys are its.

    Signals: `themed` (Theme) when the window is to have other colours; `said` (str) where a key
    cannot be what was wished; `failed` (Exception) where preferences could not be written.
    """

    themed = Signal(object)
    said = Signal(str)
    failed = Signal(object)

    def __init__(self, window: QMainWindow, view: DocumentView, name: str) -> None:
        super().__init__(window)
        self._window = window
        self._view = view
        self._name = name
        self.store = preference_store()
        self._table: ActionTable | None = None
        self.pages: dict[str, Callable[[PreferenceStore], QWidget]] = {}
        """Further pages of the dialog, by their titles."""
        self._dialog: PreferenceDialog | None = None
        self._bound: Bindings = {}
        self._spacing = (1.0, False)
        self._theme: Theme | None = None
        view.zoomed.connect(self._resize_text)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions that change preferences, by their names."""
        return {
            "larger": lambda: self._resize_text(1),
            "smaller": lambda: self._resize_text(-1),
            "usual_size": lambda: self.store.change(font_size=0.0),
            "compact": lambda: self.store.change(compact=not self.store.values.compact),
            "dark": self._toggle_dark,
            "preferences": self.show_dialog,
        }

    def follow(self, table: ActionTable) -> None:
        """Have the window as preferred from now on, its actions too."""
        self._table = table
        self.store.changed.connect(self._apply)
        self.store.failed.connect(self.failed)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._follow_system)
        self._apply(self.store.values)

    def show_dialog(self) -> None:
        """Show the preferences beside the window."""
        if self._dialog is None and self._table is not None:
            self._dialog = PreferenceDialog(
                self.store, self._table, self._name, self._window, self.pages
            )
        if self._dialog is not None:
            self._dialog.show()
            self._dialog.raise_()
            self._dialog.activateWindow()

    def _apply(self, values: Preferences) -> None:
        font = preferred_font(values)
        spacing = values.line_spacing, values.compact
        if font != self._view.font() or spacing != self._spacing:
            self._spacing = spacing
            self._view.set_reading_font(font, values.line_spacing, compact=values.compact)
        if self._table is not None:
            self._table.action("compact").setChecked(values.compact)
        theme = theme_named(values.theme)
        if theme != self._theme:
            self._theme = theme
            self.themed.emit(theme)
        self._bind(values)

    def _bind(self, values: Preferences) -> None:
        """Give the actions their keys; a key that another action of this project has is said."""
        table = self._table
        if table is None:
            return
        known = {spec.name for spec in table.specs}
        wanted = {name: keys for name, keys in values.bindings(self._name).items() if name in known}
        if wanted == self._bound:
            return
        self._bound = wanted
        try:
            table.rebind(wanted)
        except RequestError as error:
            self.said.emit(sentence(error))
            _bind_one_by_one(table, wanted)

    def _follow_system(self) -> None:
        self._apply(self.store.values)

    def _resize_text(self, by: int) -> None:
        size = self._view.font().pointSizeF() + by
        self.store.change(font_size=min(max(SMALLEST, size), LARGEST))

    def _toggle_dark(self) -> None:
        self.store.change(theme="light" if self._view.theme.dark else "dark")


def _bind_one_by_one(table: ActionTable, wanted: Bindings) -> None:
    """Give keys to those actions that can have them."""
    taken: dict[str, tuple[str, ...]] = {}
    table.rebind(taken)
    for name, keys in wanted.items():
        try:
            table.rebind({**taken, name: keys})
        except RequestError:
            continue
        taken[name] = keys


def preferred_font(values: Preferences) -> QFont:
    """Return the font for the text of records."""
    font = QApplication.font()
    if values.font_family:
        font.setFamily(values.font_family)
    font.setPointSizeF(values.font_size or max(font.pointSizeF(), READING_SIZE))
    return font
