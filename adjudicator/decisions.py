"""What the adjudicator decided, and about what.

The decisions stand in the journal of the gold standard, each in the line of the edit that it
made, so that the journal is the decision log:

{"op": "edit", "by": "carol", "at": …, "number": 7, "removed": […], "added": […], "decisions":
[{"record": "110-02", "kind": "type", "sides": [[[12, 19, "NAME", "DOCTOR"]], [[12, 19, "NAME",
"PATIENT"]]], "choice": "first", "ids": ["P4"], "tags": [[12, 19, "NAME", "DOCTOR"]]}]}

`choice` is null where a decision was taken back. Offsets are those of the record; no text.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from adjudicator.disagreements import Disagreement, DisagreementKey, TagMark
from shared.agreement.pairing import PairingKind
from shared.errors import RequestError
from shared.model import PhiType, Span


class Choice(StrEnum):
    """Whose tags a decision takes over; the last two are made on opening and ask nobody."""

    FIRST = "first"
    SECOND = "second"
    BOTH = "both"
    NEITHER = "neither"
    EDITED = "edited"
    AGREED = "agreed"
    """All annotators say this."""
    KEPT = "kept"
    """The gold standard said this before there was any decision."""

    @property
    def is_automatic(self) -> bool:
        return self in (Choice.AGREED, Choice.KEPT)


KEYED = (Choice.FIRST, Choice.SECOND, Choice.BOTH, Choice.NEITHER)
"""The choices that one key makes."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one disagreement.

    `marks` are what the gold standard has for it, and `ids` name those tags there, in the same
    order. `number` is that of the edit in the journal, `by` and `at` (ISO 8601) say who and when.
    """

    key: DisagreementKey
    kind: PairingKind
    choice: Choice
    marks: tuple[TagMark, ...] = ()
    ids: tuple[str, ...] = ()
    reason: str = ""
    by: str = ""
    at: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class DecisionChange:
    """How one decision changed: None before where it was open, None after where it is again."""

    key: DisagreementKey
    before: Decision | None
    after: Decision | None

    def reversed(self) -> "DecisionChange":
        return DecisionChange(self.key, self.after, self.before)


DecisionStep = tuple[DecisionChange, ...]
"""What one edit changes."""


def chosen_marks(disagreement: Disagreement, choice: Choice) -> tuple[TagMark, ...]:
    """Return what the gold standard gets by one of the keyed choices, or by AGREED.

    Raises RequestError where both are wanted and overlap.
    """
    sides = disagreement.key.sides
    match choice:
        case Choice.FIRST | Choice.AGREED:
            return sides[0]
        case Choice.SECOND:
            return sides[1]
        case Choice.BOTH:
            return _both(sides)
        case Choice.NEITHER:
            return ()
        case Choice.EDITED | Choice.KEPT:
            raise ValueError(f"{choice} does not say which tags it makes")


def possible_choices(disagreement: Disagreement) -> tuple[Choice, ...]:
    """The keyed choices that it allows: BOTH only where the sides do not overlap."""
    overlap = _overlap(disagreement.key.sides)
    return tuple(each for each in KEYED if not (overlap and each is Choice.BOTH))


def decisions_to_entries(step: Iterable[DecisionChange]) -> list[dict[str, Any]]:
    return [_change_to_entry(change) for change in step]


def decisions_from_line(
    line: Mapping[str, Any],
) -> Iterator[tuple[DisagreementKey, Decision | None]]:
    """Yield what a line of the journal decided; None where it took a decision back."""
    for entry in line.get("decisions", ()):
        key = _key_from_entry(entry)
        yield key, _decision_from_entry(key, entry, line) if entry["choice"] else None


def _both(sides: tuple[tuple[TagMark, ...], ...]) -> tuple[TagMark, ...]:
    if _overlap(sides):
        raise RequestError("the tags of the two overlap: take one of them, or edit (E)")
    return tuple(sorted(dict.fromkeys(mark for side in sides for mark in side)))


def _overlap(sides: tuple[tuple[TagMark, ...], ...]) -> bool:
    first, *others = sides
    return any(
        span.overlaps(other) and (span, phi_type) != (other, other_type)
        for side in others
        for other, other_type in side
        for span, phi_type in first
    )


def _change_to_entry(change: DecisionChange) -> dict[str, Any]:
    known = change.after or change.before
    entry: dict[str, Any] = {
        "record": change.key.record_id,
        "kind": known.kind.value if known else None,
        "sides": [_marks_to_entry(side) for side in change.key.sides],
        "choice": change.after.choice.value if change.after else None,
    }
    if change.after:
        entry["ids"] = list(change.after.ids)
        entry["tags"] = _marks_to_entry(change.after.marks)
        if change.after.reason:
            entry["reason"] = change.after.reason
    return entry


def _key_from_entry(entry: Mapping[str, Any]) -> DisagreementKey:
    sides = tuple(_marks_from_entry(side) for side in entry["sides"])
    return DisagreementKey(entry["record"], sides)


def _decision_from_entry(
    key: DisagreementKey, entry: Mapping[str, Any], line: Mapping[str, Any]
) -> Decision:
    return Decision(
        key,
        PairingKind(entry["kind"]),
        Choice(entry["choice"]),
        _marks_from_entry(entry["tags"]),
        tuple(entry["ids"]),
        entry.get("reason", ""),
        line.get("by", ""),
        line.get("at", ""),
        int(line["number"]),
    )


def _marks_to_entry(marks: Iterable[TagMark]) -> list[list[Any]]:
    return [[span.start, span.end, each.category, each.name] for span, each in marks]


def _marks_from_entry(rows: Iterable[list[Any]]) -> tuple[TagMark, ...]:
    return tuple((Span(row[0], row[1]), PhiType(row[2], row[3])) for row in rows)
