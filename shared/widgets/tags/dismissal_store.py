"""The dismissals of one layer of a project: read, added to, taken back."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from shared.consistency.dismissals import (
    Dismissal,
    DismissalKey,
    dismissals_path,
    read_dismissals,
)
from shared.project.files import FileSignature, signature_of
from shared.project.journal import append_to_journal, read_journal


class DismissalStore(QObject):
    """What was dismissed of a layer, and why; new ones are signed by `who`.

    `changed` after each that was added or taken back. All may raise StorageError, FileError.
    """

    changed = Signal()

    def __init__(self, root: Path, layer: str, who: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._path = dismissals_path(root, layer)
        self._layer = layer
        self._who = who
        self._known: tuple[FileSignature | None, dict[DismissalKey, str]] = None, {}
        """What was read last, and of which file."""

    def read(self) -> dict[DismissalKey, str]:
        """Each dismissal with its reason; may run on a thread.

        The file is read where it has changed: after each dismissal several lists ask.
        """
        signature = signature_of(self._path)
        if signature is None or signature != self._known[0]:
            entries = read_journal(self._path)
            found = {each.key: each.reason for each in read_dismissals(entries, self._layer)}
            self._known = signature, found
        return self._known[1]

    def dismiss(self, keys: Iterable[DismissalKey], reason: str) -> None:
        """Keep findings or places away until the text around them changes."""
        self._append(self._made(key, reason).as_entry() for key in keys)

    def take_back(self, keys: Iterable[DismissalKey]) -> None:
        self._append(self._made(key, "").as_taken_back() for key in keys)

    def _made(self, key: DismissalKey, reason: str) -> Dismissal:
        return Dismissal.now(key, self._layer, self._who, reason)

    def _append(self, entries: Iterable[dict[str, object]]) -> None:
        append_to_journal(self._path, entries, self._who)
        self.changed.emit()
