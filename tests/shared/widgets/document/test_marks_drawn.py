"""Where marks lie on the screen, and that every style is drawn in strokes of its own."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QImage

from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.look.theme import DARK, LIGHT, contrast

COLOUR = "#D55E00"


def placed(view, *marks):
    view.set_marks(marks)
    return view._placed(view.viewport().rect())


def whole(view, text, style=MarkStyle.TAG, label="DOCTOR"):
    start = view.merged_view.text.index(text)
    return Mark(start, start + len(text), label, COLOUR, style)


def picture(view):
    return view.viewport().grab().toImage()


def rows(image, rect, above=12, below=24):
    """The colours in and around a rectangle, line by line."""
    ratio = image.devicePixelRatio()
    return [
        [image.pixelColor(round(x * ratio), round(y * ratio)).name() for x in _across(rect)]
        for y in range(round(rect.top()) - above, round(rect.bottom()) + below)
    ]


def _across(rect):
    return range(round(rect.left()) + 1, round(rect.right()) - 1)


def test_a_mark_on_one_line_is_one_piece_over_its_text(show_view):
    view = show_view("Seen by Dr. Lee today")
    (piece,) = placed(view, whole(view, "Lee"))
    cursor = view.textCursor()
    cursor.setPosition(12)
    assert piece.rect.left() == pytest.approx(view.cursorRect(cursor).left(), abs=1.5)
    assert (piece.is_start, piece.is_end, piece.leftward) == (True, True, False)


def test_a_mark_over_a_line_end_has_a_piece_on_each_line(show_view):
    view = show_view("Seen by Maria\nLee today")
    pieces = placed(view, whole(view, "Maria\nLee"))
    assert [(each.is_start, each.is_end) for each in pieces] == [(True, False), (False, True)]
    assert pieces[1].rect.top() > pieces[0].rect.bottom()


def test_a_wrapped_mark_has_a_piece_on_each_line(show_view):
    view = show_view("many words " * 40, width=400)
    pieces = placed(view, Mark(0, 200, "OTHER", COLOUR))
    assert len(pieces) > 2
    assert sum(each.is_start for each in pieces) == 1


def test_a_mark_behind_an_emoji_lies_over_its_text(show_view):
    view = show_view("😀😀 Lee 😀")
    (piece,) = placed(view, whole(view, "Lee"))
    cursor = view.textCursor()
    cursor.setPosition(5)
    assert piece.rect.left() == pytest.approx(view.cursorRect(cursor).left(), abs=1.5)


TWO_WAYS = (
    "تاريخ الدخول: 4/3/2071 ثم 0790 123 456 في A-20481 و٦٧",
    "Date: ثم 0790 123 الطبيب 12 OK",
    "אחרי Dr. Lee 15/3 בא",
)


@pytest.mark.parametrize("text", TWO_WAYS)
def test_each_character_is_marked_where_it_stands_whichever_way_it_is_written(show_view, text):
    """Qt tells where the caret is, which is elsewhere where the direction changes."""
    view = show_view(text)
    for at, char in enumerate(text):
        (piece,) = placed(view, Mark(at, at + 1, "DATE", COLOUR))
        assert piece.rect.width() > 2.5, f"{char!r} at {at}"
        assert view.character_at(piece.rect.center()) == at


WRAPPED = (
    "تم شرح الخطة لأحمد وأحمد وافق عليها. راجع بمستشفى الواحة الـ ECG: normal sinus rhythm (Dr. "
    "Haddad, 03/05/2071)."
)


@pytest.mark.parametrize("width", range(300, 760, 46))
@pytest.mark.parametrize(
    "text", [WRAPPED, "Seen by Dr. Lee and by דוד כהן לוי and by Dr. Ada Vell"]
)
def test_in_a_wrapped_line_words_of_the_other_direction_are_marked_where_they_are_drawn(
    show_view, text, width
):
    view = show_view(text, width=width)
    for word in filter(text.__contains__, ("sinus", "rhythm", "normal", "דוד", "כהן")):
        at = range(text.index(word), text.index(word) + len(word))
        (piece,) = placed(view, whole(view, word))
        view.set_marks([])
        page, line = picture(view), view.line_near(piece.rect.center())
        left, right = round(piece.rect.left()), round(piece.rect.right())
        if line.start < at.start and at.stop + 1 < line.end:  # else no blank need stand beside
            assert not has_ink(page, piece.rect, range(left - 3, left - 1))
            assert not has_ink(page, piece.rect, range(right + 2, right + 4))
        assert has_ink(page, piece.rect, range(left, left + 4))
        assert view.character_at(piece.rect.center()) in at


def has_ink(page, rect, columns):
    rows = range(round(rect.top()), round(rect.bottom()))
    return any(page.pixelColor(x, y) != QColor(LIGHT.page) for x in columns for y in rows)


def test_a_date_among_right_to_left_words_is_one_piece_over_all_of_it(show_view):
    view = show_view(TWO_WAYS[0])
    (piece,) = placed(view, whole(view, "4/3/2071"))
    one_by_one = [placed(view, whole(view, each))[0].rect.width() for each in "4/3/2071"]
    assert piece.rect.width() == pytest.approx(sum(one_by_one), abs=1)
    assert (piece.is_start, piece.is_end, piece.leftward) == (True, True, False)


def test_right_to_left_text_is_covered_from_its_right(show_view):
    view = show_view("שלום דוד כהן")
    (piece,) = placed(view, whole(view, "דוד"))
    everything = placed(view, whole(view, "שלום דוד כהן"))[0]
    assert piece.leftward
    assert everything.rect.left() < piece.rect.left()
    assert piece.rect.right() < everything.rect.right()


@pytest.mark.parametrize("number", ["+962 6 555 0142", "1 مايو 2071", "٣ مايو ٢٠٧١"])
def test_numbers_among_right_to_left_words_are_in_one_frame_with_them(show_view, number):
    view = show_view(f"الهاتف: {number} هنا")
    (piece,) = placed(view, whole(view, number))
    last = placed(view, whole(view, number.split()[-1]))[0].rect
    assert (piece.is_start, piece.is_end, piece.leftward) == (True, True, True)
    assert piece.rect.left() == pytest.approx(last.left(), abs=1)


def test_a_span_that_is_several_pieces_on_the_screen_has_several(show_view):
    view = show_view("Seen by דוד כהן and Dr. Lee")
    pieces = placed(view, whole(view, "by דוד"))
    inside = placed(view, whole(view, "כהן"))[0].rect
    assert len(pieces) == 2
    assert not any(each.rect.adjusted(1, 0, -1, 0).intersects(inside) for each in pieces)
    assert sum(each.is_start for each in pieces) == 1


def test_mixed_text_is_covered_without_gap_or_overlap(show_view):
    view = show_view("Mr. דוד Smith כהן 12/3 عمر end")
    text = view.merged_view.text
    marks = [Mark(at, at + 1, "X", COLOUR, key=at) for at in range(len(text))]
    width = sum(each.rect.width() for each in placed(view, *marks))
    total = sum(each.rect.width() for each in placed(view, Mark(0, len(text), "X", COLOUR)))
    assert width == pytest.approx(total, abs=len(text) * 0.6)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_a_tag_is_tinted_and_underlined(show_view, theme):
    view = show_view("Seen by Dr.      today")
    view.apply_theme(theme)
    (piece,) = placed(view, Mark(11, 16, "", COLOUR))
    lines = rows(picture(view), piece.rect)
    ink = theme.ink(COLOUR).name()
    assert sum(set(line) == {ink} for line in lines) == 2
    assert any(len(set(line)) == 1 and line[0] not in {ink, theme.page} for line in lines)


@pytest.mark.parametrize("text", ["住址：江城市柳林区", "العنوان: اربدالنخيل"])
def test_tags_that_touch_are_underlined_apart(show_view, text):
    view = show_view(text)
    end = len(text)
    one, other = placed(view, *(Mark(at, at + 3, "", COLOUR, key=at) for at in (end - 6, end - 3)))
    ink = LIGHT.ink(COLOUR).name()
    line = next(each for each in rows(picture(view), one.rect.united(other.rect)) if ink in each)
    assert 2 <= len([pixel for pixel in line if pixel != ink]) <= 4


@pytest.mark.parametrize("style", [each for each in MarkStyle if each is not MarkStyle.TAG])
def test_every_other_style_is_drawn_without_a_tags_underline(show_view, style):
    view = show_view("Seen by Dr.          today")
    (piece,) = placed(view, Mark(11, 20, "DOCTOR", COLOUR, style))
    blank = show_view("Seen by Dr.          today")
    if style is MarkStyle.SECOND:
        blank.set_marks([Mark(0, 4, "", COLOUR, MarkStyle.SECOND)])
    area = piece.rect.toRect().adjusted(0, -12, 10, 24)
    assert picture(view).copy(area) != picture(blank).copy(area)
    ink = LIGHT.ink(COLOUR).name()
    assert not any(set(line) == {ink} for line in rows(picture(view), piece.rect, above=0, below=4))


def test_styles_differ_from_each_other_without_colour(show_view):
    seen = []
    for style in MarkStyle:
        view = show_view("Seen by Dr.          today")
        view.set_marks([Mark(0, 4, "", "#000000", MarkStyle.SECOND)])
        view.change_marks([], [Mark(11, 20, "DOCTOR", "#000000", style)])
        (piece,) = [each for each in view._placed(view.viewport().rect()) if each.mark.start == 11]
        area = piece.rect.toRect().adjusted(-2, -14, 2, 26)
        image = picture(view).copy(area).convertToFormat(QImage.Format.Format_Grayscale8)
        assert image not in seen
        seen.append(image)


def test_overlapping_tags_take_two_lanes(show_view):
    view = show_view("Seen at Mercy Hospital today")
    view.set_marks([whole(view, "Mercy Hospital"), whole(view, "Hospital", label="X")])
    lanes = {each.mark.label: each.lane for each in view._placed(view.viewport().rect())}
    assert lanes == {"DOCTOR": 0, "X": 1}


def test_a_search_hit_does_not_move_a_tags_lane(show_view):
    view = show_view("Seen at Mercy Hospital today")
    view.set_marks([whole(view, "at Mercy", MarkStyle.FOUND), whole(view, "Mercy Hospital")])
    assert {each.lane for each in view._placed(view.viewport().rect())} == {0}


def test_a_label_without_room_is_left_out(show_view):
    view = show_view("Dr. Lee")
    view.set_marks([whole(view, "Lee"), whole(view, "Lee", label="PATIENT")])
    drawn = view._placed(view.viewport().rect())
    painter_picture = picture(view)
    assert len(drawn) == 2
    alone = show_view("Dr. Lee")
    alone.set_marks([whole(alone, "Lee")])
    label_area = drawn[0].rect.toRect().adjusted(0, -14, 200, -drawn[0].rect.toRect().height())
    assert painter_picture.copy(label_area) == picture(alone).copy(label_area)


def test_the_current_mark_is_outlined(show_view):
    view = show_view("Seen by Dr. Lee")
    mark = whole(view, "Lee")
    view.set_marks([mark])
    before = picture(view)
    view.set_current_mark(mark)
    accent = QColor(LIGHT.accent)
    colours = {name for line in rows(picture(view), QRect(80, 30, 60, 1), 20, 30) for name in line}
    assert picture(view) != before
    assert accent.name() in colours


def test_room_for_the_second_layer_is_made_when_it_is_needed(show_view):
    view = show_view("one\ntwo")
    cursor = view.textCursor()
    cursor.setPosition(4)
    before = view.cursorRect(cursor).top()
    view.set_marks([whole(view, "two", MarkStyle.SECOND)])
    assert view.cursorRect(cursor).top() > before


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_ink_stands_out_from_the_page(theme):
    for colour in ("#E69F00", "#56B4E9", "#000000", "#FFFFFF", "#7F7F7F"):
        assert contrast(theme.ink(colour), QColor(theme.page)) >= 3.0


def test_a_label_at_the_right_edge_is_drawn_whole(show_view):
    view = show_view("many words " * 40, width=400)
    words = [Mark(at, at + 4, "LOCATION-OTHER" * 2, COLOUR) for at in range(0, 400, 11)]
    piece = max(placed(view, *words), key=lambda each: each.rect.left())
    view.set_marks([piece.mark])
    image, ratio = picture(view), view.devicePixelRatioF()
    y = round(piece.rect.top() - 7)
    before = range(round(piece.rect.left()) - 20, round(piece.rect.left()) - 2)
    shades = {image.pixelColor(round(x * ratio), round(y * ratio)).lightness() for x in before}
    assert min(shades) < 128
