"""Where somebody was: the place in every patient, the last patient, the arrangement of windows.

Kept outside the project, with the system's user. Projects and patients are there as hashes only.
"""

import json
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple, cast

from shared.errors import StorageError
from shared.outside import parse_json
from shared.project.files import read_file, write_atomic
from shared.widgets.settings.user_folders import state_folder

MOST_PROJECTS = 100


class ViewPosition(NamedTuple):
    """The caret, and the first character on the screen; offsets of the merged view."""

    caret: int
    top: int


class ViewPositions:
    """The places of one person in the patients of one project. What cannot be kept is forgotten."""

    def __init__(self, project: Path, who: str) -> None:
        self._name = f"{project.resolve()}\n{who}"
        self._path = state_folder() / "places" / f"{_hashed(self._name)}.json"
        table = read_table(self._path)
        self._last = str(table.get("last", ""))
        self._places = _entries(table.get("places"))

    def last(self, patient_ids: list[str]) -> str | None:
        """The patient that was open last, where it is still one of these."""
        return next((each for each in patient_ids if self._key(each) == self._last), None)

    def find(self, patient_id: str) -> ViewPosition | None:
        """Where somebody was in a patient, None for one that was never open."""
        return self._places.get(self._key(patient_id))

    def keep(self, patient_id: str, place: ViewPosition) -> None:
        """Take note of where somebody is now."""
        key = self._key(patient_id)
        if self._last == key and self._places.get(key) == place:
            return
        self._last = key
        self._places[key] = place
        write_table(self._path, {"last": self._last, "places": self._places})
        _forget_oldest(self._path.parent)

    def _key(self, patient_id: str) -> str:
        return _hashed(f"{self._name}\n{patient_id}")


def read_table(path: Path) -> dict[str, object]:
    """Read what `write_table` wrote; a file that is broken or not there counts as empty."""
    try:
        data = read_file(path)
        table: object = parse_json(data) if data else {}
    except (StorageError, ValueError):
        return {}
    return cast("dict[str, object]", table) if isinstance(table, dict) else {}


def write_table(path: Path, table: dict[str, object]) -> None:
    """Write a table; a disk that is full keeps nobody from their work, so nothing is raised."""
    try:
        write_atomic(path, json.dumps(table).encode())
    except StorageError:
        return


def _entries(value: object) -> dict[str, ViewPosition]:
    found: dict[str, ViewPosition] = {}
    for key, each in cast("dict[str, object]", value if isinstance(value, dict) else {}).items():
        match each:
            case [int(caret), int(top)] if caret >= 0 and top >= 0:
                found[key] = ViewPosition(caret, top)
            case _:
                pass
    return found


def _hashed(name: str) -> str:
    return sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _forget_oldest(folder: Path) -> None:
    try:
        files = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
        for path in files[:-MOST_PROJECTS]:
            path.unlink()
    except OSError:
        return
