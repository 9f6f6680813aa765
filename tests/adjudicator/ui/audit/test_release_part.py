"""A release attacked and measured from the dialog of what may be left."""

import json
import shutil

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QLabel, QPushButton, QTableView, QTextBrowser

from adjudicator.release.folder import usual_release
from adjudicator.ui.audit.dialog import RiskDialog
from adjudicator.ui.main_window import AdjudicationWindow
from adjudicator.ui.release.window import ReleaseWindow
from shared.errors import RequestError
from shared.project.assignments import State
from shared.widgets.parts.background_task import CancelledError
from tests.adjudicator.projects import make_project
from tests.adjudicator.test_lying_cards import released_again
from tests.adjudicator.test_release_risk import LEFT, made, released, sources
from tests.process_tree import CAN_TELL, running_below

_MINUTES = 400_000


class Asking:
    """Looks at the dialog of what may be left, and presses what is in it."""

    def __init__(self, main, qtbot):
        self.main, self._qtbot = main, qtbot
        main.audit.show_risk()
        self.dialog = main.findChild(RiskDialog)
        self.wait()

    def wait(self):
        self._qtbot.waitUntil(lambda: not self.dialog.is_busy, timeout=30_000)

    @property
    def page(self):
        return self.dialog.findChild(QTextBrowser, "riskPage").toPlainText()

    @property
    def banner(self):
        label = self.dialog.findChild(QLabel, "statusBannerText")
        return label.text() if label.isVisible() else ""

    @property
    def listed(self):
        model = self.dialog.findChild(QTableView, "riskPlaces").model()
        return [
            [str(model.index(row, column).data()) for column in range(model.columnCount())]
            for row in range(model.rowCount())
        ]

    def measure(self):
        self.click("riskMeasure")

    def wait_until_measured(self):
        self._qtbot.waitUntil(lambda: not self.dialog.is_measuring, timeout=_MINUTES)

    def click(self, name):
        QTest.mouseClick(self.dialog.findChild(QPushButton, name), Qt.MouseButton.LeftButton)

    def cancel(self):
        """As soon as there is something to press."""
        self._qtbot.waitUntil(lambda: bool(self._cancel_buttons()), timeout=_MINUTES)
        QTest.mouseClick(self._cancel_buttons()[0], Qt.MouseButton.LeftButton)

    def _cancel_buttons(self):
        buttons = self.dialog.findChildren(QPushButton)
        return [each for each in buttons if each.text() == "Cancel" and each.isVisible()]


@pytest.fixture
def ask(qtbot):
    windows = []

    def open_on(project):
        window = AdjudicationWindow(project, "carol")
        windows.append(window)
        with qtbot.waitActive(window):
            window.show()
            window.activateWindow()
        return Asking(window, qtbot)

    yield open_on
    for window in windows:
        window.close()
        window.deleteLater()


@pytest.fixture
def at_work(ask, tmp_path, qtbot):
    """A release that is being measured; its card, and the processes there were before."""
    project, out = released(tmp_path, sources(LEFT))
    out.rename(usual_release(project))
    asking = ask(project)
    before = running_below()
    asking.measure()
    learnt = project.root / "surrogates"
    qtbot.waitUntil(lambda: any(learnt.glob(".learnt-*")), timeout=_MINUTES)
    return asking, before, project


def is_as_before(project, before):
    card = (usual_release(project) / "data_card.json").read_text()
    assert running_below() <= before
    assert "attack" not in json.loads(card)["residual_risk"]
    assert not list((project.root / "surrogates").glob(".learnt-*"))
    return True


def test_a_release_is_measured_beside_the_window_and_its_card_says_so(ask, tmp_path, qtbot):
    project, out = released(tmp_path, sources(LEFT))
    out.rename(usual_release(project))
    asking = ask(project)
    assert "Nobody has measured this release yet" in asking.page
    asking.measure()
    assert asking.main.isEnabled()
    assert not asking.dialog.isModal()
    asking.main.open_patient("111")  # which can be worked on meanwhile
    asking.wait_until_measured()
    assert asking.banner.startswith("The release was measured")
    assert "Who has the text alone, marks half of it by hand" in asking.page
    assert "pairs of full dates of one patient 60 are as many days" in asking.page
    assert "Limit" in asking.page
    card = json.loads((usual_release(project) / "data_card.json").read_text())["residual_risk"]
    days = {each["asked_on"] for each in card.values()}
    assert len(days) == 1
    assert f"Asked on {days.pop()}." in asking.page
    kinds = {(row[1], row[2], row[3]) for row in asking.listed[:2]}
    assert kinds == {("PATIENT", "Zeller", "112-02"), ("DOCTOR", "Abbott", "112-02")}
    table = asking.dialog.findChild(QTableView, "riskPlaces")
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert asking.main.session.patient_id == "112"
    span = asking.main.view.selected_span()
    assert span.text_in(asking.main.view.merged_view.text) == asking.listed[0][2]


