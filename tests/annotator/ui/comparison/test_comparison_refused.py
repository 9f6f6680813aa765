"""When own tags may not be compared with the gold standard: too early, no more, or not by them."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QTableView

from annotator.session import AnnotationSession
from shared.model import PhiType, Span
from shared.project.assignments import State
from shared.project.settings import GOLD
from shared.widgets.document.marks import MarkStyle
from tests.adjudicator.projects import make_project
from tests.annotator.comparing import (
    ANA,
    BEN,
    COMPARE,
    banner,
    is_comparing,
    said,
)
from tests.annotator.gold import adjudicate, let_gold_be_shown, reopen
from tests.annotator.page import press


class TestNotAllowed:
    def test_without_the_word_of_the_project_the_action_is_grey(self, open_window, tmp_path):
        project = make_project(tmp_path, ANA, BEN)
        adjudicate(project)
        window = open_window(project)
        assert not window.findChild(QAction, "action.compare_gold").isEnabled()
        press(window, *COMPARE)
        assert not is_comparing(window)
        assert window.session is not None

    def test_nor_where_the_project_takes_it_back_while_the_window_is_open(self, window, project):
        let_gold_be_shown(project, shown=False)
        press(window, *COMPARE)
        refused(window, "This project does not show the gold standard to annotators.")

    def test_a_patient_that_is_not_adjudicated(self, open_window, project):
        window = open_window(project, patient="120")
        press(window, *COMPARE)
        refused(window, "Patient 120 is not adjudicated yet; it can be compared after that.")

    def test_a_patient_that_was_reopened(self, window, project):
        reopen(project)
        press(window, *COMPARE)
        refused(window, "Patient 110 is not adjudicated yet; it can be compared after that.")

    def test_after_an_edit_of_ones_own(self, window):
        window.view.select(Span(0, 4))
        press(window, Qt.Key.Key_D)
        press(window, *COMPARE)
        refused(window, "Patient 110 is not done; mark it as done before you compare it.")

    def test_by_who_has_no_share_in_it_any_more(self, window, project):
        path = project.root / "assignments.csv"
        path.write_text(path.read_text().replace("110,ben,done\n", ""))
        press(window, *COMPARE)
        refused(window, "Patient 110 is not assigned to ben.")

    @pytest.mark.parametrize(
        "broken", [lambda path: path.unlink(), lambda path: path.write_text("<")]
    )
    def test_gold_that_is_missing_or_broken_is_said(self, window, project, broken):
        broken(project.layer_path(GOLD, "110-01"))
        press(window, *COMPARE)
        assert not is_comparing(window)
        assert window.session is not None
        assert "110-01.xml" in banner(window)


def refused(window, why):
    assert not is_comparing(window)
    assert window.session is not None
    assert all(each.style is MarkStyle.TAG for each in window.view.marks())
    assert said(window) == why


class TestMeanwhile:
    def test_a_patient_that_is_reopened_is_shown_no_more(self, window, project):
        press(window, *COMPARE)
        reopen(project)
        press(window, Qt.Key.Key_F8)
        assert not is_comparing(window)
        assert (
            banner(window) == "Patient 110 is not adjudicated yet; it can be compared after that."
        )
        assert all(each.style is MarkStyle.TAG for each in window.view.marks())

    def test_also_when_one_only_comes_back_to_the_window(self, window, project):
        press(window, *COMPARE)
        let_gold_be_shown(project, shown=False)
        QCoreApplication.sendEvent(window, QEvent(QEvent.Type.WindowActivate))
        assert not is_comparing(window)

    def test_own_tags_that_were_changed_elsewhere_are_not_shown_as_they_were(self, window, project):
        press(window, *COMPARE)
        with AnnotationSession(project, "ben", "110") as session:
            session.tag(Span(0, 4), PhiType("NAME", "PATIENT"))
            session.finish()
        press(window, Qt.Key.Key_F8)
        assert not is_comparing(window)
        assert banner(window) == "Patient 110 was changed; compare it again."

    def test_a_window_that_is_closed_meanwhile_comes_back_without(
        self, window, open_window, project
    ):
        press(window, *COMPARE)
        window.close()
        again = open_window(project)
        assert not is_comparing(again)


class TestWorklist:
    def states(self, window):
        model = window.findChild(QTableView, "worklist").model()
        return [model.index(at, 1).data() for at in range(model.rowCount())]

    def test_the_list_says_which_can_be_compared(self, window):
        assert self.states(window) == ["✓ adjudicated", "✓ done"]

    def test_not_where_the_project_does_not_show_it(self, open_window, tmp_path):
        project = make_project(tmp_path, ANA, BEN)
        adjudicate(project)
        assert self.states(open_window(project)) == ["✓ done"]

    def test_not_where_one_is_not_done_oneself(self, open_window, project):
        project.set_state("110", "ben", State.BEGUN)
        assert self.states(open_window(project, patient="120"))[0] == "begun"
