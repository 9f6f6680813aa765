"""Where somebody said that there is no tag, nothing is suggested any more; by real keys."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDockWidget

from annotator.rejections import PlacedSuggestion
from shared.model import PhiType
from tests.annotator.page import press, tags, wait_for_suggestions
from tests.places import dismiss

PATIENT = PhiType("NAME", "PATIENT")
TEXT = "Nerea vive aquí. Vino Nerea. Nerea come. Nerea duerme.\n"
PLACES = [at for at in range(len(TEXT)) if TEXT.startswith("Nerea", at)]
SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def texts():
    return {"1-01": TEXT}


@pytest.fixture
def nerea(qtbot, window):
    """The first name tagged, the others suggested and known as untagged."""
    wait_for_suggestions(window, qtbot)
    window.view.set_caret(0)
    press(window, Qt.Key.Key_T)
    review = window.session.review
    review.exchange(list(review.shown), [suggestion(at) for at in PLACES[1:]])
    live = window._work.untagged
    qtbot.waitUntil(lambda: live._live is not None and len(live._live.likely) == 3)
    return window


def suggestion(at):
    return PlacedSuggestion(at, at + 5, "1-01", PATIENT, 0.95, "test")


def suggested(window):
    return [each.start for each in window.session.review.shown]


def test_untagged_text_that_is_dismissed_is_suggested_no_more(nerea):
    press(nerea, Qt.Key.Key_F9)
    press(nerea, Qt.Key.Key_X)
    dismiss(nerea, "otra persona")
    assert suggested(nerea) == PLACES[2:]
    assert len(tags(nerea)) == 1


def test_all_with_one_text_that_are_dismissed_are_suggested_no_more(nerea):
    press(nerea, Qt.Key.Key_F9)
    press(nerea, Qt.Key.Key_X, SHIFT)
    dismiss(nerea, "otra persona")
    assert suggested(nerea) == []


def test_what_is_suggested_later_at_a_dismissed_place_is_not_shown_and_no_key_takes_it(nerea):
    review = nerea.session.review
    review.exchange(list(review.shown), [])
    press(nerea, Qt.Key.Key_F9)
    press(nerea, Qt.Key.Key_X, SHIFT)
    dismiss(nerea, "otra persona")
    review.exchange([], [suggestion(at) for at in PLACES[1:]])
    assert suggested(nerea) == []
    for at in PLACES[1:]:
        nerea.view.set_caret(at)
        press(nerea, Qt.Key.Key_Return)
    assert len(tags(nerea)) == 1


def test_nor_is_it_when_the_patient_is_opened_again(nerea, qtbot):
    press(nerea, Qt.Key.Key_F9)
    press(nerea, Qt.Key.Key_X, SHIFT)
    dismiss(nerea, "otra persona")
    nerea.close_patient()
    nerea.open_patient("1")
    wait_for_suggestions(nerea, qtbot)
    nerea.session.review.exchange([], [suggestion(at) for at in PLACES[1:]])
    assert suggested(nerea) == []


def test_what_is_dismissed_no_more_is_suggested_again(nerea):
    press(nerea, Qt.Key.Key_F9)
    press(nerea, Qt.Key.Key_X)
    dismiss(nerea, "otra persona")
    nerea.view.set_caret(PLACES[0])
    press(nerea, Qt.Key.Key_Z, CONTROL)  # the first tag: its text stands nowhere tagged
    assert PLACES[1] not in suggested(nerea)
    press(nerea, Qt.Key.Key_Y, CONTROL)
    for _ in range(4):  # the likely ones, and round to what was dismissed
        press(nerea, Qt.Key.Key_F9)
        if nerea.view.selected_span().start == PLACES[1]:
            break
        press(nerea, Qt.Key.Key_Return)
    press(nerea, Qt.Key.Key_X)
    assert PLACES[1] in suggested(nerea)


def test_a_finding_that_is_dismissed_is_suggested_no_more(nerea, qtbot):
    dock = nerea.findChild(QDockWidget, "dock.findings")
    qtbot.waitUntil(lambda: dock.windowTitle() == "Findings 3", timeout=20_000)
    press(nerea, Qt.Key.Key_F3)
    here = nerea.view.selected_span().start
    press(nerea, Qt.Key.Key_X)
    dismiss(nerea, "otra persona")
    assert suggested(nerea) == [each for each in PLACES[1:] if each != here]
