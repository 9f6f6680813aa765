"""Finding text in the document view: the bar below it, and what it looks with."""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from heapq import merge
from itertools import islice

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from shared.language.occurrences import phrase_pattern
from shared.model import MergedView, Span
from shared.text.flat_text import FlatText, spelling, text_key
from shared.text.words import snapped
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle

MOST_HITS = 10_000
_LONGEST = 100
"""A longer selection is not what somebody looks for."""
_UP, _DOWN = Qt.ArrowType.UpArrow, Qt.ArrowType.DownArrow
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


def found_spans(view: MergedView, phrase: str, *, match_case: bool = False) -> Iterator[Span]:
    """Yield every place of `phrase`, in or out of words, none over the edge of a record.

    However it stands: over line ends, with its accents apart; without `match_case`, with others.
    """
    if not phrase.strip():
        return
    reached = -1
    for start, end in merge(
        _as_written(view, phrase, match_case=match_case),
        _as_it_reads(view, phrase, match_case=match_case),
    ):
        if start > reached and end <= view.section_at(start).end:
            yield Span(start, end)
            reached = start


def _as_written(view: MergedView, phrase: str, *, match_case: bool) -> Iterator[tuple[int, int]]:
    pattern = phrase_pattern(phrase, ignore_case=not match_case)
    return (found.span() for found in pattern.finditer(view.text))


def _as_it_reads(view: MergedView, phrase: str, *, match_case: bool) -> Iterator[tuple[int, int]]:
    sought = spelling(phrase) if match_case else text_key(phrase)
    for offset, flat in _flat_texts(view) if sought else ():
        text = flat.spelling if match_case else flat.key
        start = text.find(sought)
        while start >= 0:
            end = start + len(sought)
            first, last = flat.original(*flat.in_text(start, end))
            yield offset + first, offset + last
            start = text.find(sought, end)


@lru_cache(maxsize=1)
def _flat_texts(view: MergedView) -> tuple[tuple[int, FlatText], ...]:
    sections = zip(view.sections, view.patient.documents, strict=True)
    return tuple((section.start, FlatText(document.text)) for section, document in sections)


