"""What the annotators say, drawn above and below the text, and what each mark is about."""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from adjudicator.disagreements import Disagreement
from adjudicator.session import AdjudicationSession
from shared.agreement.grouping import Kind, TagMark
from shared.model import Schema
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle


class LaneKey(NamedTuple):
    """The name of an annotator's mark: of which disagreement, and which of its marks."""

    disagreement: int
    mark: int


class LaneMarks:
    """The annotators' lanes of the patient that is open."""

    def __init__(self, view: DocumentView, schema: Schema) -> None:
        self._view = view
        self._colour = cache(schema.colour)
        self._marked: dict[LaneKey, Disagreement] = {}

    def open(self, session: AdjudicationSession) -> None:
        """Draw the disagreements of a session whose view is shown."""
        self._marked = {}
        asked = (each for each in session.queue if each.kind is not Kind.AGREEMENT)
        marks = [
            mark for number, each in enumerate(asked) for mark in self._marks(session, each, number)
        ]
        self._view.change_marks([], marks)

    def close(self) -> None:
        self._marked = {}

    def disagreement(self, mark: Mark) -> Disagreement | None:
        """What an annotator's mark is about; None for any other mark."""
        return self._marked.get(mark.key) if isinstance(mark.key, LaneKey) else None

    def _marks(
        self, session: AdjudicationSession, disagreement: Disagreement, number: int
    ) -> Iterator[Mark]:
        """What the annotators say: the one shown first above the text, the others below it.

        Of more than two, those who say the same share a mark that tells their numbers.
        """
        saying: dict[TagMark, list[int]] = {}
        for place, side in enumerate(session.order):
            for tag_mark in disagreement.key.sides[side]:
                saying.setdefault(tag_mark, []).append(place)
        for nth, ((span, phi_type), places) in enumerate(saying.items()):
            style = MarkStyle.SECOND if places[0] else MarkStyle.FIRST
            numbers = "".join(f"{place + 1} " for place in places)
            label = phi_type.name if len(session.order) == 2 else f"{numbers}{phi_type.name}"
            start, end = span.start + disagreement.shift, span.end + disagreement.shift
            key = LaneKey(number, nth)
            self._marked[key] = disagreement
            yield Mark(start, end, label, self._colour(phi_type), style, key)
