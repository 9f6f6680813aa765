"""The edges of tags, dragged with the mouse."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from shared.widgets.document.marks import MarkStyle
from tests.shared.widgets.conftest import Hand

TEXT = "Seen by Dr. Maria Lee, M.D., on 2067-05-03.\nSeen by Ana."
LEFT = Qt.MouseButton.LeftButton
CTRL, ALT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.AltModifier
NO = Qt.KeyboardModifier.NoModifier


class Page:
    """A view with one tag, and what was dragged in it."""

    def __init__(self, show_view, mark, text, tagged, *others):
        self.view = show_view(text, *others)
        self.hand = Hand(self.view)
        self.text = self.view.merged_view.text
        self.mark = mark(self.view, tagged)
        self.view.set_marks([self.mark])
        self.dragged = []
        self.view.edge_dragged.connect(lambda mark, span: self.dragged.append((mark, span)))

    @property
    def spans(self):
        return [span.text_in(self.text) for _, span in self.dragged]

    def press(self, offset, dx=0):
        point = self.hand.edge(offset) + QPoint(dx, 0)
        QTest.mouseMove(self.view.viewport(), point)
        QTest.mousePress(self.view.viewport(), LEFT, NO, point)

    def move(self, offset):
        QTest.mouseMove(self.view.viewport(), self.hand.edge(offset))

    def release(self, offset, modifier=NO):
        QTest.mouseRelease(self.view.viewport(), LEFT, modifier, self.hand.edge(offset))

    def drag(self, start, end, modifier=NO, dx=0):
        self.press(start, dx)
        self.move(end)
        self.release(end, modifier)


@pytest.fixture
def page(show_view, mark):
    return Page(show_view, mark, TEXT, "Maria Lee")


def end_of(text):
    return TEXT.index(text) + len(text)


@pytest.mark.parametrize(
    ("edge", "to", "span"),
    [
        ("start", TEXT.index("Dr.") + 1, "Dr. Maria Lee"),
        ("start", TEXT.index("Lee"), "Lee"),
        ("start", TEXT.index("ria"), "Maria Lee"),
        ("end", TEXT.index("M.D.") + 1, "Maria Lee, M"),
        ("end", TEXT.index("ria"), "Maria"),
        ("end", TEXT.index("Seen by Ana") + 2, "Maria Lee, M.D., on 2067-05-03.\nSeen"),
    ],
)
def test_an_edge_is_dragged_to_the_edge_of_a_word(page, edge, to, span):
    page.drag(page.mark.start if edge == "start" else page.mark.end, to, dx=-1)
    assert page.spans == ([] if span == "Maria Lee" else [span])
    assert all(mark == page.mark for mark, _ in page.dragged)
    assert page.view.selected_span() is None


@pytest.mark.parametrize("modifier", [CTRL, ALT])
def test_with_ctrl_or_alt_an_edge_stays_where_it_is_let_go(page, modifier):
    page.drag(page.mark.start, TEXT.index("ria"), modifier)
    assert page.spans == ["ria Lee"]


def test_among_exact_characters_an_edge_stays_where_it_is_let_go(page):
    page.view.exact_characters = True
    page.drag(page.mark.end, TEXT.index("ee,") + 1, dx=-1)
    assert page.spans == ["Maria Le"]


def test_what_the_tag_will_be_is_selected_while_an_edge_is_dragged(page):
    page.press(page.mark.end, -1)
    page.move(TEXT.index("M.D.") + 1)
    assert page.view.selected_span().text_in(TEXT) == "Maria Lee, M"
    page.release(TEXT.index("M.D.") + 1)
    assert page.view.selected_span() is None


def test_escape_gives_a_drag_up(page):
    page.press(page.mark.end, -1)
    page.move(TEXT.index("M.D."))
    page.hand.key(Qt.Key.Key_Escape)
    assert page.view.selected_span() is None
    page.move(TEXT.index("on"))
    page.release(TEXT.index("on"))
    assert page.dragged == []
    assert page.view.selected_span() is None


def test_an_edge_that_is_dragged_over_the_other_changes_nothing(page):
    page.drag(page.mark.end, TEXT.index("Seen"), dx=-1)
    page.drag(page.mark.start, TEXT.index("on 2067"), dx=1)
    assert page.dragged == []


def test_an_edge_stays_in_its_record(show_view, mark):
    page = Page(show_view, mark, TEXT, "Ana", "Another record")
    page.drag(page.mark.end, page.text.index("record"), dx=-1)
    assert page.spans == ["Ana."]


def test_a_click_on_an_edge_is_a_click(page, qtbot):
    with qtbot.waitSignal(page.view.mark_activated):
        point = page.hand.edge(page.mark.start) + QPoint(2, 0)
        QTest.mouseClick(page.view.viewport(), LEFT, NO, point)
    assert page.dragged == []
    assert page.view.caret() == page.mark.start


@pytest.mark.parametrize(
    ("dx", "shape"),
    [(1, "SizeHorCursor"), (-1, "SizeHorCursor"), (-8, "IBeamCursor"), (16, "IBeamCursor")],
)
def test_the_pointer_shows_where_there_is_an_edge(page, dx, shape):
    point = page.hand.edge(page.mark.start) + QPoint(dx, 0)
    QTest.mouseMove(page.view.viewport(), point)
    assert page.view.viewport().cursor().shape() is Qt.CursorShape[shape]


def test_a_drag_from_beside_a_tag_selects(page):
    start = TEXT.index("Dr.")
    page.drag(start, TEXT.index("Maria") + 2)
    assert page.dragged == []
    assert page.view.selected_span().text_in(TEXT) == "Dr. Maria"


def test_a_drag_from_the_middle_of_a_tag_selects(page):
    page.drag(TEXT.index("Lee") - 1, TEXT.index("M.D.") + 1)
    assert page.dragged == []
    assert page.view.selected_span().text_in(TEXT) == "Lee, M"


def test_while_a_type_is_armed_no_edge_is_taken_hold_of(page):
    page.view.arm("DOCTOR", "#D55E00")
    page.drag(page.mark.start, TEXT.index("M.D.") + 1)
    assert page.dragged == []


@pytest.mark.parametrize("style", [each for each in MarkStyle if each is not MarkStyle.TAG])
def test_only_tags_have_edges(show_view, mark, style):
    page = Page(show_view, mark, TEXT, "Maria Lee")
    page.view.set_marks([mark(page.view, "Maria Lee", style=style)])
    page.drag(page.mark.end, TEXT.index("M.D."), dx=-1)
    assert page.dragged == []


def test_of_tags_that_touch_the_one_under_the_pointer_is_dragged(show_view, mark):
    page = Page(show_view, mark, "王小明李大为先生", "王小明")
    other = mark(page.view, "李大为")
    page.view.set_marks([page.mark, other])
    page.drag(3, 2, dx=-2)
    page.drag(3, 4, dx=2)
    assert page.dragged[0][0] == page.mark
    assert page.dragged[1][0] == other
    assert page.spans == ["王小", "大为"]


def test_right_to_left_the_start_is_at_the_right(show_view, mark):
    text = "مريض عمر حسن اليوم"
    page = Page(show_view, mark, text, "عمر حسن")
    right = page.hand.edge(page.mark.start) - QPoint(2, 0)
    QTest.mousePress(page.view.viewport(), LEFT, NO, right)
    page.move(text.index("حسن"))
    page.release(text.index("حسن"))
    assert page.spans == ["حسن"]


@pytest.mark.parametrize("dx", [0, 1, 2])
def test_a_drag_from_right_behind_a_tag_selects_what_touches_it(show_view, mark, dx):
    page = Page(show_view, mark, "住址：江城市柳林区青石路128号", "江城市")
    page.drag(page.mark.end, page.mark.end + 3, dx=dx)
    assert page.dragged == []
    assert page.view.selected_span().text_in(page.text) == "柳林区"


def test_a_drag_from_right_before_a_tag_selects_what_touches_it(show_view, mark):
    page = Page(show_view, mark, "住址：江城市柳林区青石路128号", "柳林区")
    page.drag(page.mark.start, page.mark.start - 3, dx=-1)
    assert page.dragged == []
    assert page.view.selected_span().text_in(page.text) == "江城市"


def test_inside_a_tag_its_edge_is_held_where_another_word_touches_it(show_view, mark):
    page = Page(show_view, mark, "住址：江城市柳林区青石路128号", "江城市")
    page.drag(page.mark.end, page.mark.end + 3, dx=-2)
    assert page.spans == ["江城市柳林区"]
