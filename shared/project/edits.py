"""One undoable step of annotating, and its line in the journal.

{"op": "edit", "number": 7, "what": "annotate all", "removed": [], "added": [{"record": "110-02",
"id": "P4", "start": 12, "end": 19, "category": "NAME", "type": "DOCTOR", "origin": "hand"}, …]}

Offsets are those of the record. No text is written: a journal says where, never what.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from shared.model import MergedView, Origin, PhiType, Span, Tag

_PAST = {
    "tag": "tagged",
    "annotate": "annotated",
    "retype": "retyped",
    "remove": "removed",
    "accept": "accepted",
    "reject": "rejected",
    "move": "moved",
    "fix": "fixed",
    "comment": "commented",
    "reopen": "reopened",
    "decide": "decided",
}
_SHOWN = {"mend": "fix"}
"""What journals have said from the start, and what users read."""


@dataclass(frozen=True, slots=True)
class PlacedTag:
    """A tag where it stands in the merged view of its patient: `[start, end)`."""

    start: int
    end: int
    record_id: str
    tag_id: str
    tag: Tag = field(hash=False)  # the ids tell tags apart, and hash faster

    @classmethod
    def of(cls, view: MergedView, record_id: str, tag: Tag) -> "PlacedTag":
        at = view.section(record_id).start
        return cls(at + tag.span.start, at + tag.span.end, record_id, tag.id, tag)

    @property
    def key(self) -> tuple[str, str]:
        return self.record_id, self.tag_id

    @property
    def span(self) -> Span:
        return Span(self.start, self.end)

    @property
    def phi_type(self) -> PhiType:
        return self.tag.phi_type


@dataclass(frozen=True, slots=True)
class Edit:
    """Tags taken out and tags put in, as one step; `what` says it in words for the user."""

    what: str
    removed: tuple[PlacedTag, ...] = ()
    added: tuple[PlacedTag, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.removed or self.added)

    @property
    def words(self) -> str:
        """What it is, as a user reads it: "tag as DOCTOR"."""
        verb, _, rest = self.what.partition(" ")
        rest = rest.replace("all alike", "all with this text")
        return f"{_SHOWN.get(verb, verb)} {rest}".rstrip()

    @property
    def done(self) -> str:
        """What it says, once it is done: "tagged as DOCTOR"."""
        verb, _, rest = self.words.partition(" ")
        return f"{_PAST.get(verb, verb)} {rest}".rstrip()

    def reversed(self) -> "Edit":
        return Edit(self.what, removed=self.added, added=self.removed)


def edit_to_entry(edit: Edit) -> dict[str, Any]:
    return {
        "what": edit.what,
        "removed": tags_to_entry(edit.removed),
        "added": tags_to_entry(edit.added),
    }


def edit_from_entry(view: MergedView, entry: dict[str, Any]) -> Edit:
    return Edit(
        str(entry["what"]),
        tags_from_entry(view, entry["removed"]),
        tags_from_entry(view, entry["added"]),
    )


def tags_to_entry(tags: Iterable[PlacedTag]) -> list[dict[str, Any]]:
    return [_tag_to_entry(each) for each in tags]


def tags_from_entry(view: MergedView, rows: Iterable[dict[str, Any]]) -> tuple[PlacedTag, ...]:
    """KeyError, TypeError or ValueError say that one makes no sense."""
    return tuple(_tag_from_entry(view, each) for each in rows)


def _tag_to_entry(placed: PlacedTag) -> dict[str, Any]:
    tag = placed.tag
    entry: dict[str, Any] = {
        "record": placed.record_id,
        "id": tag.id,
        "start": tag.span.start,
        "end": tag.span.end,
        "category": tag.phi_type.category,
        "type": tag.phi_type.name,
        "origin": tag.origin.value,
    }
    if tag.comment:
        entry["comment"] = tag.comment
    if tag.confidence is not None:
        entry["confidence"] = tag.confidence
    if tag.attributes:
        entry["attributes"] = tag.attributes
    return entry


def _tag_from_entry(view: MergedView, entry: dict[str, Any]) -> PlacedTag:
    tag = Tag(
        Span(entry["start"], entry["end"]),
        PhiType(entry["category"], entry["type"]),
        entry["id"],
        entry.get("comment", ""),
        Origin(entry["origin"]),
        entry.get("confidence"),
        tuple((name, value) for name, value in entry.get("attributes", ())),
    )
    return PlacedTag.of(view, entry["record"], tag)
