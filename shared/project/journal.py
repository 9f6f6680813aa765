"""The journal: every edit, on disk before the screen shows it.

One JSON object per line, appended by one write each: what was appended survives the death of the
program as soon as `append` returns, and a power failure once the background thread has synced.
Each line ends with the hash of what stands before it, which readers do not see (`chain.py`).
Beside a journal lies its head (`110.head`), written over with every line, so that lines that are
gone from the end are missed.
"""

import contextlib
import json
import os
import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from shared.errors import FileFormatError, StorageError, storage_errors
from shared.outside import parse_json_object
from shared.project.chain import PREVIOUS, Head, has_hash
from shared.project.files import make_folder, open_new, read_file
from shared.project.lock import acquire_lock

_PATIENCE = 15.0
"""Seconds to wait while another process appends: longer than a lock half written lasts."""
_as_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def read_journal(path: Path) -> list[dict[str, Any]]:
    """Return the entries of a journal, none where there is no file.

    A last line that was cut off is left out. Raises StorageError, and FileFormatError where a
    whole line is no JSON object.
    """
    return parse_journal(read_file(path) or b"", path)


def parse_journal(data: bytes, path: Path) -> list[dict[str, Any]]:
    """Return the entries in the content of a journal that lies, or will, at `path`.

    A last line that was cut off is left out. Raises FileFormatError.
    """
    whole = data[: data.rfind(b"\n") + 1]
    return [_entry(line, path, number) for number, line in enumerate(whole.splitlines(), start=1)]


def head_path(path: Path) -> Path:
    """Where the head of a journal is kept."""
    return path.with_suffix(".head")


def read_head(path: Path) -> Head | None:
    """Return the head that is kept of the journal at `path`, None where none is.

    Raises FileFormatError where it is no head, StorageError.
    """
    data = read_file(head_path(path))
    if not data:  # empty where a program was killed before the first line
        return None
    head = Head.parse(data.decode("ascii", "replace"))
    if head is None:
        raise FileFormatError(head_path(path), "is no head of a journal; see tandem verify")
    return head


def write_head(path: Path, head: Head) -> None:
    """Keep the head of a journal that came as a file, in place of what is there.

    Raises StorageError.
    """
    with storage_errors(head_path(path)):
        descriptor = open_new(head_path(path), 0)
        try:
            os.write(descriptor, head.as_bytes())
            os.ftruncate(descriptor, len(head.as_bytes()))
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def read_uncut(path: Path) -> bytes:
    """Return the content of a journal, which must be all that its head tells of.

    One without a head was written by an earlier version, or else has lost it. Raises
    FileFormatError, StorageError.
    """
    head = read_head(path)  # first: whoever appends meanwhile writes the line before the head
    data = read_file(path) or b""
    if head is not None and not head.is_in(data):
        raise FileFormatError(
            path, "was cut short or changed outside of Tandem; restore it, or see tandem verify"
        )
    if head is None and has_hash(data):
        raise FileFormatError(head_path(path), "is missing; see tandem verify")
    return data


def append_to_journal(path: Path, entries: Iterable[Mapping[str, Any]], who: str) -> None:
    """Append to a journal that several processes may write; `who` does so, for the lock.

    Raises LockedError where another one does not end, StorageError.
    """
    lock = path.with_name(f".{path.name}.lock")
    with acquire_lock(lock, who, patience=_PATIENCE), Journal(path) as journal:
        for each in entries:
            journal.append(each)


