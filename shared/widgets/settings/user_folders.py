"""Where the system keeps what its user has set, and what programs remember for the user."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QStandardPaths

_chosen: list[Path] = []


def settings_folder() -> Path:
    """The folder of what the user has set in this program."""
    return _folder(QStandardPaths.StandardLocation.GenericConfigLocation)


def state_folder() -> Path:
    """The folder of what this program remembers for its user."""
    return _folder(QStandardPaths.StandardLocation.GenericStateLocation)


def cache_folder() -> Path:
    """The folder of what this program can make again for its user."""
    return _folder(QStandardPaths.StandardLocation.GenericCacheLocation)


@contextmanager
def all_kept_in(folder: Path) -> Generator[None]:
    """Meanwhile keep everything in this folder, and leave what is the user's alone."""
    before = _chosen[:]
    _chosen[:] = [folder]
    try:
        yield
    finally:
        _chosen[:] = before


def _folder(place: QStandardPaths.StandardLocation) -> Path:
    return _chosen[0] if _chosen else Path(QStandardPaths.writableLocation(place)) / "tandem"
