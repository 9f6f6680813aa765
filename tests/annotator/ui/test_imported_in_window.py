"""What another program suggests, in the annotation window: with its name, accepted by a key."""

import pytest
from PySide6.QtCore import Qt

from annotator.rejections import PlacedSuggestion
from tests.annotator.page import press, tags, wait_for_suggestions
from tests.builders import phi

TEXT = "They met under the old bridge and left.\n"


@pytest.fixture
def texts():
    return {"1-01": TEXT}


def test_one_goes_to_it_reads_whose_it_is_and_takes_it(qtbot, window):
    start, end = TEXT.index("bridge"), TEXT.index(" and")
    wait_for_suggestions(window, qtbot)
    theirs = PlacedSuggestion(start, end, "1-01", phi("DOCTOR"), 0.8, "gpt", "gpt")
    window.session.review.exchange((), [theirs])
    press(window, Qt.Key.Key_F8)
    assert "DOCTOR, 80% sure (gpt)" in window.statusBar().currentMessage()
    press(window, Qt.Key.Key_Return)
    assert tags(window) == [("bridge", "DOCTOR")]
    (tag,) = window.session.layer.tags
    assert tag.tag.provenance == "suggestion (gpt)"
