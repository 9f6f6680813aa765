"""Finding: what is found, and the bar by keyboard."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLineEdit

from shared.widgets.document.find_bar import FindBar, found_spans
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


@pytest.fixture
def bar(qtbot):
    bar = FindBar()
    qtbot.addWidget(bar)
    bar.open()
    yield bar
    bar.close()


@pytest.fixture
def line(bar):
    return bar.findChild(QLineEdit)


def test_it_looks_while_one_types(bar, line, qtbot):
    with qtbot.waitSignals([bar.search] * 3):
        QTest.keyClicks(line, "Lee")
    assert bar.text == "Lee"


def test_matching_case_looks_again(bar, line, qtbot):
    line.setText("Lee")
    with qtbot.waitSignal(bar.search) as asked:
        bar.findChild(QCheckBox).click()
    assert asked.args == ["Lee", True]


@pytest.mark.parametrize(
    ("key", "modifier", "signal"),
    [
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier, "next_wanted"),
        (Qt.Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier, "next_wanted"),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier, "previous_wanted"),
        (Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier, "closed"),
    ],
)
def test_keys(bar, line, qtbot, key, modifier, signal):
    with qtbot.waitSignal(getattr(bar, signal)):
        QTest.keyClick(line, key, modifier)


def test_escape_hides_it(bar, line):
    QTest.keyClick(line, Qt.Key.Key_Escape)
    assert not bar.isVisible()


def test_opening_with_text_looks_for_it(bar, line, qtbot):
    with qtbot.waitSignal(bar.search) as asked:
        bar.open("Maria")
    assert asked.args == ["Maria", False]
    assert line.selectedText() == "Maria"


@pytest.mark.parametrize(
    ("current", "total", "said"),
    [(3, 17, "3 of 17"), (0, 17, "17 found"), (0, 0, "not found"), (1, 10_000, "1 of 10,000+")],
)
def test_the_count(bar, line, current, total, said):
    line.setText("Lee")
    bar.show_count(current, total)
    assert bar.count_text == said


def test_no_count_for_no_text(bar):
    bar.show_count(0, 0)
    assert bar.count_text == ""
