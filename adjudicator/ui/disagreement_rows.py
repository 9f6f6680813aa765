"""What the table of disagreements says in its rows, made when a row is asked for."""

from adjudicator.difference import shown_text
from adjudicator.disagreements import Disagreement
from adjudicator.questions import kind_words, state_word
from adjudicator.session import AdjudicationSession
from adjudicator.ui.disagreement_table import RowState, RowText
from shared.model import Schema


class DisagreementRows:
    """The rows of one patient: the words of each made once, and how it stands."""

    def __init__(self, session: AdjudicationSession, schema: Schema) -> None:
        self._session = session
        self._schema = schema
        self._texts: dict[Disagreement, RowText] = {}

    def text(self, disagreement: Disagreement) -> RowText:
        if disagreement not in self._texts:
            self._texts[disagreement] = self._text(disagreement)
        return self._texts[disagreement]

    def state(self, disagreement: Disagreement) -> RowState:
        session, note = self._session, self._session.note(disagreement)
        flagged = bool(note and note.discuss)
        return RowState(state_word(session, disagreement), session.is_open(disagreement), flagged)

    def _text(self, disagreement: Disagreement) -> RowText:
        return RowText(
            shown_text(self._session.view, disagreement),
            " / ".join(each.name for each in disagreement.types),
            kind_words(self._session, disagreement),
            self._schema.colour(disagreement.types[0]),
        )
