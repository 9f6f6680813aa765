from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QLineEdit, QToolButton, QWidget

from adjudicator.decisions import DecisionChoice
from adjudicator.session import AdjudicationSession
from shared.errors import StorageError
from shared.model import Span
from shared.project.assignments import State
from shared.project.journal import Journal
from shared.widgets.document.marks import MarkStyle
from tests.adjudicator.projects import gold, make_project

REPEATS = "[Kai|PATIENT]: [Lee|DOCTOR] saw [Lee|DOCTOR], then [Lee|DOCTOR]."
NONE = "Kai: Lee saw Lee, then Lee."


def test_the_first_open_disagreement_is_shown(hand):
    assert hand.current() == "Kai"
    assert hand.window.view.selected_span() == hand.window.disagreements.current.span


def test_names_for_scripts(hand):
    for name in ("documentView", "worklist", "disagreementTable", "decisionPane", "findBar"):
        assert hand.window.findChild(QWidget, name) is not None


class TestDeciding:
    @pytest.mark.parametrize(
        ("key", "choice"),
        [("1", DecisionChoice.FIRST), ("0", DecisionChoice.NEITHER)],
    )
    def test_one_key_decides_and_goes_on(self, hand, key, choice):
        kai = hand.window.disagreements.current
        hand.press(key)
        assert hand.window.session.queue.decision(kai).choice is choice
        assert hand.current() == "Lee"

    def test_the_gold_standard_and_its_mark_follow(self, hand):
        hand.press("1")
        assert ("Kai", "PATIENT") in hand.gold()
        tags = [each for each in hand.window.view.marks() if each.style is MarkStyle.TAG]
        assert len(tags) == 2

    def test_both_is_refused_in_words_where_they_overlap(self, hand):
        hand.press("1", "3")
        assert hand.said == "The tags of the two overlap: take one of them, or edit (E)."
        assert hand.text("decisionCount") == "1 of 2 decided"

    def test_progress_is_always_said(self, hand):
        hand.press("1")
        assert hand.text("decisionCount").startswith("1 of 2")
        assert hand.patients() == [("110", "1 of 2")]

    def test_buttons_do_what_keys_do(self, hand):
        hand.click("decide.take_first")
        assert ("Kai", "PATIENT") in hand.gold()
        assert hand.window.view.hasFocus()

    def test_keys_act_in_the_list_too(self, hand):
        hand.table.setFocus()
        hand.press_in_table("1")
        assert ("Kai", "PATIENT") in hand.gold()

    def test_backspace_opens_again(self, hand):
        hand.press("1", "P", "Backspace")
        assert hand.current() == "Kai"
        assert hand.window.session.queue.is_open(hand.window.disagreements.current)

    def test_when_all_is_decided_it_is_said(self, hand):
        hand.press("1", "1")
        assert hand.said.startswith("Everything is decided")
        assert "Ctrl+D" in hand.text("decisionCount")

    def test_deciding_when_nothing_is_open_changes_the_one_on_show(self, hand):
        hand.press("1", "1", "2")
        assert ("Lee", "PATIENT") in hand.gold()


