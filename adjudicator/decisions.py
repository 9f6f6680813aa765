"""What the adjudicator decided, and about what.

The decisions stand in the journal of the gold standard, each in the line of the edit that it
made, so that the journal is the decision log:

{"op": "edit", "by": "carol", "at": …, "number": 7, "removed": […], "added": […], "decisions":
[{"record": "110-02", "kind": "type", "sides": [[[12, 19, "NAME", "DOCTOR"]], [[12, 19, "NAME",
"PATIENT"]]], "choice": "first", "ids": ["P4"], "tags": [[12, 19, "NAME", "DOCTOR"]]}]}

`choice` is null where a decision was taken back. A remark on a disagreement, decided or not, is a
line of its own (`shared/project/gold_remarks.py`).

Offsets are those of the record; no text. A tag that the decision about a disagreement beside this
one made, and that reaches into it, is among `ids` and `tags` too, and `shared` names it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from typing import Any

from adjudicator.disagreements import Disagreement, DisagreementKey
from shared.errors import RequestError
from shared.metrics.alignment import DifferenceKind, TagMark
from shared.project.gold_remarks import marks_from_entry, marks_to_entry, sides_from_entry


class DecisionChoice(StrEnum):
    """Whose tags a decision takes over; the last two are made on opening and ask nobody.

    Annotators are counted in the order of the project.
    """

    FIRST = "first"
    SECOND = "second"
    THIRD = "third"
    FOURTH = "fourth"
    FIFTH = "fifth"
    SIXTH = "sixth"
    SEVENTH = "seventh"
    EIGHTH = "eighth"
    BOTH = "both"
    """What all sides say together."""
    NEITHER = "neither"
    EDITED = "edited"
    AGREED = "agreed"
    """All annotators say this."""
    KEPT = "kept"
    """The gold standard said this before there was any decision."""

    @property
    def is_automatic(self) -> bool:
        return self in (DecisionChoice.AGREED, DecisionChoice.KEPT)

    @property
    def side(self) -> int | None:
        """The annotator whose tags it takes, counted from 0."""
        return SIDES.index(self) if self in SIDES else None


SIDES = tuple(DecisionChoice)[:8]
"""The choices that take one annotator's tags, in the order of the annotators."""


