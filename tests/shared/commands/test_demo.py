"""The demo runs the whole pipeline, and replaces nothing but an earlier demo."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from shared.commands.main import main
from shared.formats.corpus import read_corpus
from shared.project.assignments import State
from shared.project.lock import acquire_lock
from shared.project.project import Project
from tests.process_tree import CAN_TELL, running_in_session

pytest.importorskip("PySide6")

from shared.commands import demo_windows
from shared.commands.demo_windows import save_pictures


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "demo"
    assert main(["demo", str(folder), "--patients", "4", "--seed", "3", "--no-windows"]) == 0
    return folder


@pytest.fixture(scope="module")
def project(made):
    return Project.open(made / "project")


def states(project, patient_id):
    return {each.state for each in project.assignments() if each.patient_id == patient_id}


def test_the_gold_standard_is_the_phi_as_they_were_made(made, project):
    truth = {each.document.record_id: each for each in read_corpus(made / "truth").records}
    adjudicated = [each for each in project.patient_ids if project.is_adjudicated(each)]
    assert len(adjudicated) == 2
    for patient_id in adjudicated:
        for document in project.patient(patient_id).documents:
            gold = project.read_layer("gold", document).layer
            expected = {tag.mark for tag in truth[document.record_id].tags}
            assert {tag.mark for tag in gold.tags} == expected


def test_there_is_something_left_to_try(project):
    *_, to_adjudicate, to_annotate = project.patient_ids
    assert states(project, to_adjudicate) == {State.DONE}
    assert not project.is_adjudicated(to_adjudicate)
    assert states(project, to_annotate) == {State.TO_DO}


def test_records_lie_there_as_text(made, project):
    texts = {path.stem: path.read_text("utf-8") for path in (made / "records").glob("*.txt")}
    for patient_id in project.patient_ids:
        for document in project.patient(patient_id).documents:
            assert texts[document.record_id] == document.text


def test_reports_say_what_the_commands_say(made):
    reports = made / "project" / "reports"
    agreement = json.loads((reports / "agreement.json").read_bytes())
    strict = agreement["with_gold_average"]["measures"]["strict"]["all"]["micro"]
    assert 0.8 < strict["f1"] < 0.97
    assert "ana against ben" in (reports / "agreement.txt").read_text()
    assert "findings" in json.loads((reports / "check.json").read_bytes())


def test_pictures_of_both_windows(made):
    for name in ("annotation", "adjudication"):
        data = (made / f"{name}-window.png").read_bytes()
        assert data.startswith(b"\x89PNG")
        assert len(data) > 10_000


def test_both_windows_are_no_larger_than_the_screen(project, monkeypatch):
    to_adjudicate, to_annotate = [*project.patient_ids][-2:]
    shown = []

    class Application:
        def exec(self):
            shown.extend(
                window.screen().availableGeometry().contains(window.frameGeometry())
                for window in windows
            )
            return 0

    windows = demo_windows._windows(project, ("ana", to_annotate), to_adjudicate, learns=False)
    monkeypatch.setattr(demo_windows, "create_application", lambda _: Application())
    monkeypatch.setattr(demo_windows, "_windows", lambda *_: windows)
    assert demo_windows.open_windows(project, ("ana", to_annotate), to_adjudicate) == 0
    assert shown == [True, True]
    for window in windows:
        window.close()


def test_a_window_for_a_picture_learns_nothing(made, project, monkeypatch):
    begun = []
    monkeypatch.setattr(
        "annotator.ui.training_status.PatientTrainingStatus.start", lambda _: begun.append(1)
    )
    monkeypatch.setattr("shared.commands.demo_windows._SETTLING", 2.0)
    save_pictures(project, "ana", project.patient_ids[0], made)
    assert not begun


@pytest.mark.skipif(os.name == "nt", reason="files have no modes there")
def test_only_the_owner_can_read_it(made):
    assert not [path for path in made.rglob("*") if path.stat().st_mode & 0o077]


def test_a_demo_replaces_an_earlier_one(tmp_path, capsys):
    folder = tmp_path / "demo"
    for seed in ("1", "2"):
        arguments = ["demo", str(folder), "--patients", "3", "--seed", seed, "--no-windows"]
        assert main(arguments) == 0
    assert "Gold standard" in capsys.readouterr().out


def test_what_is_no_demo_is_left_alone(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["demo", str(tmp_path), "--no-windows"]) == 2
    assert "give another folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_file_is_no_place_for_a_demo(tmp_path, capsys):
    path = tmp_path / "demo"
    path.write_text("mine")
    assert main(["demo", str(path), "--no-windows"]) == 2
    assert "not an earlier demo" in capsys.readouterr().err
    assert path.read_text() == "mine"


def test_a_demo_that_a_window_has_open_is_left_alone(made, capsys):
    before = sorted(made.rglob("*.txt"))
    with acquire_lock(made / "project" / "journal" / "ana" / "101.lock", "ana"):
        assert main(["demo", str(made), "--no-windows"]) == 2
    assert "is open for ana" in capsys.readouterr().err
    assert sorted(made.rglob("*.txt")) == before


def test_two_patients_are_too_few(tmp_path, capsys):
    assert main(["demo", str(tmp_path / "demo"), "--patients", "2"]) == 2
    assert "3 patients or more" in capsys.readouterr().err
    assert not (tmp_path / "demo").exists()


@pytest.mark.skipif(not CAN_TELL, reason="the system does not tell processes")
def test_no_process_outlives_it(tmp_path):
    program = "import sys, tandem_start; sys.exit(tandem_start.main())"
    demo = ["demo", str(tmp_path / "demo"), "--patients", "3", "--no-windows"]
    started = subprocess.Popen(
        [sys.executable, "-c", program, *demo],
        start_new_session=True,
        stdout=subprocess.DEVNULL,
        cwd=Path(__file__).parents[3],
    )
    assert started.wait() == 0
    assert not running_in_session(started.pid)
