"""Finding: what is found, and the bar by keyboard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from shared.model import Span
from shared.widgets.document.find_bar import FindBar, found_spans
from shared.widgets.document.marks import MarkStyle
from tests.shared.widgets.conftest import merged


def texts(view, phrase, **options):
    return [span.text_in(view.text) for span in found_spans(view, phrase, **options)]


def test_parts_of_words_are_found_whatever_their_case():
    assert texts(merged("Lee, LEEds and Kathlee"), "lee") == ["Lee", "LEE", "lee"]


def test_case_can_matter():
    assert texts(merged("Lee, LEE"), "Lee", match_case=True) == ["Lee"]


def test_blanks_match_line_ends():
    assert texts(merged("Maria\n  Lee"), "maria lee") == ["Maria\n  Lee"]


def test_nothing_is_found_over_the_edge_of_a_record():
    assert texts(merged("Maria", "Lee"), "maria lee") == []


@pytest.mark.parametrize("phrase", ["", "  ", "\n"])
def test_blanks_alone_find_nothing(phrase):
    assert texts(merged("a  b"), phrase) == []


@pytest.mark.parametrize("phrase", ["a.c", "[x]", "(", "*", "\\d"])
def test_signs_mean_themselves(phrase):
    assert texts(merged(f"abc {phrase} 1"), phrase) == [phrase]


@given(
    st.lists(st.text(alphabet="ab \n", max_size=10), min_size=1, max_size=3),
    st.text("ab", max_size=2),
)
def test_every_hit_lies_in_one_record(records, phrase):
    view = merged(*records)
    for span in found_spans(view, phrase):
        view.record_span(span)
        assert span.text_in(view.text) == phrase


@pytest.mark.parametrize(
    ("phrase", "text", "found"),
    [
        ("ferrándiz", "Ferrán-\ndiz, FERRANDIZ", ["Ferrán-\ndiz", "FERRANDIZ"]),
        ("García-", "García-López", ["García-"]),
        ("-López", "García-López", ["-López"]),
        ("Müller", "Mül\u00adler, Mu\u0308ller", ["Mül\u00adler", "Mu\u0308ller"]),
        ("王小明", "王小\n明先生", ["王小\n明"]),
        ("محمد علي", "مُحَمَّد\nعلي", ["مُحَمَّد\nعلي"]),
        ("555-0123", "555-\n  0123", ["555-\n  0123"]),
        ("-", "a-b -", ["-", "-"]),
    ],
)
def test_text_is_found_however_it_stands(phrase, text, found):
    assert texts(merged(text), phrase) == found


def test_with_case_a_text_is_found_over_line_ends():
    found = texts(merged("Ferrán-\ndiz FERRÁN-\nDIZ"), "Ferrándiz", match_case=True)
    assert found == ["Ferrán-\ndiz"]


@pytest.fixture
def view(show_view):
    return show_view("Maria Lee saw Lee", "lee, LEE, Maria")


@pytest.fixture
def bar(qtbot, view):
    bar = FindBar(view)
    qtbot.addWidget(bar)
    bar.open()
    yield bar
    bar.close()


@pytest.fixture
def line(bar):
    return bar.findChild(QLineEdit)


def hits(view):
    return sorted(mark.start for mark in view.marks() if mark.style is MarkStyle.FOUND)


def test_it_looks_while_one_types(bar, line, view):
    QTest.keyClicks(line, "Lee")
    assert [view.merged_view.text[at : at + 3] for at in hits(view)] == ["Lee", "Lee", "lee", "LEE"]
    assert bar.count_text == "1 of 4"


def test_the_first_hit_from_the_caret_on_is_selected_while_one_types(bar, line, view):
    view.set_caret(8)
    bar.open()
    QTest.keyClicks(line, "Mar")
    assert view.selected_span() == Span(28, 33)
    assert bar.count_text == "2 of 2"


def test_escape_stays_at_the_hit_that_was_typed(bar, line, view):
    QTest.keyClicks(line, "LEE,")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert view.selected_span() == Span(18, 22)


def test_what_is_not_found_leaves_one_where_one_was(bar, line, view):
    view.set_caret(8)
    bar.open()
    QTest.keyClicks(line, "Leo")
    assert bar.count_text == "not found"
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert (view.selected_span(), view.caret()) == (None, 8)


def test_enter_goes_on_from_what_was_typed(bar, line, view):
    QTest.keyClicks(line, "Lee")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert (view.selected_span(), bar.count_text) == (Span(14, 17), "2 of 4")
    QTest.keyClicks(line, ",")
    assert view.selected_span() == Span(18, 22)


def test_opening_again_moves_nobody(bar, line, view):
    QTest.keyClicks(line, "Lee")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    view.set_caret(8)
    bar.open()
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert view.caret() == 8


def test_a_box_ticked_by_the_mouse_goes_to_a_hit(bar, line, view):
    QTest.keyClicks(line, "lee")
    assert view.selected_span() == Span(6, 9)
    bar.findChild(QCheckBox).click()
    assert view.selected_span() == Span(18, 21)


def test_matching_case_looks_again(bar, line, view):
    line.setText("Lee")
    bar.findChild(QCheckBox).click()
    assert len(hits(view)) == 2


@pytest.mark.parametrize(
    ("key", "modifier", "count"),
    [
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "1 of 4"),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier, "1 of 4"),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier, "4 of 4"),
    ],
)
def test_keys_walk_and_select(bar, line, view, key, modifier, count):
    line.setText("lee")
    QTest.keyClick(line, key, modifier)
    assert bar.count_text == count
    assert view.selected_span().text_in(view.merged_view.text).lower() == "lee"


def test_escape_hides_it_and_its_hits(bar, line, view):
    line.setText("Lee")
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert hits(view) == []


def test_opening_looks_for_what_is_selected(bar, line, view):
    view.select(Span(0, 5))
    bar.open()
    assert (line.text(), line.selectedText(), bar.count_text) == ("Maria", "Maria", "2 found")


def test_what_is_not_there_is_not_found(bar, line):
    line.setText("nobody")
    assert bar.count_text == "not found"


def test_very_many_hits_are_counted_up_to_a_limit(qtbot, show_view):
    bar = FindBar(show_view("x " * 10_001))
    qtbot.addWidget(bar)
    bar.open()
    bar.findChild(QLineEdit).setText("x")
    bar.go_next()
    assert bar.count_text == "2 of 10,000+"


def test_no_count_for_no_text(bar):
    assert bar.count_text == ""
