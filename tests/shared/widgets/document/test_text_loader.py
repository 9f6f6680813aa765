"""A long text arrives piece by piece, and nobody notices."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument

from shared.model import Span
from shared.widgets.document import text_loader
from shared.widgets.document.text_loader import TextLoader
from tests.shared.widgets.conftest import Hand

LINES = "\n".join(f"Line {number} 😀 of the record." for number in range(12_000))


@pytest.fixture
def long_view(show_view):
    return show_view(LINES, LINES)


@given(st.text(alphabet="ab\n😀\u2028é", max_size=60), st.lists(st.integers(0, 70), max_size=5))
def test_any_order_of_asking_gives_the_whole_text(qapp, text, positions):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_loader, "FIRST_PIECE", 7)
        patch.setattr(text_loader, "_PIECE", 5)
        document = QTextDocument()
        loader = TextLoader(document, text)
        for position in positions:
            loader.load_to(position)
            assert loader.length > position or loader.is_done
        loader.load_all()
    assert loader.is_done
    assert document.toRawText() == text.replace("\n", "\u2029")


def test_the_first_page_is_there_at_once(long_view):
    assert not long_view._loader.is_done
    assert long_view.visible_span().start == 0


def test_the_rest_comes_by_itself(long_view, qtbot):
    qtbot.waitUntil(lambda: long_view._loader.is_done, timeout=20_000)
    assert long_view.document().characterCount() - 1 == long_view._units.length


def test_the_end_is_there_when_somebody_goes_there(long_view):
    end = len(long_view.merged_view.text)
    long_view.select(Span(end - 7, end))
    assert long_view.selected_span() == Span(end - 7, end)


def test_ctrl_end_goes_to_the_end(long_view):
    Hand(long_view).key(Qt.Key.Key_End, Qt.KeyboardModifier.ControlModifier)
    assert long_view.caret() == len(long_view.merged_view.text)


def test_revealing_the_end_scrolls_there(long_view):
    end = len(long_view.merged_view.text)
    long_view.reveal(Span(end - 7, end))
    assert long_view.visible_span().end == end


def test_scrolling_does_not_jump_while_the_rest_comes(long_view, qtbot):
    long_view.verticalScrollBar().setValue(1_000)
    before = long_view.visible_span()
    qtbot.waitUntil(lambda: long_view._loader.is_done, timeout=20_000)
    assert long_view.visible_span() == before


def test_opening_another_patient_meanwhile(long_view, merge, qtbot):
    long_view.open(merge("short"))
    qtbot.wait(50)
    assert long_view.document().characterCount() - 1 == 5
