"""How far the gold standard of a patient is: the one answer for windows and commands.

{"op": "done", "at": …}                       the adjudicator's word
{"op": "begun", "at": …}                      taken back, by an edit or on purpose
{"op": "skip", "at": …, "reason": "scans"}    left out for now; what was decided stays
{"op": "resume", "at": …}                     no more left out
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class GoldState(StrEnum):
    """How far the adjudication of a patient is, whatever the annotators do."""

    TO_DO = "to do"
    BEGUN = "begun"
    DONE = "done"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class GoldStatus:
    """The state, why the patient was skipped, and whether the gold standard came with the records.

    It came so whatever was edited in it since.
    """

    state: GoldState
    reason: str = ""
    came_with_records: bool = False


def gold_status(
    lines: Sequence[Mapping[str, Any]], record_ids: Iterable[str], *, filed: bool
) -> GoldStatus:
    """Read how far a patient is from the journal of the gold standard, in order.

    `filed` says that every record had a gold standard on disk, which counts as done while nobody
    has changed it.
    """
    worked = [line for line in lines if line["op"] not in ("skip", "resume", "base")]
    came = _were_kept(worked, record_ids) if worked else filed
    words = [line["op"] for line in lines if line["op"] in ("done", "begun", "skip", "resume")]
    if words[-1:] == ["skip"]:
        reasons = [str(line.get("reason", "")) for line in lines if line["op"] == "skip"]
        return GoldStatus(GoldState.SKIPPED, reasons[-1], came)
    said = [each for each in words if each in ("done", "begun")]
    if said[-1:] == ["done"] or (came and not _is_edited(worked)):
        return GoldStatus(GoldState.DONE, came_with_records=came)
    state = GoldState.BEGUN if worked else GoldState.TO_DO
    return GoldStatus(state, came_with_records=came)


def _were_kept(lines: Iterable[Mapping[str, Any]], record_ids: Iterable[str]) -> bool:
    """True where a gold standard of every record was there when the first of them was opened."""
    return {each for line in lines for each in line.get("kept", ())}.issuperset(record_ids)


def _is_edited(lines: Iterable[Mapping[str, Any]]) -> bool:
    return any(
        line["op"] in ("begun", "undo", "redo") or line.get("added") or line.get("removed")
        for line in lines
    )


def saved_digests(lines: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """The digest of each file of the gold standard when it was saved last, by record id."""
    known: dict[str, str] = {}
    for line in lines:
        known |= line.get("digests", {})
    return known
