"""A list of places in the text of a patient, each amid what stands around it, to be ticked."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget

from shared.model import MergedView, Span
from shared.widgets.parts.review_list import ReviewList, ReviewModel

_BEFORE, _HIT = 1, 2
_CONTEXT = 60
PLACE_WIDTHS = (110, 270, 160, 270)


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """One place: where, what stands around it, a note, ticked at first or not.

    `subject` is what the list is about there, where its span does not say it.
    """

    span: Span
    record_id: str
    before: str
    hit: str
    after: str
    note: str = ""
    ticked: bool = True
    subject: Hashable = None


def place_row(
    view: MergedView, span: Span, note: str = "", *, ticked: bool = True, subject: Hashable = None
) -> PlaceRow:
    """The row of a span of the merged view."""
    record, text = view.section_at(span.start), view.text
    before = text[max(record.start, span.start - _CONTEXT) : span.start]
    after = text[span.end : min(record.end, span.end + _CONTEXT)]
    hit = span.text_in(text)
    return PlaceRow(span, record.record_id, before, hit, after, note, ticked, subject)


class PlaceModel(ReviewModel[PlaceRow]):
    """The places and which of them are ticked."""

    heads = ("Record", "", "Text", "", "Note")
    before = _BEFORE
    bold = frozenset({_HIT})

    def cells(self, row: PlaceRow) -> tuple[str, ...]:
        context = map(_one_line, (row.before, row.hit, row.after))
        return row.record_id, *context, row.note

    def starts_ticked(self, row: PlaceRow) -> bool:
        return row.ticked

    def place(self, row: PlaceRow) -> object:
        return row.span, row.subject


class PlaceList(ReviewList[PlaceRow]):
    """Shows places; Enter takes those that are ticked."""

    hint = "; Space ticks and unticks, Enter takes them"

    def __init__(self, title: str, take: str, parent: QWidget | None = None) -> None:
        super().__init__(PlaceModel(), title, take, PLACE_WIDTHS, parent)
        self.setObjectName("placeList")
        self._table.setAccessibleName("Places")
        self.resize(1080, 480)


def review_places(
    title: str,
    take: str,
    rows: Iterable[PlaceRow],
    parent: QWidget,
    taken: Callable[[Sequence[PlaceRow]], object],
) -> None:
    """Let the user tick places over a window; `taken` is given the ticked."""
    dialog = PlaceList(title, take, parent)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.set_rows(rows)
    dialog.taken.connect(taken)
    before = QApplication.focusWidget() or parent

    def give_back(_result: int) -> None:
        parent.activateWindow()
        before.setFocus()

    dialog.finished.connect(give_back)
    dialog.open()


def _one_line(text: str) -> str:
    """Line ends as a sign of their own, so that context keeps to its row."""
    return text.replace("\n", " ⏎ ")
