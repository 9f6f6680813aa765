"""Key and mouse in, signals and selections out, on the offscreen platform."""

import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent, QInputMethodEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from shared.model import Span
from shared.widgets.document.marks import Mark, MarkStyle
from tests.shared.widgets.conftest import Hand

TEXT = "Seen by Dr. Maria Lee, M.D., on 2067-05-03.\nMaria Lee called Huntington's wife."
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


@pytest.fixture
def view(show_view):
    return show_view(TEXT, "Second record, Lee again.")


@pytest.fixture
def hand(view):
    return Hand(view)


def selected(view):
    span = view.selected_span()
    return span and span.text_in(view.merged_view.text)


def test_a_click_places_the_caret(view, hand):
    hand.click(TEXT.index("Lee"))
    assert view.caret() in {TEXT.index("Lee"), TEXT.index("Lee") + 1}


@pytest.mark.parametrize("dy", [-14, -10, 10, 14])
def test_a_click_between_lines_goes_to_the_nearest_text(show_view, dy):
    view = show_view("one two three\nfour five six\nseven eight nine")
    Hand(view).click(view.merged_view.text.index("five"), dy)
    assert view.target_span() is not None
    assert view.merged_view.text[slice(*_ends(view.target_span()))] == "five"


def _ends(span):
    return span.start, span.end


def test_the_caret_moves_by_key_and_tells(view, hand, qtbot):
    view.set_caret(0)
    with qtbot.waitSignals([view.caret_moved] * 2):
        hand.key(Qt.Key.Key_Right, CTRL)
        hand.key(Qt.Key.Key_Right)
    assert view.caret() == TEXT.index("by") + 1


def test_an_input_method_puts_nothing_into_the_text(view):
    """Qt takes its event in a text that is read-only too."""
    before = view.toPlainText()
    view.select(Span(0, 4))
    event = QInputMethodEvent()
    event.setCommitString("中")
    QApplication.sendEvent(view, event)
    assert view.toPlainText() == before
    assert selected(view) == "Seen"


def test_shift_and_arrows_select_whole_words(view, hand):
    view.set_caret(TEXT.index("aria"))
    hand.key(Qt.Key.Key_Right, SHIFT, times=6)
    assert selected(view) == "Maria Lee"


def test_ctrl_shift_right_selects_a_word(view, hand):
    view.set_caret(TEXT.index("Maria"))
    hand.key(Qt.Key.Key_Right, CTRL | SHIFT)
    assert selected(view) == "Maria"


def test_a_drag_snaps_to_whole_words(view, hand):
    hand.drag(TEXT.index("aria"), TEXT.index("ee,"))
    assert selected(view) == "Maria Lee"
    assert view.textCursor().selectedText() == "Maria Lee"


def test_a_drag_backwards_snaps_too(view, hand):
    hand.drag(TEXT.index("ee,"), TEXT.index("aria"))
    assert selected(view) == "Maria Lee"


def test_alt_at_the_release_keeps_exact_characters(view, hand):
    hand.drag(TEXT.index("aria"), TEXT.index("ee,") + 1, ALT)
    assert selected(view) == "aria Le"


def test_a_key_ends_exactness(view, hand):
    hand.drag(TEXT.index("aria"), TEXT.index("ee,") + 1, ALT)
    hand.key(Qt.Key.Key_Left, SHIFT)
    assert selected(view) == "Maria Lee"


def test_a_jittery_click_selects_nothing(view, hand):
    point = hand.at(TEXT.index("Lee"))
    button = Qt.MouseButton.LeftButton
    QTest.mousePress(view.viewport(), button, pos=point)
    QTest.mouseMove(view.viewport(), point + QPoint(2, 1))
    QTest.mouseRelease(view.viewport(), button, pos=point + QPoint(2, 1))
    assert view.selected_span() is None


@pytest.mark.parametrize(
    ("inside", "chunk"),
    [("067-05", "2067-05-03"), ("untington", "Huntington"), ("M.D.", "M.D")],
)
def test_a_double_click_selects_the_chunk(view, hand, inside, chunk):
    hand.double_click(TEXT.index(inside) + 1)
    assert selected(view) == chunk


