"""What a drag passes over is what it selects, where writing turns within the line too."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from shared.widgets.document.marks import Mark
from tests.shared.widgets.document.test_marks_drawn import COLOUR, placed

LEFT, NO = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
ADDRESS = "العنوان: شارع الزيتون 45، مدينة النخيل"
PHONE = "الهاتف: +962 6 555 0142 هنا"
DOSE = "أعطي aspirin 100 mg من قبل د. الحداد"


def rect_of(view, text):
    start = view.merged_view.text.index(text)
    (piece,) = placed(view, Mark(start, start + len(text), "", COLOUR))
    view.set_marks([])
    return piece.rect


def drag(view, start, end, y):
    points = [QPoint(round(x), round(y)) for x in (start, (start + end) / 2, end)]
    QTest.mousePress(view.viewport(), LEFT, NO, points[0])
    for point in points[1:]:
        QTest.mouseMove(view.viewport(), point)
    QTest.mouseRelease(view.viewport(), LEFT, NO, points[-1])


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (ADDRESS, "شارع الزيتون 45"),
        (ADDRESS, "45"),
        (ADDRESS, "الزيتون 45، مدينة"),
        (PHONE, "+962 6 555 0142"),
        (PHONE, "555 0142"),
        (PHONE, "555"),
        (DOSE, "aspirin 100 mg"),
        (DOSE, "aspirin 100 mg من قبل"),
        (DOSE, "أعطي aspirin 100 mg"),
        (DOSE, "الحداد"),
        ("Seen by דוד כהן, 12/3 today", "דוד כהן"),
        ("Seen by Lee today", "Lee"),
    ],
)
@pytest.mark.parametrize("leftward", [True, False])
def test_what_is_passed_over_is_selected(show_view, line, text, leftward):
    view = show_view(line)
    rect = rect_of(view, text)
    ends = (rect.right(), rect.left()) if leftward else (rect.left(), rect.right())
    drag(view, *ends, rect.center().y())
    assert view.selected_span().text_in(line) == text


def test_a_drag_on_to_another_line_goes_from_edge_to_edge(show_view):
    view = show_view("شارع الزيتون\nمدينة النخيل")
    first, last = rect_of(view, "الزيتون"), rect_of(view, "مدينة")
    QTest.mousePress(
        view.viewport(), LEFT, NO, QPoint(round(first.right()), round(first.center().y()))
    )
    for x, y in ((first.left(), first.center().y()), (last.left(), last.center().y())):
        QTest.mouseMove(view.viewport(), QPoint(round(x), round(y)))
    end = QPoint(round(last.left()), round(last.center().y()))
    QTest.mouseRelease(view.viewport(), LEFT, NO, end)
    assert view.selected_span().text_in(view.merged_view.text) == "الزيتون\nمدينة"


ARABIC = "الطبيب: د. سامي الحداد\n\nالشكوى: ألم"
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("L", "سامي"),
        ("LL", "سامي الحداد"),
        ("LLR", "سامي"),
        ("LLLR", "سامي الحداد"),
    ],
)
def test_words_are_selected_in_the_direction_of_the_key(show_view, keys, text):
    view = show_view(ARABIC)
    view.set_caret(ARABIC.index("سامي"))
    for each in keys:
        key = Qt.Key.Key_Left if each == "L" else Qt.Key.Key_Right
        QTest.keyClick(view, key, CTRL_SHIFT)
    assert view.selected_span().text_in(ARABIC) == text
