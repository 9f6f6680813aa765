"""Files of layers held against their journals: as found, to be rebuilt, or not to be believed."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, cast

from shared.errors import FileFormatError, StorageError
from shared.model import Document, Layer, MergedView
from shared.outside import MALFORMED
from shared.project.files import FileSignature, read_file, signature_of
from shared.project.journal import head_path, parse_journal
from shared.project.layer_history import (
    LayerHistory,
    Standing,
    noted_digests,
    saved_records,
    standing,
)
from shared.project.verified_journals import read_unaltered

ASIDE = ".found-"
"""In the name of what somebody made of a layer's file, once the file is what it should be."""
_REMEMBERED = 1000
"""Journals: who goes through all patients asks for each record of one, and then for no more."""
_TRIES, _PAUSE = 3, 0.1
"""An open window may write between two looks: the file, then what the journal notes of it."""
_KEYS = (b'"digests":{', b'"found":{')
_SAID = {
    Standing.MISSING: "is missing though its journal tells of it; open the patient in its window, "
    "or run tandem verify --rebuild",
    Standing.OTHER: "was changed outside of Tandem or is an older copy; open the patient in its "
    "window, or run tandem verify --rebuild",
}


@dataclass(frozen=True, slots=True)
class StoredLayer:
    """A layer as read, and the digest of its file; None where there is no file yet."""

    layer: Layer
    digest: str | None


class BelievedLayers:
    """Reads layers that are what their journals say; a journal is read again where it changed."""

    def __init__(self, root: Path) -> None:
        """`root` is the folder of their project."""
        self._root = root
        self._noted: dict[Path, tuple[_Signatures, dict[str, str | None]]] = {}

    def read(
        self,
        journal: Path,
        layer_path: Path,
        document: Document,
        view: Callable[[], MergedView],
        find: Callable[[], StoredLayer],
    ) -> StoredLayer:
        """Return the layer that `find` reads, `view` being that of its patient.

        Raises FileFormatError where the file is not what the journal says, or the journal was cut
        short or cannot be read, StorageError.
        """
        how = Standing.NOT_NOTED
        for attempt in range(_TRIES):
            if attempt:  # a sleep of no time takes its time too, ten thousand times over
                time.sleep(_PAUSE)
            noted = self.noted(journal)
            stored = find()
            how = _standing(journal, document, view, stored, noted)
            if how not in _SAID:
                return stored
        raise FileFormatError(layer_path, _SAID[how])

    def noted(self, journal: Path) -> dict[str, str | None]:
        """What a journal notes of the files of its patient. Raises FileError."""
        signatures = signature_of(journal), signature_of(head_path(journal))
        if signatures == (None, None):
            return {}
        if journal not in self._noted or self._noted[journal][0] != signatures:
            if len(self._noted) >= _REMEMBERED:
                del self._noted[next(iter(self._noted))]
            lines = read_unaltered(self._root, journal).split(b"\n")[:-1]
            told = [each for each in lines if any(key in each for key in _KEYS)]
            self._noted[journal] = signatures, noted_digests(_entries(told, journal))
        return self._noted[journal][1]


def _standing(
    journal: Path,
    document: Document,
    view: Callable[[], MergedView],
    stored: StoredLayer,
    noted: Mapping[str, str | None],
) -> Standing:
    def entries() -> list[dict[str, Any]]:
        return parse_journal(read_file(journal) or b"", journal)

    def history() -> LayerHistory:
        return LayerHistory(view(), entries())

    def saved() -> set[str]:
        return saved_records(entries())

    try:
        return standing(document, stored.layer, stored.digest, noted, saved, history)
    except MALFORMED:
        raise FileFormatError(journal, "holds an entry that Tandem cannot read") from None


_Signatures = tuple[FileSignature | None, FileSignature | None]


def _entries(lines: Iterable[bytes], path: Path) -> list[dict[str, Any]]:
    try:
        return cast("list[dict[str, Any]]", [json.loads(each) for each in lines])
    except MALFORMED:
        raise FileFormatError(path, "holds an entry that Tandem cannot read") from None


@dataclass(frozen=True, slots=True)
class SettledLayers:
    """What a session goes on from: layers by record, and what it had to say or make again.

    `rebuilt` are the records that the files lack or have otherwise, `taken_over` those whose files
    are believed though nobody noted them so.
    """

    stored: Mapping[str, StoredLayer]
    rebuilt: tuple[str, ...]
    taken_over: tuple[str, ...]
    notices: tuple[str, ...]


def settled_layers(
    view: MergedView,
    stored: Mapping[str, StoredLayer],
    entries: list[dict[str, Any]],
    path_of: Callable[[str], Path],
    *,
    takes_changes_over: bool = False,
) -> SettledLayers:
    """Hold the files of a patient, by record, against the journal, which goes before them.

    With `takes_changes_over` what somebody else changed is believed, and said. KeyError, TypeError
    or ValueError say that an entry makes no sense, FileFormatError that a file is missing of which
    the journal has not all.
    """
    noted = noted_digests(entries)
    history = cache(lambda: LayerHistory(view, entries))
    settled, rebuilt, taken_over, notices = dict(stored), list[str](), list[str](), list[str]()
    for document in view.patient.documents:
        record_id, found = document.record_id, stored[document.record_id]
        how = standing(
            document, found.layer, found.digest, noted, lambda: saved_records(entries), history
        )
        if how not in _SAID:
            continue
        is_held = history().holds(record_id)
        if how is Standing.MISSING and not is_held:
            raise FileFormatError(
                path_of(record_id), "is missing, and its journal has not all of it; restore it"
            )
        if not is_held or (takes_changes_over and how is Standing.OTHER):
            taken_over.append(record_id)
        else:
            rebuilt.append(record_id)
            layer = history().layer(record_id, found.layer.annotator, found.layer.unknown)
            settled[record_id] = StoredLayer(layer, found.digest)
        notices.append(_notice(record_id, how, is_rebuilt=record_id in rebuilt))
    return SettledLayers(settled, tuple(rebuilt), tuple(taken_over), tuple(notices))


def _notice(record_id: str, how: Standing, *, is_rebuilt: bool) -> str:
    what = "was missing" if how is Standing.MISSING else "was changed outside of Tandem"
    if is_rebuilt:
        return f"The layer of record {record_id} {what} and was rebuilt from the journal."
    return f"The layer of record {record_id} {what}; it is shown as it is now."


def set_aside(path: Path, digest: str) -> Path:
    """Keep another version of a layer's file beside it, under a name that tells it from others.

    Raises StorageError.
    """
    aside = path.with_name(f"{path.stem}{ASIDE}{digest[:8]}{path.suffix}")
    try:
        path.replace(aside)
    except OSError as error:
        raise StorageError.from_os(path, error) from error
    return aside
