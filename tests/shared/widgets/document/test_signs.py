"""Signs of notes behind text, and the rows in which gold standard and annotators are labelled."""

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QHelpEvent
from PySide6.QtWidgets import QApplication, QToolTip

from shared.model import Span
from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.look.theme import LIGHT
from tests.shared.widgets.conftest import Hand

TEXT = "Seen by Dr. Lee today.\nLee called."
COLOUR = "#D55E00"


@pytest.fixture
def view(show_view):
    return show_view(TEXT)


@pytest.fixture
def lee(span, view):
    return span(view, "Lee")


def tip_at(view, offset):
    point = Hand(view).at(offset)
    event = QHelpEvent(QEvent.Type.ToolTip, point, view.viewport().mapToGlobal(point))
    QApplication.sendEvent(view.viewport(), event)
    text = QToolTip.text()
    QToolTip.hideText()
    return text


def around_end(view, span):
    """The colours just behind the end of a stretch."""
    edge = Hand(view).edge(span.end)
    image, ratio = view.viewport().grab().toImage(), view.devicePixelRatioF()
    return {
        image.pixelColor(round(x * ratio), round(y * ratio)).name()
        for x in range(edge.x() - 1, edge.x() + 9)
        for y in range(edge.y() - 10, edge.y() + 2)
    }


@pytest.mark.parametrize("sign", ["", "?"])
def test_a_sign_stands_behind_its_text_and_tells_its_note(view, lee, sign):
    accent = QColor(LIGHT.accent).name()
    assert accent not in around_end(view, lee)
    view.show_signs("notes", [(lee, "Which Lee?", sign)])
    assert tip_at(view, lee.start) == "Which Lee?"
    assert len(around_end(view, lee)) > 1
    if not sign:
        assert accent in around_end(view, lee)


def test_the_signs_of_an_owner_are_replaced_and_those_of_others_stay(view, lee):
    view.show_signs("notes", [(lee, "one", "")])
    view.show_signs("gold", [(lee, "two", "?")])
    view.show_signs("notes", [])
    assert [each.note for each in view.marks()] == ["two"]


def test_signs_go_with_the_patient(view, lee, merge):
    view.show_signs("notes", [(lee, "one", "")])
    view.open(merge("another"))
    view.show_signs("notes", [(Span(0, 3), "two", "")])
    assert [each.note for each in view.marks()] == ["two"]


def test_a_click_on_a_sign_is_for_the_tag_there(view, lee):
    tag = Mark(lee.start, lee.end, "DOCTOR", COLOUR, key="t")
    view.set_marks([tag])
    view.show_signs("notes", [(lee, "one", "")])
    activated = []
    view.mark_activated.connect(activated.append)
    for _ in range(2):
        Hand(view).click(lee.start + 1)
    assert activated == [tag, tag]


def dark_rows(view, span):
    """The rows of pixels above a stretch in which there are letters."""
    edge = Hand(view).edge(span.start)
    image, ratio = view.viewport().grab().toImage(), view.devicePixelRatioF()
    width = range(edge.x() + 1, edge.x() + 40)
    return [
        y
        for y in range(edge.y() - 40, edge.y() - 12)
        if any(image.pixelColor(round(x * ratio), round(y * ratio)).lightness() < 90 for x in width)
    ]


def test_gold_standard_and_first_annotator_have_labels_in_rows_of_their_own(view, lee):
    first = Mark(lee.start, lee.end, "1 DOCTOR", COLOUR, MarkStyle.FIRST, "f")
    second = Mark(lee.start, lee.end, "2 DOCTOR", COLOUR, MarkStyle.SECOND, "s")
    gold = Mark(lee.start, lee.end, "DOCTOR", COLOUR, key="g")
    view.set_marks([first, second])
    one_row = dark_rows(view, lee)
    view.set_marks([first, second, gold])
    two_rows = dark_rows(view, lee)
    assert len(two_rows) > len(one_row)
    assert min(two_rows) < min(one_row) - 5
    view.set_marks([second, gold])
    assert dark_rows(view, lee)[0] == one_row[0]


def test_what_a_note_says_is_shown_as_it_was_written(view, lee):
    view.show_signs("notes", [(lee, "<b>Which</b>\nLee?", "")])
    assert "&lt;b&gt;Which&lt;/b&gt;\nLee?" in tip_at(view, lee.start)
