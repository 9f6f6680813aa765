"""Fixes of several places, listed to be ticked before any of them is made."""

from collections.abc import Callable, Sequence

from shared.consistency.findings import Finding
from shared.model import PhiType
from shared.project.tag_operations import TagChange
from shared.widgets.document.document_view import DocumentView
from shared.widgets.findings.finding_service import merged_span
from shared.widgets.tags.place_list import PlaceRow, place_row, review_places


def review_findings(
    view: DocumentView, findings: Sequence[Finding], take: Callable[[Sequence[Finding]], object]
) -> None:
    """Let the user tick which of these findings to fix."""
    merged = view.merged_view
    rows = [
        place_row(merged, merged_span(merged, each), each.type_name, subject=each)
        for each in findings
    ]

    def fix(ticked: Sequence[PlaceRow]) -> None:
        wanted = {row.subject for row in ticked}
        take([each for each in findings if each in wanted])

    review_places("Fix all similar", "&Fix", rows, view.window(), fix)


def review_changes(
    view: DocumentView,
    changes: Sequence[TagChange],
    phi_type: PhiType,
    take: Callable[[Sequence[TagChange]], object],
) -> None:
    """Let the user tick which of these tags to make a type, or to drop where it is there."""
    tags = {number: placed for number, (placed, _) in enumerate(changes) if placed is not None}
    rows = [
        place_row(view.merged_view, placed.span, f"now {placed.phi_type.name}", subject=number)
        for number, placed in tags.items()
    ]

    def change(ticked: Sequence[PlaceRow]) -> None:
        wanted = {row.subject for row in ticked}
        take([each for number, each in enumerate(changes) if number in wanted])

    review_places("Apply to all", f"&Make {phi_type.name}", rows, view.window(), change)
