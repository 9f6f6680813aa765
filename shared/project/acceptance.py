"""How suggestions were accepted, as journals tell it: after how long, and what was changed later.

What came on the screen together is a look. It has lasted, at most, from there until the last of
its suggestions was accepted; so has a list of suggestions that were never on the screen, from the
edit before. A look is hasty where that leaves each of the suggestions accepted in it less than a
fixation of the eye, which in reading takes 200 to 250 ms (Rayner: Eye movements in reading and
information processing, 1998): not every one of them can have been looked at. Who is hasty in more
than half of the looks, by a sign test, is flagged. That errs on the side of the annotator: what
else was done in the time counts as looking, and a pause as a minute of it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import comb
from statistics import median
from typing import Any

from shared.project.pace import time_of
from shared.project.reading_progress import LOOK, PAUSE

FIXATION = 0.25
"""Seconds."""
LEAST_TOGETHER = 4
"""Suggestions accepted in a look for it to be judged: fewer are soon looked at."""
_ONE_IN = 1000
"""How seldom so many looks would be hasty by chance, if half of them were as a rule."""
_EDITS = ("edit", "undo", "redo")

_Key = tuple[str, str]
_Place = tuple[int, int, str, str]


@dataclass(frozen=True, slots=True)
class Look:
    """So many suggestions accepted of what came on the screen together, in so many seconds."""

    accepted: int
    seconds: float

    @property
    def is_hasty(self) -> bool:
        return self.seconds < self.accepted * FIXATION


@dataclass(frozen=True, slots=True)
class Acceptances:
    """The suggestions that somebody accepted; `waits` are the seconds since each came on screen.

    `changed` of them are not as they were accepted any more, or gone.
    """

    waits: tuple[float, ...] = ()
    looks: tuple[Look, ...] = ()
    changed: int = 0

    @classmethod
    def of(cls, entries: Iterable[Mapping[str, Any]]) -> "Acceptances":
        """Read the journal of one annotator on one patient.

        Raises ValueError where a time cannot be read, KeyError or TypeError where an entry makes
        no sense.
        """
        return _JournalReader().read(entries)

    @classmethod
    def sum(cls, parts: Sequence["Acceptances"]) -> "Acceptances":
        return cls(
            tuple(each for part in parts for each in part.waits),
            tuple(each for part in parts for each in part.looks),
            sum(part.changed for part in parts),
        )

    @property
    def median_wait(self) -> float | None:
        """In seconds; None where nothing was accepted."""
        return median(self.waits) if self.waits else None

    @property
    def seconds_each(self) -> float | None:
        """What all looks together left to each suggestion; None where nothing was accepted."""
        return sum(each.seconds for each in self.looks) / len(self.waits) if self.waits else None

    @property
    def judged(self) -> int:
        """The looks in which enough was accepted."""
        return sum(each.accepted >= LEAST_TOGETHER for each in self.looks)

    @property
    def hasty(self) -> int:
        """Those of them that were hasty."""
        return sum(each.is_hasty for each in self.looks if each.accepted >= LEAST_TOGETHER)

    @property
    def is_flagged(self) -> bool:
        """Whether more than half of all looks are hasty, as far as these can tell."""
        judged, hasty = self.judged, self.hasty
        ways = as_many = comb(judged, hasty)
        for each in range(hasty, judged):
            ways = ways * (judged - each) // (each + 1)
            as_many += ways
        return as_many * _ONE_IN < 2**judged


@dataclass(slots=True)
class _JournalReader:
    """A journal as far as it was read."""

    clock: float = 0.0
    """Seconds of work so far; a pause counts as the shortest one."""
    at: datetime | None = None
    edited: float = 0.0
    seen: dict[str, list[tuple[int, int, float]]] = field(
        default_factory=dict[str, list[tuple[int, int, float]]]
    )
    tags: dict[_Key, _Place] = field(default_factory=dict[_Key, _Place])
    accepted: dict[_Key, _Place] = field(default_factory=dict[_Key, _Place])
    waits: list[float] = field(default_factory=list[float])
    looks: dict[tuple[bool, float], Look] = field(default_factory=dict[tuple[bool, float], Look])
    """By whether and when they began."""

    def read(self, entries: Iterable[Mapping[str, Any]]) -> Acceptances:
        for entry in entries:
            self._go_on(entry)
            if entry["op"] == "seen":
                since = max(0.0, self.clock - LOOK.total_seconds())
                stretch = int(entry["start"]), int(entry["end"]), since
                self.seen.setdefault(str(entry["record"]), []).append(stretch)
            elif entry["op"] in _EDITS:
                self._edit(entry)
        changed = sum(self.tags.get(key) != place for key, place in self.accepted.items())
        return Acceptances(tuple(self.waits), tuple(self.looks.values()), changed)

    def _go_on(self, entry: Mapping[str, Any]) -> None:
        if "at" in entry:
            now = time_of(str(entry["at"]))
            if self.at is not None:
                gap = min(now - self.at, PAUSE).total_seconds()
                self.clock += max(0.0, gap)
            self.at = now

    def _edit(self, entry: Mapping[str, Any]) -> None:
        is_acceptance = entry["op"] == "edit" and str(entry["what"]).startswith("accept ")
        for row in entry["removed"]:
            self.tags.pop(_key(row), None)
        for row in entry["added"]:
            self.tags[_key(row)] = _place(row)
            if is_acceptance:
                self._accept(row)
        self.edited = self.clock

    def _accept(self, row: Mapping[str, Any]) -> None:
        self.accepted[_key(row)] = _place(row)
        start, end = int(row["start"]), int(row["end"])
        shown = self.seen.get(str(row["record"]), ())
        since = next((since for low, high, since in shown if low < end and start < high), None)
        look = (since is not None, self.edited if since is None else since)
        seconds = self.clock - look[1]
        self.waits.append(seconds)
        before = self.looks.get(look)
        self.looks[look] = Look((before.accepted if before else 0) + 1, seconds)


def _key(row: Mapping[str, Any]) -> _Key:
    return str(row["record"]), str(row["id"])


def _place(row: Mapping[str, Any]) -> _Place:
    return int(row["start"]), int(row["end"]), str(row["category"]), str(row["type"])
