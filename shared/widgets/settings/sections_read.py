"""Which sections of a project's guidelines somebody has read, kept with the system's user.

Projects, files and sections are there as hashes only.
"""

from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import cast

from shared.widgets.settings.user_folders import state_folder
from shared.widgets.settings.window_state import read_table, write_table


class SectionsRead:
    """The digests of what one person has marked as read in one project, by file."""

    def __init__(self, project: Path, who: str) -> None:
        name = _hashed(f"{project.resolve()}\n{who}")
        self._path = state_folder() / "guidelines" / f"{name}.json"

    def of(self, name: str) -> frozenset[str] | None:
        """The sections of a file that were read, None where it never was."""
        digests = read_table(self._path).get(_hashed(name))
        if not isinstance(digests, list):
            return None
        return frozenset(map(str, cast("list[object]", digests)))

    def keep(self, name: str, digests: Iterable[str]) -> None:
        """Take note that these sections of a file, and no others, have been read."""
        table = read_table(self._path)
        write_table(self._path, {**table, _hashed(name): sorted(set(digests))})


def _hashed(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