class DecisionMode(StrEnum):
    """How the adjudicator came to decide something."""

    INDIVIDUAL = "looked at"
    """It was on show when it was decided."""
    SAME_TEXT = "alike"
    """Along with another that says the same of the same words."""
    AS_BEFORE = "as before"
    """By the key that takes what was decided about the like."""
    REVIEWED = "reviewed"
    """Ticked in a list of what was decided before, or has the same pattern."""
    EDITED_AFTER = "edited after"
    """The gold standard was changed since, and the decision did not follow; never in a journal."""


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided about one disagreement.

    `marks` are what the gold standard has for it, and `ids` name those tags there, in the same
    order; those of `shared` were made by the decision about a disagreement beside it. `number` is
    that of the edit in the journal, `by` and `at` (ISO 8601) say who and when.
    """

    key: DisagreementKey
    kind: DifferenceKind
    choice: DecisionChoice
    marks: tuple[TagMark, ...] = ()
    ids: tuple[str, ...] = ()
    mode: DecisionMode = DecisionMode.INDIVIDUAL
    by: str = ""
    at: str = ""
    number: int = 0
    shared: frozenset[str] = frozenset()

    @property
    def made(self) -> tuple[str, ...]:
        """The ids of the tags that go when it is decided otherwise."""
        return tuple(each for each in self.ids if each not in self.shared)


@dataclass(frozen=True, slots=True)
class DecisionChange:
    """How one decision changed: None before where it was open, None after where it is again."""

    key: DisagreementKey
    before: Decision | None
    after: Decision | None

    def reversed(self) -> "DecisionChange":
        return DecisionChange(self.key, self.after, self.before)


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """What a decision is to be; the marks are in offsets of the record."""

    disagreement: Disagreement
    choice: DecisionChoice
    marks: tuple[TagMark, ...]
    mode: DecisionMode = DecisionMode.INDIVIDUAL


DecisionStep = tuple[DecisionChange, ...]
"""What one edit changes."""


def chosen_marks(disagreement: Disagreement, choice: DecisionChoice) -> tuple[TagMark, ...]:
    """Return what the gold standard gets by a choice that one key makes.

    Only NEITHER says that there is no tag. Raises RequestError where all are wanted and overlap,
    where the annotator has no tag, or where there are fewer annotators.
    """
    sides = disagreement.key.sides
    if choice is DecisionChoice.NEITHER:
        return ()
    if choice is DecisionChoice.BOTH:
        marks = joined(sides)
        if marks is None:
            of_whom = "the two" if len(sides) == 2 else "several annotators"
            raise RequestError(f"the tags of {of_whom} overlap: take one of them, or edit (E)")
        return marks
    if choice.side is None:
        raise ValueError(f"{choice} does not say which tags it makes")
    if choice.side >= len(sides):
        raise RequestError(f"there is no {choice} annotator here, only {len(sides)}")
    if not sides[choice.side]:
        raise RequestError(f"the {choice} annotator has no tag here; 0 for no tag")
    return sides[choice.side]


def possible_choices(disagreement: Disagreement) -> tuple[DecisionChoice, ...]:
    """The choices that one key makes: of sides with a tag, BOTH only of several that are apart."""
    sides = disagreement.key.sides
    tagged = [choice for choice, side in zip(SIDES, sides, strict=False) if side]
    both = () if len(tagged) < 2 or joined(sides) is None else (DecisionChoice.BOTH,)
    return (*tagged, *both, DecisionChoice.NEITHER)


def choice_of(sides: Sequence[tuple[TagMark, ...]], marks: tuple[TagMark, ...]) -> DecisionChoice:
    """Return the choice that says what these marks say; EDITED where none does."""
    if not marks:
        return DecisionChoice.NEITHER
    for choice, side in zip(SIDES, sides, strict=False):
        if side == marks:
            return choice
    return DecisionChoice.BOTH if joined(sides) == marks else DecisionChoice.EDITED


def joined(sides: Sequence[tuple[TagMark, ...]]) -> tuple[TagMark, ...] | None:
    """Return what all sides say together; None where tags of two overlap and are not the same."""
    overlap = any(
        one[0].overlaps(other[0]) and one != other
        for first, second in combinations(sides, 2)
        for one in first
        for other in second
    )
    if overlap:
        return None
    return tuple(sorted(dict.fromkeys(mark for side in sides for mark in side)))


def decisions_from_line(
    line: Mapping[str, Any],
) -> Iterator[tuple[DisagreementKey, Decision | None]]:
    """Yield what a line of the journal decided; None where it took a decision back."""
    for entry in line.get("decisions", ()):
        key = _key_from_entry(entry)
        if not entry["choice"]:
            yield key, None
            continue
        yield (
            key,
            Decision(
                key,
                DifferenceKind(entry["kind"]),
                DecisionChoice(entry["choice"]),
                marks_from_entry(entry["tags"]),
                tuple(entry["ids"]),
                DecisionMode(entry.get("way", DecisionMode.INDIVIDUAL)),
                line.get("by", ""),
                line.get("at", ""),
                int(line["number"]),
                frozenset(entry.get("shared", ())),
            ),
        )


def decision_to_entry(change: DecisionChange) -> dict[str, Any]:
    known = change.after or change.before
    entry: dict[str, Any] = {
        "record": change.key.record_id,
        "kind": known.kind.value if known else None,
        "sides": [marks_to_entry(side) for side in change.key.sides],
        "choice": change.after.choice.value if change.after else None,
    }
    if change.after:
        entry["ids"] = list(change.after.ids)
        entry["tags"] = marks_to_entry(change.after.marks)
        if change.after.mode not in (DecisionMode.INDIVIDUAL, DecisionMode.EDITED_AFTER):
            entry["way"] = change.after.mode.value
        if change.after.shared:
            entry["shared"] = sorted(change.after.shared)
    return entry


def _key_from_entry(entry: Mapping[str, Any]) -> DisagreementKey:
    return DisagreementKey(entry["record"], sides_from_entry(entry["sides"]))
