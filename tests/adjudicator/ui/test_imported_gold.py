"""A gold standard that came with the records opens again without a detour once edited."""

from shared.model import Span
from shared.project.assignments import State
from tests.adjudicator.release.sessions import make


def test_what_was_edited_opens_again_as_it_did_before(open_window, tmp_path):
    project = make(tmp_path, {"110-01": "[Kai|PATIENT] saw Dr. [Lee|DOCTOR]."})
    hand = open_window(project)
    assert hand.banner == ""
    none = "No annotator has begun, so there is nothing to decide."
    assert hand.text("decisionTitle") == f"{none} The patient is done."
    hand.window.view.select(Span(0, 3))
    hand.press("Delete")
    hand.window.close()
    again = open_window(project)
    assert again.banner == ""
    assert again.gold() == [("Lee", "DOCTOR")]
    assert again.text("decisionTitle") == f"{none} Ctrl+D marks the patient as done."
    assert again.patients() == [("110", "0 of 0")]
    again.press("Ctrl+D", "Ctrl+D")
    assert again.patients() == [("110", "✓ done")]


def test_so_does_that_of_a_patient_whom_nobody_has(open_window, tmp_path):
    project = make(tmp_path, {"110-01": "[Kai|PATIENT] saw Dr. [Lee|DOCTOR]."})
    (project.root / "assignments.csv").write_text("patient,annotator,state\n")
    hand = open_window(project)
    assert hand.banner == ""
    assert hand.patients() == [("110", "✓ done")]
    hand.window.view.select(Span(0, 3))
    hand.press("Delete")
    assert hand.gold() == [("Lee", "DOCTOR")]
    hand.press("Ctrl+D", "Ctrl+D")
    assert hand.patients() == [("110", "✓ done")]


def test_an_annotator_who_has_begun_is_waited_for(open_window, tmp_path):
    project = make(tmp_path, {"110-01": "[Kai|PATIENT] saw Dr. [Lee|DOCTOR]."})
    hand = open_window(project)
    hand.window.view.select(Span(0, 3))
    hand.press("Delete")
    hand.window.close()
    project.set_state("110", "ben", State.BEGUN)
    again = open_window(project)
    assert again.window.session is None
    assert again.banner.startswith("Patient 110: ana and ben have not finished")
