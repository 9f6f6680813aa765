"""The gold standard of a patient while it is adjudicated: its tags, and the decisions behind them.

Tags, undo, journal and saving are those of the annotation window. What comes on top is the one
place where decisions and tags are kept in agreement: every edit may carry decisions, whatever was
decided about a place that is edited by hand follows, and both are one line of the journal.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from adjudicator.decision_book import DecisionBook, TagKey
from adjudicator.decisions import (
    Decision,
    DecisionChange,
    DecisionMode,
    DecisionStep,
    choice_of,
    decision_to_entry,
)
from adjudicator.disagreements import DisagreementKey
from shared.errors import FileFormatError
from shared.metrics.alignment import TagMark
from shared.model import Layer, MergedView, Span
from shared.outside import MALFORMED
from shared.project.edits import Edit, PlacedTag
from shared.project.gold_remarks import Remark, remark_to_entry
from shared.project.journal import read_journal
from shared.project.patient_layer import EditLog, PatientLayer
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.text.span_index import SpanIndex


class GoldLayer(PatientLayer):
    """The tags of the gold standard; `book` holds the decisions, `by` is who decides."""

    def __init__(
        self,
        view: MergedView,
        layers: Mapping[str, Layer],
        entries: Iterable[dict[str, Any]],
        journal: EditLog,
        by: str,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        lines = list(entries)
        super().__init__(view, GOLD, layers, lines, journal, now)
        self._by = by
        self.book = DecisionBook(lines)
        self.last_step: DecisionStep = ()
        """The decisions that the last edit, undo or redo changed."""

    @property
    def can_undo(self) -> bool:
        return super().can_undo and self.book.can_undo

    def apply(self, edit: Edit) -> Edit:
        """Make an edit by hand; the decisions that it touches follow."""
        return self.decide(edit, ())

    def decide(self, edit: Edit, step: DecisionStep, **start: list[str]) -> Edit:
        """Make an edit and the decisions that it carries out, as one step, even if empty.

        What else was decided about the places that the edit changes follows, so that a decision
        says what the gold standard has. `started` and `kept` name the records that opening the
        patient begins with by itself; such a step cannot be undone.
        """
        step = self._following(edit, step)
        more = {"decisions": [decision_to_entry(each) for each in step]} if step else {}
        return self._perform("edit", edit, **more, **start)

    def decide_again(self, edit: Edit, step: DecisionStep, ids: Mapping[TagKey, str]) -> bool:
        """Make an edit of another time with its decisions, whose tags have these ids now.

        What was decided meanwhile about the same gives way, and the tags that it alone made. False
        where all of it is so already.
        """
        every = (replace(each, after=_with_ids(each.after, ids)) for each in step)
        again = tuple(each for each in every if not self._stands(each.key, each.after))
        if not edit and not again:
            return False
        keys = {each.key for each in again}
        wanted = {
            (each.key.record_id, tag_id)
            for each in again
            for tag_id in (each.after.ids if each.after else ())
        }
        gone = {each.key: each for each in edit.removed}
        for decision in filter(None, map(self.book.find, keys)):
            made = (each for each in self.tags_of(decision) if each.key not in wanted)
            gone |= {each.key: each for each in made if keys.issuperset(self.book.owners(each.key))}
        self.decide(Edit(edit.what, tuple(gone.values()), edit.added), again)
        return True

    def note(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        stamp = self._stamp()
        line = {"at": stamp["at"], **entry, "by": stamp["by"]}  # the order that it always had
        self._journal.append(line)
        return line

    def remark(self, key: DisagreementKey, remark: Remark) -> None:
        """Keep a remark on a disagreement, in place of the one before."""
        entry = remark_to_entry(key.record_id, key.sides, remark)
        self.book.read(self.note({"op": "note"} | entry))

    def tags_of(self, decision: Decision) -> list[PlacedTag]:
        """The tags that a decision made and that are still there."""
        found = (self.find(decision.key.record_id, each) for each in decision.ids)
        return [each for each in found if each]

    def holds(self, decision: Decision) -> bool:
        """False where the gold standard lost what was decided, to somebody outside."""
        return tuple(each.tag.mark for each in self.tags_of(decision)) == decision.marks

    def made_by_none(self, span: Span) -> list[PlacedTag]:
        """The tags in a stretch of the merged view that no decision made."""
        there = self.tags.query(span.start, span.end)
        return [each for each in there if not self.book.owners(each.key)]

    def as_it_stands(self, decision: Decision) -> Decision:
        """The decision as the gold standard has it: EDITED_AFTER where it did not follow an edit.

        Decisions of today always follow; those of older journals and of files that somebody
        else changed may not.
        """
        now = self._followed(decision, _TagsAfter(self, Edit(""), {}))
        return decision if now is decision else replace(now, mode=DecisionMode.EDITED_AFTER)

    def at(self, record_id: str, mark: TagMark) -> PlacedTag | None:
        """The tag with this span and type, if there is one."""
        shift = self._view.section(record_id).start
        around = self.tags.query(mark[0].start + shift, mark[0].end + shift)
        return next((each for each in around if each.tag.mark == mark), None)

    def _stands(self, key: DisagreementKey, decision: Decision | None) -> bool:
        known = self.book.find(key)
        if known is None or decision is None:
            return known is decision
        return (known.choice, known.ids, known.marks) == (
            decision.choice,
            decision.ids,
            decision.marks,
        )

    def _note_performed(self, line: dict[str, Any]) -> None:
        self.last_step = self.book.read(line)

    def _following(self, edit: Edit, step: DecisionStep) -> DecisionStep:
        """The step, and what the other decisions come to that made or meet the edited tags."""
        decided = {each.key: each.after for each in step}
        keys = dict.fromkeys(decided)
        for tag in (*edit.removed, *edit.added, *self._passed_on(decided)):
            keys |= dict.fromkeys(self.book.owners(tag.key))
            keys |= dict.fromkeys(self.book.at(tag.record_id, tag.tag.span))
        after = _TagsAfter(self, edit, decided)
        changes: list[DecisionChange] = []
        for key in keys:
            before = self.book.find(key)
            wanted = decided.get(key, before)
            now = self._followed(wanted, after) if wanted else None
            if key in decided or now is not before:
                changes.append(DecisionChange(key, before, now))
        return tuple(changes)

    def _passed_on(self, decided: Mapping[DisagreementKey, Decision | None]) -> Iterator[PlacedTag]:
        """The tags that what is decided makes no longer, or makes from now on; both are there."""
        for key, after in decided.items():
            before = self.book.find(key)
            made = set(before.made if before else ()) ^ set(after.made if after else ())
            there = (self.find(key.record_id, each) for each in sorted(made))
            yield from filter(None, there)

    def _followed(self, decision: Decision, after: "_TagsAfter") -> Decision:
        """What a decision comes to: the tags that it made, and those by hand that reach into it.

        What another decision made is none of its business where the two are about places that
        overlap, and shared where it was drawn into this one's place by hand.
        """
        key = decision.key
        found = {each: tag.tag.mark for each in decision.made if (tag := after.find(key, each))}
        if decision.choice.is_automatic and tuple(found.values()) == decision.marks:
            return decision
        shared: dict[str, TagMark] = {}
        for tag in after.meeting(key, self._view):
            makers = after.makers(tag)
            if not any(each.span.overlaps(key.span) for each in makers):
                (shared if makers else found)[tag.tag_id] = tag.tag.mark
        ids = {mark: each for each, mark in (*found.items(), *shared.items())}
        if ids == dict(zip(decision.marks, decision.ids, strict=True)):
            return decision
        marks = tuple(sorted(ids))
        return replace(
            decision,
            choice=choice_of(key.sides, marks),
            marks=marks,
            ids=tuple(ids[each] for each in marks),
            shared=frozenset(shared),
        )


def _with_ids(decision: Decision | None, ids: Mapping[TagKey, str]) -> Decision | None:
    """The decision with the ids that its tags have now."""
    if decision is None:
        return None
    of = decision.key.record_id
    return replace(
        decision,
        ids=tuple(ids.get((of, each), each) for each in decision.ids),
        shared=frozenset(ids.get((of, each), each) for each in decision.shared),
    )


class _NoJournal:
    """Takes no edits: the gold standard is only looked at."""

    def append(self, entry: Mapping[str, Any]) -> None:
        raise AssertionError(f"an edit of a gold standard that is only read: {entry['op']}")


def read_gold(project: Project, patient_id: str) -> GoldLayer:
    """Return the gold standard of a patient as files and journal have it, to be looked at.

    Raises FileError where one of them cannot be read, or a file is not what the journal says.
    """
    view, path = MergedView(project.patient(patient_id)), project.journal_path(GOLD, patient_id)
    lines, layers = read_journal(path), dict[str, Layer]()
    for document in view.patient.documents:
        layers[document.record_id] = project.read_layer(GOLD, document).layer
    try:
        return GoldLayer(view, layers, lines, _NoJournal(), "")
    except MALFORMED:
        raise FileFormatError(path, "holds an entry that Tandem cannot read") from None


class _TagsAfter:
    """The tags of a gold standard, and the decisions that made them, as after an edit."""

    def __init__(
        self, gold: GoldLayer, edit: Edit, decided: Mapping[DisagreementKey, Decision | None]
    ) -> None:
        self._gold = gold
        self._changed: dict[TagKey, PlacedTag | None] = dict.fromkeys(
            each.key for each in edit.removed
        )
        self._changed |= {each.key: each for each in edit.added}
        self._added = SpanIndex(edit.added)
        self._decided = decided
        self._made: dict[TagKey, list[DisagreementKey]] = {}
        for key, decision in decided.items():
            for tag_id in decision.made if decision else ():
                self._made.setdefault((key.record_id, tag_id), []).append(key)

    def find(self, key: DisagreementKey, tag_id: str) -> PlacedTag | None:
        tag = key.record_id, tag_id
        return self._changed[tag] if tag in self._changed else self._gold.find(*tag)

    def meeting(self, key: DisagreementKey, view: MergedView) -> list[PlacedTag]:
        """The tags in the place of a decision."""
        place = view.merged_span(key.record_id, key.span)
        there = self._gold.tags.query(place.start, place.end)
        kept = [each for each in there if each.key not in self._changed]
        return [*kept, *self._added.query(place.start, place.end)]

    def makers(self, tag: PlacedTag) -> list[DisagreementKey]:
        known = self._gold.book.owners(tag.key)
        others = [each for each in known if each not in self._decided]
        return [*others, *self._made.get(tag.key, ())]
