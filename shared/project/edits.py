"""One undoable step of annotating, and its line in the journal.

{"op": "edit", "number": 7, "what": "annotate all", "removed": [], "added": [{"record": "110-02",
"id": "P4", "start": 12, "end": 19, "category": "NAME", "type": "DOCTOR", "origin": "hand"}, …]}

Offsets are those of the record. No text is written: a journal says where, never what.
"""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias, TypeVar

from shared.model import MergedView, Origin, PhiType, Span, Tag
from shared.project.written import WrittenList, as_json

PORTION = 200
"""So many tags are made or written at a time, which takes a millisecond or two."""
_KEPT = 4
"""So many lists of many tags are kept as they were written."""
Item = TypeVar("Item")
Made = TypeVar("Made")
_PAST = {
    "tag": "tagged",
    "annotate": "annotated",
    "retype": "retyped",
    "remove": "removed",
    "accept": "accepted",
    "reject": "rejected",
    "move": "moved",
    "mend": "mended",
    "comment": "commented",
    "reopen": "reopened",
    "decide": "decided",
}


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
    def done(self) -> str:
        """What it says, once it is done: "tagged as DOCTOR"."""
        verb, _, rest = self.what.partition(" ")
        return f"{_PAST.get(verb, verb)} {rest}".rstrip()

    def reversed(self) -> "Edit":
        return Edit(self.what, removed=self.added, added=self.removed)


Steps: TypeAlias = Generator[None, None, Made]
"""Work in steps, each of which takes about a millisecond."""
Making: TypeAlias = Steps[Edit]
"""An edit on its way; only the last step changes anything.

Meanwhile no other edit of the same tags may be made.
"""


def at_once(steps: Steps[Made]) -> Made:
    """Take all steps."""
    try:
        while True:
            next(steps)
    except StopIteration as end:
        return end.value


def in_portions(
    items: Sequence[Item], work: Callable[[Sequence[Item]], list[Made]]
) -> Steps[list[Made]]:
    """Return what some work makes of all items, done with so many at a step as it has time for."""
    made: list[Made] = []
    for start in range(0, len(items), PORTION):
        if start:
            yield
        made += work(items[start : start + PORTION])
    return made


class Writing:
    """What the journal says of edits, in steps where there are many tags.

    What was said last of many is known when they are undone or redone, which is done with the same
    tuples of tags.
    """

    def __init__(self) -> None:
        self._known: list[tuple[Sequence[PlacedTag], WrittenList]] = []

    def entry(self, edit: Edit) -> Steps[dict[str, Any]]:
        removed = yield from self._list(edit.removed)
        added = yield from self._list(edit.added)
        return {"what": edit.what, "removed": removed, "added": added}

    def _list(self, tags: Sequence[PlacedTag]) -> Steps[WrittenList]:
        for known, written in self._known:
            if known is tags:
                return written
        written = WrittenList((yield from in_portions(tags, _tags_as_json)))
        if len(tags) >= PORTION:
            self._known = [(tags, written), *self._known][:_KEPT]
        return written


def _tags_as_json(tags: Iterable[PlacedTag]) -> list[str]:
    """Return each tag as a JSON object; there may be thousands."""
    same: dict[tuple[str, int, int], tuple[str, str]] = {}
    """What many of them share, by which objects they share it with: that is known at once."""
    lines: list[str] = []
    for placed in tags:
        tag, span = placed.tag, placed.tag.span
        shared = (placed.record_id, id(tag.phi_type), id(tag.origin))
        if shared not in same:
            same[shared] = as_json(placed.record_id), _kind(tag)
        record, kind = same[shared]
        more = "" if tag.confidence is None else f',"confidence":{tag.confidence!r}'
        if tag.comment or tag.attributes:
            more = _rest(tag)
        lines.append(
            f'{{"record":{record},"id":{as_json(tag.id)},'
            f'"start":{span.start},"end":{span.end},{kind}{more}}}'
        )
    return lines


def edit_from_entry(view: MergedView, entry: dict[str, Any]) -> Edit:
    return Edit(
        str(entry["what"]),
        tuple(_tag_from_entry(view, each) for each in entry["removed"]),
        tuple(_tag_from_entry(view, each) for each in entry["added"]),
    )


def _kind(tag: Tag) -> str:
    said = {"category": tag.phi_type.category, "type": tag.phi_type.name}
    return as_json(said | {"origin": tag.origin.value})[1:-1]


def _rest(tag: Tag) -> str:
    """What few tags have."""
    rest: dict[str, Any] = {}
    if tag.comment:
        rest["comment"] = tag.comment
    if tag.confidence is not None:
        rest["confidence"] = tag.confidence
    if tag.attributes:
        rest["attributes"] = tag.attributes
    return f",{as_json(rest)[1:-1]}"


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