class TestEditing:
    def test_e_takes_one_to_be_changed(self, hand):
        hand.press("E", "Alt+Up")
        assert ("Ka", "PATIENT") in hand.gold()
        assert (
            hand.window.session.queue.decision(hand.window.disagreements.current).choice
            is DecisionChoice.EDITED
        )

    def test_e_then_a_type_key_retypes(self, hand):
        hand.press("E", "O")
        assert ("Kai", "DOCTOR") in hand.gold()

    def test_a_type_key_decides_the_disagreement_on_show(self, hand):
        kai = hand.window.disagreements.current
        hand.press("U")
        assert ("Kai", "USERNAME") in hand.gold()
        assert hand.window.session.queue.decision(kai).choice is DecisionChoice.EDITED

    def test_shift_e_wants_a_decision_first(self, hand):
        hand.press("Shift+E")
        assert hand.said == "Decide this one first, then the similar ones."

    def test_e_on_a_decided_one_goes_to_its_tag(self, hand):
        hand.press("1", "P", "E", "O")
        assert ("Kai", "DOCTOR") in hand.gold()

    def test_e_where_neither_was_taken_says_what_to_do(self, hand):
        hand.press("0", "P", "E")
        assert hand.said.startswith("The gold standard has no tag here")

    def test_what_both_missed_is_tagged_by_key(self, hand):
        hand.window.view.select(Span(0, 4))
        hand.press("T")
        assert ("Seen", "PATIENT") in hand.gold()
        assert hand.text("decisionCount") == "0 of 2 decided"

    def test_a_type_without_key_is_picked_from_the_list(self, hand, qtbot):
        hand.window.view.select(Span(0, 4))
        hand.press("Space")
        picker = hand.window.findChild(QWidget, "typePicker")
        field = picker.findChild(QLineEdit)
        QTest.keyClicks(field, "ssn")
        QTest.keyClick(field, Qt.Key.Key_Return)
        assert ("Seen", "SSN") in hand.gold()

    def test_delete_takes_a_tag_out_of_the_gold_standard(self, hand):
        mercy = next(each for each in hand.window.session.tags)
        hand.window.editor.show(mercy)
        hand.press("Del")
        assert hand.gold() == []

    def test_undo_goes_back_to_what_it_undid(self, hand):
        hand.press("1", "Ctrl+Z")
        assert hand.current() == "Kai"
        assert hand.text("decisionCount") == "0 of 2 decided"

    def test_what_undo_takes_back_is_off_the_page(self, hand):
        def on_page() -> list[str]:
            return [each.label for each in hand.window.view.marks() if each.style is MarkStyle.TAG]

        before = on_page()
        hand.press("1")
        assert len(on_page()) == len(before) + 1
        hand.press("Ctrl+Z")
        assert on_page() == before

    def test_redo_does_it_again(self, hand):
        hand.press("1", "Ctrl+Z", "Ctrl+Shift+Z")
        assert ("Kai", "PATIENT") in hand.gold()

    def test_enter_tags_here_as_elsewhere(self, open_window, tmp_path, qtbot):
        hand = open_window(
            make_project(tmp_path, ["[Lee|DOCTOR] saw Lee"], ["[Lee|DOCTOR] saw Lee"])
        )
        qtbot.waitUntil(
            lambda: any(each.style is MarkStyle.UNTAGGED for each in hand.window.view.marks())
        )
        hand.press("F9", "Return")
        assert hand.gold() == [("Lee", "DOCTOR"), ("Lee", "DOCTOR")]


class TestWalking:
    def test_n_and_p_walk_the_list(self, hand):
        hand.press("N")
        assert hand.current() == "Lee"
        hand.press("N")
        assert hand.current() == "Kai"
        hand.press("P")
        assert hand.current() == "Lee"

    def test_arrows_walk_in_the_list(self, hand):
        hand.table.setFocus()
        hand.press_in_table("Down")
        assert hand.current() == "Lee"

    def test_a_click_on_a_mark_goes_to_its_disagreement(self, hand):
        marks = hand.window.view.marks()
        lee = next(each for each in marks if each.style is MarkStyle.SECOND)
        hand.window.view.mark_activated.emit(lee)
        assert hand.current() == "Lee"

    def test_f8_passes_over_what_is_decided(self, open_window, tmp_path):
        hand = open_window(make_project(tmp_path, [REPEATS], [NONE]))
        hand.press("1", "1", "1", "N", "F8")
        assert hand.window.session.queue.is_open(hand.window.disagreements.current)

    def test_the_filter_narrows_by_words_and_state(self, hand):
        hand.press("1")
        field = hand.window.findChild(QLineEdit, "disagreementFilter")
        field.setText("open")
        assert hand.column(0) == ["Lee"]
        field.setText("one-sided")
        assert hand.column(0) == ["Kai"]
        field.setText("nobody")
        assert hand.column(0) == []
        hand.press("N")
        assert hand.current() == "Lee"


