"""A list of places in the text of a patient, each amid what stands around it, to be ticked."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from shared.garbage import collection_put_off
from shared.model import MergedView, Span
from shared.widgets.parts.focus import FocusBefore
from shared.widgets.parts.review_list import ReviewList, ReviewModel, as_line_runs

_BEFORE, _HIT = 1, 2
_CONTEXT = 60
Subject = TypeVar("Subject")


class PlaceRow(NamedTuple):
    """One place: where, what stands around it, a note, ticked at first or not.

    `number` tells apart what stands at the same place. There may be thousands of them at a time.
    """

    span: Span
    record_id: str
    before: str
    hit: str
    after: str
    note: str = ""
    ticked: bool = True
    number: int = 0


def place_row(view: MergedView, span: Span, note: str = "", *, ticked: bool = True) -> PlaceRow:
    """The row of a span of the merged view."""
    record, text = view.section_at(span.start), view.text
    before = text[max(record.start, span.start - _CONTEXT) : span.start]
    after = text[span.end : min(record.end, span.end + _CONTEXT)]
    return PlaceRow(span, record.record_id, before, span.text_in(text), after, note, ticked)


class PlaceModel(ReviewModel[PlaceRow]):
    """The places and which of them are ticked."""

    heads = ("Record", "", "Text", "", "Note")
    before = _BEFORE
    bold = frozenset({_HIT})

    def cells(self, row: PlaceRow) -> tuple[str, ...]:
        context = map(_one_line, as_line_runs(row.before, row.hit, row.after))
        return row.record_id, *context, row.note

    def starts_ticked(self, row: PlaceRow) -> bool:
        return row.ticked

    def place(self, row: PlaceRow) -> object:
        return row.span, row.number


class PlaceList(ReviewList[PlaceRow]):
    """Shows places; Enter takes those that are ticked."""

    hint = "; Space ticks and unticks, Enter takes them"

    def __init__(self, title: str, take: str, parent: QWidget | None = None) -> None:
        super().__init__(PlaceModel(), title, take, parent)
        self.setObjectName("placeList")
        self._table.setAccessibleName("Places")
        self.resize(1080, 480)


@collection_put_off()
def review_places(
    title: str,
    take: str,
    subjects: Sequence[Subject],
    row_of: Callable[[Subject], PlaceRow],
    over: QWidget,
    taken: Callable[[list[Subject]], object],
) -> None:
    """Let the user tick what stands at places in a list over the window of `over`, the text.

    `taken` is given what is ticked.
    """
    dialog = PlaceList(title, take, over.window())
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.set_rows(row_of(each)._replace(number=at) for at, each in enumerate(subjects))
    before = FocusBefore()

    def give_back(_result: int) -> None:
        over.window().activateWindow()
        before.give_back(over)

    def take_ticked(ticked: Sequence[PlaceRow]) -> None:
        taken([subjects[row.number] for row in ticked])

    dialog.taken.connect(take_ticked)
    dialog.finished.connect(give_back)
    dialog.open()


def _one_line(text: str) -> str:
    """Line ends as a sign of their own, so that context keeps to its row."""
    return text.replace("\n", " ⏎ ")
