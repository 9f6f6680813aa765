"""A folder that is there whole or not at all: built aside under another name, then renamed."""

import contextlib
import os
import shutil
from collections.abc import Generator
from pathlib import Path

from shared.errors import FileError, StorageError
from shared.project.lock import Lock, hold


def check_target(root: Path) -> None:
    """Raise FileError unless `root` is not there yet, or is an empty folder."""
    try:
        if root.is_dir():
            if any(root.iterdir()):
                raise FileError(root, "already exists and is not empty; give a new folder")
        elif root.exists() or root.is_symlink():
            raise FileError(root, "already exists and is not a folder; give a new folder")
    except OSError as error:
        raise StorageError.from_os(root, error) from error


@contextlib.contextmanager
def whole_folder(root: Path, who: str) -> Generator[Path]:
    """Give an empty folder to fill, which becomes `root` at the end of the `with` block.

    Where the block raises, nothing is left; what a killed process left is removed the next time.
    Raises FileError where `root` is there and not empty, LockedError where somebody else makes
    it, StorageError.
    """
    check_target(root)
    root = root.resolve()
    aside = root.with_name(f".{root.name}.unfinished")
    with lock_beside(root, who):
        try:
            yield _fresh(aside)
            if hasattr(os, "sync"):  # not on Windows
                os.sync()
            if root.is_dir():
                root.rmdir()
            aside.rename(root)
        except OSError as error:
            raise StorageError.from_os(root, error) from error
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def lock_beside(root: Path, who: str) -> Lock:
    """Lock the making of `root`; what the system refuses is told of `root`, not of the lock.

    Raises LockedError, StorageError.
    """
    try:
        return hold(root.with_name(f".{root.name}.lock"), who)
    except StorageError as error:
        raise StorageError(root, error.problem) from error


def _fresh(aside: Path) -> Path:
    with contextlib.suppress(FileNotFoundError):
        shutil.rmtree(aside)
    aside.mkdir(mode=0o700)
    return aside
