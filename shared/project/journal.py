"""The journal: every edit, on disk before the screen shows it.

One JSON object per line, appended by one write each: what was appended survives the death of the
program as soon as `append` returns, and a power failure once the background thread has synced.
"""

import contextlib
import json
import os
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shared.errors import FileFormatError, StorageError, storage_errors
from shared.outside import parse_json_object
from shared.project.files import make_folder, open_new, read_file

_BLOCK = 65536
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


class Journal:
    """A journal open for appending; use it in a `with` block or `close` it."""

    def __init__(self, path: Path) -> None:
        """Open the file, made where it is missing, and cut off a last line that is not whole.

        Raises StorageError.
        """
        self.path = path
        make_folder(path.parent)
        with storage_errors(path):
            self._descriptor = open_new(path, os.O_APPEND)
            self._size = _cut_torn_line(path, self._descriptor)
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
        line = _line(entry)
        with storage_errors(self.path):
            taken = os.write(self._descriptor, line)
        if taken < len(line):
            self._take_back()
        self._size += taken
        self._sync_soon()

    def flush(self) -> None:
        """Wait until everything appended is on the disk. Raises StorageError."""
        self._pending.clear()
        with storage_errors(self.path):
            os.fsync(self._descriptor)
        self._raise_failure()

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

    def _take_back(self) -> None:
        """Remove the part of a line for which there was room."""
        with contextlib.suppress(OSError):
            os.ftruncate(self._descriptor, self._size)
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


def _line(entry: Mapping[str, Any]) -> bytes:
    """An entry as JSON, not in ASCII, where two halves of a surrogate pair would become one."""
    return f"{_as_json(dict(entry))}\n".encode("utf-8", "surrogatepass")


def _entry(line: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        return parse_json_object(line)
    except ValueError:
        raise FileFormatError(
            path, f"line {number} is not a journal entry; restore or remove the line"
        ) from None


def _cut_torn_line(path: Path, descriptor: int) -> int:
    """Truncate the file after its last line feed and return the size."""
    size = os.fstat(descriptor).st_size
    if size == 0:
        return 0
    with path.open("rb") as file:
        for end in range(size, 0, -_BLOCK):
            start = max(0, end - _BLOCK)
            file.seek(start)
            found = file.read(end - start).rfind(b"\n")
            if found >= 0:
                whole = start + found + 1
                break
        else:
            whole = 0
    if whole < size:
        os.ftruncate(descriptor, whole)
    return whole
