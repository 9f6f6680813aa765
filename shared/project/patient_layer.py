"""The tags of one annotator on one patient, while they work: every edit journalled and undoable.

An edit is a set of tags taken out and a set put in, so undoing is putting the two the other way
round. Each is in the journal before `apply` returns; the XML files follow when `save` is called.
Opening reads the XML and replays what the journal holds beyond the last save. Replaying is
harmless where the XML has the edit already: a tag is put in or taken out by its id.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from itertools import chain
from typing import Any, Protocol

from shared.model import (
    SUGGESTED_BY,
    Document,
    Layer,
    MergedView,
    Origin,
    PhiType,
    Span,
    Tag,
)
from shared.model.layer import number_of
from shared.project.edits import Edit, PlacedTag, edit_from_entry, edit_to_entry
from shared.text.span_index import SpanIndex


class Snapshot:
    """The layers of the records that changed since the last save, as after edit `last_edit`.

    They are put together when somebody asks for them, on whichever thread: there may be many tags.
    """

    def __init__(
        self, last_edit: int, documents: Iterable[Document], layer_of: Callable[[Document], Layer]
    ) -> None:
        self.last_edit = last_edit
        self.documents = tuple(documents)
        self._layer_of = layer_of

    @cached_property
    def layers(self) -> tuple[tuple[Document, Layer], ...]:
        return tuple((each, self._layer_of(each)) for each in self.documents)


class EditLog(Protocol):
    """Where edits go before they are made: a journal."""

    def append(self, entry: Mapping[str, Any], /) -> None: ...


@dataclass(slots=True)
class _History:
    """What can be undone and redone, newest last."""

    done: list[Edit] = field(default_factory=list[Edit])
    undone: list[Edit] = field(default_factory=list[Edit])

    def record(self, operation: str, edit: Edit) -> None:
        if operation == "undo":
            self.undone.append(self.done.pop() if self.done else edit.reversed())
        elif operation == "redo":
            self.done.append(self.undone.pop() if self.undone else edit)
        else:
            self.done.append(edit)
            self.undone.clear()


class PatientLayer:
    """The tags of one annotator on all records of a patient, in the merged view.

    `layers` are the stored ones by record id, `entries` what the journal holds so far.
    """

    def __init__(
        self,
        view: MergedView,
        annotator: str,
        layers: Mapping[str, Layer],
        entries: Iterable[dict[str, Any]],
        journal: EditLog,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._view = view
        self._annotator = annotator
        self._by = annotator
        """Who it was, for the journal."""
        self._journal = journal
        self._now = now
        self._unknown = {record_id: layer.unknown for record_id, layer in layers.items()}
        self._layers = layers
        self._next: dict[str, int] = {}
        """The number of the next tag of a record, once somebody has asked for it."""
        self._placed = {each.key: each for each in _placed(view, layers)}
        self._history = _History()
        self._dirty: dict[str, int] = {}
        self._number = 0
        self._replay(list(entries))
        self.tags: SpanIndex[PlacedTag] = SpanIndex(self._placed.values())
        """All tags by place; changed by `apply`, `undo` and `redo` only."""
        self.changed: Callable[[str, Edit], None] = lambda _operation, _edit: None
        """Called after every "edit", "undo" and "redo" with what it changed."""

    @property
    def can_undo(self) -> bool:
        return bool(self._history.done)

    @property
    def can_redo(self) -> bool:
        return bool(self._history.undone)

    @property
    def steps(self) -> int:
        return len(self._history.done)

    @property
    def unsaved(self) -> bool:
        return bool(self._dirty)

    def find(self, record_id: str, tag_id: str) -> PlacedTag | None:
        return self._placed.get((record_id, tag_id))

    def new_tag(self, span: Span, tag: Tag) -> PlacedTag:
        """Return `tag` moved to `span` of the merged view, with an id of its own; adds nothing.

        Raises CrossesRecordsError where no single record holds the span.
        """
        record_id, place = self._view.record_span(span)
        tag = replace(tag, span=place, id=self._new_id(record_id))
        return PlacedTag.of(self._view, record_id, tag)

    def tag_of(
        self,
        span: Span,
        phi_type: PhiType,
        origin: Origin,
        confidence: float | None = None,
        source: str = "",
    ) -> PlacedTag:
        """Return a tag of these as `new_tag` does, for which none is needed to begin with.

        `source` is that of the suggestion that it was.
        """
        record_id, place = self._view.record_span(span)
        tag_id = self._new_id(record_id)
        attributes = ((SUGGESTED_BY, source),) if source else ()
        tag = Tag(place, phi_type, tag_id, "", origin, confidence, attributes)
        return PlacedTag(span.start, span.end, record_id, tag_id, tag)

    def moved(self, placed: PlacedTag, span: Span) -> PlacedTag:
        """Return the tag with its id at another span of the same record; changes nothing."""
        record_id, place = self._view.record_span(span)
        return PlacedTag.of(self._view, record_id, replace(placed.tag, span=place))

    def apply(self, edit: Edit) -> Edit:
        """Journal an edit, then make it; returns what it changed."""
        return self._perform("edit", edit)

    def undo(self) -> Edit | None:
        """Take the last edit back; returns what that changed, None where there is nothing."""
        if not self.can_undo:
            return None
        return self._perform("undo", self._history.done[-1].reversed())

    def redo(self) -> Edit | None:
        return self._perform("redo", self._history.undone[-1]) if self.can_redo else None

    def note(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """Have the journal say something that is no edit; returns its line."""
        line = self.stamped(entry)
        self._journal.append(line)
        return line

    def stamped(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        """The line of the journal for an entry: who and when."""
        return self._stamp() | dict(entry)

    def layer(self, record_id: str) -> Layer:
        return self._layer_of(record_id, self._placed.values())

    def snapshot(self) -> Snapshot:
        """What a save has to write now; no later edit changes it."""
        documents = [each for each in self._view.patient.documents if each.record_id in self._dirty]
        placed = tuple(self._placed.values())
        return Snapshot(
            self._number, documents, lambda each: self._layer_of(each.record_id, placed)
        )

    def saved(self, snapshot: Snapshot, **more: Any) -> None:  # noqa: ANN401
        """Note that everything in `snapshot` is on disk; `more` is what its line says besides."""
        last_edit = snapshot.last_edit
        self._dirty = {each: number for each, number in self._dirty.items() if number > last_edit}
        self._journal.append(self._stamp() | {"op": "saved", "upto": last_edit} | more)

    def _layer_of(self, record_id: str, placed: Iterable[PlacedTag]) -> Layer:
        tags = (each.tag for each in placed if each.record_id == record_id)
        return Layer.of(record_id, self._annotator, tags, self._unknown.get(record_id, ()))

    def _new_id(self, record_id: str) -> str:
        number = self._next_number(record_id)
        self._next[record_id] = number + 1
        return f"P{number}"

    def _perform(self, operation: str, edit: Edit, **more: Any) -> Edit:  # noqa: ANN401
        """Journal and make an edit; `more` is what its line says besides."""
        line = self._stamp() | {"op": operation, "number": self._number + 1}
        line |= edit_to_entry(edit) | more
        self._journal.append(line)
        self._number += 1
        self._history.record(operation, edit)
        changed = self._change(edit)
        self.tags.change(changed.removed, changed.added)
        self._note_performed(line)
        self.changed(operation, changed)
        return changed

    def _note_performed(self, line: dict[str, Any]) -> None:
        """Take note of an edit by its line in the journal, before `changed` is called."""

    def _stamp(self) -> dict[str, Any]:
        return {"at": self._now().isoformat(timespec="milliseconds"), "by": self._by}

    def _change(self, edit: Edit) -> Edit:
        """Make an edit; returns what it really changed, by the ids of its tags."""
        added = {(each.record_id, each.tag_id): each for each in edit.added}
        gone = [(each.record_id, each.tag_id) for each in edit.removed]
        gone += [key for key in added if key in self._placed]
        found = (self._placed.pop(key, None) for key in gone)
        removed = tuple(each for each in found if each is not None)
        self._placed |= added
        records = {record_id for record_id, _ in chain(gone, added)}
        self._dirty |= dict.fromkeys(records, self._number)
        return Edit(edit.what, removed, edit.added)

    def _replay(self, entries: list[dict[str, Any]]) -> None:
        saved = [int(entry["upto"]) for entry in entries if entry["op"] == "saved"]
        last_edit = max(saved, default=0)
        for entry in entries:
            if entry["op"] not in ("edit", "undo", "redo"):
                continue
            edit = edit_from_entry(self._view, entry)
            self._number = int(entry["number"])
            self._history.record(entry["op"], edit)
            self._keep_numbers_apart(edit)
            if self._number > last_edit:
                self._change(edit)

    def _keep_numbers_apart(self, edit: Edit) -> None:
        """Never give an id again that an edit of the journal names: redo may bring it back."""
        for placed in (*edit.removed, *edit.added):
            after = number_of(placed.tag_id) + 1
            self._next[placed.record_id] = max(self._next_number(placed.record_id), after)

    def _next_number(self, record_id: str) -> int:
        if record_id not in self._next:
            layer = self._layers.get(record_id)
            self._next[record_id] = layer.next_number() if layer else 0
        return self._next[record_id]


def _placed(view: MergedView, layers: Mapping[str, Layer]) -> Iterator[PlacedTag]:
    """Yield all tags of layers; many thousands, so each record is looked up once."""
    for record_id, layer in layers.items():
        at = view.section(record_id).start
        for tag in layer.tags:
            yield PlacedTag(at + tag.span.start, at + tag.span.end, record_id, tag.id, tag)
