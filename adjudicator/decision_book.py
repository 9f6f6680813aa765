"""The decisions that stand, undone and redone edit by edit.

The book only ever changes by a line of the journal, so what stands now and what stands after
opening again are the same by construction.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudicator.decisions import (
    Decision,
    DecisionChange,
    DecisionStep,
    decisions_from_line,
)
from adjudicator.disagreements import DisagreementKey
from shared.errors import FileFormatError
from shared.model import Schema, Span
from shared.outside import MALFORMED
from shared.project.gold_remarks import Remark, remark_from_line
from shared.project.journal import read_journal
from shared.project.project import Project
from shared.project.settings import GOLD
from shared.text.span_index import SpanIndex

TagKey = tuple[str, str]
"""Record and id of a tag of the gold standard."""


@dataclass(frozen=True, slots=True)
class _KeyAt:
    """Where in its record something was decided, whether that stands or not."""

    start: int
    end: int
    key: DisagreementKey


class DecisionBook:
    """Decisions by what they are about and where, and which of them made a tag.

    `lines` are those of a journal; KeyError, TypeError or ValueError say that one makes no sense.
    """

    def __init__(self, lines: Iterable[Mapping[str, Any]] = ()) -> None:
        self._standing: dict[DisagreementKey, Decision] = {}
        self._owners: dict[TagKey, dict[DisagreementKey, None]] = {}
        self._places: dict[str, SpanIndex[_KeyAt]] = {}
        self._done: list[tuple[DecisionStep, bool]] = []
        self._undone: list[tuple[DecisionStep, bool]] = []
        self.remarks: dict[DisagreementKey, Remark] = {}
        """The remarks on disagreements, decided or not."""
        self.started: set[str] = set()
        """The records whose agreements were taken over, or whose gold standard was kept."""
        self.kept: set[str] = set()
        """The records that had a gold standard before there was any decision."""
        for line in lines:
            self.read(line)

    def __iter__(self) -> Iterator[Decision]:
        return iter(self._standing.values())

    @property
    def can_undo(self) -> bool:
        """False at the start, and before what opening the patient did by itself."""
        return bool(self._done) and not self._done[-1][1]

    def find(self, key: DisagreementKey) -> Decision | None:
        return self._standing.get(key)

    def owners(self, tag: TagKey) -> list[DisagreementKey]:
        """What the decisions that made this tag are about."""
        return list(self._owners.get(tag, ()))

    def at(self, record_id: str, span: Span) -> list[DisagreementKey]:
        """What the decisions that stand and reach into a stretch of a record are about."""
        places = self._places.get(record_id)
        found = places.query(span.start, span.end) if places else []
        return [each.key for each in found if each.key in self._standing]

    def check(self, path: Path, schema: Schema, record_ids: Collection[str]) -> None:
        """Refuse what the file at `path`, edited by hand, decides on what there is not.

        Raises FileFormatError for a record that the patient and a type that the schema has not.
        """
        for decision in self:
            record_id, types = decision.key.record_id, [each for _, each in decision.marks]
            strange = [f"the type {each}" for each in types if each not in schema]
            if record_id not in record_ids:
                strange = [f"the record {record_id}"]
            if strange:
                raise FileFormatError(
                    path, f"decides on {strange[0]}, which is not in the project; correct that line"
                )

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
                record_id, sides, remark = remark_from_line(line)
                key = DisagreementKey(record_id, sides)
                self.remarks.pop(key, None)
                self.remarks |= {key: remark} if remark else {}
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

    def _change(self, step: DecisionStep) -> DecisionStep:
        new: dict[str, list[_KeyAt]] = {}
        for change in step:
            key, after = change.key, change.after
            before = self._standing.pop(key, None)
            for tag_id in before.made if before else ():
                self._owners[key.record_id, tag_id].pop(key, None)
            if after is not None:
                self._standing[key] = after
                for tag_id in after.made:
                    self._owners.setdefault((key.record_id, tag_id), {})[key] = None
                place = _KeyAt(key.span.start, key.span.end, key)
                new.setdefault(key.record_id, []).append(place)
        for record_id, places in new.items():
            self._places.setdefault(record_id, SpanIndex()).change(added=places)
        return step


def read_decisions(project: Project, patient_id: str) -> DecisionBook:
    """Return what was decided about a patient. Raises FileError where it cannot be read."""
    path = project.journal_path(GOLD, patient_id)
    lines = read_journal(path)
    try:
        book = DecisionBook(lines)
    except MALFORMED:
        raise FileFormatError(path, "holds an entry that Tandem cannot read") from None
    book.check(path, project.schema, project.record_ids(patient_id))
    return book
