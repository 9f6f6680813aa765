"""A list of disagreements with what would be decided about each, to be ticked and taken at once."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from adjudicator.proposals import Proposal
from shared.widgets.parts.review_list import ReviewList, ReviewModel

_RECORD, _KIND, _BEFORE, _TEXT, _AFTER, _TYPES, _SAID = range(7)
_WIDTHS = (92, 126, 220, 180, 220, 120)


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One disagreement: what would stand in the gold standard, and what speaks for it."""

    proposal: Proposal
    kind: str
    before: str
    text: str
    after: str
    types: str
    said: str


class ProposalModel(ReviewModel[ReviewRow]):
    """The proposals and which of them are ticked."""

    heads = ("Record", "Differs in", "", "Gold standard", "", "As", "Decided so")
    before = _BEFORE
    bold = frozenset({_TEXT, _TYPES})

    def cells(self, row: ReviewRow) -> tuple[str, ...]:
        record_id = row.proposal.disagreement.record_id
        return record_id, row.kind, row.before, row.text, row.after, row.types, row.said


class ReviewDialog(ReviewList[ReviewRow]):
    """Shows proposals, all of them ticked."""

    hint = "; Space ticks and unticks, Enter decides"

    def __init__(
        self, title: str, rows: Iterable[ReviewRow], parent: QWidget | None = None
    ) -> None:
        super().__init__(ProposalModel(), title, "&Decide", _WIDTHS, parent)
        self.setObjectName("reviewDialog")
        self._table.setAccessibleName("Disagreements to decide as before")
        self.set_rows(rows)
        self.resize(1240, 560)
