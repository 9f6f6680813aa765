"""One set of keys for untagged text, findings and suggestions: what the caret shows is acted on."""

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QTableView, QToolButton

from shared.consistency.dismissals import dismissals_path
from shared.model import PhiType, Span
from shared.project.journal import read_journal
from shared.widgets.findings.finding_service import FindingService
from shared.widgets.tags.place_list import PlaceList
from tests.annotator.page import press, put_caret, tags
from tests.places import dismiss, hint, take_list

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
DOCTOR = PhiType("NAME", "DOCTOR")
DOSE = "Mary is 50 years old. Mary had Ultram 50 mg. Mary left. Then Mary slept."
DONE = "All tagged text is tagged everywhere"
CHINESE = "姓名：王小明，男\n王小明先生于2071年入院，王小明已服药。\n"


@pytest.fixture
def texts():
    return {"1-01": DOSE}


def said(window) -> str:
    return window.statusBar().currentMessage()


def untagged(window) -> str:
    labels = window.findChildren(QLabel)
    return next(each for each in labels if each.accessibleName() == "Untagged occurrences").text()


def tag(window, qtbot, text, key):
    put_caret(window, text)
    press(window, key)
    qtbot.waitUntil(lambda: window._work.untagged._live is not None)


def selected(window) -> str:
    span = window.view.selected_span()
    return span.text_in(window.view.merged_view.text) if span else ""


@pytest.fixture
def mary(window, qtbot):
    tag(window, qtbot, "Mary", Qt.Key.Key_T)
    qtbot.waitUntil(lambda: untagged(window) == "3 untagged occurrences")
    return window


def test_the_line_under_the_text_names_the_keys_of_the_place(mary):
    press(mary, Qt.Key.Key_F9)
    assert hint(mary) == (
        "Tagged elsewhere as PATIENT  Enter tags it here too · Shift+Enter all 3… · "
        "X no tag here · Shift+X none of 3 · E tags and edits"
    )
    mary.view.set_caret(DOSE.index("slept"))
    assert not hint(mary)


def test_an_age_is_no_dose(window, qtbot):
    tag(window, qtbot, "50", Qt.Key.Key_G)
    assert tags(window) == [("50", "AGE")]
    qtbot.waitUntil(lambda: untagged(window) == "1 doubtful occurrence")
    press(window, Qt.Key.Key_F9)
    assert "a bare number may count something else" in hint(window)
    press(window, Qt.Key.Key_X)
    dismiss(window, "a dose")
    assert said(window).startswith(f"{DONE}, but for 1 dismissed.")
    assert not untagged(window)
    assert len(tags(window)) == 1


def test_what_is_dismissed_counts_no_more_and_stays_so(mary, project, qtbot):
    press(mary, Qt.Key.Key_F9)
    press(mary, Qt.Key.Key_X)
    dismiss(mary, "a ship")
    assert untagged(mary) == "2 untagged occurrences"
    assert selected(mary) == "Mary"  # the walk goes on
    (entry,) = read_journal(dismissals_path(project.root, "ana"))
    assert (entry["reason"], entry["who"], entry["start"]) == (
        "a ship",
        "ana",
        DOSE.index("Mary h"),
    )
    mary.open_patient("1")
    mary.close_patient()
    mary.open_patient("1")
    qtbot.waitUntil(lambda: untagged(mary) == "2 untagged occurrences")


def test_what_is_dismissed_is_listed_by_annotate_all_with_the_reason_but_not_ticked(mary):
    press(mary, Qt.Key.Key_F9)
    press(mary, Qt.Key.Key_X)
    dismiss(mary, "a ship")
    put_caret(mary, "Mary")
    press(mary, Qt.Key.Key_A)
    model = mary.findChild(PlaceList).findChild(QTableView).model()
    notes = [model.index(row, model.columnCount() - 1).data() for row in range(model.rowCount())]
    assert notes == ["already tagged as PATIENT", "dismissed (a ship)", "", ""]
    take_list(mary)
    assert [text for text, _ in tags(mary)] == ["Mary"] * 3


def test_enter_in_rhythm_never_tags_what_was_dismissed(mary):
    press(mary, Qt.Key.Key_F9)
    press(mary, Qt.Key.Key_X, SHIFT)
    dismiss(mary)
    assert "but for 3 dismissed" in said(mary)
    for _ in range(3):
        press(mary, Qt.Key.Key_Return)
    assert tags(mary) == [("Mary", "PATIENT")]


@pytest.fixture
def hold_look(qtbot, monkeypatch):
    """Have a look for findings held back once it knows them; what is returned lets go of them."""
    gate, real, looks = threading.Event(), FindingService.look, []

    def look(*asked):
        looks.append(real(*asked))
        gate.wait()
        return looks[0]

    def hold(window):
        search = window._findings._search
        qtbot.waitUntil(lambda: not search.is_looking)
        monkeypatch.setattr(FindingService, "look", look)
        press(window, Qt.Key.Key_F5)
        qtbot.waitUntil(lambda: len(looks) == 1)

        def let_go():
            with qtbot.waitSignal(search.found):
                gate.set()
            return [each.text for each in looks[0]]

        return let_go

    yield hold
    gate.set()


