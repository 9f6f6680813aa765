"""Random keys, clicks, drags, marks and sizes: no exception, no warning, offsets that hold."""

from random import Random

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from shared.model import Span
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.look.theme import DARK, LIGHT

KEYS = ("Left Right Up Down Home End PageUp PageDown Space Escape A C N Tab Delete Return").split()
MODIFIERS = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier,
)
RECORDS = (
    "Seen by Dr. Maria Lee.\n\n" * 30,
    "",
    "שלום דוד כהן and 😀 then e\u0301 دكتور\n" * 20,
    "one paragraph that goes on and on " * 120,
)


class Monkey:
    def __init__(self, view, rng):
        self.view, self.rng, self.button = view, rng, Qt.MouseButton.LeftButton

    def point(self):
        rect = self.view.viewport().rect()
        return QPoint(self.rng.randrange(rect.width()), self.rng.randrange(rect.height()))

    def span(self):
        start = self.rng.randrange(len(self.view.merged_view.text) - 1)
        end = start + self.rng.randrange(1, 60)
        return Span(start, min(end, len(self.view.merged_view.text)))

    def act(self):
        getattr(
            self, self.rng.choice("key key click drag double mark reveal arm resize dress".split())
        )()

    def key(self):
        QTest.keyClick(
            self.view, Qt.Key[f"Key_{self.rng.choice(KEYS)}"], self.rng.choice(MODIFIERS)
        )

    def click(self):
        QTest.mouseClick(
            self.view.viewport(), self.button, self.rng.choice(MODIFIERS), self.point()
        )

    def double(self):
        QTest.mouseDClick(self.view.viewport(), self.button, pos=self.point())

    def drag(self):
        viewport = self.view.viewport()
        QTest.mousePress(viewport, self.button, pos=self.point())
        for _ in range(3):
            QTest.mouseMove(viewport, self.point() * 1.3 - QPoint(40, 40))
        QTest.mouseRelease(viewport, self.button, pos=self.point())

    def mark(self):
        span = self.span()
        mark = Mark(span.start, span.end, "X", "#D55E00", self.rng.choice(list(MarkStyle)))
        gone = self.rng.sample(self.view.marks(), min(2, len(self.view.marks())))
        self.view.change_marks(gone, [mark])
        self.view.set_current_mark(self.rng.choice([mark, None]))

    def reveal(self):
        self.view.reveal(self.span())

    def arm(self):
        self.view.arm(self.rng.choice(["DOCTOR", None]), "#0072B2")

    def resize(self):
        self.view.resize(self.rng.randrange(120, 1000), self.rng.randrange(60, 700))

    def dress(self):
        self.view.apply_theme(self.rng.choice([LIGHT, DARK]))


@pytest.mark.parametrize("seed", range(3))
def test_anything_goes(show_view, qapp, seed):
    view = show_view(*RECORDS)
    monkey = Monkey(view, Random(seed))
    length = len(view.merged_view.text)
    for _ in range(250):
        monkey.act()
        qapp.processEvents()
        span = view.selected_span()
        assert 0 <= view.caret() <= length
        assert span is None or view.merged_view.record_span(span)
    assert view.document().characterCount() - 1 == view._units.length
