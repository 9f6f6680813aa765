"""A lock that tells who holds it, as a file that works in a shared folder too.

{"who": "ana", "host": "ward-3", "pid": 4711, "started": "83120", "since": "2026-05-09 10:12"}
"""

import contextlib
import json
import os
import secrets
import socket
import time
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

from shared.errors import FileError, LockedError, StorageError, storage_errors
from shared.operating_system import process_start
from shared.outside import MALFORMED, parse_json_object
from shared.project.files import make_folder, open_new, read_file, write_all

_PAUSE = 0.02
_HALF_WRITTEN = 10.0
"""After so many seconds a lock file that nobody finished writing is nobody's."""


@dataclass(frozen=True, slots=True)
class LockOwner:
    """Who holds a lock; `started` tells a process from a later one with its number."""

    who: str
    host: str
    pid: int
    started: str
    since: str

    def __str__(self) -> str:
        return f"{self.who} on {self.host} since {self.since}"

    @property
    def is_gone(self) -> bool:
        """True where it was a process of this computer that runs no more."""
        if self.host != socket.gethostname():
            return False
        began = process_start(self.pid)
        return began is None or bool(self.started and began and self.started != began)


@dataclass(frozen=True, slots=True)
class Lock:
    """A lock that is held until `release`, or until the end of the `with` block."""

    path: Path
    content: bytes

    def __enter__(self) -> "Lock":
        return self

    def __exit__(self, *_: object) -> None:
        self.release()

    @property
    def is_held(self) -> bool:
        """False where somebody has taken the lock away."""
        try:
            return read_file(self.path) == self.content
        except FileError:
            return False

    @property
    def holder_now(self) -> str:
        """Who holds it by now, as far as the file tells; "" where nobody does, or none is there."""
        try:
            content = read_file(self.path)
        except FileError:
            return ""
        return "" if content is None else str(_holder(content) or "somebody")

    def release(self) -> None:
        """Give the lock back; nothing happens where it is ours no more."""
        with contextlib.suppress(OSError, FileError):
            if read_file(self.path) == self.content:
                self.path.unlink()


def acquire_lock(path: Path, who: str, *, patience: float = 0.0) -> Lock:
    """Take the lock `path` for `who`, trying for `patience` seconds.

    A lock of a process of this computer that runs no more is taken over; one that somebody is just
    writing is waited for, until it is plain that nobody is. Raises LockedError where somebody holds
    it, StorageError where no file can be made.
    """
    make_folder(path.parent)
    begun = time.monotonic()
    while True:
        lock = _taken(path, who)
        if lock is not None:
            return lock
        content = read_file(path)
        if content is None:
            continue  # given back in this moment
        holder = _holder(content)
        if holder.is_gone if holder else _is_abandoned(path):
            _take_away(path, content)
        elif time.monotonic() >= begun + (patience if holder else max(patience, _HALF_WRITTEN)):
            raise LockedError(path, str(holder or "somebody"))
        else:
            time.sleep(_PAUSE)


def _taken(path: Path, who: str) -> Lock | None:
    """Make the lock file; None where there is one."""
    pid = os.getpid()
    since = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M")
    holder = LockOwner(who, socket.gethostname(), pid, process_start(pid) or "", since)
    content = json.dumps({**asdict(holder), "token": secrets.token_hex(8)}).encode()
    with storage_errors(path):
        try:
            descriptor = open_new(path, os.O_EXCL)
        except FileExistsError:
            return None
        try:
            write_all(descriptor, content)
        except OSError:
            path.unlink(missing_ok=True)
            raise
        finally:
            os.close(descriptor)
    return Lock(path, content)


def _holder(content: bytes) -> LockOwner | None:
    """Return who a lock file names, None where it is half written or no lock file."""
    try:
        table = parse_json_object(content)
        said = {name: str(table[name]) for name in ("who", "host", "started", "since")}
        return LockOwner(**said, pid=int(table["pid"]))
    except MALFORMED:
        return None


def _is_abandoned(path: Path) -> bool:
    try:
        return time.time() - path.stat().st_mtime > _HALF_WRITTEN
    except OSError:
        return False


def _take_away(path: Path, content: bytes) -> None:
    """Remove a lock that nobody holds, unless somebody was faster and holds it by now."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    with contextlib.suppress(FileNotFoundError):
        try:
            path.rename(aside)
            if read_file(aside) != content:
                aside.rename(path)
            aside.unlink(missing_ok=True)
        except PermissionError as error:
            raise StorageError.from_os(path, error) from error