def test_a_third_click_selects_the_line(view, hand):
    offset = TEXT.index("called")
    hand.double_click(offset)
    hand.click(offset)
    assert selected(view) == TEXT.split("\n")[1]


def test_shift_click_extends_the_selection(view, hand):
    hand.click(TEXT.index("Maria"))
    end = hand.at(TEXT.index("Lee") + 1)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, SHIFT, end)
    assert selected(view) == "Maria Lee"


def test_a_press_inside_a_selection_starts_a_new_one(view, hand):
    view.select(Span(0, len(TEXT)))
    hand.drag(TEXT.index("Maria"), TEXT.index("aria"))
    assert selected(view) == "Maria"


def test_the_target_is_the_chunk_at_the_caret(view, span):
    view.set_caret(TEXT.index("Lee,") + 3)
    assert view.target_span() == span(view, "Lee")


def test_there_is_no_target_in_white_space(show_view):
    view = show_view("a   b")
    view.set_caret(2)
    assert view.target_span() is None


@pytest.mark.parametrize("backwards", [False, True])
def test_no_selection_reaches_into_another_record(view, backwards):
    cursor = view.textCursor()
    ends = (len(TEXT) + 8, 5) if backwards else (5, len(TEXT) + 8)
    cursor.setPosition(ends[0])
    cursor.setPosition(ends[1], QTextCursor.MoveMode.KeepAnchor)
    view.setTextCursor(cursor)
    section = view.merged_view.section_at(view.selected_span().start)
    assert section.start <= view.selected_span().start
    assert view.selected_span().end <= section.end


def test_select_all_selects_the_record(view, hand):
    view.set_caret(len(TEXT) + 3)
    hand.key(Qt.Key.Key_A, CTRL)
    assert selected(view) == "Second record, Lee again."


def test_what_is_copied_comes_from_the_text(show_view):
    view = show_view("no\u00a0break \u2028 line\ttab \ufeff mark")
    view.selectAll()
    assert view.createMimeDataFromSelection().text() == view.merged_view.text


def test_an_armed_click_picks_the_chunk(view, hand, qtbot, span):
    view.arm("DATE", "#CC79A7")
    with qtbot.waitSignal(view.span_picked) as picked:
        hand.click(TEXT.index("05-03"))
    assert picked.args == [span(view, "2067-05-03")]


def test_an_armed_click_on_a_mark_picks_and_does_not_activate(view, hand, qtbot, mark):
    view.set_marks([mark(view, "Lee")])
    view.arm("DATE", "#CC79A7")
    with qtbot.assertNotEmitted(view.mark_activated), qtbot.waitSignal(view.span_picked):
        hand.click(TEXT.index("Lee"))


def test_an_armed_drag_picks_what_it_snaps_to(view, hand, qtbot, span):
    view.arm("DOCTOR", "#D55E00")
    with qtbot.waitSignal(view.span_picked) as picked:
        hand.drag(TEXT.index("aria"), TEXT.index("ee,"))
    assert picked.args == [span(view, "Maria Lee")]
    assert view.selected_span() is None


def test_an_armed_double_click_picks_once(view, hand, qtbot):
    view.arm("DOCTOR", "#D55E00")
    picked = []
    view.span_picked.connect(picked.append)
    hand.double_click(TEXT.index("Lee"))
    assert len(picked) == 1


def test_an_armed_click_beside_the_text_picks_nothing(view, qtbot):
    view.arm("DOCTOR", "#D55E00")
    beside = QPoint(view.viewport().width() - 5, 30)
    with qtbot.assertNotEmitted(view.span_picked):
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=beside)


def test_escape_disarms_and_tells(view, hand, qtbot):
    view.arm("DOCTOR", "#D55E00")
    with qtbot.waitSignal(view.disarmed):
        hand.key(Qt.Key.Key_Escape)
    assert view.armed == ""


def test_an_armed_type_changes_the_pointer(view):
    usual = view.viewport().cursor().shape()
    view.arm("DOCTOR", "#D55E00")
    armed = view.viewport().cursor().shape()
    view.arm(None)
    assert (usual, armed) == (Qt.CursorShape.IBeamCursor, Qt.CursorShape.BitmapCursor)
    assert view.viewport().cursor().shape() is usual


