"""Accepting what is on the screen, by real keys: nothing that one has not seen is accepted."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit

from annotator.rejections import PlacedSuggestion
from shared.model import PhiType, Span
from shared.project.journal import read_journal
from shared.widgets.document.marks import MarkStyle
from tests.annotator.notes import on_disk
from tests.annotator.page import press, put_caret, tags, wait_for_suggestions
from tests.places import take_list

CONTROL = Qt.KeyboardModifier.ControlModifier
DATE, DOCTOR = PhiType("DATE", "DATE"), PhiType("NAME", "DOCTOR")
NAMES = [f"Name{chr(97 + at // 26)}{chr(97 + at % 26)}" for at in range(150)]
TEXT = "".join(f"Seen by {name} here.\n" for name in NAMES)
DOUBTED = NAMES[2]


@pytest.fixture
def texts():
    return {"1-01": TEXT}


@pytest.fixture
def suggested(qtbot, window):
    """The window with a suggestion in every line, the third of them doubtful; looked at."""
    places = [(TEXT.index(name), name) for name in NAMES]
    wait_for_suggestions(window, qtbot)
    window.session.review.exchange(
        (),
        [
            PlacedSuggestion(at, at + len(name), "1-01", DOCTOR, sure, "test")
            for at, name in places
            for sure in [0.6 if name == DOUBTED else 0.95]
        ],
    )
    look(qtbot, window)
    return window


def look(qtbot, window):
    qtbot.waitUntil(window._guide.screen.is_looked_at)


def accept(window):
    press(window, Qt.Key.Key_Return, CONTROL)


def on_screen(window):
    screen = window.view.visible_span()
    return [name for name in NAMES if screen.contains(span_of(name))]


def span_of(name):
    return Span(TEXT.index(name), TEXT.index(name) + len(name))


def tagged(window):
    return [text for text, _ in tags(window)]


def said(window):
    return window.statusBar().currentMessage()


def test_what_is_on_the_screen_is_accepted_in_one_step_and_nothing_else(suggested, project):
    seen = on_screen(suggested)
    assert 5 < len(seen) < len(NAMES)
    accept(suggested)
    assert tagged(suggested) == [name for name in seen if name != DOUBTED]
    lines = read_journal(project.journal_path("ana", "1"))
    assert [len(each["added"]) for each in lines if each["op"] == "edit"] == [len(seen) - 1]
    press(suggested, Qt.Key.Key_Z, CONTROL)
    assert not tagged(suggested)


def test_what_is_doubtful_is_led_to_and_wants_a_word_of_its_own(suggested):
    accept(suggested)
    assert suggested.view.selected_span() == span_of(DOUBTED)
    assert "1 doubtful" in said(suggested)
    accept(suggested)  # again: leads there once more, and accepts nothing
    assert DOUBTED not in tagged(suggested)
    press(suggested, Qt.Key.Key_Return)
    assert DOUBTED in tagged(suggested)


def test_a_question_mark_tells_what_is_doubtful(suggested):
    labels = {
        each.label: each.span
        for each in suggested.view.marks()
        if each.style is MarkStyle.SUGGESTION
    }
    assert labels["DOCTOR?"] == span_of(DOUBTED)
    assert set(labels) == {"DOCTOR", "DOCTOR?"}


def test_where_nothing_is_doubtful_it_goes_on_to_the_next_lines(suggested):
    seen = on_screen(suggested)
    put_caret(suggested, DOUBTED)
    press(suggested, Qt.Key.Key_X)
    accept(suggested)
    following = NAMES[NAMES.index(seen[-1]) + 1]
    assert following in on_screen(suggested)[:4]
    assert set(tagged(suggested)) == set(seen) - {DOUBTED}


def test_lines_that_have_just_come_into_sight_are_not_accepted(qtbot, suggested):
    press(suggested, Qt.Key.Key_PageDown)
    accept(suggested)
    assert not tagged(suggested)
    assert "come into sight" in said(suggested)
    look(qtbot, suggested)
    seen = on_screen(suggested)
    accept(suggested)
    assert tagged(suggested) == seen


def test_held_down_the_key_accepts_no_more_than_one_screen(suggested):
    seen = on_screen(suggested)
    for _ in range(40):
        accept(suggested)
    assert set(tagged(suggested)) <= set(seen)


def test_while_suggestions_are_still_coming_none_is_accepted(suggested):
    suggested._guide.feed.is_looking = True
    accept(suggested)
    assert not tagged(suggested)
    assert "still coming" in said(suggested)


def test_half_of_a_line_at_the_edge_of_the_screen_is_not_accepted(qtbot, suggested):
    bar = suggested.view.verticalScrollBar()
    bar.setValue(bar.value() + 7)
    look(qtbot, suggested)
    seen = on_screen(suggested)
    accept(suggested)
    assert tagged(suggested) == [name for name in seen if name != DOUBTED]
    assert NAMES[0] not in tagged(suggested)


def test_compact_text_shows_no_types_so_they_are_listed_first(qtbot, suggested):
    press(suggested, Qt.Key.Key_L, CONTROL)
    look(qtbot, suggested)
    seen = on_screen(suggested)
    accept(suggested)
    assert not tagged(suggested)
    assert take_list(suggested) == len(seen) - 1
    assert tagged(suggested) == [name for name in seen if name != DOUBTED]


def test_a_type_given_on_the_way_decides_the_rest_of_the_screen(qtbot, suggested):
    put_caret(suggested, NAMES[1])
    press(suggested, Qt.Key.Key_D)
    assert (NAMES[1], "DATE") in tags(suggested)
    accept(suggested)
    assert (NAMES[1], "DATE") in tags(suggested)
    assert (NAMES[0], "DOCTOR") in tags(suggested)


def test_below_the_last_line_it_goes_to_what_was_passed_over(qtbot, suggested):
    end = suggested.view.verticalScrollBar()
    end.setValue(end.maximum())
    look(qtbot, suggested)
    accept(suggested)
    last = tagged(suggested)
    assert last[-1] == NAMES[-1]
    accept(suggested)
    assert suggested.view.selected_span() == span_of(NAMES[0])
    QTest.keyClick(suggested.view, Qt.Key.Key_X)
    assert NAMES[0] not in tagged(suggested)


def test_lines_without_suggestions_are_gone_on_from(suggested):
    review = suggested.session.review
    review.exchange(list(review._all), ())
    seen = on_screen(suggested)
    accept(suggested)
    assert not set(seen[:5]) & set(on_screen(suggested))
    assert not tagged(suggested)


def test_that_nothing_is_left_is_said_only_when_nothing_is(qtbot, suggested):
    bar = suggested.view.verticalScrollBar()
    bar.setValue(bar.maximum())
    look(qtbot, suggested)
    accept(suggested)
    assert "No suggestion is left" not in said(suggested)
    press(suggested, Qt.Key.Key_Z, CONTROL)
    review, seen = suggested.session.review, set(on_screen(suggested))
    review.exchange([each for each in review._all if TEXT[each.start : each.end] not in seen], ())
    look(qtbot, suggested)
    accept(suggested)
    assert "No suggestion is left to look at" in said(suggested)


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_X])
def test_the_last_doubtful_one_of_an_accepted_screen_goes_on_to_the_next_lines(suggested, key):
    seen = on_screen(suggested)
    accept(suggested)
    press(suggested, key)
    assert said(suggested) == "All that was suggested on that screen is decided."
    following = NAMES[NAMES.index(seen[-1]) + 1]
    assert following in on_screen(suggested)[:4]
    assert set(tagged(suggested)) == set(seen) - ({DOUBTED} if key == Qt.Key.Key_X else set())


def test_every_doubtful_one_of_an_accepted_screen_is_led_to_before_it_goes_on(suggested):
    review, also = suggested.session.review, span_of(NAMES[4])
    (sure,) = review.shown_within(also)
    review.exchange([sure], [PlacedSuggestion(also.start, also.end, "1-01", DOCTOR, 0.6, "test")])
    accept(suggested)
    seen = on_screen(suggested)
    press(suggested, Qt.Key.Key_F8)  # the second one first
    assert suggested.view.selected_span() == also
    press(suggested, Qt.Key.Key_Return)
    assert suggested.view.selected_span() == span_of(DOUBTED)
    assert on_screen(suggested) == seen
    press(suggested, Qt.Key.Key_Return)
    assert set(tagged(suggested)) == set(seen)
    assert seen[0] not in on_screen(suggested)


def test_a_screen_that_was_not_accepted_is_not_gone_on_from(suggested):
    seen = on_screen(suggested)
    put_caret(suggested, DOUBTED)
    press(suggested, Qt.Key.Key_F8)
    press(suggested, Qt.Key.Key_Return)
    assert suggested.view.selected_span() == span_of(NAMES[3])
    assert on_screen(suggested) == seen


def test_ctrl_enter_ends_a_note_and_accepts_nothing_meanwhile(suggested, project):
    press(suggested, Qt.Key.Key_N, CONTROL)
    for key in (Qt.Key.Key_W, Qt.Key.Key_Return):
        holds = Qt.KeyboardModifier.NoModifier if key is Qt.Key.Key_W else CONTROL
        QTest.keyClick(suggested.focusWidget(), key, holds)
    assert not tagged(suggested)
    assert [(kind, text) for kind, _, text in on_disk(project)] == [("note", "w")]


def test_ctrl_enter_in_another_field_accepts_nothing(suggested):
    press(suggested, Qt.Key.Key_F, CONTROL)
    QTest.keyClick(suggested.focusWidget(), Qt.Key.Key_Return, CONTROL)
    field = suggested.findChild(QLineEdit, "tagFilter")
    field.setFocus()
    for holds in (CONTROL, CONTROL | Qt.KeyboardModifier.ShiftModifier):
        QTest.keyClick(field, Qt.Key.Key_Return, holds)
    assert not tagged(suggested)
