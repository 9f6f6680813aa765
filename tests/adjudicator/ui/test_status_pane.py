"""What a lead reads in the adjudication window is what `tandem status` prints."""

import pytest
from PySide6.QtWidgets import QLabel, QTextBrowser, QToolButton

from adjudicator.project_status import ProjectStatus
from adjudicator.ui.status_pane import StatusPane
from shared.commands.main import main
from shared.model import Layer
from shared.project.assignments import State
from shared.project.notes import NoteBook, NoteKind, NotePlace
from tests.adjudicator.projects import ANA, BEN, make_project
from tests.shared.commands.test_status import accept_for


@pytest.fixture
def project(tmp_path):
    """A patient who is finished and one who is begun, with a question and hasty acceptances."""
    made = make_project(tmp_path, p120=(ANA, BEN))
    made.set_state("120", "ben", State.BEGUN)
    NoteBook(made, "ana").write("120", NoteKind.QUESTION, NotePlace("120-01"), "Who?")
    accept_for(made, "ana", 12, 1.0)
    return made


@pytest.fixture
def show(qtbot, open_window):
    def shown(project, **options):
        window = open_window(project, None, **options).window
        pane = window.findChild(StatusPane)
        window._parts.bring_forward(pane)
        qtbot.waitUntil(lambda: not pane.visibleRegion().isEmpty() and not pane.is_busy)
        return window, pane

    return shown


def page(pane):
    return pane.findChild(QTextBrowser, "statusPage").toPlainText().split()


def words(pane):
    return pane.findChild(QLabel, "statusWords").text()


def printed(project, capsys):
    assert main(["status", str(project.root), "--patients", "--time", "--drift"]) == 0
    return [each for each in capsys.readouterr().out.split() if set(each) != {"-"}]


def test_the_pane_says_what_the_command_prints(project, show, qtbot, capsys):
    _, pane = show(project)
    told = printed(project, capsys)
    assert sorted(page(pane)) == sorted(told)  # tables may stand on their side
    assert {"hasty", "question", "begun"} <= set(told)
    assert words(pane).startswith("As of ")


def test_it_is_read_anew_when_asked(project, show, qtbot, capsys):
    _, pane = show(project)
    project.set_state("120", "ben", State.DONE)
    before = page(pane)
    pane.findChild(QToolButton, "statusAgain").click()
    qtbot.waitUntil(lambda: not pane.is_busy)
    assert sorted(page(pane)) == sorted(printed(project, capsys)) != sorted(before)


def test_a_pane_as_wide_as_it_is_at_first_is_not_scrolled_sideways(project, show):
    _, pane = show(project)
    pane.resize(400, 600)
    assert pane.findChild(QTextBrowser).horizontalScrollBar().maximum() == 0


def test_nothing_is_read_before_it_is_in_sight(project, open_window, qtbot, monkeypatch):
    read = []
    monkeypatch.setattr(ProjectStatus, "of", lambda *_, **__: read.append(1))
    window = open_window(project, "110").window
    qtbot.wait(50)
    assert window.findChild(StatusPane).visibleRegion().isEmpty()
    assert not read


@pytest.mark.parametrize("blind", [True, False])
def test_while_names_are_hidden_none_is_told(project, show, qtbot, blind):
    window, pane = show(project, blind=blind)
    if not blind:
        assert "ana" in page(pane)
        window.actions_table.action("hide_names").trigger()
    assert not pane.is_busy
    assert page(pane) == []
    assert "Names are hidden" in words(pane)
    assert not pane.findChild(QToolButton, "statusAgain").isEnabled()
    if not blind:
        window.actions_table.action("hide_names").trigger()
        qtbot.waitUntil(lambda: "ana" in page(pane))


def test_what_cannot_be_read_is_said_and_the_rest_is_told(project, show):
    (project.root / "layers/ana/110-01.xml").write_text("<a>", "utf-8")
    _, pane = show(project)
    assert "110-01.xml:" in " ".join(page(pane))
    assert "ben" in page(pane)


def test_a_project_without_assignments_is_an_error_in_one_sentence(project, show, qtbot):
    (project.root / "assignments.csv").unlink()
    _, pane = show(project)
    qtbot.waitUntil(lambda: "assignments.csv" in words(pane))
    assert len(words(pane)) <= 300
    assert "What is below" not in words(pane)


def test_what_could_not_be_read_again_is_as_of_before(project, show, qtbot):
    _, pane = show(project)
    before = page(pane)
    as_of = words(pane).removeprefix("As of ")
    (project.root / "assignments.csv").unlink()
    pane.findChild(QToolButton, "statusAgain").click()
    qtbot.waitUntil(lambda: "assignments.csv" in words(pane))
    assert words(pane).endswith(f" What is below is as of {as_of}")
    assert page(pane) == before


def test_of_many_patients_those_that_are_not_done_come_first(project):
    for each in project.patient("110").documents:
        project.write_layer("gold", each, Layer.of(each.record_id, "gold", ()), None)
    status = ProjectStatus.of(project, timed=False)
    whole, few = (list(status.blocks(patients=True, most=most)) for most in (None, 1))
    assert [row[0] for row in whole[1].rows] == ["110", "120"]
    assert [row[0] for row in few[1].rows] == ["120"]
    assert few[2] == ("and 1 more",)
    assert ("and 1 more",) not in whole