@pytest.mark.skipif(not CAN_TELL, reason="the system does not tell processes")
def test_what_is_cancelled_leaves_no_process_and_the_card_as_it_was(at_work, qtbot):
    asking, before, project = at_work
    asking.cancel()
    asking.wait_until_measured()
    assert asking.banner == ""
    qtbot.waitUntil(lambda: is_as_before(project, before))
    asking.measure()  # and it can be begun again
    assert asking.dialog.is_measuring


@pytest.mark.skipif(not CAN_TELL, reason="the system does not tell processes")
@pytest.mark.parametrize("closed", ["dialog", "window"])
def test_what_is_closed_has_ended_it(at_work, qtbot, closed):
    asking, before, project = at_work
    (asking.dialog if closed == "dialog" else asking.main).close()
    assert running_below() <= before
    qtbot.waitUntil(lambda: is_as_before(project, before))


def test_escape_does_not_throw_away_the_work_of_minutes(at_work):
    asking, _, _ = at_work
    QTest.keyClick(asking.dialog, Qt.Key.Key_Escape)
    assert asking.dialog.isVisible()
    assert asking.dialog.is_measuring
    assert "Cancel ends that" in asking.banner


def test_without_a_release_it_says_so_and_refuses(ask, tmp_path):
    asking = ask(made(tmp_path, sources()))
    assert "There is no release in this folder" in asking.page
    asking.measure()
    asking.wait_until_measured()
    assert "is not a release with a data card" in asking.banner


def test_what_the_rules_suggest_is_listed_until_somebody_has_looked_at_it(ask, tmp_path):
    text = "Seen by Dr. [Kai Wood|DOCTOR]. Then Dr. Abbott Lowe called."
    project = make_project(tmp_path, [text], [text])
    adjudicate(project)
    asking = ask(project)
    assert asking.listed == []
    asking.dialog.findChild(QCheckBox, "riskRules").click()
    asking.wait()
    assert "there is no estimate between" in asking.page
    (row,) = asking.listed
    assert row[1:] == ["DOCTOR", "Abbott Lowe", "110-01", "suggested, not in gold"]
    asking.dialog.findChild(QCheckBox, "riskJudged").click()
    asking.wait()
    assert asking.listed == []
    assert "This rests on somebody's word that 1 suggestion" in asking.page


@pytest.mark.parametrize("error", [CancelledError(), RequestError("it broke")])
def test_the_boxes_say_whom_the_page_tells_of(ask, tmp_path, monkeypatch, error):
    """Also where the project is not read to the end with the readers that were asked for."""
    project = make_project(tmp_path, ["[Kai|PATIENT]."], ["[Kai|PATIENT]."])
    adjudicate(project)
    asking = ask(project)
    before = asking.page
    box = asking.dialog.findChild(QCheckBox, "riskRules")
    page = asking.dialog.findChild(QTextBrowser, "riskPage")

    def end(*_args, **_more):
        assert not page.isEnabled()
        raise error

    monkeypatch.setattr("adjudicator.ui.audit.dialog.project_statements", end)
    box.click()
    asking.wait()
    assert (box.isChecked(), page.isEnabled(), asking.page) == (False, True, before)
    assert asking.banner == ("" if isinstance(error, CancelledError) else "It broke.")


def test_a_release_that_cannot_be_measured_takes_no_box_back(ask, tmp_path):
    project = make_project(tmp_path, ["[Kai|PATIENT]."], ["[Kai|PATIENT]."])
    adjudicate(project)
    asking = ask(project)
    box = asking.dialog.findChild(QCheckBox, "riskRules")
    box.click()
    assert asking.dialog.is_busy
    asking.dialog._release.failed.emit(RequestError("it broke"))
    asking.wait()
    assert asking.banner == "It broke."
    assert box.isChecked()
    assert asking.dialog.findChild(QTextBrowser, "riskPage").isEnabled()


def adjudicate(project):
    from adjudicator.session import AdjudicationSession

    with AdjudicationSession(project, "110", "carol") as session:
        session.finish()


def test_opened_twice_it_is_one_dialog_and_a_release_leads_to_it(ask, tmp_path):
    project, out = released(tmp_path, sources())
    asking = ask(project)
    asking.main.release.open()
    window = asking.main.release.window
    assert isinstance(window, ReleaseWindow)
    window.risk_wanted.emit(out)
    assert asking.main.findChildren(RiskDialog) == [asking.dialog]
    assert "Nobody has measured this release yet" in asking.page
    window._work.stop()
    window._work.wait()


def test_a_card_of_another_release_and_one_of_earlier_work_are_told_of(ask, tmp_path):
    project, out = released(tmp_path, sources())
    other = released_again(project, tmp_path / "other")
    mine = usual_release(project)
    out.rename(mine)
    asking = ask(project)
    assert "before somebody changed a layer" not in asking.page
    project.set_state("111", "ana", State.DONE)
    asking.dialog.show_release(other)
    assert "before somebody changed a layer, a state or an audit" in asking.page
    for name in ("data_card.json", "data_card.md"):
        shutil.copy(other / name, mine / name)
    asking.dialog.show_release(mine)
    assert "the card is of another release, or something was changed since" in asking.banner
    assert "Its data card" not in asking.page
    asking.measure()
    asking.wait_until_measured()
    assert "the card is of another release" in asking.banner
