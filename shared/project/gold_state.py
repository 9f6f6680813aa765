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
    """The state, and why the patient was skipped."""

    state: GoldState
    reason: str = ""


def gold_status(
    lines: Sequence[Mapping[str, Any]], record_ids: Iterable[str], *, filed: bool
) -> GoldStatus:
    """Read how far a patient is from the journal of the gold standard, in order.

    `filed` says that every record had a gold standard on disk, which counts as done while nobody
    has changed it.
    """
    words = [line["op"] for line in lines if line["op"] in ("done", "begun", "skip", "resume")]
    if words[-1:] == ["skip"]:
        reasons = [str(line.get("reason", "")) for line in lines if line["op"] == "skip"]
        return GoldStatus(GoldState.SKIPPED, reasons[-1])
    said = [each for each in words if each in ("done", "begun")]
    worked = [line for line in lines if line["op"] not in ("skip", "resume")]
    is_done = said[-1:] == ["done"] or (_is_unedited(worked, record_ids) if worked else filed)
    if is_done:
        return GoldStatus(GoldState.DONE)
    return GoldStatus(GoldState.BEGUN if worked else GoldState.TO_DO)


def _is_unedited(lines: Iterable[Mapping[str, Any]], record_ids: Iterable[str]) -> bool:
    """True where a gold standard that came with the records was looked at, and not changed."""
    kept: set[str] = set()
    for line in lines:
        if line["op"] in ("begun", "undo", "redo") or line.get("added") or line.get("removed"):
            return False
        kept.update(line.get("kept", ()))
    return kept.issuperset(record_ids)
