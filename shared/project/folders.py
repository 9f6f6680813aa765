"""Folders that are there in full or not at all, and what takes the place of an earlier one.

A new folder is built aside under another name, then renamed. An earlier one of its kind is known by
a file in it, the marker, and comes back where its successor fails.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Collection, Generator
from functools import lru_cache
from pathlib import Path

from shared.errors import FileError, FileFormatError, RequestError, StorageError, storage_errors
from shared.project.files import original_of
from shared.project.lock import Lock, acquire_lock

_LONGEST_WRITE = 3600.0
_OF_A_PROJECT = {
    **dict.fromkeys(("dismissed", "gold", "log", "suggestions", "surrogates"), 0),
    **dict.fromkeys(("journal", "layers", "models", "notes", "records"), 1),
    "audit": 3,
}
"""How deep within each folder of a project other folders lie."""


@lru_cache(maxsize=256)
def folder_of(root: Path, kind: str, name: str) -> Path:
    """The folder of somebody's files of a kind, put together once: each file asks for it."""
    return root / kind / name


def refuse_linked_folders(root: Path) -> None:
    """Raise FileFormatError where a folder that Tandem writes into is a link out of the project.

    What may not be listed, as the folders of other annotators, is passed over.
    """
    for name, depth in _OF_A_PROJECT.items():
        if (root / name).is_symlink():
            raise _is_link(root / name)
        if depth:
            _refuse_links(root / name, depth)


def _refuse_links(folder: Path, depth: int) -> None:
    with contextlib.suppress(OSError), os.scandir(folder) as there:
        for each in there:
            if each.is_symlink() and each.is_dir():
                raise _is_link(folder / each.name)
            if depth > 1 and each.is_dir():
                _refuse_links(folder / each.name, depth - 1)


def _is_link(folder: Path) -> FileFormatError:
    return FileFormatError(folder, "is a link; put the folder that it leads to in its place")


def check_target(root: Path) -> None:
    """Raise FileError unless `root` is not there yet, or is an empty folder."""
    with storage_errors(root):
        if root.is_dir():
            if any(root.iterdir()):
                raise FileError(root, "already exists and is not empty; give a new folder")
        elif root.exists() or root.is_symlink():
            raise FileError(root, "already exists and is not a folder; give a new folder")


@contextlib.contextmanager
def new_folder_atomically(root: Path, who: str) -> Generator[Path]:
    """Give an empty folder to fill, which becomes `root` at the end of the `with` block.

    Where the block raises, nothing is left; what a killed process left is removed the next time.
    Raises FileError where `root` is there and not empty, LockedError where somebody else makes
    it, StorageError.
    """
    check_target(root)
    root = root.resolve()
    with folder_beside(root, who) as aside:
        yield aside
        if hasattr(os, "sync"):  # not on Windows
            os.sync()
        if root.is_dir():
            root.rmdir()
        aside.rename(root)


@contextlib.contextmanager
def folder_beside(root: Path, who: str) -> Generator[Path]:
    """Give an empty hidden folder beside `root`, for the owner alone, for the `with` block.

    What a killed process left of it is removed the next time. Raises LockedError where somebody
    else has it, StorageError.
    """
    aside = unfinished(root)
    with lock_beside(root, who), storage_errors(root):
        try:
            if aside.exists():
                shutil.rmtree(aside)
            aside.mkdir(mode=0o700)
            yield aside
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def unfinished(root: Path) -> Path:
    """Where a folder is while it is being made; what a killed process left of it stays there."""
    return root.with_name(f".{root.name}.unfinished")


def lock_beside(root: Path, who: str) -> Lock:
    """Lock the making of `root`; what the system refuses is told of `root`, not of the lock.

    Raises LockedError, StorageError.
    """
    try:
        return acquire_lock(root.with_name(f".{root.name}.lock"), who)
    except StorageError as error:
        raise StorageError(root, error.problem) from error


def holds_earlier(out: Path, marker: str) -> bool:
    """Whether an earlier folder of this kind is at `out`, or was left aside by a killed run."""
    return (out / marker).is_file() or (not out.exists() and (_aside(out) / marker).is_file())


def move_aside(out: Path, marker: str, *, replace: bool) -> None:
    """Refuse a folder that holds anything but an earlier one that is to be replaced.

    An earlier one that a killed run left aside comes back first. Raises RequestError, StorageError.
    """
    bring_back(out)
    with storage_errors(out):
        if not out.exists() or (out.is_dir() and not any(out.iterdir())):
            return
        known = (out / marker).is_file()
    if not known:
        raise RequestError(f"{out} already exists and is not a release; give a new folder")
    if not replace:
        raise RequestError(f"{out} holds an earlier release; give a new folder, or replace it")


def bring_back(out: Path) -> None:
    """Let an earlier folder that a killed run left aside be where it was. Raises StorageError."""
    with storage_errors(out):
        aside = _aside(out)
        if aside.is_dir() and not out.exists():
            aside.rename(out)


@contextlib.contextmanager
def changed_folder_atomically(root: Path, who: str) -> Generator[Path]:
    """Give a copy of a folder to change, which takes the place of the folder after the block.

    Its files are the very files of the folder where the system can do that: put others in their
    place, write nothing into them. Where the block raises, the folder is as it was; where the
    process is killed, it is so too, or `bring_back` lets it be there again. Raises LockedError,
    StorageError.
    """
    root = root.resolve()
    changed, earlier = unfinished(root), _aside(root)
    with lock_beside(root, who), storage_errors(root):
        try:
            for each in (changed, earlier):
                if each.exists():
                    shutil.rmtree(each)
            shutil.copytree(root, changed, symlinks=True, copy_function=_same_file)
            yield changed
            if hasattr(os, "sync"):  # not on Windows
                os.sync()
            with _set_aside(root):
                changed.rename(root)
        finally:
            shutil.rmtree(changed, ignore_errors=True)


def _same_file(source: str, target: str) -> None:
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:  # not every file system can
        shutil.copy2(source, target, follow_symlinks=False)


@contextlib.contextmanager
def replace_folder_atomically(out: Path, marker: str) -> Generator[None]:
    """Move an earlier folder aside; it comes back where the `with` block raises.

    Raises StorageError.
    """
    if not (out / marker).is_file():
        yield
        return
    with _set_aside(out):
        yield


@contextlib.contextmanager
def _set_aside(out: Path) -> Generator[None]:
    aside = _aside(out)
    with storage_errors(out):
        if aside.exists():
            shutil.rmtree(aside)
        out.rename(aside)
    try:
        yield
    except BaseException:
        if not out.exists():
            aside.rename(out)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _aside(out: Path) -> Path:
    return out.with_name(f".{out.name}.earlier")


def remove_leftovers(folder: Path, ours: Collection[str] = ()) -> None:
    """Remove what killed processes left half written in a folder: hidden copies under other names.

    Those of the files that are named `ours`, which nobody else writes now, at once; the rest where
    they are so old that nobody can be writing them any more.
    """
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for each in entries:
            name = original_of(each.name)
            if not name:
                continue
            with contextlib.suppress(OSError):
                age = time.time() - each.stat(follow_symlinks=False).st_mtime
                if name in ours or age > _LONGEST_WRITE:
                    Path(each).unlink()
