"""What the annotators say, drawn above and below the text, and what each mark is about."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import NamedTuple

from adjudicator.disagreements import Disagreement
from adjudicator.questions import readings
from adjudicator.session import AdjudicationSession
from shared.metrics.alignment import DifferenceKind, TagMark
from shared.model import Schema
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.parts.refresh import RefreshQueue

_PAGE = 4000
"""Characters before and after the first disagreement that are drawn at once."""
_PORTION = 100


class LaneKey(NamedTuple):
    """The name of an annotator's mark: of which disagreement, and which of its marks."""

    disagreement: int
    mark: int


class LaneMarks:
    """The annotators' lanes of the patient that is open."""

    def __init__(self, view: DocumentView, schema: Schema, queue: RefreshQueue) -> None:
        self._view = view
        self._colour = cache(schema.colour)
        self._refresh = queue
        self._session: AdjudicationSession | None = None
        self._waiting: list[Disagreement] = []

    def open(self, session: AdjudicationSession) -> None:
        """Draw the disagreements of a session whose view is shown, the rest a few at a time.

        At once come those around the first that is open, and one with a mark below the text, since
        room for that moves the lines.
        """
        self._session = session
        asked = [each for each in session.queue if each.kind is not DifferenceKind.AGREEMENT]
        first = session.queue.next_open()
        here = first.start if first else 0
        below = next((each for each in asked if _has_mark_below(session, each)), None)
        at_once = [each for each in asked if each is below or abs(each.start - here) <= _PAGE]
        drawn = set(at_once)
        self._waiting = [each for each in reversed(asked) if each not in drawn]
        self._draw(session, at_once)
        self._refresh.begin(self._step)

    def close(self) -> None:
        self._refresh.end(self._step)
        self._session = None
        self._waiting = []

    def disagreement(self, mark: Mark) -> Disagreement | None:
        """What an annotator's mark is about; None for any other mark."""
        if self._session is None or not isinstance(mark.key, LaneKey):
            return None
        return self._session.queue[mark.key.disagreement]

    def _step(self) -> bool:
        if self._session is not None:
            portion = self._waiting[-_PORTION:]
            del self._waiting[-_PORTION:]
            self._draw(self._session, portion)
        return bool(self._waiting)

    def _draw(self, session: AdjudicationSession, some: Iterable[Disagreement]) -> None:
        self._view.change_marks([], [mark for each in some for mark in self._marks(session, each)])

    def _marks(self, session: AdjudicationSession, disagreement: Disagreement) -> Iterator[Mark]:
        """What the annotators say: the first card above the text, the others below it.

        A mark is labelled with the digits of the cards that it is on, so that none is taken for one
        of the gold standard.
        """
        number = session.queue.number(disagreement)
        saying: dict[TagMark, list[int]] = {}
        for reading in readings(session, disagreement):
            for tag_mark in reading.marks:
                saying.setdefault(tag_mark, []).append(reading.digit)
        for nth, ((span, phi_type), digits) in enumerate(saying.items()):
            style = MarkStyle.FIRST if 1 in digits else MarkStyle.SECOND
            label = f"{' '.join(map(str, digits))} {phi_type.name}"
            start, end = span.start + disagreement.shift, span.end + disagreement.shift
            key = LaneKey(number, nth)
            yield Mark(start, end, label, self._colour(phi_type), style, key)


def _has_mark_below(session: AdjudicationSession, disagreement: Disagreement) -> bool:
    return any(each.digit > 1 for each in readings(session, disagreement))
