"""What the adjudication window says to be decided is tried to be made a lie."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from shared.project.assignments import State
from shared.widgets.findings.finding_process import FindingProcess
from tests.adjudicator.projects import make_project
from tests.events import process_events

AGREED = {
    "English": ["Seen by [Lee|DOCTOR]."],
    "Spanish": ["La Sra. [Ferrán-\ndiz|PATIENT]."],
    "Chinese": ["姓名：[王小明|PATIENT]。"],
    "Arabic": ["المريض [سالم|PATIENT] هنا."],
}


@pytest.mark.parametrize("sources", AGREED.values(), ids=AGREED)
def test_agreement_everywhere_is_said_where_it_is_so(open_window, tmp_path, sources):
    hand = open_window(make_project(tmp_path, sources, sources))
    hand.press("F8")
    assert hand.said == "The annotators agree everywhere. Ctrl+D marks the patient as done."


@pytest.mark.parametrize("sources", AGREED.values(), ids=AGREED)
def test_one_tag_that_is_a_character_longer_is_no_agreement(open_window, tmp_path, sources):
    (source,) = sources
    name = source[source.index("[") + 1 : source.index("|")]
    other = [source.replace(f"[{name}", f"{name[0]}[{name[1:]}")]
    hand = open_window(make_project(tmp_path, sources, other))
    hand.press("F8")
    assert "agree everywhere" not in hand.said
    assert "Everything is decided" not in hand.said


def test_annotators_who_are_not_done_agree_so_far(open_window, tmp_path):
    sources = AGREED["English"]
    project = make_project(tmp_path, sources, sources)
    project.set_state("110", "ben", State.BEGUN)
    hand = open_window(project, force=True)
    hand.press("F8")
    assert hand.said == "The annotators agree everywhere so far; ben may still change their tags."


def test_a_record_that_could_not_be_read_is_said(open_window, tmp_path):
    both = [*AGREED["English"], "Again [Kai|PATIENT]."]
    project = make_project(tmp_path, both, both)
    project.layer_path("ben", "110-02").write_text("<broken", encoding="utf-8")
    hand = open_window(project)
    hand.press("F8")
    assert hand.said == (
        "The annotators agree everywhere but in record 110-02, which could not be read."
    )


REPEATED = {
    "English": "[Yamamoto|DOCTOR] came. Later [Yamamoto|DOCTOR] left.",
    "Spanish": "Por [Ferrándiz|DOCTOR]. Luego acude [Ferrándiz|DOCTOR] sola.",
    "German": "Es kam [Müller|DOCTOR]. Dann ging [Müller|DOCTOR] wieder.",
    "Chinese": "姓名：[王小明|PATIENT]，男\n今日[王小明|PATIENT]先生入院。",
}


class TestFindings:
    """That there are none, and how many wait, is said of the gold standard as it is now."""

    @pytest.fixture
    def hand(self, open_window, tmp_path, qtbot, request):
        first = getattr(request, "param", REPEATED["English"])
        before, name, after = first.rpartition(first[first.index("[") : first.index("]") + 1])
        second = f"{before}{name[1:].partition('|')[0]}{after}"  # its last mention has no tag
        hand = open_window(make_project(tmp_path, [first], [second]))
        qtbot.waitUntil(lambda: self.said(hand).endswith("1 more wait for a decision"))
        return hand

    @pytest.fixture
    def endless(self, monkeypatch):
        """Looks that go on until somebody ends them, from the part that is named in the list."""
        from_part: list[int] = []

        def look(_self, _patient, _marks, _others, step):
            for part in (0, 1):
                while part >= from_part[0]:
                    step(0, 1)
                yield []

        monkeypatch.setattr(FindingProcess, "look", look)
        return from_part

    def said(self, hand):
        return hand.window.findChild(QLabel, "findingCount").text()

    def cancel(self, hand, qtbot):
        line = hand.window.findChild(QWidget, "taskLine")
        qtbot.waitUntil(line.isVisible)
        QTest.mouseClick(line.findChild(QPushButton), Qt.MouseButton.LeftButton)

    @pytest.mark.parametrize("hand", REPEATED.values(), ids=REPEATED, indirect=True)
    def test_neither_is_said_of_what_was_before_a_decision(self, hand):
        hand.press("0")
        said = set()
        while (now := self.said(hand)) != "1 finding":  # the test's own time limit ends this
            said.add(now)
            process_events()
        assert said == {"Looking for findings…"}

    @pytest.mark.parametrize("hand", REPEATED.values(), ids=REPEATED, indirect=True)
    def test_nobody_is_done_without_hearing_that_they_are_still_looked_for(self, hand, qtbot):
        hand.press("0", "Ctrl+D")
        assert hand.banner.startswith("Findings are still being looked for.")
        qtbot.waitUntil(lambda: self.said(hand) == "1 finding", timeout=20_000)
        hand.press("Ctrl+D")
        assert hand.banner.startswith("1 finding is left.")

    def test_how_many_are_left_is_not_said_of_what_was_before_a_decision(
        self, hand, qtbot, monkeypatch
    ):
        gate, real, looks = threading.Event(), FindingProcess.look, []

        def look(process, patient, marks, others, step):
            looks.append(marks)
            found = list(real(process, patient, marks, others, step))
            gate.wait()
            yield from found if len(looks) == 1 else ([], [])

        monkeypatch.setattr(FindingProcess, "look", look)
        hand.press("F5")
        qtbot.waitUntil(lambda: len(looks) == 1)
        hand.press("0")
        gate.set()
        said = set()
        while self.said(hand) != "No findings":  # the test's own time limit ends this
            said.add(hand.said)
            process_events()
        assert said == {"Everything is decided. Ctrl+D marks the patient as done."}

    def test_whoever_ends_a_look_does_not_know(self, hand, endless, qtbot):
        endless.append(0)
        hand.press("0", "F5")
        self.cancel(hand, qtbot)
        qtbot.waitUntil(lambda: "not known" in self.said(hand))
        hand.press("Ctrl+D")
        assert hand.banner.startswith("Findings are not known; F5 looks again.")

    def test_whoever_ends_a_look_at_other_patients_knows_of_this_one(self, hand, endless, qtbot):
        endless.append(1)
        hand.press("0", "F5")
        self.cancel(hand, qtbot)
        qtbot.waitUntil(lambda: self.said(hand) == "No findings; other patients not checked")
        hand.press("Ctrl+D")
        assert hand.banner.startswith("Other patients were not checked to the end; F5 looks again.")
