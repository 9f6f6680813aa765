"""What a project says as frames is what its files, its commands and its windows say."""

import json
from itertools import product

import pytest

import tandem
from shared.commands.main import main
from shared.project.assignments import State


@pytest.fixture
def opened(project):
    return tandem.open(project.root)


def test_records_and_assignments(opened, project):
    assert opened.records()["record"].tolist() == ["110-01", "110-02", "120-01"]
    text = project.patient("120").documents[0].text
    assert opened.records().set_index("record").loc["120-01", "text"] == text
    assert set(opened.assignments()["state"]) == {"done"}


def test_tags_of_an_annotator_and_of_gold(opened):
    def marks(frame):
        return set(zip(frame["record"], frame["type"], frame["text"], strict=True))

    assert ("110-01", "PATIENT", "Lee") in marks(opened.tags("ben"))
    gold = marks(opened.tags())
    assert ("110-01", "DOCTOR", "Lee") in gold
    assert ("110-02", "DATE", "4/17/2068") in gold
    assert not [each for each in gold if each[0] == "120-01"]  # not adjudicated
    assert ("120-01", "PATIENT", "Mia") in marks(opened.tags("ana"))


def test_decisions_are_those_of_the_log(opened, project, capsys):
    frame = opened.decisions()
    assert frame[["kind", "choice"]].values.tolist() == [["type", "first"], ["one-sided", "second"]]
    assert frame["ana"].tolist() == ["NAME:DOCTOR 12-15", ""]
    assert frame["ben"].tolist() == ["NAME:PATIENT 12-15", "DATE 20-29"]
    assert frame["gold"].tolist() == ["NAME:DOCTOR 12-15", "DATE 20-29"]
    assert frame["reason"].tolist() == ["he signs", ""]
    assert main(["adjudicate", str(project.root), "--export-log", "-"]) == 0
    log = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each["record"] for each in log] == frame["record"].tolist()


def test_findings_are_those_of_the_check_and_what_was_dismissed_is_none(opened, project, capsys):
    frame = opened.findings("ben")
    main(["check", str(project.root), "--layer", "ben", "--json", "-"])
    listed = json.loads(capsys.readouterr().out)["findings"]
    assert frame[["record", "start", "kind"]].values.tolist() == [
        [each["record"], each["start"], each["kind"]] for each in listed
    ]


def test_agreement_is_that_of_the_report(opened, project, tmp_path):
    frames = opened.agreement(resamples=20)
    main(["agreement", str(project.root), "--out", str(tmp_path / "out"), "--resamples", "20"])
    report = json.loads((tmp_path / "out" / "agreement.json").read_text())
    assert list(frames.tables) == list(report["tables"])
    assert frames.by_type["tp"].tolist() == [
        each["tp"] for each in report["tables"]["by_type"]["rows"]
    ]
    assert not frames.by_measure.empty
    assert not frames.compared.empty


def test_where_nothing_is_measured_frames_are_empty(opened, project):
    for patient_id, name in product(("110", "120"), ("ana", "ben")):
        project.set_state(patient_id, name, State.BEGUN)
    frames = tandem.open(project.root).agreement(resamples=20)
    assert frames.by_type.empty
    assert set(frames.left_out["record"]) == {"110-01", "110-02", "120-01"}


def test_a_corpus_has_the_records_of_those_patients_only_that_have_such_tags(opened):
    """Records without a gold standard would look as if nothing in them were PHI."""
    assert set(opened.corpus().records["record"]) == {"110-01", "110-02"}
    assert set(opened.corpus("ben").records["record"]) == {"110-01", "110-02", "120-01"}


def test_what_cannot_be_read_is_told_and_left_out(opened, project):
    (project.root / "records" / "110" / "110-01.txt").write_text("another text")
    assert opened.records()["record"].tolist() == ["120-01"]
    assert "is not the text that was imported" in str(opened.problems[0])
    assert set(opened.tags("ana")["record"]) == {"120-01"}
    assert opened.problems


@pytest.mark.parametrize("ask", ["tags", "findings"])
def test_who_is_no_annotator_is_refused(opened, ask):
    with pytest.raises(tandem.TandemError, match="dora is not an annotator"):
        getattr(opened, ask)("dora")


def test_what_is_no_project_is_refused(tmp_path):
    with pytest.raises(tandem.TandemError, match="is not a Tandem project"):
        tandem.open(tmp_path)


def test_nothing_of_the_project_is_written(opened, project):
    def state():
        return {path: path.stat().st_mtime_ns for path in project.root.rglob("*")}

    before = state()
    for ask in (opened.records, opened.tags, opened.decisions, opened.findings, opened.assignments):
        ask()
    opened.agreement(resamples=10)
    assert state() == before
