"""What one does to the tags that are selected in the table, as one step."""

from collections.abc import Callable
from typing import cast

from PySide6.QtCore import QObject, Signal

from shared.model import PhiType, Schema
from shared.project.edits import PlacedTag
from shared.widgets.actions.actions import ActionSpec
from shared.widgets.settings.preferences import Preferences, preference_store
from shared.widgets.tags.tag_editor import TagEditor
from shared.widgets.tags.tag_table import TagTable
from shared.widgets.tags.type_palette import TypePicker

SELECTED_ACTIONS = (
    ActionSpec(
        "retype_selected",
        "Retype tags &selected in the table…",
        "&Edit",
        ("Ctrl+T",),
        tip="Give all tags that are selected in the table another type",
        separator_before=True,
    ),
    ActionSpec(
        "remove_selected",
        "Remove tags selected in the ta&ble",
        "&Edit",
        ("Ctrl+Del",),
        tip="Remove all tags that are selected in the table",
    ),
    ActionSpec(
        "group_tags",
        "Tags by te&xt",
        "&View",
        ("Ctrl+G",),
        tip="Show tags with the same text together, and where it has no tag",
    ),
)


class SelectedTags(QObject):
    """Retypes and removes what is selected in the table; `said` (str) where nothing is."""

    said = Signal(str)

    def __init__(self, table: TagTable, editor: TagEditor, schema: Schema, parent: QObject) -> None:
        super().__init__(parent)
        self._table = table
        self._editor = editor
        self._types = [each.phi_type for each in schema.types()]
        self._picker = TypePicker(schema, table)
        self._store = preference_store()
        self._picker.chosen.connect(self._retype)
        table.removal_wanted.connect(self.remove)
        table.grouped_changed.connect(self._keep_grouped)
        self._store.changed.connect(self._follow)
        self._follow(self._store.values)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """What carries out the actions on selected tags, by their names."""
        return {
            "retype_selected": self.retype,
            "remove_selected": self.remove,
            "group_tags": lambda: self._table.show_grouped(not self._table.is_grouped),
        }

    def retype(self) -> None:
        """Let the user pick a type for all selected tags."""
        if self._selected():
            last = self._editor.last_type
            self._picker.open(self._types, last, self._table.current_rectangle())

    def remove(self) -> None:
        """Remove all selected tags."""
        session, tags = self._editor.session, self._selected()
        if session and tags:
            self._editor.carry_out(lambda: session.remove(tags))

    def _retype(self, phi_type: PhiType) -> None:
        session, tags = self._editor.session, self._selected()
        if session and tags:
            self._editor.carry_out(lambda: session.retype(tags, phi_type))

    def _selected(self) -> list[PlacedTag]:
        session = self._editor.session
        keys = cast("list[tuple[str, str]]", self._table.selected_keys())
        found = [session.find(*key) for key in keys] if session else []
        tags = [each for each in found if each is not None]
        if not tags:
            self.said.emit("Select tags in the table first.")
        return tags

    def _keep_grouped(self, grouped: bool) -> None:
        self._store.change(group_tags=grouped)

    def _follow(self, values: Preferences) -> None:
        self._table.show_grouped(values.group_tags)
