"""Every count says the same everywhere, and what annotators do after "done" is in the list."""

from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QLabel

from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.model import PhiType, Span
from shared.project.assignments import State
from shared.widgets.window.worklist_pane import WorklistPane
from tests.adjudicator.projects import make_project

KAI = (["[Kai|PATIENT] came"], ["Kai came"])


def status(hand) -> str:
    labels = hand.window.findChildren(QLabel)
    return next(each.text() for each in labels if each.accessibleName() == "Decided")


def above_list(hand) -> str:
    labels = hand.window.findChild(WorklistPane).findChildren(QLabel)
    return next(each.text() for each in labels if each.text().endswith(" done"))


def edit_again(project, annotator: str = "ben", *, done: bool) -> None:
    with AnnotationSession(project, annotator, "110") as session:
        session.tag(Span(4, 8), PhiType("NAME", "PATIENT"))
        if done:
            session.finish()


def look_again(hand) -> None:
    QCoreApplication.sendEvent(hand.window, QEvent(QEvent.Type.WindowActivate))


def test_after_every_step_pane_status_bar_and_list_say_the_same(open_window, tmp_path):
    hand = open_window(make_project(tmp_path, *KAI, p120=KAI, p130=KAI))
    for done, patient in enumerate(("110", "120", "130")):
        assert hand.text("decisionCount") == "0 of 1 decided"
        assert status(hand) == f"0 of 1 decided · {done} of 3 patients done"
        assert (above_list(hand), dict(hand.patients())[patient]) == (f"{done} of 3 done", "0 of 1")
        hand.press("1")
        assert hand.text("decisionCount").startswith("1 of 1 decided – Ctrl+D")
        assert status(hand) == f"1 of 1 decided · {done} of 3 patients done"
        assert dict(hand.patients())[patient] == "1 of 1"
        hand.finish()
    assert hand.text("decisionCount") == "1 of 1 decided – the patient is done"
    assert status(hand) == "1 of 1 decided · 3 of 3 patients done"
    assert above_list(hand) == "3 of 3 done"
    assert hand.banner == (
        "Patient 130 is done. Every patient is done, 3 of 3. Next come the agreement report "
        "(View, Agreement) and the release (View, Release)."
    )


def test_taking_back_after_done_is_counted_everywhere(open_window, tmp_path):
    hand = open_window(make_project(tmp_path, *KAI))
    hand.press("1")
    hand.finish()
    assert above_list(hand) == "1 of 1 done"
    hand.press("Ctrl+Z")
    assert hand.text("decisionCount") == "0 of 1 decided"
    assert status(hand) == "0 of 1 decided · 0 of 1 patients done"
    assert (above_list(hand), hand.patients()) == ("0 of 1 done", [("110", "0 of 1")])


def test_while_another_waits_for_annotators_nothing_is_said_of_a_release(open_window, tmp_path):
    project = make_project(tmp_path, *KAI, p120=KAI)
    project.set_state("120", "ben", State.BEGUN)
    hand = open_window(project)
    hand.press("1")
    hand.finish()
    assert hand.banner.startswith("Patient 110 is done. No other patient is ready")


class TestChangedSince:
    def test_what_is_edited_after_done_is_in_the_list(self, open_window, tmp_path):
        project = make_project(tmp_path, *KAI, p120=KAI)
        hand = open_window(project)
        hand.press("1")
        hand.finish()
        edit_again(project, done=True)
        look_again(hand)
        assert dict(hand.patients())["110"] == "✓ done, changed since"
        assert hand.window.session.patient_id == "120"

    def test_it_is_so_too_while_the_annotator_has_not_finished(self, open_window, tmp_path):
        project = make_project(tmp_path, *KAI, p120=KAI)
        hand = open_window(project)
        hand.press("1")
        hand.finish()
        edit_again(project, done=False)
        look_again(hand)
        assert dict(hand.patients())["110"] == "✓ done, changed since"

    def test_an_annotator_who_only_looks_changes_nothing(self, open_window, tmp_path):
        project = make_project(tmp_path, *KAI, p120=KAI)
        hand = open_window(project)
        hand.press("1")
        hand.finish()
        AnnotationSession(project, "ben", "110").close()
        look_again(hand)
        assert dict(hand.patients())["110"] == "✓ done"

    def test_once_it_was_looked_at_and_done_again_it_is_gone(self, open_window, tmp_path):
        project = make_project(tmp_path, *KAI, p120=KAI)
        hand = open_window(project)
        hand.press("1")
        hand.finish()
        edit_again(project, done=True)
        hand.window.open_patient("110")
        assert dict(hand.patients())["110"] == "✓ done, changed since"
        hand.press("0")
        hand.finish()
        assert dict(hand.patients())["110"] == "✓ done"

    def test_the_end_is_not_the_end_then(self, open_window, tmp_path):
        project = make_project(tmp_path, *KAI, p120=KAI)
        hand = open_window(project)
        hand.press("1")
        hand.finish()
        edit_again(project, done=True)
        hand.press("1")
        hand.finish()
        assert hand.banner == (
            "Patient 120 is done. One patient was edited by an annotator after it was done; "
            "the list says which."
        )

    def test_window_and_command_say_the_same_whether_the_patient_is_open_or_not(
        self, open_window, tmp_path, capsys
    ):
        project = make_project(tmp_path, *KAI, p120=KAI)
        hand = open_window(project)
        hand.press("1")
        hand.finish()
        edit_again(project, done=True)
        look_again(hand)
        for patient in ("120", "110"):
            hand.window.open_patient(patient)
            assert dict(hand.patients())["110"] == "✓ done, changed since"
            assert above_list(hand) == "1 of 2 done"
            said = told_by_status(project, capsys)
            assert "done, changed since" in said
            assert "1 of 2 patients adjudicated, 1 of them changed since" in said

    def test_the_pane_does_not_say_that_the_patient_is_done_while_something_is_open(
        self, open_window, tmp_path
    ):
        project = make_project(tmp_path, *KAI)
        hand = open_window(project)
        hand.press("1")
        hand.finish()
        edit_again(project, done=True)
        hand.window.close()
        hand = open_window(project)
        assert hand.text("decisionCount") == "1 of 2 decided – changed since the patient was done"
        hand.press("0")
        assert hand.text("decisionCount").startswith("2 of 2 decided – Ctrl+D marks")


def told_by_status(project, capsys):
    assert main(["status", str(project.root), "--patients"]) == 0
    return capsys.readouterr().out
