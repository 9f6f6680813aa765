"""A journal that goes on in memory while its file cannot be written, and catches up afterwards.

While it waits, a rescue file of the user's choice may take the entries too; where the lock was
taken away, one beside the journal does at once. It is a journal like any other, whose first line
says whose work it holds:

{"op": "rescue", "annotator": "ana", "patient": "110"}
"""

import contextlib
import re
from collections.abc import Callable, Mapping
from itertools import count
from pathlib import Path
from typing import Any

from shared.errors import FileFormatError, LockedError, StorageError, TandemError
from shared.project.journal import Journal, read_journal
from shared.project.lock import Lock

RESCUE = ".rescue"
"""What the name of a rescue file beside a journal ends in."""


class SafeJournal:
    """Appends to the journal at `path` while `lock` is held; never loses an entry it was given.

    `changed` is called when entries begin to wait, when none waits any more, and when a rescue
    file cannot be written any more.
    """

    def __init__(self, path: Path, lock: Lock, annotator: str, patient_id: str) -> None:
        """Open the journal. Raises StorageError."""
        self._path = path
        self._lock = lock
        self._whose = {"op": "rescue", "annotator": annotator, "patient": patient_id}
        self._journal = Journal(path)
        self._beginning: Callable[[], Mapping[str, Any]] | None = None
        self._waiting: list[dict[str, Any]] = []
        self._rescue: Journal | None = None
        self._trouble: TandemError | None = None
        self.changed: Callable[[], None] = lambda: None

    def __enter__(self) -> "SafeJournal":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def waiting(self) -> int:
        """How many entries are not in the journal yet."""
        return len(self._waiting)

    @property
    def trouble(self) -> TandemError | None:
        """Why entries wait; None while none does."""
        return self._trouble if self._waiting else None

    @property
    def is_rescued(self) -> bool:
        """True where all that waits is in a rescue file."""
        return self._rescue is not None

    @property
    def rescue_file(self) -> Path | None:
        """Where all that waits is too; None where it is in memory only."""
        return None if self._rescue is None else self._rescue.path

    def begin_with(self, entry: Callable[[], Mapping[str, Any]]) -> None:
        """Write what `entry` returns before the next entry, at the latest when it is closed."""
        self._beginning = entry

    def append(self, entry: Mapping[str, Any]) -> None:
        """Write an entry to the journal, or else keep it and try again with the next.

        Never raises: what is kept will be written, so whoever gave it may not think it was not.
        """
        self.begin()
        self._append(entry)

    def begin(self) -> None:
        """Write what it was to begin with, where that was not done yet."""
        beginning, self._beginning = self._beginning, None
        if beginning is not None:
            self._append(beginning())

    def _append(self, entry: Mapping[str, Any]) -> None:
        was_waiting, was_rescued = bool(self._waiting), self.is_rescued
        self._waiting.append(dict(entry))
        with contextlib.suppress(StorageError):
            self._into_rescue([self._waiting[-1]])
        self._catch_up()
        still_waits = bool(self._waiting)
        if was_waiting != still_waits or (still_waits and was_rescued != self.is_rescued):
            self.changed()

    def retry(self) -> bool:
        """Write what waits, if that is possible by now; True where nothing waits any more."""
        was_waiting = bool(self._waiting)
        self._catch_up()
        if was_waiting and not self._waiting:
            self.changed()
        return not self._waiting

    def write_rescue_file(self, path: Path) -> None:
        """Write what waits into a rescue file, and what comes until the journal is back.

        Raises FileFormatError where there is such a file already, StorageError.
        """
        if path.exists():
            raise FileFormatError(path, "already exists; choose another name")
        earlier, self._rescue = self._rescue, Journal(path, keeps_head=False)
        try:
            self._into_rescue([self._whose, *self._waiting])
        except StorageError:
            self._rescue = earlier
            raise
        if earlier is not None:
            _remove(earlier)

    def check_lock(self) -> None:
        """Raise LockedError where somebody else has the lock, StorageError where it is gone."""
        if self._lock.is_held:
            return
        holder = self._lock.holder_now
        if holder:
            raise LockedError(self._path, holder)
        raise StorageError(
            self._path, "is no longer locked for you, somebody took the lock away; open it again"
        )

    def close(self) -> None:
        """Write what waits and close. Raises StorageError where entries are in no file."""
        self.begin()
        self._catch_up()
        rescue = self._rescue
        try:
            if rescue is not None:
                rescue.close()
        finally:
            self._abandon()
        if self._waiting and rescue is None:
            raise StorageError(self._path, f"{self.waiting} entries could not be written")

    def _abandon(self) -> None:
        try:
            self._journal.close()
        except StorageError:
            if not self._waiting:
                raise

    def _catch_up(self) -> None:
        try:
            self.check_lock()
            if self._waiting and not self._journal.is_there:
                self._open_again()
            while self._waiting:
                self._journal.append(self._waiting[0])
                del self._waiting[0]
        except TandemError as error:
            self._trouble = error
            self._rescue_from_lock_loss()
        else:
            self._forget_rescue()

    def _rescue_from_lock_loss(self) -> None:
        """Without its lock the journal may never be written again: who closes would lose it all."""
        if not self._waiting or self.is_rescued or self._lock.is_held:
            return
        if self._path.parent.is_dir():
            names = (self._path.with_suffix(f".{number}{RESCUE}") for number in count(1))
            with contextlib.suppress(TandemError):
                self.write_rescue_file(next(each for each in names if not each.exists()))

    def _open_again(self) -> None:
        """Go on in a new file where the old one is gone, but only where its folder is there."""
        if not self._path.parent.is_dir():
            raise StorageError(self._path.parent, "is gone; bring the folder back")
        self._abandon()
        self._journal = Journal(self._path)

    def _into_rescue(self, entries: list[dict[str, Any]]) -> None:
        rescue = self._rescue
        if rescue is None:
            return
        try:
            for entry in entries:
                rescue.append(entry)
            rescue.flush()
        except StorageError:
            self._rescue = None
            with contextlib.suppress(StorageError):
                rescue.close()
            raise

    def _forget_rescue(self) -> None:
        """All is in the journal: what the rescue file holds is not needed any more."""
        if self._rescue is not None:
            _remove(self._rescue)
            self._rescue = None


def rescue_files(path: Path) -> list[Path]:
    """Return the rescue files beside the journal at `path`, oldest first."""
    ours = re.compile(rf"{re.escape(path.stem)}\.(\d+){re.escape(RESCUE)}")
    try:
        found = {each: ours.fullmatch(each.name) for each in path.parent.iterdir()}
    except OSError:
        return []
    numbers = {each: int(match[1]) for each, match in found.items() if match}
    return sorted(numbers, key=numbers.__getitem__)


def _remove(rescue: Journal) -> None:
    with contextlib.suppress(StorageError):
        rescue.close()
    with contextlib.suppress(OSError):
        rescue.path.unlink(missing_ok=True)


def read_rescue(path: Path, annotator: str, patient_id: str) -> list[dict[str, Any]]:
    """Return the entries of a rescue file for this annotator and patient.

    Raises FileFormatError where it is none, or somebody else's, and StorageError.
    """
    first, *entries = read_journal(path) or [{}]
    if first.get("op") != "rescue":
        raise FileFormatError(path, "is not a Tandem rescue file")
    if (first.get("annotator"), first.get("patient")) != (annotator, patient_id):
        whose = f"{first.get('annotator')}'s patient {first.get('patient')}"
        raise FileFormatError(path, f"holds work on {whose}; open that patient to recover it")
    return entries
