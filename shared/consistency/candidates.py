"""Untagged places that may be PHI, and which of them count where they overlap."""

from collections.abc import Iterable
from dataclasses import dataclass

from shared.consistency.findings import LIKELY, Finding, Kind, Place, TagMark
from shared.consistency.tagged import Record, TaggedText
from shared.model import PhiType, Span
from shared.text.overlaps import resolve_overlaps

_RANKS = {kind: rank for rank, kind in enumerate(Kind)}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place of one record that may be PHI; `source` is the tagged text that says so, if any."""

    span: Span
    kind: Kind
    phi_type: PhiType
    certainty: float
    why: str
    source: TaggedText | None = None

    @property
    def start(self) -> int:
        return self.span.start

    @property
    def end(self) -> int:
        return self.span.end


def found_at(record: Record, candidate: Candidate, mend: tuple[TagMark, ...] | None) -> Finding:
    """Return the finding that a candidate of a record is, with the tags that would mend it."""
    return Finding(
        record.document.patient_id,
        Place(record.record_id, candidate.span),
        candidate.span.text_in(record.text),
        candidate.phi_type,
        candidate.source.tagged_at if candidate.source else (),
        candidate.kind,
        candidate.why,
        candidate.certainty,
        mend,
    )


def best(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Of candidates that overlap keep the likely, the longest, the surest kind, the first."""
    return resolve_overlaps(candidates, _order)


def _order(each: Candidate) -> tuple[bool, int, int, float, Span]:
    return (
        each.certainty < LIKELY,
        -len(each.span),
        _RANKS[each.kind],
        -each.certainty,
        each.span,
    )