class TestLookBeforeTheTag:
    """What is listed then is of another kind than what is dismissed, and of the same places."""

    @pytest.fixture(params=["English", "German", "Spanish"])
    def record(self, request):
        """A name that stands four times, the text, and what else is found in it."""
        return {
            "English": ("Mary", DOSE, ["50"]),
            "German": ("Klaus Weber", "Klaus Weber kam und ging. " * 4, []),
            "Spanish": ("Nerea", "Avisada Nerea. Vino Nerea. Llamó Nerea. Se fue Nerea.", []),
        }[request.param]

    @pytest.fixture
    def texts(self, record):
        return {"1-01": record[1]}

    def test_no_key_tags_what_was_dismissed_since(self, window, qtbot, monkeypatch, record):
        name, _, others = record
        found = window._findings._search.found
        with qtbot.waitSignal(found, timeout=20_000):
            pass
        listed = window._findings._pane.model
        assert [each.text for each in listed.all_rows].count(name) == 4
        monkeypatch.setattr(FindingService, "look", lambda *_: tuple(listed.all_rows))
        put_caret(window, name)
        window.view.select(Span(window.view.caret(), window.view.caret() + len(name)))
        press(window, Qt.Key.Key_T)
        qtbot.waitUntil(lambda: untagged(window) == "3 untagged occurrences")
        press(window, Qt.Key.Key_F9)
        press(window, Qt.Key.Key_X, SHIFT)
        dismiss(window)
        assert [each.text for each in listed.all_rows] == others
        for _ in range(3):
            press(window, Qt.Key.Key_Return)
        assert tags(window) == [(name, "PATIENT")]


def test_nor_what_was_dismissed_while_findings_were_looked_for(mary, hold_look):
    let_go = hold_look(mary)
    press(mary, Qt.Key.Key_F9)
    press(mary, Qt.Key.Key_X, SHIFT)
    dismiss(mary)
    assert let_go().count("Mary") == 3
    assert mary._findings._service.dismissed == 3
    for _ in range(3):
        press(mary, Qt.Key.Key_Return)
    assert tags(mary) == [("Mary", "PATIENT")]


def test_f9_leads_to_what_was_dismissed_where_x_takes_that_back(mary):
    press(mary, Qt.Key.Key_F9)
    press(mary, Qt.Key.Key_X, SHIFT)
    dismiss(mary, "a ship")
    press(mary, Qt.Key.Key_F9)
    assert "dismissed (a ship)" in hint(mary)
    press(mary, Qt.Key.Key_X)
    assert untagged(mary) == "1 untagged occurrence"


def test_everywhere_shows_a_list_where_there_are_several(mary):
    press(mary, Qt.Key.Key_F9)
    press(mary, Qt.Key.Key_Return, SHIFT)
    assert len(tags(mary)) == 1
    assert take_list(mary) == 3
    assert tags(mary) == [("Mary", "PATIENT")] * 4
    assert said(mary).startswith(f"{DONE}. Looked for in capitals")
    press(mary, Qt.Key.Key_Z, CONTROL)
    assert len(tags(mary)) == 1


