"""A folder that takes the place of an earlier one of its kind, which comes back where that fails.

The earlier folder is known by a file in it, the marker.
"""

import contextlib
import shutil
from collections.abc import Generator
from pathlib import Path

from shared.errors import RequestError, StorageError


def holds_earlier(out: Path, marker: str) -> bool:
    """Whether an earlier folder of this kind is at `out`, or was left aside by a killed run."""
    return (out / marker).is_file() or (not out.exists() and (_aside(out) / marker).is_file())


def make_way(out: Path, marker: str, *, replace: bool) -> None:
    """Refuse a folder that holds anything but an earlier one that is to be replaced.

    An earlier one that a killed run left aside comes back first. Raises RequestError, StorageError.
    """
    try:
        aside = _aside(out)
        if aside.is_dir() and not out.exists():
            aside.rename(out)
        if not out.exists() or (out.is_dir() and not any(out.iterdir())):
            return
        known = (out / marker).is_file()
    except OSError as error:
        raise StorageError.from_os(out, error) from error
    if not known:
        raise RequestError(f"{out} already exists and is not a release; give a new folder")
    if not replace:
        raise RequestError(f"{out} holds an earlier release; give a new folder, or replace it")


@contextlib.contextmanager
def earlier_aside(out: Path, marker: str) -> Generator[None]:
    """Move an earlier folder aside; it comes back where the `with` block raises.

    Raises StorageError.
    """
    if not (out / marker).is_file():
        yield
        return
    aside = _aside(out)
    try:
        if aside.exists():
            shutil.rmtree(aside)
        out.rename(aside)
    except OSError as error:
        raise StorageError.from_os(out, error) from error
    try:
        yield
    except BaseException:
        if not out.exists():
            aside.rename(out)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _aside(out: Path) -> Path:
    return out.with_name(f".{out.name}.earlier")
