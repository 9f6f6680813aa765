"""Untagged places that may be PHI, and which of them count where they overlap."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.consistency.findings import LIKELY, Finding, FindingKind, TagMark
from shared.consistency.patient_records import CheckedRecord, TaggedText
from shared.model import PhiType, Span
from shared.text.overlaps import resolve_overlaps

_RANKS = {kind: rank for rank, kind in enumerate(FindingKind)}


@dataclass(frozen=True, slots=True)
class UntaggedCandidate:
    """A place of one record that may be PHI; `source` is the tagged text that says so, if any.

    `phi_type` is None where the schema has no type for what stands there.
    """

    span: Span
    kind: FindingKind
    phi_type: PhiType | None
    certainty: float
    why: str
    source: TaggedText | None = None

    def finding(self, record: CheckedRecord, fix: tuple[TagMark, ...] | None) -> Finding:
        """Return the finding that it is in its record, with the tags that would fix it."""
        tagged_at = self.source.tagged_at if self.source else ()
        return record.finding(
            self.span, self.phi_type, self.kind, self.why, self.certainty, tagged_at, fix
        )

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end


def lookalike(
    span: Span, what: str, phi_type: PhiType | None, certainty: float
) -> UntaggedCandidate:
    """A place that looks like what it is said to be, `an age`, and that no tag touches."""
    why = f"this looks like {what}, and nothing here is tagged"
    return UntaggedCandidate(span, FindingKind.LOOKALIKE, phi_type, certainty, why)


def best_candidates(candidates: Iterable[UntaggedCandidate]) -> list[UntaggedCandidate]:
    """Of candidates that overlap keep the likely, the longest, the surest kind, the first."""
    return resolve_overlaps(candidates, _order)


def _order(each: UntaggedCandidate) -> tuple[bool, int, int, float, Span]:
    return (
        each.certainty < LIKELY,
        -len(each.span),
        _RANKS[each.kind],
        -each.certainty,
        each.span,
    )