class FindBar(QWidget):
    """Text, next, previous, match case and "3 of 17"; looks in a document view while one types.

    What one types selects the first hit from where one was, ready to be tagged; Enter goes on to
    the next, Shift+Enter back. Esc closes and stays at the hit; where there was none, nobody moved.
    """

    def __init__(self, view: DocumentView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self._view = view
        self._hits: list[Span] = []
        self._before: Span | int = 0
        """What was selected, or where the caret was, when one began to type."""
        self._is_typed = False
        self._text = QLineEdit()
        self._text.setObjectName("findText")
        self._text.setAccessibleName("Find")
        self._text.setPlaceholderText("Find in the records")
        self._text.setClearButtonEnabled(True)
        self._text.setMaximumWidth(360)
        self._text.installEventFilter(self)
        self._match_case = QCheckBox("&Match case")
        self._match_case.setObjectName("findMatchCase")
        self._count = QLabel(textFormat=Qt.TextFormat.PlainText)
        self._count.setObjectName("findCount")
        self._count.setAccessibleName("Hits")
        self._lay_out()
        self._text.textEdited.connect(self._note_typed)
        self._text.textChanged.connect(self._text_changed)
        self._match_case.toggled.connect(self._search)
        self._match_case.clicked.connect(self._go_to_first)
        self.setFocusProxy(self._text)
        self.hide()

    @property
    def count_text(self) -> str:
        return self._count.text()

    def open(self) -> None:
        """Show the bar with the cursor in it; what is selected is what to look for."""
        self.show()
        self._note_place()
        selected = self._view.selected_span()
        phrase = selected.text_in(self._view.merged_view.text) if selected else ""
        if phrase not in {"", self._text.text()} and len(phrase) <= _LONGEST:
            self._text.setText(phrase)
        else:
            self._search()
        self._text.selectAll()
        self._text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def document_changed(self) -> None:
        """Another document is open: its view has no hits marked."""
        self._hits = []
        if self.isVisible():
            self._note_place()
            self._search()

    def go_next(self) -> bool:
        """Select the next hit, after the last the first again; False where there is none."""
        if self._hits:
            starts = [hit.start for hit in self._hits]
            self._go(bisect_right(starts, self._here()) % len(self._hits))
            self._note_place()
        return bool(self._hits)

    def go_previous(self) -> None:
        if self._hits:
            starts = [hit.start for hit in self._hits]
            self._go(bisect_left(starts, self._here()) - 1)
            self._note_place()

    def close_bar(self) -> None:
        """Hide the bar and its hits; the text has the keys again."""
        self.hide()
        self._show([])
        self._view.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        own = isinstance(event, QKeyEvent) and event.key() in {*_ENTER, Qt.Key.Key_Escape}
        if watched is self._text and isinstance(event, QKeyEvent) and own:
            if event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() == QEvent.Type.KeyPress:
                self._key(event)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        else:
            super().keyPressEvent(event)

    def _key(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_bar()
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.go_previous()
        else:
            self.go_next()

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addWidget(self._text, 1)
        layout.addWidget(_button("Previous hit (Shift+Enter)", self.go_previous, _UP))
        layout.addWidget(_button("Next hit (Enter)", self.go_next, _DOWN))
        layout.addWidget(self._match_case)
        layout.addWidget(self._count)
        layout.addStretch()
        close = _button("Close the find bar (Esc)", self.close_bar)
        close.setText("✕")
        layout.addWidget(close)

    def _note_typed(self) -> None:
        """Qt says so before it says that the text is another."""
        self._is_typed = True

    def _text_changed(self) -> None:
        self._search()
        if self._is_typed:
            self._is_typed = False
            self._go_to_first()

    def _note_place(self) -> None:
        """Look from here on as one types."""
        self._before, self._is_typed = self._view.selected_span() or self._view.caret(), False

    def _go_to_first(self) -> None:
        """Select the first hit from where one was on; without any, be there again."""
        before = self._before
        if self._hits:
            start = before.start if isinstance(before, Span) else before
            starts = [hit.start for hit in self._hits]
            self._go(bisect_left(starts, start) % len(self._hits))
        elif isinstance(before, Span):
            self._view.select(before)
        else:
            self._view.set_caret(before)

    def _here(self) -> int:
        selected = self._view.selected_span()
        return selected.start if selected else self._view.caret()

    def _go(self, number: int) -> None:
        hit = self._hits[number]
        self._view.select(_to_word_end(self._view.merged_view.text, hit))
        self._tell_count(self._hits.index(hit) + 1)

    def _search(self) -> None:
        case = self._match_case.isChecked()
        hits = found_spans(self._view.merged_view, self._text.text(), match_case=case)
        self._show(list(islice(hits, MOST_HITS)))
        self._tell_count(0)

    def _show(self, hits: list[Span]) -> None:
        self._view.change_marks(map(_mark, self._hits), map(_mark, hits))
        self._hits = hits

    def _tell_count(self, current: int) -> None:
        """Say which hit of how many is shown; `current` counts from 1, 0 before the first."""
        total = len(self._hits)
        many = f"{total:,}{'+' if total >= MOST_HITS else ''}"
        if not self._text.text().strip():
            self._count.clear()
        elif total == 0:
            self._count.setText("not found")
        else:
            self._count.setText(f"{current:,} of {many}" if current else f"{many} found")


def _button(
    tip: str, action: Callable[[], object], arrow: Qt.ArrowType = Qt.ArrowType.NoArrow
) -> QToolButton:
    button = QToolButton()
    button.setArrowType(arrow)
    button.setAutoRaise(True)
    button.setToolTip(tip)
    button.setAccessibleName(tip.split(" (", maxsplit=1)[0])
    button.clicked.connect(action)
    return button


def _to_word_end(text: str, hit: Span) -> Span:
    """A hit that begins as a word does, to the word's end: one seldom types a whole name.

    A hit amid a word stays as it is: whoever looks for a part of a word means the part.
    """
    whole = snapped(text, hit.start, hit.end)
    return whole if whole is not None and whole.start == hit.start else hit


def _mark(span: Span) -> Mark:
    return Mark(span.start, span.end, "", "#7F7F7F", MarkStyle.FOUND)