def test_a_click_activates_the_shortest_mark_and_then_the_next(view, hand, mark):
    short, long = mark(view, "Lee"), mark(view, "Dr. Maria Lee")
    view.set_marks([long, short])
    activated = []
    view.mark_activated.connect(activated.append)
    for _ in range(3):
        hand.click(TEXT.index("Lee") + 1)
    assert activated == [short, long, short]


def test_marks_at_tells_the_shortest_first(view, mark):
    short, long = mark(view, "Lee"), mark(view, "Dr. Maria Lee")
    view.set_marks([long, short])
    assert view.marks_at(TEXT.index("Lee")) == [short, long]
    assert view.marks_at(TEXT.index("Dr")) == [long]
    assert view.marks_at(0) == []


def test_changing_marks_keeps_the_others(view, mark):
    lee, maria = mark(view, "Lee"), mark(view, "Maria")
    view.set_marks([lee])
    view.change_marks([lee], [maria])
    assert view.marks() == [maria]


def test_opening_takes_marks_and_emphasis_away(view, mark, merge):
    view.set_marks([mark(view, "Lee")])
    view.set_current_mark(mark(view, "Lee"))
    view.open(merge("another"))
    assert (view.marks(), view.current_mark) == ([], None)


def test_the_tooltip_names_all_marks_and_their_notes(view, hand, mark):
    suggestion = mark(view, "Dr. Maria Lee", "PATIENT", MarkStyle.SUGGESTION)
    view.set_marks(
        [suggestion, Mark(*_ends(mark(view, "Lee")), "DOCTOR", "#D55E00", note="a note")]
    )
    point = hand.at(TEXT.index("Lee"))
    event = QHelpEvent(QEvent.Type.ToolTip, point, view.viewport().mapToGlobal(point))
    QApplication.sendEvent(view.viewport(), event)
    assert QToolTip.text().split("\n") == ["DOCTOR", "a note", "PATIENT (suggestion)"]
    QToolTip.hideText()


def test_the_text_cannot_be_changed(view, hand):
    before = view.document().characterCount()
    QTest.keyClicks(view, "abc")
    hand.key(Qt.Key.Key_Delete)
    hand.key(Qt.Key.Key_V, CTRL)
    assert view.document().characterCount() == before


def test_it_is_named_for_those_who_cannot_see_it(view):
    assert view.objectName() == "documentView"
    assert view.accessibleName()


def test_a_drag_below_the_page_scrolls_and_selects_on(show_view, qtbot):
    view = show_view("\n".join(f"line {number}" for number in range(200)), "next record")
    viewport, hand = view.viewport(), Hand(view)
    below = QPoint(60, viewport.height() + 60)
    QTest.mousePress(viewport, Qt.MouseButton.LeftButton, pos=hand.edge(0))
    QTest.mouseMove(viewport, below)
    qtbot.waitUntil(lambda: view.verticalScrollBar().value() > 5)
    QTest.mouseRelease(viewport, Qt.MouseButton.LeftButton, pos=below)
    stopped = view.verticalScrollBar().value()
    assert len(view.selected_span()) > 100
    qtbot.wait(120)
    assert view.verticalScrollBar().value() == stopped


def test_a_right_click_places_the_caret_whatever_is_selected_elsewhere(view, hand):
    view.select(Span(0, 4))
    point = hand.at(TEXT.index("Lee"))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=point)
    assert (view.caret(), view.selected_span()) == (TEXT.index("Lee"), None)


def test_a_right_click_inside_the_selection_keeps_it(view, hand):
    view.select(Span(0, 11))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=hand.at(8))
    assert view.selected_span() == Span(0, 11)


def test_a_right_click_means_the_mark_that_is_emphasised_before_a_shorter_one(view, hand, mark):
    long = mark(view, "Dr. Maria Lee")
    view.set_marks([mark(view, "Lee"), long])
    activated = []
    view.mark_activated.connect(activated.append)
    view.set_current_mark(long)
    point = hand.at(TEXT.index("Lee"))
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=point)
    view.set_current_mark(None)
    QTest.mouseClick(view.viewport(), Qt.MouseButton.RightButton, pos=point)
    assert activated == [mark(view, "Lee")]
