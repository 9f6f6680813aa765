"""The overview: rows by plain counting, jumps by real clicks."""

from collections import Counter, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible, QColor
from PySide6.QtTest import QTest

from shared.widgets.document.marks import Mark, MarkStyle
from shared.widgets.document.overview_rows import LANE_OF, SOUGHT, Lane, OverviewRows, TextLines
from shared.widgets.document.overview_ruler import OverviewRuler
from shared.widgets.look.theme import DARK, LIGHT

TEXT = "".join(f"line {number} of this record\n" for number in range(400))
RED, BLUE = "#D55E00", "#0072B2"


@given(st.text("ab\n", max_size=60))
def test_lines_are_those_between_line_ends(text):
    lines = TextLines(text)
    assert len(lines) == text.count("\n") + 1
    assert [lines.line_of(at) for at in range(len(text))] == [
        text.count("\n", 0, at) for at in range(len(text))
    ]
    assert [lines.line_of(lines.start_of(line)) for line in range(len(lines))] == list(
        range(len(lines))
    )


MARKS = st.lists(
    st.builds(
        lambda start, length, colour, style: Mark(start, start + length, "", colour, style),
        st.integers(0, 70),
        st.integers(1, 20),
        st.sampled_from([RED, BLUE]),
        st.sampled_from(MarkStyle),
    ),
    unique=True,
    max_size=12,
)
LINES = TextLines("ab\n" * 30)


def counted(marks, rows):
    cells = defaultdict(Counter)
    for mark in marks:
        touched = {LINES.line_of(at) * rows // len(LINES) for at in range(mark.start, mark.end)}
        for row in range(min(touched), max(touched) + 1):
            cells[row, LANE_OF[mark.style]][SOUGHT.get(mark.style, mark.category_colour)] += 1
    return cells


@given(MARKS, MARKS, st.integers(1, 50))
def test_rows_hold_what_counting_finds_after_any_change(first, second, rows):
    index = OverviewRows(LINES, rows, first)
    gone = [mark for mark in first if mark not in second]
    index.change(gone, [mark for mark in second if mark not in first])
    cells = counted(second, rows)
    kinds = [RED, BLUE, *SOUGHT.values()]
    image = memoryview(index.pixels(lambda kind: kinds.index(kind) + 1)).cast("I")
    for row in range(rows):
        for lane in Lane:
            pixel, there = image[row * len(Lane) + lane], cells.get((row, lane))
            assert (pixel == 0) == (not there)
            assert not there or there[kinds[pixel - 1]] == max(there.values())
    assert +index.styles == Counter(mark.style for mark in second)


def test_pixels_are_those_of_the_kinds():
    index = OverviewRows(LINES, 10, [Mark(0, 2, "", RED)])
    image = memoryview(index.pixels({RED: 0xFF112233}.__getitem__)).cast("I")
    assert (image[0], image[1], len(image)) == (0xFF112233, 0, 10 * len(Lane))


@pytest.fixture
def ruler(qtbot, show_view):
    view = show_view(TEXT, TEXT)
    made = OverviewRuler(view)
    qtbot.addWidget(made)
    made.resize(made.sizeHint().width(), 400)
    made.show()
    made.settle()
    return made


@pytest.fixture
def view(ruler):
    return ruler._view


def add(ruler, text, style=MarkStyle.TAG, colour=RED):
    start = ruler._view.merged_view.text.rindex(text)
    mark = Mark(start, start + len(text), "DOCTOR", colour, style)
    ruler._view.change_marks([], [mark])
    ruler.settle()
    return mark


def click(ruler, y):
    QTest.mouseClick(ruler, Qt.MouseButton.LeftButton, pos=QPoint(8, round(y)))


def test_a_click_on_a_mark_goes_to_it(ruler, view):
    mark = add(ruler, "line 300")
    click(ruler, ruler.y_of(mark.start) + 2)
    assert view.caret() == mark.start
    assert view.visible_span().contains(mark.span)


def test_a_click_beside_marks_scrolls_and_leaves_the_caret(ruler, view):
    add(ruler, "line 300")
    click(ruler, 100)
    assert view.caret() == 0
    assert view.visible_span().contains(mark_at(view, "line 200"))


def mark_at(view, text):
    start = view.merged_view.text.index(text)
    return Mark(start, start + len(text), "", RED).span


def test_a_drag_scrolls_on(ruler, view):
    QTest.mousePress(ruler, Qt.MouseButton.LeftButton, pos=QPoint(5, 50))
    seen = []
    for y in (100, 250, 399):
        QTest.mouseMove(ruler, QPoint(5, y))
        seen.append(view.visible_span().start)
    QTest.mouseRelease(ruler, Qt.MouseButton.LeftButton, pos=QPoint(5, 399))
    assert seen == sorted(set(seen))
    assert view.visible_span().end >= len(view.merged_view.text) - 1


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda each: each.name)
@pytest.mark.parametrize("style", MarkStyle)
def test_every_kind_of_mark_can_be_seen(ruler, style, theme):
    ruler.apply_theme(theme)
    before = ruler.grab().toImage()
    mark = add(ruler, "line 200", style)
    after = ruler.grab().toImage()
    y = round(ruler.y_of(mark.start))
    changed = [x for x in range(ruler.width()) if after.pixel(x, y) != before.pixel(x, y)]
    assert len(changed) >= 4
    assert QColor(after.pixel(changed[0], y)) != QColor(theme.band)


def test_edges_of_records_are_drawn(ruler, view):
    y = round(ruler.y_of(view.merged_view.sections[1].start)) - 2
    image = ruler.grab().toImage()
    assert len({image.pixel(x, y) for x in range(ruler.width())}) == 1
    assert image.pixel(20, y) != image.pixel(20, y + 20)


def test_what_goes_is_no_more_shown(ruler, view):
    before = ruler.grab().toImage()
    mark = add(ruler, "line 200")
    view.change_marks([mark], [])
    ruler.settle()
    assert ruler.grab().toImage() == before


def test_many_at_once_are_shown(ruler, view):
    marks = [Mark(at, at + 3, "X", BLUE) for at in range(0, 9000, 10)]
    view.change_marks([], marks)
    ruler.settle()
    assert ruler._index.styles[MarkStyle.TAG] == 900


def test_it_says_what_there_is(ruler, view):
    add(ruler, "line 200")
    add(ruler, "line 300", MarkStyle.UNTAGGED)
    add(ruler, "line 301", MarkStyle.UNTAGGED)
    face = QAccessible.queryAccessibleInterface(ruler)
    assert face.role() == QAccessible.Role.Slider
    assert face.text(QAccessible.Text.Name) == "Overview"
    said = face.text(QAccessible.Text.Description)
    assert said == "2 records, 1 tag, 2 untagged occurrences"


def test_its_value_is_the_line_at_the_top_and_moves_the_page(ruler, view, qtbot):
    view.scroll_to(view.merged_view.text.index("line 100"), 0)
    qtbot.waitUntil(lambda: ruler.value() == 100)
    ruler.setValue(300)
    assert view.visible_span().contains(mark_at(view, "line 300 of"))


def test_the_tip_names_record_and_types_and_no_text(ruler, view):
    mark = add(ruler, "line 200")
    assert ruler._tip(ruler.y_of(mark.start)) == "110-02\nDOCTOR"


def test_nothing_open_is_no_trouble(ruler, view):
    view.clear_document()
    ruler.settle()
    click(ruler, 100)
    assert ruler._tip(10) == ""
    assert ruler.accessibleDescription() == "0 records"
