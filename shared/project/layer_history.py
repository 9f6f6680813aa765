"""What a journal says of the layers of its patient, whose files are copies of it.

{"op": "base", "at": …, "found": {"110-01": "5e…", "110-02": null}, "layers": {"110-01": "[tags]"}}
{"op": "saved", "at": …, "upto": 7, "digests": {"110-01": "9b…"}}

A base line says what the files of records were when the journal began to tell of them, or when
what somebody else had changed in them was taken over: from there on the edits tell all. Its tags
are JSON of their own, which is read where it is needed: seldom, as there may be thousands. A digest
is that of a file as it was written, None where there was none.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from enum import StrEnum
from functools import partial
from typing import Any

from shared.formats import i2b2_xml
from shared.model import Document, Layer, MergedView
from shared.outside import parse_json
from shared.project.edits import Edit, PlacedTag, edit_from_entry, tags_from_entry, tags_to_entry
from shared.project.files import digest_of
from shared.project.settings import GOLD

EDITS = ("edit", "undo", "redo")


class Standing(StrEnum):
    """How the file of a layer stands to the journal."""

    AS_NOTED = "as noted"
    """As it was left, or as far as the journal was when the program was killed."""
    NOT_NOTED = "not noted"
    """The journal says nothing of it, as one of an earlier version or before the first opening."""
    MISSING = "missing"
    OTHER = "other"
    """Changed by somebody else, or an older copy."""


class LayerHistory:
    """The layers of a patient by the entries of a journal, edit after edit.

    KeyError, TypeError or ValueError say that an entry makes no sense.
    """

    def __init__(self, view: MergedView, entries: Iterable[Mapping[str, Any]]) -> None:
        self._view = view
        self._entries = list(entries)
        self._told = {each for line in self._entries for each in line.get("layers", {})}
        self._gaps: set[str] = set()
        """The records of which the journal has not all: tags were there when it began."""
        self._tags: dict[str, dict[str, PlacedTag]] = {each.record_id: {} for each in view.sections}
        self._since: dict[str, list[tuple[PlacedTag, ...]]] = {each: [] for each in self._tags}
        """The states of each record since it was saved last, the latest at the end."""
        self._replay()

    def holds(self, record_id: str) -> bool:
        """Whether the journal has all of the layer of a record."""
        return record_id in self._told or record_id not in self._gaps

    def layer(self, record_id: str, annotator: str, unknown: Iterable[str] = ()) -> Layer:
        """The layer as the journal has it."""
        return self._layer(self._tags[record_id].values(), record_id, annotator, unknown)

    def is_left_behind(self, document: Document, found: Layer, digest: str) -> bool:
        """Whether a file is what a killed program leaves: the layer at some edit since a save."""
        record_id, name = document.record_id, found.annotator
        return any(
            digest == layer_digest(document, self._layer(tags, record_id, name, found.unknown))
            for tags in reversed(self._since[record_id])
        )

    @staticmethod
    def _layer(
        placed: Iterable[PlacedTag], record_id: str, annotator: str, unknown: Iterable[str]
    ) -> Layer:
        return Layer.of(record_id, annotator, (each.tag for each in placed), unknown)

    def _replay(self) -> None:
        saved = [int(line["upto"]) for line in self._entries if line["op"] == "saved"]
        last = max(saved, default=0)
        for line in self._entries:
            self._gaps |= {*line.get("kept", ())}
            if line["op"] == "base":
                for record_id, tags in line["layers"].items():
                    # a list in the journals of a few earlier versions
                    rows = parse_json(tags) if isinstance(tags, str) else tags
                    placed = tags_from_entry(self._view, rows)
                    self._tags[record_id] = {each.tag_id: each for each in placed}
            elif line["op"] in EDITS:
                edit = edit_from_entry(self._view, dict(line))
                if int(line["number"]) > last and not any(self._since.values()):
                    self._keep(self._since)
                self._keep(self._change(edit), is_late=int(line["number"]) > last)
        for record_id in self._tags:
            self._keep([record_id])

    def _keep(self, records: Iterable[str], *, is_late: bool = True) -> None:
        for each in records if is_late else ():
            self._since[each].append(tuple(self._tags[each].values()))

    def _change(self, edit: Edit) -> set[str]:
        for each in edit.removed:
            if self._tags[each.record_id].pop(each.tag_id, None) is None:
                self._gaps.add(each.record_id)
        for each in edit.added:
            self._tags[each.record_id][each.tag_id] = each
        return {each.record_id for each in (*edit.removed, *edit.added)}


def layer_digest(document: Document, layer: Layer) -> str:
    """The digest of the file that a layer would be written as."""
    bare = layer.annotator == GOLD
    return digest_of(i2b2_xml.format_record(document.text, layer, bare=bare))


def noted_digests(entries: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    """What the entries say last of the file of each record of which they say something."""
    noted: dict[str, str | None] = {}
    for line in entries:
        noted |= line.get("found", {})
        noted |= line.get("digests", {})
    return noted


def saved_records(entries: Iterable[Mapping[str, Any]]) -> set[str]:
    """The records of which an edit was saved, so that there has to be a file."""
    lines = list(entries)
    last = max((int(line["upto"]) for line in lines if line["op"] == "saved"), default=0)
    return {
        str(tag["record"])
        for line in lines
        if line["op"] in EDITS and int(line["number"]) <= last
        for tag in (*line["removed"], *line["added"])
    }


def standing(
    document: Document,
    found: Layer,
    digest: str | None,
    noted: Mapping[str, str | None],
    saved: Callable[[], Collection[str]],
    history: Callable[[], LayerHistory],
) -> Standing:
    """How the file of a layer, read as `found`, stands to what a journal noted of it.

    `saved` (the records of which an edit was saved) and `history` are asked where need be.
    KeyError, TypeError or ValueError say that an entry makes no sense.
    """
    record_id = document.record_id
    if record_id not in noted:
        is_gone = digest is None and record_id in saved()
        return Standing.MISSING if is_gone else Standing.NOT_NOTED
    if noted[record_id] == digest:
        return Standing.AS_NOTED
    if digest is None:
        return Standing.MISSING
    is_left = history().is_left_behind(document, found, digest)
    return Standing.AS_NOTED if is_left else Standing.OTHER


def begun_with(
    entries: Iterable[Mapping[str, Any]],
    digests: Mapping[str, str | None],
    tags: Iterable[PlacedTag],
    taken_over: Iterable[str] = (),
) -> Callable[[], dict[str, Any]] | None:
    """What makes the line by which a journal begins to tell of records; None where it does.

    `digests` are those of the records' files, `tags` those of the patient, both as they are now,
    whenever the line is made. What was `taken_over` from files is told again.
    """
    told = {each for line in entries for each in line.get("layers", {})} - {*taken_over}
    new = {record_id: digest for record_id, digest in digests.items() if record_id not in told}
    return partial(_base_entry, new, tuple(tags)) if new else None


def _base_entry(new: Mapping[str, str | None], tags: Iterable[PlacedTag]) -> dict[str, Any]:
    by_record: dict[str, list[PlacedTag]] = {each: [] for each in new}
    for each in tags:
        if each.record_id in new:
            by_record[each.record_id].append(each)
    layers = {
        record_id: json.dumps(tags_to_entry(some), ensure_ascii=False, separators=(",", ":"))
        for record_id, some in by_record.items()
    }
    return {"op": "base", "found": new, "layers": layers}
