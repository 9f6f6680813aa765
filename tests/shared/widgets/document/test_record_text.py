"""Records as one scroll: offsets through nasty text, bands, what is on the screen, scrolling."""

import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QEvent, QObject, QRect, Qt
from PySide6.QtGui import QFont
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from shared.model import Document, MergedView, Patient, Span
from shared.widgets.document.document_view import DocumentView
from shared.widgets.look.theme import DARK
from tests.shared.widgets.conftest import Hand

NASTY = (
    *"ab é\n\t",
    *("\u2028", "\u2029", "\0", "\x0c", "\x0b", "\x85", "\xa0", "\xad", "\u200b", "\ufeff"),
    *("\ufffc", "\ufdd0", "\ufdd1", "\ufffe", "\uffff", "😀", "\U0001f1ea", "\u0301", "\ud83d"),
    *("\ude00", "\u202e", "\x1c", "ש", "ع"),
)
LONG = "\n".join(f"Line {number} of the record." for number in range(400))


@pytest.fixture(scope="module")
def shared_view(qapp):
    view = DocumentView()
    yield view
    view.deleteLater()


@settings(max_examples=150)
@given(texts=st.lists(st.lists(st.sampled_from(NASTY), max_size=25).map("".join), max_size=3))
def test_every_offset_survives_nasty_text(shared_view, texts):
    records = (Document(f"1-{n}", "1", text) for n, text in enumerate(texts))
    merged = MergedView(Patient("1", tuple(records)))
    shared_view.open(merged)
    for offset in range(len(merged.text) + 1):
        shared_view.set_caret(offset)
        assert shared_view.caret() == offset


@settings(max_examples=100)
@given(text=st.lists(st.sampled_from(NASTY), min_size=1, max_size=25).map("".join), data=st.data())
def test_a_selection_covers_what_was_asked_and_copies_it(shared_view, text, data):
    start = data.draw(st.integers(0, len(text) - 1))
    span = Span(start, data.draw(st.integers(start + 1, len(text))))
    shared_view.open(MergedView(Patient("1", (Document("1-1", "1", text),))))
    shared_view.select(span)
    assert shared_view.selected_span() == span
    copied = shared_view.createMimeDataFromSelection().text()
    # Qt's own strings hold no half of a pair
    assert copied == span.text_in(text) or not span.text_in(text).isprintable()


def test_no_patient_is_open_at_first(qtbot):
    view = DocumentView()
    qtbot.addWidget(view)
    assert view.visible_span() is None
    assert view.target_span() is None


def test_a_document_can_be_cleared(show_view):
    view = show_view("text")
    view.clear_document()
    assert (view.caret(), view.visible_span(), view.merged_view.text) == (0, None, "")


@pytest.mark.parametrize("texts", [("",), ("", ""), ("", "text", "")])
def test_empty_records_open(show_view, texts):
    view = show_view(*texts)
    view.repaint()
    assert view.merged_view.text == "\n".join(texts)


def test_the_band_names_the_record_at_the_top(show_view):
    view = show_view(LONG, LONG, LONG)
    assert (view._band.text.record_id, view._band.text.place) == ("110-01", "1 of 3")
    view.reveal(Span(len(LONG) * 2, len(LONG) * 2 + 5))
    assert (view._band.text.record_id, view._band.text.place) == ("110-02", "2 of 3")


def test_a_record_has_room_for_its_band_above_it(show_view):
    view = show_view("one\ntwo", "three\nfour")
    tops = [view.cursorRect(_cursor(view, offset)).top() for offset in (0, 4, 8, 14)]
    steps = [after - before for before, after in pairwise(tops)]
    assert abs(steps[0] - steps[2]) <= 1  # where a line is no whole number of pixels
    assert steps[1] > steps[0] + 20


def _cursor(view, position):
    cursor = view.textCursor()
    cursor.setPosition(position)
    return cursor


def test_what_is_on_the_screen_is_told_after_scrolling(show_view, qtbot):
    view = show_view(LONG)
    first = view.visible_span()
    with qtbot.waitSignal(view.visible_changed) as seen:
        view.verticalScrollBar().setValue(100)
    assert first.start == 0
    assert seen.args == [view.visible_span()]
    assert LONG[seen.args[0].start :].startswith("Line 100 ")


def test_a_line_that_is_cut_off_does_not_count_as_seen(show_view):
    view = show_view(LONG, height=501)
    for height in range(480, 520):
        view.resize(900, height)
        end = view.visible_span().end
        assert view.cursorRect(_cursor(view, end)).bottom() < view.viewport().height()


def test_revealing_what_is_in_sight_does_not_scroll(show_view):
    view = show_view(LONG)
    view.reveal(Span(30, 40))
    assert view.verticalScrollBar().value() == 0


@pytest.mark.parametrize("number", [50, 200, 399])
def test_revealing_shows_the_span_with_context(show_view, number):
    view = show_view(LONG)
    start = LONG.index(f"Line {number} ")
    view.reveal(Span(start, start + 4))
    visible = view.visible_span()
    assert visible.start < start - 30
    assert visible.end >= start + 4


