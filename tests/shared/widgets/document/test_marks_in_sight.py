"""The page is painted anew only where a mark on it has changed."""

from random import Random

import pytest
from PySide6.QtCore import QObject
from PySide6.QtGui import QPaintEvent

from shared.widgets.document.marks import Mark, MarkStyle

LINES = "\n".join(f"Line {at} of many" for at in range(400))


class Paints(QObject):
    """Counts how often a widget is painted, and how many lines of pixels of it."""

    count = 0
    height = 0

    def eventFilter(self, watched, event):
        if isinstance(event, QPaintEvent):
            self.count += 1
            self.height += event.region().boundingRect().height()
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


def test_only_the_lines_of_a_mark_are_painted(view, paints, qtbot):
    change(view, qtbot, [], [mark(30), mark(33)])
    assert 0 < paints.height < view.viewport().height() / 4


def test_a_mark_becomes_current_without_painting_the_page(view, paints, qtbot):
    change(view, qtbot, [], [mark(30), mark(33)])
    paints.height = 0
    view.set_current_mark(mark(33))
    qtbot.wait(20)
    assert 0 < paints.height < view.viewport().height() / 4


def test_many_marks_are_painted_as_one_page(view, paints, qtbot):
    change(view, qtbot, [], [mark(at, MarkStyle.FOUND) for at in range(0, 100, 4)])
    assert (paints.count, paints.height) == (1, view.viewport().height())


def test_painting_the_lines_of_marks_gives_the_page_that_painting_all_gives(view, qtbot):
    draw, there = Random(1), []
    for number in range(60):
        gone = draw.sample(there, min(len(there), draw.randrange(3)))
        starts = (draw.randrange(400) for _ in range(draw.randrange(4)))
        styles = draw.choices(list(MarkStyle), k=4)
        new = [
            Mark(at, at + draw.choice((2, 9, 40)), "X" * number, "#D55E00", style, key=number)
            for at, style in zip(starts, styles, strict=False)
        ]
        there = [each for each in there if each not in gone] + new
        view.change_marks(gone, new)
        view.set_current_mark(draw.choice([None, *there]))
        qtbot.wait(1)
        shown = view.screen().grabWindow(view.winId()).toImage()
        view.viewport().update()
        qtbot.wait(1)
        assert shown == view.screen().grabWindow(view.winId()).toImage()


def test_a_walk_from_mark_to_mark_gives_the_page_that_painting_all_gives(view, qtbot):
    draw = Random(2)
    marks = [Mark(at, at + 7, "X", "#D55E00", key=at) for at in range(5, len(LINES) - 20, 61)]
    view.change_marks([], marks)
    qtbot.wait(1)
    at = 0
    for _ in range(60):
        at = (at + draw.randrange(1, 9)) % len(marks)
        view.set_caret(marks[at].end)
        view.set_current_mark(marks[at])
        if draw.random() < 0.5:
            view.change_marks([marks[at - 1]], [])
            view.change_marks([], [marks[at - 1]])
        view.reveal(marks[at].span)
        qtbot.wait(1)
        shown = view.screen().grabWindow(view.winId()).toImage()
        view.viewport().update()
        qtbot.wait(1)
        assert shown == view.screen().grabWindow(view.winId()).toImage()
