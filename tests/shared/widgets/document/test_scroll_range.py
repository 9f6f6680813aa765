"""However high lines become, one scrolls to the end of the text, and no further."""

import pytest
from PySide6.QtWidgets import QApplication

from shared.model import Span
from shared.widgets.document.marks import Mark, MarkStyle

TEXT = "\n".join(f"Line {number} of the record." for number in range(30))


def two_layers(view):
    view.change_marks([], [Mark(0, 4, "2 DATE", "#0072B2", MarkStyle.SECOND)])


def higher_lines(view):
    view.set_reading_font(view.font(), 1.8)


def compact(view):
    view.set_reading_font(view.font(), compact=True)


def larger_text(view):
    font = view.font()
    font.setPointSizeF(font.pointSizeF() + 6)
    view.set_reading_font(font)


@pytest.mark.parametrize("change", [two_layers, higher_lines, compact, larger_text])
def test_the_end_can_be_reached_whatever_room_a_line_takes(show_view, change):
    view = show_view(TEXT, height=900)
    QApplication.processEvents()
    change(view)
    QApplication.processEvents()
    told = view.verticalScrollBar().maximum()
    view.resize(view.width() + 1, view.height())
    QApplication.processEvents()
    assert told == view.verticalScrollBar().maximum()


def test_what_is_revealed_in_a_text_that_was_given_room_is_on_the_screen(show_view):
    view = show_view(TEXT, height=900)
    QApplication.processEvents()
    two_layers(view)
    last = Span(len(TEXT) - 7, len(TEXT) - 1)
    view.select(last)
    QApplication.processEvents()
    shown = view.visible_span()
    assert shown is not None
    assert shown.contains(last)