def test_revealing_inside_a_paragraph_of_many_lines(show_view):
    text = "word " * 20_000
    view = show_view(text)
    view.reveal(Span(60_000, 60_004))
    assert view.visible_span().contains(Span(60_000, 60_004))


def test_the_end_can_be_reached_by_paging(show_view):
    view = show_view("\n".join("long words " * 60 for _ in range(60)))
    hand, bar = Hand(view), view.verticalScrollBar()
    for _ in range(200):
        hand.key(Qt.Key.Key_PageDown)
        QApplication.processEvents()
    assert bar.value() == bar.maximum()
    assert view.visible_span().end == len(view.merged_view.text)


def test_the_caret_stays_in_sight(show_view):
    view = show_view(LONG, LONG)
    hand = Hand(view)
    for _ in range(300):
        hand.key(Qt.Key.Key_Down)
        assert view.viewport().rect().contains(view.cursorRect())


def test_lines_wrap_anew_when_the_window_gets_narrow(show_view):
    view = show_view("words that wrap " * 30)
    before = view.document().lineCount()
    view.resize(300, 500)
    view.visible_span()
    assert view.document().lineCount() > before


@pytest.mark.parametrize("texts", [("one line",), (LONG,)])
def test_a_larger_font_makes_higher_lines(show_view, texts):
    view = show_view(*texts)
    before = view.cursorRect().height()
    font = QFont(view.font())
    font.setPointSizeF(font.pointSizeF() * 2)
    view.set_reading_font(font)
    assert view.cursorRect().height() > before * 1.5


def test_a_line_factor_spreads_the_lines(show_view):
    view = show_view("one\ntwo")
    before = view.cursorRect(_cursor(view, 4)).top() - view.cursorRect(_cursor(view, 0)).top()
    view.set_reading_font(view.font(), 2.0)
    after = view.cursorRect(_cursor(view, 4)).top() - view.cursorRect(_cursor(view, 0)).top()
    assert after > before * 1.3


def test_right_to_left_text_stands_at_the_right(show_view):
    view = show_view("שלום עולם\nleft")
    assert view.cursorRect(_cursor(view, 0)).left() > view.viewport().width() - 40
    assert view.cursorRect(_cursor(view, 10)).left() < 40


def test_an_empty_line_takes_no_room_for_labels(show_view):
    view = show_view("one\n\n\ntwo\nthree")
    text_line = view.cursorRect(_cursor(view, 10)).top() - view.cursorRect(_cursor(view, 6)).top()
    empty = view.cursorRect(_cursor(view, 5)).top() - view.cursorRect(_cursor(view, 4)).top()
    assert empty < text_line * 0.7


def test_a_theme_colours_the_page(show_view):
    view = show_view("text")
    view.apply_theme(DARK)
    image = view.viewport().grab().toImage()
    assert image.pixelColor(image.width() - 3, image.height() - 3).name() == DARK.page


def test_the_caret_rectangle_is_on_the_screen(show_view):
    view = show_view("text")
    view.set_caret(2)
    rect = view.caret_rectangle()
    assert view.viewport().mapFromGlobal(rect.topLeft()) == view.cursorRect().topLeft()


def test_many_documents_one_after_the_other(show_view, merge):
    view = show_view("first")
    for number in range(60):
        view.open(merge(f"text {number}\n" * (number + 1)))
        view.viewport().grab()
    assert view.merged_view.text.startswith("text 59")


_MAKE_AND_DROP = """
import gc
from PySide6.QtWidgets import QApplication
from shared.model import Document, MergedView, Patient
from shared.widgets.document.document_view import DocumentView
application = QApplication([])
for number in range(20):
    view = DocumentView()
    view.show()
    view.open(MergedView(Patient("1", (Document("1-1", "1", "text"),))))
    view.setFocus()
    del view
    gc.collect()
"""


def test_views_can_be_dropped_without_a_crash():
    done = subprocess.run(
        [sys.executable, "-c", _MAKE_AND_DROP], capture_output=True, text=True, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False)


def test_a_band_is_painted_when_its_record_leaves_the_top(qtbot, show_view):
    """What was painted is moved as it is, and at the very top a record has no band of its own."""
    view = show_view(*("one\n" * 40 for _ in range(3)))
    view.scroll_to(view.merged_view.sections[1].start, 0.0)
    block = view.firstVisibleBlock()
    assert block.text() == "one"
    qtbot.wait(50)
    painted: list[QRect] = []

    class PaintWatcher(QObject):
        def eventFilter(self, watched, event):
            if event.type() is QEvent.Type.Paint:
                painted.append(event.rect())
            return False

    watcher = PaintWatcher()
    view.viewport().installEventFilter(watcher)
    QTest.keyClick(view.verticalScrollBar(), Qt.Key.Key_Up)
    QTest.keyClick(view.verticalScrollBar(), Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: bool(painted))
    geometry = view.blockBoundingGeometry(block).translated(view.contentOffset())
    assert geometry.top() > 1
    band = QRect(0, round(geometry.top()) + 2, 50, 10)
    assert any(each.contains(band) for each in painted)
