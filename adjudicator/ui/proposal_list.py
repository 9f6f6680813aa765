"""The list of what could be decided as was decided before, to be ticked."""

from collections.abc import Iterable
from dataclasses import dataclass

from PySide6.QtWidgets import QWidget

from adjudicator.difference import context
from adjudicator.precedents import PrecedentProposal
from adjudicator.questions import kind_words, marked_text, marked_types, times_words
from adjudicator.session import AdjudicationSession
from shared.widgets.parts.review_list import ReviewList, ReviewModel

_BEFORE, _TEXT, _TYPES = 2, 3, 5
_WIDTHS = (92, 126, 220, 180, 220, 120)


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One disagreement: what would stand in the gold standard, and what speaks for it."""

    proposal: PrecedentProposal
    cells: tuple[str, ...]


def proposal_row(
    session: AdjudicationSession, proposal: PrecedentProposal, said: str = ""
) -> ProposalRow:
    """The row of a proposal; `said` is what speaks for it if not how often it was decided so."""
    disagreement, precedent = proposal.disagreement, proposal.precedent
    before, after = context(session.view, disagreement)
    cells = (
        disagreement.record_id,
        kind_words(session, disagreement),
        before,
        marked_text(session, disagreement, precedent.marks),
        after,
        marked_types(precedent.marks),
        said or f"{times_words(precedent)} ({precedent.level.value})",
    )
    return ProposalRow(proposal, cells)


class ProposalModel(ReviewModel[ProposalRow]):
    """The proposals and which of them are ticked."""

    heads = ("Record", "Differs in", "", "Gold standard", "", "As", "Decided this way")
    before = _BEFORE
    bold = frozenset({_TEXT, _TYPES})

    def cells(self, row: ProposalRow) -> tuple[str, ...]:
        return row.cells


class ProposalDialog(ReviewList[ProposalRow]):
    """Shows proposals, all of them ticked."""

    hint = "; Space ticks and unticks, Enter decides"

    def __init__(
        self, title: str, rows: Iterable[ProposalRow], parent: QWidget | None = None
    ) -> None:
        super().__init__(ProposalModel(), title, "&Decide", _WIDTHS, parent)
        self.setObjectName("reviewDialog")
        self._table.setAccessibleName("Disagreements to decide as before")
        self.set_rows(rows)
        self.resize(1240, 560)
