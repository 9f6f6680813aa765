"""A window with panes, actions, keys and colours, whatever is open in it."""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QMainWindow

from shared.model import Schema
from shared.project.project import Project
from shared.widgets.actions.actions import ActionSpec, ActionTable
from shared.widgets.actions.command_list import CommandList
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.text_menu import TextMenu
from shared.widgets.look.theme import Theme
from shared.widgets.parts.messages import sentence
from shared.widgets.tags.selected_tags import SELECTED_ACTIONS
from shared.widgets.window.application import dress
from shared.widgets.window.window_parts import WindowParts
from shared.widgets.window.window_preferences import WindowPreferences
from shared.widgets.window.window_state_keeper import WindowStateKeeper

Parts = TypeVar("Parts", bound=WindowParts)


class ActionWindow(QMainWindow, Generic[Parts]):
    """A window on a project, as its user prefers it and where they left it.

    `kind` is that of the window, for its keys and arrangement; `who` works in it. What differs is
    said by the methods without a body.
    """

    def __init__(self, project: Project, kind: str, who: str) -> None:
        super().__init__()
        self._project = project
        self._parts = self._make_parts(project.schema)
        self._make_work(project.schema)
        self._commands = CommandList(self.view)
        self._preferences = WindowPreferences(self, self.view, kind)
        self._memory = WindowStateKeeper(self, self.view, kind, project.root, who)
        self._make_helpers()
        specs = (*self._action_specs(project.schema), *SELECTED_ACTIONS)
        self.actions_table = ActionTable(self, specs, self._handlers(), self.view)
        TextMenu(self.view, self.actions_table, self._text_menu())
        self._connect()
        self._preferences.follow(self.actions_table)

    @property
    def view(self) -> DocumentView:
        return self._parts.view

    def apply_theme(self, theme: Theme) -> None:
        """Show the window in these colours."""
        application = QApplication.instance()
        if isinstance(application, QApplication):
            dress(application, theme)
        self._parts.apply_theme(theme)
        self.actions_table.action("dark").setChecked(theme.dark)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Polish:
            self._memory.arrange()
        elif event.type() == QEvent.Type.WindowActivate:
            self._preferences.look_again()
        return super().event(event)

    @abstractmethod
    def _make_parts(self, schema: Schema) -> Parts: ...

    @abstractmethod
    def _make_work(self, schema: Schema) -> None:
        """Make what works on what is open, whose handlers the actions need."""

    @abstractmethod
    def _action_specs(self, schema: Schema) -> Sequence[ActionSpec]: ...

    def _text_menu(self) -> Sequence[str]:
        """What the menu on the text offers, as `TextMenu` takes it."""
        return ()

    def _make_helpers(self) -> None:
        """Make what the window's own handlers need."""

    def _handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **self._preferences.handlers(),
            "quit": self.close,
            "commands": lambda: self._commands.open(self.actions_table),
            "focus_text": self._focus_text,
            "shortcuts": self._show_shortcuts,
        }

    def _connect(self) -> None:
        self._preferences.themed.connect(self.apply_theme)
        self._preferences.said.connect(self._say)
        self._preferences.failed.connect(self._tell_of_preferences)

    def _tell_of_preferences(self, error: Exception) -> None:
        """Say what is wrong with the preferences, but not over what is said of the work."""
        if self._parts.banner.text:
            self._say(sentence(error))
        else:
            self._parts.banner.show_error(error)

    def _focus_text(self) -> None:
        self.activateWindow()
        self.view.setFocus()

    def _show_shortcuts(self) -> None:
        self.actions_table.show_shortcuts()

    def _say(self, text: str) -> None:
        self.statusBar().showMessage(text, 8000)