def test_e_tags_and_stays_for_the_edges(mary):
    press(mary, Qt.Key.Key_F9)
    press(mary, Qt.Key.Key_E)
    press(mary, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
    assert tags(mary)[1] == ("Mary ", "PATIENT")


def test_the_sentence_never_hides_what_is_tagged_in_part(window, qtbot):
    tag(window, qtbot, "Mary", Qt.Key.Key_T)
    start = DOSE.index("Mary left")
    window.editor.tag_span(Span(start, start + 2), DOCTOR)  # half of the name
    press(window, Qt.Key.Key_F9)
    press(window, Qt.Key.Key_Return, SHIFT)
    take_list(window)
    assert "everywhere, but for 1 tagged in part." in said(window)


def test_where_nothing_is_at_hand_no_key_does_anything_but_say_so(mary):
    put_caret(mary, "slept")
    for key, modifier in (
        (Qt.Key.Key_Return, SHIFT),
        (Qt.Key.Key_X, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_X, SHIFT),
        (Qt.Key.Key_E, Qt.KeyboardModifier.NoModifier),
        (Qt.Key.Key_Return, Qt.KeyboardModifier.NoModifier),
    ):
        mary.statusBar().clearMessage()
        press(mary, key, modifier)
        assert said(mary).startswith("There is nothing here")
    assert len(tags(mary)) == 1


class TestFindings:
    """Untagged text is also a finding; one word settles both."""

    @pytest.fixture
    def texts(self):
        return {"1-01": "Mary is kind. Mary had tea. Mary left. Then Mary slept."}

    @pytest.fixture
    def found(self, mary, qtbot):
        qtbot.waitUntil(lambda: self.count(mary) == "3 findings", timeout=20_000)
        return mary

    def count(self, window) -> str:
        return window.findChild(QLabel, "findingCount").text()

    def why(self, window) -> str:
        return window.findChild(QLabel, "findingWhy").text()

    def test_the_same_keys_act_at_f3(self, found, qtbot):
        press(found, Qt.Key.Key_F3)
        press(found, Qt.Key.Key_Return)
        assert len(tags(found)) == 2
        press(found, Qt.Key.Key_X)
        dismiss(found, "a ship")
        assert self.count(found) == "1 finding"
        assert untagged(found) == "1 untagged occurrence"
        press(found, Qt.Key.Key_E)
        assert len(tags(found)) == 3

    def test_what_is_dismissed_at_f9_is_no_finding(self, found):
        press(found, Qt.Key.Key_F9)
        press(found, Qt.Key.Key_I, CONTROL)
        dismiss(found)
        assert self.count(found) == "2 findings"

    def test_everywhere_lists_them(self, found):
        press(found, Qt.Key.Key_F3)
        press(found, Qt.Key.Key_Return, SHIFT)
        assert take_list(found) == 3
        assert len(tags(found)) == 4

    def test_a_filter_that_nothing_fits_leaves_no_sentence_and_no_button(self, found):
        press(found, Qt.Key.Key_F3)
        assert self.why(found)
        line = found.findChild(QLineEdit, "findingFilter")
        QTest.keyClicks(line, "nobody")
        assert self.count(found) == "0 of 3 findings"
        assert not self.why(found)
        buttons = [found.findChild(QToolButton, f"finding.{name}") for name in ("mend", "all")]
        assert not any(each.isEnabled() for each in buttons)
        assert not found.findChild(QToolButton, "finding.dismiss").isEnabled()
        put_caret(found, "slept")
        press(found, Qt.Key.Key_I, CONTROL)
        assert not found.findChild(QLineEdit, "dismissalReason").isVisible()
        line.clear()
        assert self.why(found)

    def test_ctrl_i_dismisses_what_f9_shows_and_not_another_finding(self, found, project):
        press(found, Qt.Key.Key_F3)
        press(found, Qt.Key.Key_F9)
        place = found.view.selected_span()
        press(found, Qt.Key.Key_I, CONTROL)
        dismiss(found)
        (entry,) = read_journal(dismissals_path(project.root, "ana"))
        assert entry["start"] == place.start

    def test_the_pane_shows_the_finding_at_the_caret(self, found):
        table = found.findChild(QTableView, "findingTable")
        for which in (3, 1, 2):
            put_caret(found, "Mary", which)
            assert table.currentIndex().row() == which - 1

    def test_without_a_finding_at_the_caret_the_key_goes_to_one_and_does_no_more(self, found):
        put_caret(found, "slept")
        press(found, Qt.Key.Key_M, CONTROL)
        assert (selected(found), len(tags(found))) == ("Mary", 1)
        press(found, Qt.Key.Key_M, CONTROL)
        assert len(tags(found)) == 2

    def test_a_reason_given_up_dismisses_nothing(self, found):
        press(found, Qt.Key.Key_F3)
        press(found, Qt.Key.Key_X)
        field = found.findChild(QLineEdit, "dismissalReason")
        QTest.keyClick(field, Qt.Key.Key_Escape)
        assert self.count(found) == "3 findings"
        assert not field.isVisible()


class TestChinese:
    @pytest.fixture
    def texts(self):
        return {"1-01": CHINESE}

    def test_the_sentence_says_what_was_dismissed(self, window, qtbot):
        window.view.set_caret(CHINESE.index("王"))
        for _ in "王小明":
            press(window, Qt.Key.Key_Right, SHIFT)
        press(window, Qt.Key.Key_T)
        qtbot.waitUntil(lambda: untagged(window) == "2 untagged occurrences")
        press(window, Qt.Key.Key_F9)
        press(window, Qt.Key.Key_X)
        dismiss(window, "somebody else")
        press(window, Qt.Key.Key_Return)
        assert len(tags(window)) == 2
        assert "everywhere, but for 1 dismissed." in said(window)
        press(window, Qt.Key.Key_F9)
        press(window, Qt.Key.Key_Return)
        assert said(window).startswith(f"{DONE}. Looked for in capitals")

    def test_enter_never_tags_what_was_dismissed_while_findings_were_looked_for(
        self, window, qtbot, hold_look
    ):
        window.view.set_caret(CHINESE.index("王"))
        for _ in "王小明":
            press(window, Qt.Key.Key_Right, SHIFT)
        press(window, Qt.Key.Key_T)
        qtbot.waitUntil(lambda: untagged(window) == "2 untagged occurrences")
        let_go = hold_look(window)
        press(window, Qt.Key.Key_F9)
        press(window, Qt.Key.Key_X, SHIFT)
        dismiss(window)
        assert let_go().count("王小明") == 2
        for _ in range(3):
            press(window, Qt.Key.Key_Return)
        assert tags(window) == [("王小明", "PATIENT")]
