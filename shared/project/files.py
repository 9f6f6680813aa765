"""Files that are whole or not there, and readable by their owner only.

Where the folder was opened to the group, what is made in it is too.
"""

import contextlib
import hashlib
import os
import re
import secrets
import stat
from pathlib import Path
from threading import Lock

from shared.errors import ChangedOnDiskError, StorageError, storage_errors
from shared.outside import LARGEST, NO_FOLLOW, read_bounded, refuse_link

ANY_VERSION = "any"
"""As `expected_digest`: overwrite whatever is there."""

_MARK = re.compile(r"[0-9a-f]{8}")

_mask = Lock()
"""Held while the mask of the process, which all of its threads share, is another."""

FileSignature = tuple[int, int]
"""Nanoseconds of the last change, and size."""


def digest_of(data: bytes) -> str:
    """The SHA-256 of `data` in hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()


def read_file(path: Path, *, largest: int = LARGEST, may_be_link: bool = False) -> bytes | None:
    """Return the content of a file of a project, None where there is no such file.

    Raises what `read_bounded` does; of files that are no project's, `may_be_link` lets links be.
    """
    if not os.path.lexists(path):
        return None
    try:
        return read_bounded(path, largest, may_be_link=may_be_link)
    except StorageError as error:
        # another process may have removed it, and made another by now, as happens to locks
        is_gone = isinstance(error.__cause__, FileNotFoundError) and not path.is_symlink()
        if is_gone or not os.path.lexists(path):
            return None
        raise


def is_there(path: Path) -> bool:
    """Whether there is something at `path`. Raises StorageError where the system does not tell."""
    with storage_errors(path):
        return path.exists()


def write_atomic(
    path: Path,
    data: bytes,
    *,
    expected_digest: str | None = ANY_VERSION,
) -> str:
    """Replace the file by `data`, wholly or not at all, and return the digest of `data`.

    The folder is made where it is missing. `expected_digest` is that of the file when it was
    read, None where there was none. Raises ChangedOnDiskError where it is another one now,
    StorageError where the system refuses; the old file is untouched then.
    """
    make_folder(path.parent)
    return _replace(path, data, expected_digest, for_group=True)


def write_output(path: Path, data: bytes, *, expected_digest: str | None = ANY_VERSION) -> str:
    """Write what a user asked for, outside of a project, as `write_atomic` does.

    It is the owner's only, whatever the folder is; what killed processes left half written of it is
    removed, since nobody else writes it now.
    """
    make_folder(path.parent)
    remove_half_written(path)
    return _replace(path, data, expected_digest, for_group=False)


def remove_half_written(path: Path) -> None:
    """Remove what killed processes left half written of a file that nobody else writes now."""
    with contextlib.suppress(OSError), os.scandir(path.parent) as entries:
        for each in entries:
            if original_of(each.name) == path.name:
                with contextlib.suppress(OSError):
                    Path(each).unlink()


def original_of(name: str) -> str:
    """The file that a hidden copy is to become, or was; "" where `name` is none of a copy."""
    whole, _, mark = name.removesuffix(".tmp").rpartition(".")
    is_copy = name.endswith(".tmp") or whole.endswith(".lock")
    return whole[1:] if is_copy and whole[:1] == "." and _MARK.fullmatch(mark) else ""


def _replace(path: Path, data: bytes, expected_digest: str | None, *, for_group: bool) -> str:
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}.tmp")
    try:
        with storage_errors(path):
            _write_new(aside, data, durable=True, for_group=for_group)
            if expected_digest != ANY_VERSION:
                _refuse_changed(path, expected_digest)
            os.replace(aside, path)  # noqa: PTH105  Path.replace cannot be made to fail in tests
    finally:
        with contextlib.suppress(OSError):
            aside.unlink(missing_ok=True)
    _settle(path.parent)
    return digest_of(data)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, without waiting for the disk. Raises StorageError."""
    with storage_errors(path):
        _write_new(path, data, durable=False)


def make_folder(path: Path) -> None:
    """Make a folder and those above it, as open as the one above. Raises StorageError."""
    if path.is_dir():
        return
    if path.parent != path:  # the root of a drive that is not there has none above it
        make_folder(path.parent)
    with storage_errors(path):
        mode = 0o700 | _opened_to_group(path.parent)
        with _mask:  # chmod would take setgid away where the folder is of a group not one's own
            before = os.umask(0o777 & ~mode)
            try:
                path.mkdir(mode=mode, exist_ok=True)
            finally:
                os.umask(before)


def _opened_to_group(folder: Path) -> int:
    """Return what its group may do in a folder that was opened to it on purpose, else 0.

    Most folders are readable by a group, or writable by it and readable by all, only since that is
    what the system makes them.
    """
    mode = folder.stat().st_mode
    on_purpose = mode & stat.S_ISGID or not mode & stat.S_IRWXO
    return mode & stat.S_IRWXG if mode & stat.S_IWGRP and on_purpose else 0


def open_new(path: Path, flags: int) -> int:
    """Open a file for writing as `os.open` does, made as open as its folder.

    Raises OSError, FileFormatError where there is a link or a pipe.
    """
    refuse_link(path)
    wanted = 0o600 | _opened_to_group(path.parent) & 0o060
    descriptor = os.open(path, flags | os.O_CREAT | os.O_WRONLY | NO_FOLLOW, 0o600)
    if wanted != 0o600 and os.fstat(descriptor).st_size == 0:
        with contextlib.suppress(OSError):  # somebody else's file: its mode is theirs to choose
            path.chmod(wanted)
    return descriptor


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of `data`; `os.write` may stop short. Raises OSError."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _write_new(path: Path, data: bytes, *, durable: bool, for_group: bool = True) -> None:
    if for_group:
        descriptor = open_new(path, os.O_EXCL)
    else:
        descriptor = os.open(path, os.O_EXCL | os.O_CREAT | os.O_WRONLY, 0o600)
    try:
        write_all(descriptor, data)
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _refuse_changed(path: Path, expected_digest: str | None) -> None:
    there = read_file(path)
    if (None if there is None else digest_of(there)) != expected_digest:
        raise ChangedOnDiskError(path)


def _settle(folder: Path) -> None:
    """Make a rename last; file systems that cannot sync a folder do not need it."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def names_in(folder: Path) -> frozenset[str]:
    """The names of what lies in a folder; none where it is not there. Raises OSError."""
    try:
        return frozenset(os.listdir(folder))  # noqa: PTH208  Path.iterdir makes a path of each
    except FileNotFoundError:
        return frozenset()


def signature_of(path: Path | str) -> FileSignature | None:
    """What tells a file from later ones; None where there is none that can be looked at."""
    try:
        found = os.stat(path)  # noqa: PTH116  worklists ask for ten thousand names
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size
