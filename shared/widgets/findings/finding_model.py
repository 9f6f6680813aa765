"""The findings of a layer as rows: text, kind, type and record, narrowed by words."""

from PySide6.QtCore import Qt

from shared.consistency.findings import Finding
from shared.widgets.parts.row_table import FilteredModel


class FindingModel(FilteredModel[Finding]):
    """The findings that fit the filter."""

    heads = ("Text", "What", "As", "Record")

    def cells(self, row: Finding) -> tuple[str, ...]:
        text = " ".join(row.text.split())
        return text, row.kind.value, row.phi_type.name, row.record_id

    def words(self, row: Finding) -> str:
        return f"{super().words(row)} {row.why}"

    def look(self, row: Finding, column: int, role: int) -> object:  # noqa: ARG002 - of RowModel
        return why_of(row) if role == Qt.ItemDataRole.ToolTipRole else None


def why_of(finding: Finding) -> str:
    """Why it is one, as a sentence, and how sure that is."""
    return f"{finding.why[:1].upper()}{finding.why[1:]} ({finding.certainty:.0%} sure)."