class TestLooks:
    def test_the_list_says_kind_types_text_record_and_state(self, hand):
        hand.press("0")
        rows = list(zip(*(hand.column(number) for number in range(5)), strict=True))
        assert rows == [
            ("Kai", "PATIENT", "one-sided", "110-02", "no tag"),
            ("Lee", "DOCTOR / PATIENT", "type", "110-01", "open"),
        ]

    def test_lanes_are_of_both_annotators(self, hand):
        styles = Counter(each.style for each in hand.window.view.marks())
        assert (styles[MarkStyle.FIRST], styles[MarkStyle.SECOND]) == (2, 1)

    def test_agreements_have_no_lanes_but_their_tag(self, hand):
        mercy = [each for each in hand.window.view.marks() if each.label == "HOSPITAL"]
        assert [each.style for each in mercy] == [MarkStyle.TAG]

    def test_both_candidates_are_shown(self, hand):
        hand.press("N")
        assert "Lee" in hand.text("take_first.text")
        assert "NAME:PATIENT" in hand.text("take_second.text")

    def test_a_side_without_tag_says_so(self, hand):
        assert hand.text("take_second.text") == "no tag"

    def test_names_can_be_hidden(self, hand):
        button = hand.window.findChild(QToolButton, "decide.take_first")
        assert button.text() == "1  First · ana"
        hand.window.actions_table.action("hide_names").trigger()
        assert button.text() == "1  First"

    def test_what_was_taken_is_ticked(self, hand):
        hand.press("1", "P")
        assert "✓" in hand.window.findChild(QToolButton, "decide.take_first").text()
        assert hand.text("decisionState").startswith("Decided: [Kai] PATIENT, by carol")

    def test_dark_and_back(self, hand):
        hand.window.actions_table.action("dark").trigger()
        assert hand.window.view.theme.dark
        hand.window.actions_table.action("dark").trigger()
        assert not hand.window.view.theme.dark

    def test_a_click_on_a_tag_of_the_gold_standard_emphasises_it(self, hand):
        mercy = next(each for each in hand.window.view.marks() if each.label == "HOSPITAL")
        hand.window.view.mark_activated.emit(mercy)
        assert hand.window.view.current_mark == mercy

    def test_markup_in_a_record_is_shown_as_text(self, open_window, tmp_path):
        source = "see <b>[Lee & <i>Co|ORGANIZATION]</i>"
        plain = "see <b>Lee & <i>Co</i>"
        hand = open_window(make_project(tmp_path, [source], [plain]))
        assert "<b>Lee & <i>Co</i>" in hand.text("take_first.text")

    def test_the_model_keeps_qts_rules(self, hand):
        model = hand.table.model()
        tester = QAbstractItemModelTester(model)
        hand.press("1", "1", "Ctrl+Z")
        hand.window.findChild(QLineEdit, "disagreementFilter").setText("open")
        tester.deleteLater()


class TestPatients:
    def test_done_writes_the_gold_standard_and_opens_the_next(self, open_window, tmp_path):
        project = make_project(tmp_path, p120=(["[Kai|PATIENT]"], ["Kai"]))
        hand = open_window(project)
        hand.press("1", "1")
        hand.finish()
        assert hand.window.session.patient_id == "120"
        assert gold(project)[1] == [("Kai", "PATIENT")]
        assert hand.patients()[0] == ("110", "✓ done")

    def test_done_is_refused_in_words_while_something_is_open(self, hand):
        hand.press("Ctrl+D")
        assert hand.said == "Patient 110: 2 disagreements are still open."

    def test_the_last_done_is_said(self, hand):
        hand.press("1", "1")
        hand.finish()
        assert hand.banner.startswith("Patient 110 is done. Every patient is done, 1 of 1. Next")

    def test_without_a_patient_the_next_ready_one_is_opened(self, open_window, tmp_path):
        project = make_project(tmp_path, p120=(["[Kai|PATIENT]"], ["Kai"]))
        project.set_state("110", "ben", State.BEGUN)
        hand = open_window(project, None)
        assert hand.window.session.patient_id == "120"

    def test_closing_saves_and_gives_the_lock_back(self, open_window, tmp_path):
        project = make_project(tmp_path)
        hand = open_window(project)
        hand.press("1")
        hand.window.close()
        assert gold(project)[1] == [("Kai", "PATIENT")]
        AdjudicationSession(project, "110", "dora").close()

    def test_files_are_written_in_the_background(self, open_window, tmp_path, qtbot):
        project = make_project(tmp_path)
        hand = open_window(project)
        hand.press("1")
        hand.press("Ctrl+S")
        qtbot.waitUntil(lambda: gold(project)[1] == [("Kai", "PATIENT")])


