"""Finding in the document view: the bar, the marks on the hits, and the walk over them."""

from bisect import bisect_left, bisect_right
from itertools import islice

from PySide6.QtCore import QObject

from shared.model import Span
from shared.text.words import snapped
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.find_bar import MOST_HITS, FindBar, found_spans
from shared.widgets.document.marks import Mark, MarkStyle


class Finder(QObject):
    """Looks while one types; Enter goes on to the next hit and selects it, ready to be tagged."""

    def __init__(self, bar: FindBar, view: DocumentView, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bar = bar
        self._view = view
        self._hits: list[Span] = []
        bar.search.connect(self._search)
        bar.next_wanted.connect(self.go_next)
        bar.previous_wanted.connect(self.go_previous)
        bar.closed.connect(self._closed)

    def open(self) -> None:
        """Show the bar; what is selected is what to look for."""
        selected = self._view.selected_span()
        phrase = selected.text_in(self._view.merged_view.text) if selected else ""
        self._bar.open(phrase if len(phrase) <= 100 else "")

    def document_changed(self) -> None:
        """Another document is open: its view has no hits marked."""
        self._hits = []
        if self._bar.isVisible():
            self._search(self._bar.text, self._bar.matches_case)

    def go_next(self) -> bool:
        """Select the next hit, after the last the first again; False where there is none."""
        if self._hits:
            starts = [hit.start for hit in self._hits]
            self._go(bisect_right(starts, self._here()) % len(self._hits))
        return bool(self._hits)

    def go_previous(self) -> None:
        if self._hits:
            starts = [hit.start for hit in self._hits]
            self._go(bisect_left(starts, self._here()) - 1)

    def _here(self) -> int:
        selected = self._view.selected_span()
        return selected.start if selected else self._view.caret()

    def _go(self, number: int) -> None:
        hit = self._hits[number]
        self._view.select(_to_word_end(self._view.merged_view.text, hit))
        self._bar.show_count(self._hits.index(hit) + 1, len(self._hits))

    def _search(self, phrase: str, match_case: bool) -> None:
        hits = found_spans(self._view.merged_view, phrase, match_case=match_case)
        self._show(list(islice(hits, MOST_HITS)))
        self._bar.show_count(0, len(self._hits))

    def _show(self, hits: list[Span]) -> None:
        self._view.change_marks(map(_mark, self._hits), map(_mark, hits))
        self._hits = hits

    def _closed(self) -> None:
        self._show([])
        self._view.setFocus()


def _to_word_end(text: str, hit: Span) -> Span:
    """A hit that begins as a word does, to the word's end: one seldom types a whole name.

    A hit amid a word stays as it is: whoever looks for a part of a word means the part.
    """
    whole = snapped(text, hit.start, hit.end)
    return whole if whole is not None and whole.start == hit.start else hit


def _mark(span: Span) -> Mark:
    return Mark(span.start, span.end, "", "#7F7F7F", MarkStyle.FOUND)
