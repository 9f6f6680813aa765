"""What the annotation window says of itself is tried to be made a lie, in several languages."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from shared.project.settings import Policy
from shared.widgets.parts.messages import StatusBanner
from tests.annotator.page import press, put_caret, tags
from tests.events import process_events
from tests.places import dismiss

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
RECORDS = {
    "English": ("Teasdale", "Seen by Mrs. Teasdale.\nThen Mrs. Teas-\ndale left.\n"),
    "Spanish": ("Ferrándiz", "Atendida por Ferrándiz.\nAcude Ferrán-\ndiz sola.\n"),
    "Spanish accents apart": (
        "Ferrándiz",
        "Por Ferrándiz.\nAcude Ferra\u0301ndiz sola.\n",
    ),
    "German": ("Müller", "Es kam Müller.\nDann ging Mül\u00adler.\n"),
    "Chinese": ("王小明", "姓名：王小明，男\n今日王小\n明先生入院。\n"),
    "Arabic": ("سالم", "المريض سالم هنا.\nثم خرج سَالِم.\n"),
}


@pytest.fixture(params=list(RECORDS), ids=list(RECORDS))
def record(request):
    return RECORDS[request.param]


@pytest.fixture
def texts(record):
    return {"1-01": record[1]}


def findings(window):
    return window.findChild(QLabel, "findingCount").text()


def save_label(window):
    return window._parts.saved.text()


def test_no_findings_is_said_only_when_every_place_is_tagged_or_dismissed(tagged, qtbot):
    qtbot.waitUntil(lambda: findings(tagged) == "1 finding", timeout=20_000)
    press(tagged, Qt.Key.Key_F9)
    press(tagged, Qt.Key.Key_X)
    dismiss(tagged, "a street")
    qtbot.waitUntil(lambda: findings(tagged).startswith("No findings"), timeout=20_000)
    assert findings(tagged) == "No findings; 1 dismissed"
    press(tagged, Qt.Key.Key_F9)
    press(tagged, Qt.Key.Key_X)  # takes it back
    qtbot.waitUntil(lambda: findings(tagged) == "1 finding", timeout=20_000)
    press(tagged, Qt.Key.Key_Return)
    assert len(tags(tagged)) == 2
    qtbot.waitUntil(lambda: findings(tagged) == "No findings", timeout=20_000)


def test_no_findings_is_not_said_of_tags_that_have_changed_since(tagged, qtbot):
    press(tagged, Qt.Key.Key_F9)
    press(tagged, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: findings(tagged) == "No findings", timeout=20_000)
    press(tagged, Qt.Key.Key_F5)  # a look is under way
    press(tagged, Qt.Key.Key_Z, CONTROL)
    said = set()
    while (now := findings(tagged)) != "1 finding":  # the test's own time limit ends this
        said.add(now)
        process_events()
    assert said == {"Looking for findings…"}


def test_all_is_saved_only_once_the_file_has_the_very_text(tagged, project, record, qtbot):
    text = record[1]
    assert save_label(tagged) == "Kept in the journal"
    press(tagged, Qt.Key.Key_F9)
    press(tagged, Qt.Key.Key_Return)
    assert save_label(tagged) == "Kept in the journal"
    press(tagged, Qt.Key.Key_S, CONTROL)
    qtbot.waitUntil(lambda: save_label(tagged).startswith("Saved"), timeout=20_000)
    (document,) = project.patient("1").documents
    there = project.read_layer("ana", document).layer.tags
    assert [each.span.text_in(text) for each in there] == [name for name, _ in tags(tagged)]
    assert len(there) == 2


class TestSuggestions:
    """That none is left is said only as far as it is known."""

    @pytest.fixture
    def texts(self):
        there = "Seen by Dr. Lee on 05/09/2007, phone (617) 555-0134.\n"
        return {"1-01": there, "2-01": there}

    @pytest.fixture
    def project(self, project):
        project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
        return project

    @pytest.fixture
    def suggested(self, window, qtbot):
        feed = window._guide.feed
        qtbot.waitUntil(lambda: not feed.is_looking, timeout=20_000)
        assert window.session.review.shown
        return window

    def said(self, window):
        return window.statusBar().currentMessage()

    def test_from_the_first_moment_more_are_coming(self, suggested):
        suggested.open_patient("2")
        press(suggested, Qt.Key.Key_F8)
        assert self.said(suggested).startswith("Suggestions are still coming")

    def test_none_are_coming_where_the_project_has_none(self, suggested, project):
        project.set_suggestions(project.suggestions.changed("ana", Policy.OFF))
        suggested.open_patient("2")
        press(suggested, Qt.Key.Key_F8)
        assert self.said(suggested) == "There is no suggestion to look at."

    def test_while_more_are_coming_none_is_said_to_be_left(self, window, monkeypatch):
        # rules are quick: whether they still look when a key is pressed is chance
        monkeypatch.setattr(window._guide.feed, "is_looking", True)
        press(window, Qt.Key.Key_F8)
        assert self.said(window).startswith("Suggestions are still coming")
        window._guide.accept_sure()
        assert self.said(window).startswith("Suggestions are still coming")

    def test_what_the_slider_hides_is_told(self, suggested, qtbot):
        slider = suggested._parts.suggestions.slider
        count = len(suggested.session.review.shown)
        assert count
        slider.setValue(slider.maximum())
        qtbot.waitUntil(lambda: len(suggested.session.review.shown) < count)
        put_caret(suggested, "Seen")
        while suggested.session.review.shown:
            press(suggested, Qt.Key.Key_F8)
            press(suggested, Qt.Key.Key_X)
        press(suggested, Qt.Key.Key_F8)
        assert "less sure, which the slider hides" in self.said(suggested)


class TestDone:
    """That all patients are done is said only when no other is left, wherever one begins."""

    @pytest.fixture
    def texts(self):
        return {"1-01": "Nothing here.", "2-01": "今日无事。", "3-01": "لا شيء هنا."}

    def test_all_patients_are_done_is_said_once_they_are(self, window):
        banner = window.findChild(StatusBanner)
        window.open_patient("3")
        for left in (2, 1, 0):
            patient_id = window.session.patient_id
            for _ in range(3):  # what has not been on the screen is asked about first
                if window.session is not None and window.session.patient_id == patient_id:
                    assert "All your patients are done" not in banner.text
                    press(window, Qt.Key.Key_D, CONTROL)
                    if not left and "All your patients are done" in banner.text:
                        return
        pytest.fail("it was not said")


class TestMany:
    """That suggestions come in portions, and are looked for anew meanwhile, changes none."""

    COUNT = 1500

    @pytest.fixture
    def texts(self):
        return {"1-01": "Seen on 05/09/2007, left.\n" * self.COUNT}

    @pytest.fixture
    def project(self, project):
        project.set_suggestions(project.suggestions.changed("ana", Policy.RULES))
        return project

    def test_looking_anew_while_they_come_ends_with_all_of_them(self, window, qtbot):
        feed, review = window._guide.feed, window.session.review
        while not review.shown:  # the test's own time limit ends this
            process_events()  # no further than to one portion
        assert len(review.shown) < self.COUNT
        feed.search_again()
        qtbot.waitUntil(lambda: not feed.is_looking, timeout=30_000)
        assert len(review.shown) == self.COUNT
        assert window._parts.suggestions.about.startswith("From the rules")
