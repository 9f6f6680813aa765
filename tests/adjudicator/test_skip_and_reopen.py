"""Patients that are skipped and reopened, and that windows and commands say the same of them."""

import json

import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.session import AdjudicationSession
from adjudicator.worklist import Stage, WorklistReader
from shared.commands.main import main
from shared.errors import RequestError
from shared.model import Layer
from shared.project.assignments import State
from tests.adjudicator.projects import gold, make_project


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, p120=(["[Kai|PATIENT]"], ["Kai"]))


def opened(project, patient_id="120") -> AdjudicationSession:
    return AdjudicationSession(project, patient_id, "carol")


def finish(project) -> None:
    with opened(project) as session:
        session.queue.decide(session.queue[0], DecisionChoice.FIRST)
        session.finish()


def stage(project, patient_id="120") -> Stage:
    works = WorklistReader(project).read().works
    return next(each.stage for each in works if each.patient_id == patient_id)


def told(project, capsys) -> tuple[str, str, bool]:
    """What `tandem status` says of patient 120."""
    capsys.readouterr()
    assert main(["status", str(project.root), "--json", "-"]) == 0
    patients = json.loads(capsys.readouterr().out)["patients"]
    row = next(each for each in patients if each["patient"] == "120")
    return row["gold"], row["reason"], row["adjudicated"]


def test_a_skipped_patient_is_kept_with_its_reason_and_is_not_the_next(project, capsys):
    with opened(project) as session:
        session.skip(" scans missing ")
        assert session.state == "skipped"
    assert stage(project) is Stage.SKIPPED
    assert WorklistReader(project).read().next_open("110") == "110"
    assert told(project, capsys) == ("skipped", "scans missing", False)
    assert main(["status", str(project.root), "--patients"]) == 0
    out = capsys.readouterr().out
    assert "skipped: scans missing" in out
    assert "0 of 2 patients adjudicated, 1 skipped" in out


def test_a_skipped_patient_waits_for_nobody(project):
    with opened(project) as session:
        session.skip("")
    project.set_state("120", "ben", State.BEGUN)
    assert stage(project) is Stage.SKIPPED


@pytest.mark.parametrize("how", ["reopen", "decide", "finish"])
def test_a_skipped_patient_that_is_worked_on_is_skipped_no_more(project, how):
    with opened(project) as session:
        session.skip("later")
    with opened(project) as session:
        assert session.state == "skipped"
        if how == "reopen":
            session.reopen()
        else:
            session.queue.decide(session.queue[0], DecisionChoice.NEITHER)
        if how == "finish":
            session.finish()
    assert stage(project) is (Stage.DONE if how == "finish" else Stage.BEGUN)


def test_a_done_patient_that_is_reopened_keeps_its_gold_standard(project, capsys, tmp_path):
    finish(project)
    before = project.read_layer("gold", project.patient("120").documents[0]).layer
    assert told(project, capsys) == ("done", "", True)
    with opened(project) as session:
        session.reopen()
        assert not session.is_done
    assert told(project, capsys) == ("begun", "", False)
    assert project.read_layer("gold", project.patient("120").documents[0]).layer == before
    assert main(["surrogate", str(project.root), "--out", str(tmp_path / "out")]) != 0
    assert "120" in capsys.readouterr().err
    with opened(project) as session:
        session.finish()
    assert stage(project) is Stage.DONE


def test_a_done_patient_that_is_skipped_is_not_done_for_an_older_tandem_either(project):
    finish(project)
    with opened(project) as session:
        session.skip("")
    lines = project.journal_path("gold", "120").read_text().splitlines()
    said = [json.loads(each)["op"] for each in lines]
    assert [each for each in said if each in ("done", "begun", "skip")] == ["done", "begun", "skip"]
    assert not project.is_adjudicated("120")


def test_what_is_neither_done_nor_skipped_is_not_reopened(project):
    with opened(project) as session, pytest.raises(RequestError, match="neither done nor skipped"):
        session.reopen()


def test_an_imported_gold_standard_is_done_until_it_is_changed_or_reopened(project, capsys):
    document = project.patient("120").documents[0]
    project.write_layer("gold", document, Layer.of("120-01", "gold", ()), None)
    assert (stage(project), told(project, capsys)[0]) == (Stage.DONE, "done")
    with opened(project) as session:
        assert session.is_done
    assert (stage(project), told(project, capsys)[0]) == (Stage.DONE, "done")
    with opened(project) as session:
        session.reopen()
    assert (stage(project), told(project, capsys)[0]) == (Stage.BEGUN, "begun")


def test_undoing_the_last_edit_of_a_done_patient_begins_it_again(project):
    finish(project)
    with opened(project) as session:
        session.undo()
    assert stage(project) is Stage.BEGUN
    assert gold(project) == [[], [], []]
