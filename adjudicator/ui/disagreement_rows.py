"""Disagreements as rows of their table, and how each stands."""

from adjudicator.difference import shown_text
from adjudicator.disagreements import Disagreement
from adjudicator.questions import kind_words, state_word
from adjudicator.session import AdjudicationSession
from adjudicator.ui.disagreement_table import DisagreementRow, RowState
from shared.model import Schema


def row_of(
    session: AdjudicationSession, disagreement: Disagreement, schema: Schema
) -> DisagreementRow:
    types = " / ".join(each.name for each in disagreement.types)
    colour = schema.colour(disagreement.types[0])
    text = shown_text(session.view, disagreement)
    kind = kind_words(session, disagreement)
    return DisagreementRow(disagreement, text, types, kind, disagreement.record_id, colour)


def state_of(session: AdjudicationSession, disagreement: Disagreement) -> RowState:
    note = session.note(disagreement)
    flagged = bool(note and note.discuss)
    return RowState(state_word(session, disagreement), session.is_open(disagreement), flagged)
