"""The gold standard of a patient while it is adjudicated: its tags, and the decisions behind them.

Tags, undo, journal and saving are those of the annotation window. What comes on top is the one
place where decisions and tags are kept in agreement: every edit may carry decisions, a decision
follows when a tag that it made is edited by hand, and both are one line of the journal.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from adjudicator.decision_book import DecisionBook, TagKey
from adjudicator.decisions import (
    Decision,
    DecisionChange,
    DecisionChoice,
    DecisionStep,
    Remark,
    decision_to_entry,
    remark_to_entry,
)
from adjudicator.disagreements import DisagreementKey
from shared.metrics.alignment import TagMark
from shared.model import Layer, MergedView
from shared.project.edits import Edit, PlacedTag
from shared.project.patient_layer import PatientLayer
from shared.project.safe_journal import SafeJournal
from shared.project.settings import GOLD


class GoldLayer(PatientLayer):
    """The tags of the gold standard; `book` holds the decisions, `by` is who decides."""

    def __init__(
        self,
        view: MergedView,
        layers: Mapping[str, Layer],
        entries: Iterable[dict[str, Any]],
        journal: SafeJournal,
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
        """Make an edit by hand; the decisions that made the edited tags become edited ones."""
        return self.decide(edit, self._following(edit))

    def decide(self, edit: Edit, step: DecisionStep, **start: list[str]) -> Edit:
        """Make an edit and the decisions that it carries out, as one step, even if empty.

        `started` and `kept` name the records that opening the patient begins with by itself; such
        a step cannot be undone.
        """
        more = {"decisions": [decision_to_entry(each) for each in step]} if step else {}
        return self._perform("edit", edit, **more, **start)

    def note(self, entry: Mapping[str, Any]) -> dict[str, Any]:
        stamp = self._stamp()
        line = {"at": stamp["at"], **entry, "by": stamp["by"]}  # the order that it always had
        self._journal.append(line)
        return line

    def remark(self, key: DisagreementKey, note: Remark) -> None:
        """Keep a remark on a disagreement, in place of the one before."""
        self.book.read(self.note({"op": "note"} | remark_to_entry(key, note)))

    def tags_of(self, decision: Decision) -> list[PlacedTag]:
        """The tags that a decision made and that are still there."""
        found = (self.find(decision.key.record_id, each) for each in decision.ids)
        return [each for each in found if each]

    def holds(self, decision: Decision) -> bool:
        """False where the gold standard lost what was decided, to somebody outside."""
        return tuple(each.tag.mark for each in self.tags_of(decision)) == decision.marks

    def at(self, record_id: str, mark: TagMark) -> PlacedTag | None:
        """The tag with this span and type, if there is one."""
        shift = self._view.section(record_id).start
        around = self.tags.query(mark[0].start + shift, mark[0].end + shift)
        return next((each for each in around if each.tag.mark == mark), None)

    def _note_performed(self, line: dict[str, Any]) -> None:
        self.last_step = self.book.read(line)

    def _following(self, edit: Edit) -> DecisionStep:
        """What the decisions that made the edited tags come to."""
        now: dict[TagKey, PlacedTag | None] = dict.fromkeys(each.key for each in edit.removed)
        now |= {each.key: each for each in edit.added}
        keys = dict.fromkeys(key for each in edit.removed for key in self.book.owners(each.key))
        made = [decision for key in keys if (decision := self.book.find(key))]
        changes = (DecisionChange(each.key, each, _followed(each, now)) for each in made)
        return tuple(each for each in changes if each.after != each.before)


def _followed(decision: Decision, now: Mapping[TagKey, PlacedTag | None]) -> Decision:
    """What a decision comes to where some of its tags are others now, or none."""
    kept: dict[str, TagMark] = {}
    for mark, tag_id in zip(decision.marks, decision.ids, strict=True):
        key = decision.key.record_id, tag_id
        if key not in now:
            kept[tag_id] = mark
        elif tag := now[key]:
            kept[tag_id] = tag.tag.mark
    marks = tuple(kept.values())
    if marks == decision.marks:
        return decision
    choice = DecisionChoice.EDITED if marks else DecisionChoice.NEITHER
    return replace(decision, choice=choice, marks=marks, ids=tuple(kept))
