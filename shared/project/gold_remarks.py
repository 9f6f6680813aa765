"""What the adjudicator remarked on places of a patient, in the journal of the gold standard.

{"op": "note", "by": "carol", "at": …, "record": "110-02", "sides": [[[12, 19, "NAME", "DOCTOR"]],
[[12, 19, "NAME", "PATIENT"]]], "reason": "title", "discuss": true}

`sides` hold what each annotator marked there, in offsets of the record. A remark replaces the one
before on the same record and sides.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from shared.metrics.alignment import TagMark
from shared.model import PhiType, Span

MarkedSides = tuple[tuple[TagMark, ...], ...]
"""What each annotator marked, in the order of the project's annotators."""


@dataclass(frozen=True, slots=True)
class Remark:
    """What the adjudicator remarked on a disagreement; `discuss` asks to talk about it."""

    reason: str = ""
    discuss: bool = False
    by: str = ""
    at: str = ""

    def __bool__(self) -> bool:
        return self.discuss or bool(self.reason)


@dataclass(frozen=True, slots=True)
class PlacedReason:
    """A reason that the adjudicator gave, and for which stretch of a record."""

    record_id: str
    span: Span
    reason: str


def placed_reasons(lines: Iterable[Mapping[str, Any]]) -> list[PlacedReason]:
    """Return the reasons that a journal gives, without what any annotator marked.

    KeyError, TypeError or ValueError say that a line makes no sense.
    """
    remarks: dict[tuple[str, MarkedSides], Remark] = {}
    for line in lines:
        if line["op"] == "note":
            record_id, sides, remark = remark_from_line(line)
            remarks[record_id, sides] = remark
    return [
        PlacedReason(record_id, marked_span(sides), each.reason)
        for (record_id, sides), each in remarks.items()
        if each.reason
    ]


def remark_from_line(line: Mapping[str, Any]) -> tuple[str, MarkedSides, Remark]:
    """Return the record, what was marked there, and the remark of a line that holds one."""
    remark = Remark(
        str(line["reason"]), bool(line["discuss"]), line.get("by", ""), line.get("at", "")
    )
    return str(line["record"]), sides_from_entry(line["sides"]), remark


def remark_to_entry(record_id: str, sides: MarkedSides, remark: Remark) -> dict[str, Any]:
    about = {"record": record_id, "sides": [marks_to_entry(side) for side in sides]}
    return about | {"reason": remark.reason, "discuss": remark.discuss}


def marked_span(sides: MarkedSides) -> Span:
    """From the start of the first mark to the end of the last, in the record."""
    starts = [span.start for side in sides for span, _ in side]
    ends = [span.end for side in sides for span, _ in side]
    return Span(min(starts), max(ends))


def sides_from_entry(rows: Iterable[Iterable[list[Any]]]) -> MarkedSides:
    sides = tuple(marks_from_entry(side) for side in rows)
    if not any(sides):
        raise ValueError("a disagreement about nothing")
    return sides


def marks_to_entry(marks: Iterable[TagMark]) -> list[list[Any]]:
    return [[span.start, span.end, each.category, each.name] for span, each in marks]


def marks_from_entry(rows: Iterable[list[Any]]) -> tuple[TagMark, ...]:
    return tuple([(Span(start, end), _phi_type(*named)) for start, end, *named in rows])


_phi_type = lru_cache(maxsize=1024)(PhiType)
