"""Which patients are an annotator's known-answer patients: `known_answers.jsonl`, the lead's book.

{"op": "given", "at": …, "user": "lena", "seed": 7, "pairs": [["103", "ana"], ["88", "ben"]]}

A known-answer patient has a gold standard before the annotator begins it. It stands in their list
as any other, and is none of the work that is adjudicated, released and reported; whoever reads the
files of the project sees which they are.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import cast

from shared.errors import FileFormatError
from shared.project.current_user import current_user
from shared.project.even_shares import Pair
from shared.project.files import FileSignature, signature_of
from shared.project.journal import append_to_journal, read_journal
from shared.project.project_log import note_heads

BOOK = "known_answers.jsonl"


class KnownAnswers:
    """The book of a project, read again only where it has changed."""

    def __init__(self, root: Path) -> None:
        self._path = root / BOOK
        self._read: tuple[FileSignature, frozenset[Pair]] | None = None

    def pairs(self) -> frozenset[Pair]:
        """Every known-answer patient with the annotator. Raises FileError."""
        signature = signature_of(self._path)
        if signature is None:
            return frozenset()
        if self._read is None or self._read[0] != signature:
            self._read = signature, frozenset(_pairs(self._path))
        return self._read[1]

    def add(self, pairs: Iterable[Pair], seed: int) -> None:
        """Write down which were given. Raises StorageError, LockedError."""
        entry = {
            "op": "given",
            "at": datetime.now(UTC).isoformat(timespec="seconds"),
            "user": current_user(),
            "seed": seed,
            "pairs": [list(each) for each in pairs],
        }
        append_to_journal(self._path, [entry], "tandem assign")
        note_heads(self._path.parent, [self._path])


def _pairs(path: Path) -> Iterable[Pair]:
    for entry in read_journal(path):
        listed = entry.get("pairs")
        for each in cast("list[object]", listed) if isinstance(listed, list) else [None]:
            if not (isinstance(each, list) and len(cast("list[object]", each)) == 2):
                raise FileFormatError(path, "holds an entry that Tandem cannot read; restore it")
            patient_id, name = cast("list[object]", each)
            yield str(patient_id), str(name)
