"""Going to a word by the letters that stand over it.

Letters appear over the start of every word on the screen that is not tagged. Typing them selects
the word; with Shift held at the last one, the selection reaches from where it was to the word.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, product

from PySide6.QtCore import QEvent, QObject, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QWidget

from shared.language.chunks import chunks_within
from shared.model import Span
from shared.text.words import is_word_start
from shared.widgets.document.document_view import DocumentView
from shared.widgets.document.mark_painter import label_font
from shared.widgets.document.marks import MarkStyle

LETTERS = "ASDFJKLGHWERUIOPTQZXCVBNMY"
"""The easiest to reach first."""
_WORD = re.compile(r"\w")
_BETWEEN = " \t\n-–—/.,;:"
_PADDING = 2.0
_INSET = QPointF(_PADDING + 0.5, -_PADDING)


@dataclass(frozen=True, slots=True)
class JumpLabel:
    """A word, its letters, and the place of its start in the viewport."""

    letters: str
    word: Span
    place: QPointF


def codes(count: int) -> list[str]:
    """Return letters for so many words, as many of them alone as can be; none begins another.

    More words than pairs of letters there are go without.
    """
    size = len(LETTERS)
    single = size if count <= size else max(0, (size * size - count) // (size - 1))
    pairs = product(LETTERS[single:], LETTERS)
    return [*LETTERS[: min(single, count)], *map("".join, islice(pairs, max(0, count - single)))]


class JumpLabels(QWidget):
    """Lies over the page and has the keyboard while letters are shown; the mouse goes through it.

    Signals: `said` (str) for the status line.
    """

    said = Signal(str)

    def __init__(self, view: DocumentView) -> None:
        super().__init__(view.viewport())
        self._view = view
        self._hints: list[JumpLabel] = []
        self._typed = ""
        self.setObjectName("wordHints")
        self.setAccessibleName("Letters over the words; type them to go to a word")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()
        view.verticalScrollBar().valueChanged.connect(self._vanish)
        view.marks_replaced.connect(self._vanish)
        view.installEventFilter(self)

    @property
    def hints(self) -> tuple[JumpLabel, ...]:
        """What can still be gone to, in the order of the text."""
        return tuple(each for each in self._hints if each.letters.startswith(self._typed))

    def start(self) -> None:
        """Show the letters and wait for what is typed."""
        self._typed = ""
        self._hints = self._placed(self._untagged_words())
        if not self._hints:
            self.said.emit("No untagged word is on the screen.")
            return
        self.setFont(label_font(self._view.font()))
        self.setGeometry(self._view.viewport().rect())
        self.show()
        self.setFocus()
        self.said.emit("Type the letters over a word; Shift with the last one selects up to it.")

    def leave(self) -> None:
        """Give the keyboard back to the text."""
        if self.isVisible():
            self._view.setFocus()
            self._vanish()

    def event(self, event: QEvent) -> bool:
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and not event.modifiers() & ~Qt.KeyboardModifier.ShiftModifier
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if Qt.Key.Key_A <= key <= Qt.Key.Key_Z:
            extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self._type(chr(key), extend=extend)
        elif key == Qt.Key.Key_Backspace and self._typed:
            self._typed = ""
            self.update()
        elif key not in (Qt.Key.Key_Shift, Qt.Key.Key_CapsLock):
            self.leave()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._vanish()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.FontChange):
            self.leave()
        return super().eventFilter(watched, event)

    def paintEvent(self, _: QPaintEvent) -> None:
        theme = self._view.theme
        caps = list(_caps(self.hints, len(self._typed), QFontMetricsF(self.font())))
        painter = QPainter(self)
        painter.setFont(self.font())
        painter.setPen(QColor(theme.hairline))
        for ground, alone in ((theme.band, False), (theme.found, True)):
            painter.setBrush(QColor(ground))
            painter.drawRects([cap for cap, text in caps if (len(text) == 1) is alone])
        painter.setPen(QColor(theme.text))
        for cap, text in caps:
            painter.drawText(cap.bottomLeft() + _INSET, text)
        painter.end()

    def _type(self, letter: str, *, extend: bool) -> None:
        before, self._typed = self._typed, self._typed + letter
        left = self.hints
        if not left:
            self._typed = before
        elif left[0].letters == self._typed:
            self._go_to(left[0].word, extend=extend)
        self.update()

    def _go_to(self, word: Span, *, extend: bool) -> None:
        start = self._view.target_span() if extend else None
        self.leave()
        self._view.select(
            Span(min(start.start, word.start), max(start.end, word.end)) if start else word
        )

    def _vanish(self) -> None:
        self._hints = []
        self.hide()

    def _untagged_words(self) -> list[Span]:
        page = self._view.visible_span()
        if page is None:
            return []
        words = chunks_within(self._view.merged_view.text, page, self._view.language)
        return [left for word in words for left in self._untagged_in(word)]

    def _untagged_in(self, word: Span) -> Iterator[Span]:
        """The word where no tag touches it, else what tags leave of it that is a word too."""
        text = self._view.merged_view.text
        marks = self._view.marks_within(word)
        tags = sorted((each.start, each.end) for each in marks if each.style is MarkStyle.TAG)
        at = word.start
        for start, end in (*tags, (word.end, word.end)):
            piece = text[at:start]
            found = _WORD.search(piece)
            if not tags:
                yield word
            elif found and is_word_start(text, at + found.start()):
                yield Span(at + found.start(), at + len(piece.rstrip(_BETWEEN)))
            at = max(at, end)

    def _placed(self, words: list[Span]) -> list[JumpLabel]:
        """Give the letters out: the shortest to names and numbers, beginning after the caret."""
        text, caret = self._view.merged_view.text, self._view.caret()

        def rank(word: Span) -> tuple[bool, bool]:
            piece = word.text_in(text)
            telling = piece[0].isupper() or any(map(str.isdigit, piece))
            return not telling, word.start < caret

        letters = dict(zip(sorted(words, key=rank), codes(len(words)), strict=False))
        return [
            JumpLabel(letters[word], word, place)
            for word, place in self._view.places_of(words)
            if word in letters
        ]


def _caps(
    hints: Iterable[JumpLabel], typed: int, metrics: QFontMetricsF
) -> Iterator[tuple[QRectF, str]]:
    """Yield where letters are still to be drawn, and which; one in the way moves the next on."""
    widths = {letter: metrics.horizontalAdvance(letter) for letter in LETTERS}
    height = metrics.capHeight() + 2 * _PADDING
    ends: dict[float, float] = {}
    for hint in hints:
        text = hint.letters[typed:]
        top = round(hint.place.y() - height) - 0.5
        left = max(round(hint.place.x()) - 0.5, ends.get(top, 0.0))
        width = round(sum(map(widths.__getitem__, text)) + 2 * _PADDING)
        yield QRectF(left, top, width, height), text
        ends[top] = left + width + 1