class Journal:
    """A journal open for appending; use it in a `with` block or `close` it."""

    def __init__(self, path: Path, *, keeps_head: bool = True) -> None:
        """Open the file, made where it is missing, and cut off a last line that is not whole.

        Without `keeps_head` no file is made beside it. Raises StorageError.
        """
        self.path = path
        make_folder(path.parent)
        with storage_errors(path):
            self._descriptor = open_new(path, os.O_APPEND)
            whole = _whole_lines(path, self._descriptor)
        self._head = Head.of(whole)
        self._keeps_head = keeps_head
        self._head_descriptor = self._opened_head(whole)
        self._pending = threading.Event()
        self._closing = False
        self._failure: OSError | None = None
        self._syncing: threading.Thread | None = None

    def __enter__(self) -> "Journal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_there(self) -> bool:
        """False where the file was removed or replaced, so that what is written goes nowhere."""
        try:
            return os.path.samestat(self.path.stat(), os.fstat(self._descriptor))
        except OSError:
            return False

    def append(self, entry: Mapping[str, Any]) -> None:
        """Write one entry; it survives the death of the program once this returns.

        Raises StorageError, also where an earlier sync failed; the entry is not in the file then.
        """
        self._raise_failure()
        if not self.is_there:
            raise StorageError(self.path, "is gone; bring the folder back")
        line = _line(entry, self._head.hash)
        with storage_errors(self.path):
            taken = os.write(self._descriptor, line)
        if taken < len(line):
            self._take_back()
        self._head = self._head.after(line)
        self._keep_head()
        self._sync_soon()

    def flush(self) -> None:
        """Wait until everything appended is on the disk. Raises StorageError."""
        self._pending.clear()
        with storage_errors(self.path):
            os.fsync(self._descriptor)
        self._raise_failure()
        self._keep_head()
        self._sync_head()

    def close(self) -> None:
        """Flush and close; nothing happens the second time. Raises StorageError."""
        if self._closing:
            return
        self._closing = True
        self._pending.set()
        if self._syncing is not None:
            self._syncing.join()
        try:
            self.flush()
        finally:
            os.close(self._descriptor)
            if self._head_descriptor is not None:
                os.close(self._head_descriptor)

    def _opened_head(self, whole: bytes) -> int | None:
        """Open the file of the head; None where it cannot be now, or tells of lines that are gone.

        That stays as it is, for people to see.
        """
        if not self._keeps_head:
            return None
        try:
            kept = read_head(self.path)
            self._keeps_head = kept is None or kept.is_in(whole)
            if not self._keeps_head:
                return None
            write_head(self.path, self._head)
            return open_new(head_path(self.path), 0)
        except FileFormatError:
            self._keeps_head = False
            return None
        except (StorageError, OSError):
            return None

    def _keep_head(self) -> None:
        """Write over the head; the line is written by now, so nothing is raised."""
        if self._head_descriptor is None and self._keeps_head:
            with contextlib.suppress(StorageError, FileFormatError):
                self._head_descriptor = self._opened_head(read_file(self.path) or b"")
        if self._head_descriptor is not None:
            with contextlib.suppress(OSError):
                os.lseek(self._head_descriptor, 0, os.SEEK_SET)
                os.write(self._head_descriptor, self._head.as_bytes())

    def _sync_head(self) -> None:
        if self._head_descriptor is not None:
            with contextlib.suppress(OSError):
                os.fsync(self._head_descriptor)

    def _take_back(self) -> None:
        """Remove the part of a line for which there was room."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, self._head.size)
        raise StorageError(self.path, "no space left on device; free some space, then try again")

    def _sync_soon(self) -> None:
        if self._syncing is None:
            self._syncing = threading.Thread(target=self._sync, name="journal", daemon=True)
            self._syncing.start()
        self._pending.set()

    def _sync(self) -> None:
        """Sync once for all that was appended meanwhile, until the journal is closed."""
        while not self._closing:
            self._pending.wait()
            self._pending.clear()
            if not self._closing:
                self._sync_once()

    def _sync_once(self) -> None:
        try:
            os.fsync(self._descriptor)
        except OSError as error:
            self._failure = error

    def _raise_failure(self) -> None:
        failure, self._failure = self._failure, None
        if failure is not None:
            raise StorageError.from_os(self.path, failure) from failure


def _line(entry: Mapping[str, Any], previous: str) -> bytes:
    """An entry as JSON, not in ASCII, where two halves of a surrogate pair would become one."""
    keys = {name: value for name, value in entry.items() if name != PREVIOUS}
    return f"{_as_json(keys | {PREVIOUS: previous})}\n".encode("utf-8", "surrogatepass")


def _entry(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        entry = parse_json_object(line)
    except ValueError:
        raise FileFormatError(
            path, f"line {number} is not a journal entry; restore or remove the line"
        ) from None
    entry.pop(PREVIOUS, None)
    return entry


def _whole_lines(path: Path, descriptor: int) -> bytes:
    """Truncate the file after its last line feed and return what it holds."""
    data = (read_file(path) or b"") if os.fstat(descriptor).st_size else b""
    whole = data[: data.rfind(b"\n") + 1]
    if len(whole) < len(data):
        os.ftruncate(descriptor, len(whole))
    return whole
