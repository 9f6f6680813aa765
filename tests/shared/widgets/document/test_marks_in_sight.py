"""The page is painted anew only where a mark on it has changed."""

import pytest
from PySide6.QtCore import QEvent, QObject

from shared.widgets.document.marks import Mark, MarkStyle

LINES = "\n".join(f"Line {at} of many" for at in range(400))


class Paints(QObject):
    """Counts how often a widget is painted."""

    count = 0

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.Paint
        return super().eventFilter(watched, event)


@pytest.fixture
def view(show_view, qtbot):
    made = show_view(LINES)
    made.setCursorWidth(0)
    qtbot.wait(20)
    return made


@pytest.fixture
def paints(view):
    counting = Paints()
    view.viewport().installEventFilter(counting)
    yield counting
    view.viewport().removeEventFilter(counting)


def mark(start, style=MarkStyle.TAG):
    return Mark(start, start + 4, "X", "#D55E00", style)


def change(view, qtbot, removed, added):
    view.change_marks(removed, added)
    qtbot.wait(20)


def test_a_mark_that_comes_into_the_page_or_goes_is_painted(view, paints, qtbot):
    change(view, qtbot, [], [mark(30)])
    came = paints.count
    change(view, qtbot, [mark(30)], [])
    assert 0 < came < paints.count


def test_marks_out_of_sight_cost_no_painting(view, paints, qtbot):
    change(view, qtbot, [], [mark(len(LINES) - 20)])
    assert paints.count == 0
    view.set_caret(len(LINES) - 5)
    change(view, qtbot, [mark(len(LINES) - 20)], [])
    assert paints.count > 0


def test_a_long_mark_over_the_whole_page_is_in_sight(view, paints, qtbot):
    view.set_caret(len(LINES) // 2)
    qtbot.wait(20)
    before = paints.count
    change(view, qtbot, [], [Mark(0, len(LINES), "X", "#D55E00")])
    assert paints.count > before
