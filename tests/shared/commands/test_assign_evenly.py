"""Annotators join and leave, patients are added: what nobody has begun is shared out anew."""

import json
from collections import Counter

import pytest

from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.formats.base import Record
from shared.model import Document
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.gold_state import GoldState
from shared.project.project import Project
from shared.project.verifying import verify


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", str(n), "Seen by Dr. Lee.")) for n in range(100, 112)]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben", "cem"], 1)


def assign(project, *words):
    return main(["assign", str(project.root), *words])


def to_do(project):
    counts = Counter(each.annotator for each in project.assignments() if each.state is State.TO_DO)
    return [counts[name] for name in Project.open(project.root).annotators]


def begin(project, *names):
    """Have each begin the first two of their patients; returns what is begun."""
    for name in names:
        for each in project.assigned_to(name)[:2]:
            AnnotationSession(project, name, each.patient_id).close()
    return [each for each in project.assignments() if each.state is State.BEGUN]


def sizes(project):
    return set(Counter(each.patient_id for each in project.assignments()).values())


def test_who_joins_gets_an_even_share_of_what_is_not_begun(project):
    begun = begin(project, "ana", "ben", "cem")
    assert assign(project, "--add", "dora") == 0
    assert sorted(to_do(project)) == [4, 4, 5, 5]
    assert sizes(project) == {2}
    assert [each for each in project.assignments() if each.state is State.BEGUN] == begun
    assert Project.open(project.root).annotators[-1] == "dora"
    assert not verify(project.root).discrepancies


def test_who_leaves_keeps_what_is_begun_and_gets_nothing_new(project, tmp_path):
    assert assign(project, "--add", "dora") == 0
    begun = begin(project, "ana")
    assert assign(project, "--leave", "ana") == 0
    assert [each for each in project.assignments() if each.annotator == "ana"] == begun
    after = to_do(project)
    assert after[0] == 0
    assert max(after[1:]) - min(after[1:]) <= 1
    assert sizes(project) == {2}
    write_records(tmp_path / "new", "200", "201", "202")
    assert assign(project, "--records", str(tmp_path / "new")) == 0
    assert [each for each in project.assignments() if each.annotator == "ana"] == begun
    assert assign(project, "--add", "ana") == 0
    assert sorted(to_do(project))[0] > 0
    assert not Project.open(project.root).plan.left


def write_records(folder, *patient_ids):
    folder.mkdir()
    for each in patient_ids:
        (folder / f"{each}-01.txt").write_text("Seen by Dr. Lee.")


def test_new_patients_are_given_out_evenly_and_open_windows_know_them(project, tmp_path, capsys):
    already_open = Project.open(project.root)
    write_records(tmp_path / "new", "99", "200", "201")
    assert assign(project, "--records", str(tmp_path / "new"), "--seed", "3") == 0
    assert "3 new patients" in capsys.readouterr().out
    assert max(to_do(project)) - min(to_do(project)) <= 1
    assert sizes(project) == {2}
    assert len(Project.open(project.root).patient_ids) == 15
    name = next(each.annotator for each in already_open.assignments() if each.patient_id == "200")
    with AnnotationSession(already_open, name, "200") as session:
        assert session.view.text.startswith("Seen by")
    assert not verify(project.root).discrepancies


def test_new_patients_with_a_gold_standard_are_not_given_out(project, tmp_path, capsys):
    write_records(tmp_path / "new", "200", "201")
    write_records(tmp_path / "tagged", "200")
    gold = tmp_path / "gold"
    xml = "<?xml version='1.0'?><deIdi2b2><TEXT><![CDATA[Seen by Dr. Lee.]]></TEXT><TAGS>"
    xml += '<NAME id="P0" start="12" end="15" text="Lee" TYPE="DOCTOR" comment="" /></TAGS>'
    gold.mkdir()
    (gold / "200-01.xml").write_text(f"{xml}</deIdi2b2>")
    words = ["--records", str(tmp_path / "new"), "--gold", str(gold)]
    assert assign(project, *words) == 0
    assert (
        "2 new patients, 1 of them with a gold standard, not given out" in capsys.readouterr().out
    )
    now = Project.open(project.root)
    assert {each.patient_id for each in now.assignments()} >= {"201"}
    assert "200" not in {each.patient_id for each in now.assignments()}
    assert now.gold_status("200").state is GoldState.DONE
    found = verify(project.root)
    assert not found.discrepancies
    assert not found.not_covered


def test_the_same_seed_gives_the_same_and_a_dry_run_shows_it(project, tmp_path):
    before = (project.root / "assignments.csv").read_bytes(), list(project.root.rglob("*"))
    shown, done = tmp_path / "shown.json", tmp_path / "done.json"
    words = ["--add", "dora", "--seed", "5", "--json"]
    assert assign(project, *words, str(shown), "--dry-run") == 0
    after = (project.root / "assignments.csv").read_bytes(), list(project.root.rglob("*"))
    assert after == before
    assert assign(project, *words, str(done)) == 0
    dry, real = (json.loads(each.read_text()) for each in (shown, done))
    assert dry.pop("dry_run") is True
    assert real.pop("dry_run") is False
    assert dry == real
    assert dry["given"]


def test_a_crash_between_the_writings_is_mended_by_the_next_call(project, tmp_path, monkeypatch):
    write_records(tmp_path / "new", "200", "201")
    with monkeypatch.context() as broken:
        broken.setattr("shared.project.work_sharing.reassign", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            assign(project, "--records", str(tmp_path / "new"))
    assert assign(project, "--even") == 0
    given = {each.patient_id for each in Project.open(project.root).assignments()}
    assert given >= {"200", "201"}


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--add", "ana"], "ana is an annotator of the project already"),
        (["--leave", "zoe"], "zoe is not among the annotators ana, ben, cem"),
        (["--leave", "ana", "ben"], "needs two annotators or more who have not left"),
        (["--add", "gold"], "it means the gold standard"),
        (["--add", "dora", "--give", "dora", "100"], "not both"),
        (["--even", "--gold", "x"], "--gold goes with the --records"),
        (["--add", "ANA"], "two annotators have one name"),
    ],
)
def test_what_cannot_be_is_said_and_changes_nothing(project, capsys, words, why):
    names = ("assignments.csv", "tandem.toml", "log.jsonl")
    before = [(project.root / each).read_bytes() for each in names]
    assert assign(project, *words) == 2
    assert why in capsys.readouterr().err
    assert [(project.root / each).read_bytes() for each in names] == before


@pytest.mark.parametrize(
    ("name", "why"),
    [("100-02.txt", "has patient 100 already"), ("", "")],
)
def test_records_that_cannot_come_in_are_refused(project, tmp_path, capsys, name, why):
    folder = tmp_path / "new"
    folder.mkdir()
    if name:
        (folder / name).write_text("Seen.")
    assert assign(project, "--records", str(folder)) == 2
    assert why in capsys.readouterr().err
    assert len(Project.open(project.root).patient_ids) == 12
