"""Fixes of several places, listed to be ticked before any of them is made."""

from collections.abc import Callable, Sequence

from shared.consistency.findings import Finding
from shared.model import PhiType
from shared.project.edits import PlacedTag
from shared.project.tag_operations import TagChange
from shared.widgets.document.document_view import DocumentView
from shared.widgets.findings.finding_service import merged_span
from shared.widgets.tags.place_list import PlaceRow, place_row, review_places


def review_findings(
    view: DocumentView, findings: Sequence[Finding], take: Callable[[Sequence[Finding]], object]
) -> None:
    """Let the user tick which of these findings to fix."""

    def row(finding: Finding) -> PlaceRow:
        span = merged_span(view.merged_view, finding)
        return place_row(view.merged_view, span, finding.type_name)

    review_places("Fix all similar", "&Fix", findings, row, view, take)


def review_changes(
    view: DocumentView,
    changes: Sequence[TagChange],
    phi_type: PhiType,
    take: Callable[[Sequence[TagChange]], object],
) -> None:
    """Let the user tick which of these tags to make a type, or to drop where it is there."""
    there = [(placed, mark) for placed, mark in changes if placed is not None]

    def row(change: tuple[PlacedTag, object]) -> PlaceRow:
        placed, _ = change
        return place_row(view.merged_view, placed.span, f"now {placed.phi_type.name}")

    review_places("Apply to all", f"&Make {phi_type.name}", there, row, view, take)
