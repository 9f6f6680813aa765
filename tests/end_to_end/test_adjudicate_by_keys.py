"""A fabricated patient with forty disagreements, from the keyboard, until nothing is left."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel, QLineEdit, QTableView

from adjudicator.decisions import DecisionChoice, chosen_marks, possible_choices
from adjudicator.disagreements import Disagreement
from adjudicator.ui.main_window import AdjudicationWindow
from shared.commands.demo_pipeline import adjudicate_all, make_project, write_records
from shared.project.assignments import State
from shared.synthetic import annotate, fabricate
from shared.synthetic.annotators import USUAL_ERROR_RATES

pytestmark = pytest.mark.end_to_end

PATIENTS, SEED = 4, 2
FAULTS = replace(USUAL_ERROR_RATES, usually_missed=0.12, edges=0.2)
"""More than people make, so that one patient has enough of them."""
KEYS = {
    DecisionChoice.FIRST: Qt.Key.Key_1,
    DecisionChoice.SECOND: Qt.Key.Key_2,
    DecisionChoice.BOTH: Qt.Key.Key_3,
    DecisionChoice.NEITHER: Qt.Key.Key_0,
}
NONE, SHIFT, CONTROL = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
)


class Adjudicator:
    """Knows the truth, and has nothing but the keyboard; counts the keys that decide."""

    def __init__(self, window: AdjudicationWindow, truth, qtbot) -> None:
        self.window, self.truth, self.qtbot = window, truth, qtbot
        self.keys = 0

    @property
    def said(self) -> str:
        return self.window.statusBar().currentMessage()

    @property
    def findings(self) -> str:
        return self.window.findChild(QLabel, "findingCount").text()

    def press(self, key: Qt.Key, modifiers=NONE) -> None:
        QTest.keyClick(self.window.view, key, modifiers)
        self.keys += 1

    def review(self) -> None:
        """Take what was decided before: open the list, untick what is wrong, apply the rest."""
        self.press(Qt.Key.Key_Return, SHIFT)
        self.take_list()

    def take_list(self) -> None:
        """Untick what is wrong in the list, and take the rest."""
        dialog = self.window.findChild(QDialog, "reviewDialog")
        table = dialog.findChild(QTableView, "reviewTable")
        self.qtbot.waitUntil(table.hasFocus)
        for number, row in enumerate(dialog.model.rows):
            if set(row.request.marks) != self.right(row.request.disagreement):
                table.selectRow(number)
                QTest.keyClick(table, Qt.Key.Key_Space)
                self.keys += 1
        QTest.keyClick(table, Qt.Key.Key_Return)
        self.keys += 1
        self.qtbot.waitUntil(self.window.view.hasFocus)

    def decide(self) -> None:
        """One key for the one on show; with Shift where it is right for all that are alike."""
        session, current = self.window.session, self.window.disagreements.current
        choice = self.choice(current)
        alike = session.queue.same_text(current)
        if choice and alike and all(self.choice(each) is choice for each in alike):
            self.press(KEYS[choice], SHIFT)
            self.take_list()
        else:
            self.press(KEYS[choice or DecisionChoice.FIRST])

    def choice(self, disagreement: Disagreement) -> DecisionChoice | None:
        right = self.right(disagreement)
        fitting = (
            each
            for each in possible_choices(disagreement)
            if set(chosen_marks(disagreement, each)) == right
        )
        return next(fitting, None)

    def right(self, disagreement: Disagreement) -> set:
        tags = self.truth[disagreement.record_id].tags
        return {
            tag.mark
            for tag in tags
            if any(tag.span.overlaps(each.span) for each in disagreement.tags)
        }

    def clear(self) -> None:
        """Fix the finding that is first, or dismiss it where only a person can tell."""
        self.press(Qt.Key.Key_M, CONTROL)
        if self.said.startswith("Only you"):
            self.press(Qt.Key.Key_I, CONTROL)
            reason = self.window.findChild(QLineEdit, "dismissalReason")
            QTest.keyClicks(reason, "none")
            QTest.keyClick(reason, Qt.Key.Key_Return)

    def look_again(self) -> None:
        self.window.statusBar().clearMessage()
        self.press(Qt.Key.Key_F5)
        self.qtbot.waitUntil(lambda: self.said.startswith("Checked again"))


def annotated(project, fabricated) -> None:
    """Both annotators have done the patient."""
    for name in project.annotators:
        layers = annotate(fabricated, name, SEED, FAULTS)
        for document in fabricated.patient.documents:
            project.write_layer(name, document, layers[document.record_id], None)
        project.set_state(fabricated.patient.id, name, State.DONE)


@pytest.fixture
def adjudicator(tmp_path, qtbot):
    """At the last patient; the others are adjudicated, so there are precedents."""
    patients = list(fabricate(PATIENTS, SEED))
    write_records(patients, tmp_path / "records", tmp_path / "truth")
    project = make_project(tmp_path / "records", tmp_path / "project", SEED)
    for each in patients:
        annotated(project, each)
    adjudicate_all(project, patients[:-1])
    window = AdjudicationWindow(project, "carol")
    qtbot.addWidget(window)
    window.show()
    last = patients[-1]
    window.open_patient(last.patient.id)
    qtbot.waitUntil(window.view.hasFocus)
    qtbot.waitUntil(lambda: bool(window.session.queue.proposals()))
    return Adjudicator(window, last.gold, qtbot)


def test_everything_is_decided_and_nothing_is_left_to_find(adjudicator, qtbot):
    session = adjudicator.window.session
    total = session.queue.progress.total
    assert total >= 40
    adjudicator.review()
    for _ in range(total):
        if session.queue.progress.decided < total:
            adjudicator.decide()
    assert session.queue.progress.decided == total
    assert adjudicator.keys < total
    adjudicator.look_again()
    for _ in range(200):
        if adjudicator.findings.startswith("No findings"):
            break
        adjudicator.clear()
        adjudicator.look_again()
    assert adjudicator.findings.startswith("No findings")
    for _ in range(2):  # the first one says what was not read
        adjudicator.press(Qt.Key.Key_D, CONTROL)
    assert session.project.is_adjudicated(session.patient_id)
