"""Compact lines: as many as the font lets stand on a page, and what is marked in them."""

import pytest
from PySide6.QtGui import QColor, QFontMetricsF

from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.look.theme import DARK, LIGHT

COLOUR = "#D55E00"
TEXT = "\n".join(f"Line {number} of a record that was seen by Dr. Lee." for number in range(80))


def compact(view, *, on=True):
    view.set_reading_font(view.font(), compact=on)
    return view


def picture(view):
    return view.viewport().grab().toImage()


def pitch(view):
    lines = list(view._lines_within(view.viewport().rect()))
    return lines[1].top - lines[0].top


def mark(start, end, style=MarkStyle.TAG, label="DOCTOR", note=""):
    return Mark(start, end, label, COLOUR, style, (start, style), note)


def colours(view, rect):
    image, ratio = picture(view), view.devicePixelRatioF()
    return {
        image.pixelColor(round(x * ratio), round(y * ratio)).name()
        for x in range(int(rect.left()), int(rect.right()))
        for y in range(int(rect.top()), int(rect.bottom()))
    }


def piece_of(view, which):
    return next(each for each in view._placed(view.viewport().rect()) if each.mark == which)


def test_lines_stand_about_as_close_as_the_font_wants_them(show_view):
    view = compact(show_view(TEXT))
    assert pitch(view) <= QFontMetricsF(view.font()).lineSpacing() + 3


def test_forty_lines_stand_on_the_page_of_a_large_screen(show_view):
    """Or fewer where the lines of this machine's font are higher than those of most."""
    view = compact(show_view(TEXT, height=860))
    seen = view.visible_span().text_in(view.merged_view.text)
    room = (860 - 60) // (QFontMetricsF(view.font()).lineSpacing() + 3)
    assert seen.count("\n") + 1 >= min(40, room)


def test_it_can_be_turned_off_again(show_view):
    view = show_view(TEXT)
    before = pitch(view)
    compact(view)
    assert pitch(compact(view, on=False)) == before


def test_lines_do_not_move_when_something_is_tagged(show_view):
    view = compact(show_view(TEXT))
    before = [each.top for each in view._lines_within(view.viewport().rect())]
    view.set_marks([mark(60, 70)])
    view.set_current_mark(mark(60, 70))
    assert [each.top for each in view._lines_within(view.viewport().rect())] == before


def test_only_the_current_mark_has_its_label(show_view):
    view = compact(show_view(TEXT))
    here, other = mark(100, 110), mark(200, 210)
    view.set_marks([here, other])
    bare = picture(view)
    view.set_current_mark(here)
    chip = piece_of(view, here).rect.adjusted(0, -12, 30, -3)
    assert QColor(LIGHT.accent).name() in colours(view, chip)
    view.set_current_mark(None)
    assert picture(view) == bare


def test_the_label_of_a_mark_on_the_first_line_is_on_the_page(show_view):
    view = compact(show_view(TEXT))
    view.verticalScrollBar().setValue(5)
    start = view.visible_span().start
    first = mark(start, start + 6)
    view.set_marks([first])
    before = picture(view)
    view.set_current_mark(first)
    rect = piece_of(view, first).rect
    assert rect.top() < 8
    below = rect.adjusted(0, rect.height() + 3, 20, 14)
    changed = [
        picture(view).pixelColor(x, y) != before.pixelColor(x, y)
        for x in range(int(below.left()), int(below.right()))
        for y in range(int(below.top()), int(below.bottom()))
    ]
    assert any(changed)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_styles_and_lanes_differ_without_colour(show_view, theme):
    seen = []
    for style in (*MarkStyle, "two lanes"):
        view = compact(show_view("Seen by Dr.          today\n" * 4))
        view.apply_theme(theme)
        view.set_marks([mark(0, 4, MarkStyle.SECOND)])
        marks = [mark(11, 20, MarkStyle.TAG), mark(12, 20, MarkStyle.TAG)]
        view.change_marks([], marks if style == "two lanes" else [mark(11, 20, style)])
        image = picture(view).convertToFormat(picture(view).Format.Format_Grayscale8)
        assert image not in seen
        seen.append(image)


def test_a_repaint_of_one_line_leaves_the_label_that_reaches_into_it(show_view):
    view = compact(show_view(TEXT))
    here = mark(150, 160)
    view.set_marks([here])
    view.set_current_mark(here)
    view.viewport().repaint()
    whole = picture(view)
    rect = piece_of(view, here).rect
    lines = [each for each in view._lines_within(view.viewport().rect()) if each.top < rect.top()]
    view._update_lines(lines[-1:])
    assert picture(view) == whole
