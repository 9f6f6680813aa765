"""Finding text: the bar below the document view, and what it looks with."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QLineEdit, QToolButton, QWidget

from shared.model import MergedView, Span
from shared.text.occurrences import phrase_pattern
from shared.text.words import snapped
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.marks import Mark, MarkStyle

MOST_HITS = 10_000
_ENTER = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


def found_spans(view: MergedView, phrase: str, *, match_case: bool = False) -> Iterator[Span]:
    """Yield every place of `phrase`, in or out of words, none over the edge of a record.

    Blanks in the phrase match any blanks, line ends included.
    """
    if not phrase.strip():
        return
    for found in phrase_pattern(phrase, ignore_case=not match_case).finditer(view.text):
        if found.end() <= view.section_at(found.start()).end:
            yield Span(found.start(), found.end())


class FindBar(QWidget):
    """Text, next, previous, match case and "3 of 17"; Esc closes.

    `search` (str, bool: match case) whenever what to look for has changed, `next_wanted` and
    `previous_wanted` to walk, `closed` when the bar went.
    """

    search = Signal(str, bool)
    next_wanted = Signal()
    previous_wanted = Signal()
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("findBar")
        self._text = QLineEdit()
        self._text.setObjectName("findText")
        self._text.setAccessibleName("Find")
        self._text.setPlaceholderText("Find in the records")
        self._text.setClearButtonEnabled(True)
        self._text.setMaximumWidth(360)
        self._text.installEventFilter(self)
        self._match_case = QCheckBox("&Match case")
        self._match_case.setObjectName("findMatchCase")
        self._count = QLabel()
        self._count.setObjectName("findCount")
        self._count.setAccessibleName("Hits")
        self._lay_out()
        self._text.textChanged.connect(self._tell)
        self._match_case.toggled.connect(self._tell)
        self.setFocusProxy(self._text)
        self.hide()

    @property
    def text(self) -> str:
        return self._text.text()

    @property
    def matches_case(self) -> bool:
        return self._match_case.isChecked()

    @property
    def count_text(self) -> str:
        return self._count.text()

    def open(self, text: str = "") -> None:
        """Show the bar with the cursor in it; look for `text` where there is any."""
        self.show()
        if text and text != self.text:
            self._text.setText(text)
        elif self.text:
            self._tell()
        self._text.selectAll()
        self._text.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def close_bar(self) -> None:
        """Hide the bar; the owner takes the hits away."""
        self.hide()
        self.closed.emit()

    def show_count(self, current: int, total: int) -> None:
        """Say which hit of how many is shown; `current` counts from 1, 0 before the first."""
        many = f"{MOST_HITS:,}+" if total >= MOST_HITS else f"{total:,}"
        if not self.text.strip():
            self._count.clear()
        elif total == 0:
            self._count.setText("not found")
        else:
            self._count.setText(f"{current:,} of {many}" if current else f"{many} found")

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
            self.previous_wanted.emit()
        else:
            self.next_wanted.emit()

    def _lay_out(self) -> None:
        layout = QHBoxLayout(self)
        layout.setContentsMargins(8, 4, 8, 4)
        layout.addWidget(self._text, 1)
        previous = _arrow_button("Previous hit (Shift+Enter)", Qt.ArrowType.UpArrow)
        previous.clicked.connect(self.previous_wanted)
        layout.addWidget(previous)
        following = _arrow_button("Next hit (Enter)", Qt.ArrowType.DownArrow)
        following.clicked.connect(self.next_wanted)
        layout.addWidget(following)
        layout.addWidget(self._match_case)
        layout.addWidget(self._count)
        layout.addStretch()
        close = QToolButton()
        close.setText("✕")
        close.setAutoRaise(True)
        close.setAccessibleName("Close the find bar")
        close.setToolTip("Close (Esc)")
        close.clicked.connect(self.close_bar)
        layout.addWidget(close)

    def _tell(self) -> None:
        self.search.emit(self.text, self.matches_case)


def _arrow_button(tip: str, arrow: Qt.ArrowType) -> QToolButton:
    button = QToolButton()
    button.setArrowType(arrow)
    button.setAutoRaise(True)
    button.setToolTip(tip)
    button.setAccessibleName(tip.split(" (", maxsplit=1)[0])
    return button


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
