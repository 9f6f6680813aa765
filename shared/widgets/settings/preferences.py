"""What somebody prefers in all windows and projects: letters, colours, keys, recent projects.

Kept as JSON in the settings folder of the system's user, never in a project. It holds no text of
records; of projects it holds their paths only.
"""

import json
import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from PySide6.QtCore import QObject, QTimer, Signal

from shared.errors import StorageError
from shared.outside import parse_json
from shared.project.files import read_file, write_atomic
from shared.widgets.settings.user_folders import settings_folder

THEMES = ("system", "light", "dark")
SMALLEST, LARGEST = 6.0, 48.0
"""Points of the text."""
TIGHTEST, WIDEST = 1.0, 3.0
"""How high a line is, in lines as they come."""
MOST_RECENT = 10
_QUIET_MS = 400

Bindings = Mapping[str, tuple[str, ...]]
"""The keys of actions that have others than those of the table, by the names of the actions."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """`font_family` "" and `font_size` 0 are the system's; `keys` are by window, then action."""

    font_family: str = ""
    font_size: float = 0.0
    line_spacing: float = 1.0
    theme: str = "system"
    keys: Mapping[str, Bindings] = field(default_factory=dict[str, Bindings])
    group_tags: bool = False
    recent: tuple[str, ...] = ()
    compact: bool = False
    roles: Mapping[str, str] = field(default_factory=dict[str, str])
    """Who one was last in each recent project: an annotator, or "gold" for the adjudicator."""
    recognizer: str = ""
    """The recognizer that is to suggest to an annotator; "" for what proves best."""

    def bindings(self, window: str) -> Bindings:
        return self.keys.get(window, {})

    def with_bindings(self, window: str, bindings: Bindings) -> "Preferences":
        return replace(self, keys={**self.keys, window: dict(bindings)})

    def with_recent(self, project: Path) -> "Preferences":
        """Put a project before the others that were open lately."""
        path = os.fspath(project.resolve())
        others = [each for each in self.recent if each != path]
        return replace(self, recent=(path, *others[: MOST_RECENT - 1]))

    def with_role(self, project: Path, who: str) -> "Preferences":
        """Take note of who one is in a project, which becomes the most recent one."""
        recent = self.with_recent(project)
        roles = {**self.roles, recent.recent[0]: who}
        return replace(recent, roles={each: roles[each] for each in recent.recent if each in roles})

    def role(self, project: Path) -> str:
        """Who one was last in a project, "" where that is not known."""
        return self.roles.get(os.fspath(project.resolve()), "")

    def without_recent(self, project: str) -> "Preferences":
        return replace(self, recent=tuple(each for each in self.recent if each != project))


class PreferenceStore(QObject):
    """The preferences and their file.

    All windows of a program share the store that `preference_store` returns. What another program
    has changed is seen by `refresh`. Signals: `changed` (Preferences) at once after every change;
    `failed` (StorageError) where they could not be written, and so hold for this time only.
    """

    changed = Signal(object)
    failed = Signal(object)

    def __init__(self, path: Path) -> None:
        super().__init__()
        self._path = path
        self._data: bytes | None = None
        self._values = Preferences()
        self._soon = QTimer(self, singleShot=True, interval=_QUIET_MS)
        self._soon.timeout.connect(self._write)
        self.refresh()

    @property
    def values(self) -> Preferences:
        return self._values

    def refresh(self) -> None:
        """Take over what is in the file, where it can be read; else all stays as it is."""
        if self._soon.isActive():
            return  # what is about to be written is newer
        try:
            data = read_file(self._path)
        except StorageError:
            return
        if data is not None and data != self._data:
            self._data = data
            self._take(from_json(data))

    def change(self, **values: Any) -> None:  # noqa: ANN401 - the fields of Preferences
        """Change some fields, at once in all windows and soon in the file."""
        self.refresh()
        self.put(replace(self._values, **values))

    def put(self, values: Preferences) -> None:
        """Make these the preferences, at once in all windows and soon in the file."""
        if values != self._values:
            self._take(values)
            self._soon.start()

    def flush(self) -> None:
        """Write now what is still to be written."""
        if self._soon.isActive():
            self._soon.stop()
            self._write()

    def _take(self, values: Preferences) -> None:
        if values != self._values:
            self._values = values
            self.changed.emit(values)

    def _write(self) -> None:
        self._data = to_json(self._values)
        try:
            write_atomic(self._path, self._data)
        except StorageError as error:
            self.failed.emit(error)


_stores: dict[Path, PreferenceStore] = {}


def preference_store() -> PreferenceStore:
    """Return the preferences of whoever runs the program."""
    path = settings_folder() / "preferences.json"
    if path not in _stores:
        _stores[path] = PreferenceStore(path)
    return _stores[path]


def to_json(values: Preferences) -> bytes:
    return json.dumps(asdict(values), indent=1, ensure_ascii=False).encode()


def from_json(data: bytes) -> Preferences:
    """Read preferences; what is broken or unknown is as at first, for a person may edit them."""
    try:
        table: object = parse_json(data)
    except ValueError:
        return Preferences()
    if not isinstance(table, dict):
        return Preferences()
    read = {name: take(cast("dict[str, object]", table).get(name)) for name, take in _TAKE.items()}
    return Preferences(**{name: value for name, value in read.items() if value is not None})


def _between(least: float, value: object, most: float) -> float | None:
    return min(max(least, float(value)), most) if isinstance(value, int | float) else None


def _items(value: object) -> list[tuple[str, object]]:
    return list(cast("dict[str, object]", value).items()) if isinstance(value, dict) else []


def _bindings(value: object) -> Bindings:
    return {name: _strings(keys) for name, keys in _items(value)}


def _strings(value: object) -> tuple[str, ...]:
    values = cast("list[object]", value) if isinstance(value, list) else []
    return tuple(each for each in values if isinstance(each, str))


_TAKE: Mapping[str, Callable[[object], Any]] = {
    "font_family": lambda value: value if isinstance(value, str) else None,
    "font_size": lambda value: _between(SMALLEST, value, LARGEST) if value else None,
    "line_spacing": lambda value: _between(TIGHTEST, value, WIDEST),
    "compact": lambda value: value if isinstance(value, bool) else None,
    "theme": lambda value: value if value in THEMES else None,
    "keys": lambda value: {window: _bindings(each) for window, each in _items(value)},
    "group_tags": lambda value: value if isinstance(value, bool) else None,
    "recent": _strings,
    "recognizer": lambda value: value if isinstance(value, str) else None,
    "roles": lambda value: {path: who for path, who in _items(value) if isinstance(who, str)},
}
