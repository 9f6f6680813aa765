"""The list of what is to be decided along with others, or as it was before, to be ticked."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain, repeat

from PySide6.QtWidgets import QWidget

from adjudicator.decisions import DecisionRequest
from adjudicator.difference import context
from adjudicator.precedents import PrecedentProposal
from adjudicator.questions import kind_words, marked_text, marked_types, state_words, times_words
from adjudicator.session import AdjudicationSession
from shared.widgets.parts.review_list import ReviewList, ReviewModel, as_line_runs

_BEFORE, _TEXT, _TYPES = 2, 3, 5


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One disagreement: what would stand in the gold standard, and what speaks for it."""

    request: DecisionRequest
    cells: tuple[str, ...]


def proposal_row(
    session: AdjudicationSession, proposal: PrecedentProposal, said: str = ""
) -> ProposalRow:
    """The row of a proposal; `said` is what speaks for it if not how often it was decided so."""
    precedent = proposal.precedent
    times = f"{times_words(precedent)} ({precedent.level.value})"
    return _row(session, proposal.request(), said or times)


def similar_rows(
    session: AdjudicationSession, requests: Sequence[DecisionRequest]
) -> list[ProposalRow]:
    """The rows of a decision, which comes first, and of the similar ones that follow it."""
    return [
        _row(session, each, f"{which}, {state_words(session, each.disagreement)}")
        for which, each in zip(chain(["this one"], repeat("same words")), requests, strict=False)
    ]


def _row(session: AdjudicationSession, request: DecisionRequest, why: str) -> ProposalRow:
    disagreement = request.disagreement
    before, after = context(session.view, disagreement)
    cells = (
        disagreement.record_id,
        kind_words(session, disagreement),
        *as_line_runs(before, marked_text(session, disagreement, request.marks), after),
        marked_types(request.marks),
        why,
    )
    return ProposalRow(request, cells)


class ProposalModel(ReviewModel[ProposalRow]):
    """The proposals and which of them are ticked."""

    heads = ("Record", "Differs in", "", "Gold standard", "", "As", "Why")
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
        super().__init__(ProposalModel(), title, "&Decide", parent)
        self.setObjectName("reviewDialog")
        self._table.setAccessibleName("Disagreements to decide")
        self.set_rows(rows)
        self.resize(1240, 560)
