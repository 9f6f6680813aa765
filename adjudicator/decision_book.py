"""The decisions that stand, undone and redone edit by edit.

The book only ever changes by a line of the journal, so what stands now and what stands after
opening again are the same by construction.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from adjudicator.decisions import (
    Decision,
    DecisionChange,
    DecisionStep,
    Remark,
    decisions_from_line,
    remark_from_line,
)
from adjudicator.disagreements import DisagreementKey

TagKey = tuple[str, str]
"""Record and id of a tag of the gold standard."""


class DecisionBook:
    """Decisions by what they are about, and which of them want a tag of the gold standard."""

    def __init__(self) -> None:
        self._standing: dict[DisagreementKey, Decision] = {}
        self._owners: dict[TagKey, dict[DisagreementKey, None]] = {}
        self._done: list[tuple[DecisionStep, bool]] = []
        self._undone: list[tuple[DecisionStep, bool]] = []
        self.remarks: dict[DisagreementKey, Remark] = {}
        """The remarks on disagreements, decided or not."""
        self.started: set[str] = set()
        """The records whose agreements were taken over, or whose gold standard was kept."""
        self.kept: set[str] = set()
        """The records that had a gold standard before there was any decision."""

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._standing.values())

    @property
    def can_undo(self) -> bool:
        """False at the start, and before what opening the patient did by itself."""
        return bool(self._done) and not self._done[-1][1]

    def find(self, key: DisagreementKey) -> Decision | None:
        return self._standing.get(key)

    def owners(self, tag: TagKey) -> list[DisagreementKey]:
        """What the decisions that want this tag are about."""
        return list(self._owners.get(tag, ()))

    def read(self, line: Mapping[str, Any]) -> DecisionStep:
        """Do what a line of the journal says; lines that are no edit change nothing."""
        match line["op"]:
            case "edit":
                return self._make(line)
            case "undo":
                step, automatic = self._done.pop() if self._done else ((), False)
                self._undone.append((step, automatic))
                return self._change(tuple(each.reversed() for each in step))
            case "redo":
                step, automatic = self._undone.pop() if self._undone else ((), False)
                self._done.append((step, automatic))
                return self._change(step)
            case "note":
                self._note(*remark_from_line(line))
            case _:
                pass
        return ()

    def _make(self, line: Mapping[str, Any]) -> DecisionStep:
        self.started.update(line.get("started", ()))
        self.kept.update(line.get("kept", ()))
        step = tuple(
            DecisionChange(key, self.find(key), after) for key, after in decisions_from_line(line)
        )
        self._done.append((step, "started" in line))
        self._undone.clear()
        return self._change(step)

    def _note(self, key: DisagreementKey, note: Remark) -> None:
        self.remarks.pop(key, None)
        if note:
            self.remarks[key] = note

    def _change(self, step: DecisionStep) -> DecisionStep:
        for change in step:
            self._disown(self._standing.pop(change.key, None))
            if change.after is not None:
                self._standing[change.key] = change.after
                for tag_id in change.after.ids:
                    self._owners.setdefault((change.key.record_id, tag_id), {})[change.key] = None
        return step

    def _disown(self, decision: Decision | None) -> None:
        if decision is not None:
            for tag_id in decision.ids:
                self._owners[decision.key.record_id, tag_id].pop(decision.key, None)