class TestTrouble:
    def test_an_unfinished_patient_says_who_has_not_finished(self, open_window, tmp_path):
        hand = open_window(make_project(tmp_path, state=State.BEGUN))
        assert hand.banner.startswith("Patient 110: ana and ben have not finished")
        assert hand.window.session is None

    def test_an_unfinished_patient_can_be_opened_all_the_same(self, open_window, tmp_path):
        hand = open_window(make_project(tmp_path, state=State.BEGUN))
        banner = hand.window.findChild(QWidget, "statusBanner")
        button = next(
            each for each in banner.findChildren(QToolButton) if each.text() == "Open anyway"
        )
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        assert hand.window.session.patient_id == "110"

    def test_a_patient_that_somebody_has_open_names_them(self, open_window, tmp_path):
        project = make_project(tmp_path)
        with AdjudicationSession(project, "110", "dora"):
            hand = open_window(project)
            assert "dora" in hand.banner
        assert hand.window.session is None

    def test_a_broken_layer_is_said_and_the_rest_is_there(self, open_window, tmp_path):
        project = make_project(tmp_path)
        project.layer_path("ben", "110-02").write_bytes(b"<broken")
        hand = open_window(project)
        assert hand.banner.startswith("Record 110-02 is left out: ")
        assert hand.column(0) == ["Lee"]

    def test_a_broken_gold_standard_leaves_the_other_patients_open(self, open_window, tmp_path):
        project = make_project(tmp_path, p120=(["[Kai|PATIENT]"], ["Kai"]))
        path = project.layer_path("gold", "110-01")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(b"<broken")
        hand = open_window(project)
        assert "110-01.xml" in hand.banner
        hand.window.open_patient("120")
        assert hand.current() == "Kai"
        path.unlink()

    def test_a_gold_standard_changed_meanwhile_is_kept_and_said(self, open_window, tmp_path):
        project = make_project(tmp_path)
        hand = open_window(project)
        hand.press("1")
        hand.window.session.save()
        path = project.layer_path("gold", "110-02")
        path.write_bytes(path.read_bytes() + b"\n")
        changed = path.read_bytes()
        hand.press("P", "0")
        assert not hand.window.close()
        assert "was changed by somebody else" in hand.banner
        assert hand.window.close()
        assert path.read_bytes() == changed
        AdjudicationSession(project, "110", "dora").close()

    def test_a_full_disk_is_said_and_work_goes_on(self, hand, monkeypatch):
        def full(*_: object) -> None:
            raise StorageError("journal", "no space left on device; free some space")

        monkeypatch.setattr(Journal, "append", full)
        hand.press("1")
        assert "no space left" in hand.banner.lower()
        assert "in memory only" in hand.banner
        assert hand.text("decisionCount") == "1 of 2 decided"
        monkeypatch.undo()
        hand.press("1")
        assert "has everything" in hand.banner

    def test_the_window_title_holds_no_text_of_a_record(self, hand):
        assert hand.window.windowTitle() == "Test – adjudication"


def test_every_action_has_a_place_in_a_menu(hand):
    assert all(spec.menu for spec in hand.window.actions_table.specs)
