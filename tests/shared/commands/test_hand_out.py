"""`tandem hand-out`, `open`, `hand-in` and `collect`, one after the other."""

import json

import pytest

from annotator.session import AnnotationSession
from shared.commands.main import main
from shared.model import Span
from shared.project.assignments import State
from shared.project.project import Project
from tests.adjudicator.projects import make_project
from tests.builders import phi


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, ("Kai came.",), ("Kai came.",), State.TO_DO)


@pytest.fixture
def tandem(tmp_path):
    """Runs a command with the passphrase in a file."""
    (tmp_path / "passphrase").write_text("correct horse battery\n")

    def run(*words):
        return main([*map(str, words), "--passphrase-file", str(tmp_path / "passphrase")])

    return run


@pytest.fixture
def handed_in(project, tandem, tmp_path):
    """The file of ana, who has done her patient elsewhere."""
    assert tandem("hand-out", project.root, "--annotator", "ana", "--out", tmp_path / "out") == 0
    assert tandem("open", tmp_path / "out", tmp_path / "away") == 0
    with AnnotationSession(Project.open(tmp_path / "away"), "ana", "110") as session:
        session.tag(Span(0, 3), phi("PATIENT"))
        session.finish()
    assert tandem("hand-in", tmp_path / "away", "--out", tmp_path / "in") == 0
    return tmp_path / "in"


def test_the_way_out_and_back(project, tandem, handed_in, capsys):
    capsys.readouterr()
    assert tandem("collect", project.root, handed_in) == 0
    assert "new" in capsys.readouterr().out
    assert project.assignments()[0].state is State.DONE
    assert tandem("collect", project.root, handed_in) == 0
    assert "nothing new" in capsys.readouterr().out


def test_status_counts_as_it_was_until_the_work_is_collected(project, tandem, handed_in, capsys):
    def ana():
        capsys.readouterr()
        assert main(["status", str(project.root)]) == 0
        lines = capsys.readouterr().out.splitlines()
        return next(line.split() for line in lines if line.startswith("ana"))

    assert ana() == ["ana", "1", "0", "0", "0"]  # to do, begun, done, tags
    assert tandem("collect", project.root, handed_in) == 0
    assert ana() == ["ana", "0", "0", "1", "1"]


def test_what_came_as_json(project, tandem, handed_in, capsys):
    capsys.readouterr()
    assert tandem("collect", project.root, handed_in, "--json", "-") == 0
    (told,) = json.loads(capsys.readouterr().out)["files"]
    assert told["annotator"] == "ana"
    assert [(each["patient"], each["arrival"]) for each in told["patients"]] == [("110", "new")]


def test_what_was_left_as_it_is_ends_with_one(project, tandem, handed_in):
    with AnnotationSession(project, "ana", "110") as session:
        session.tag(Span(4, 8), phi("DOCTOR"))
    assert tandem("collect", project.root, handed_in) == 1


@pytest.mark.parametrize("command", ["hand-out", "hand-in"])
def test_no_file_is_overwritten(project, tandem, handed_in, tmp_path, command, capsys):
    before = handed_in.read_bytes()
    who = ("--annotator", "ana") if command == "hand-out" else ()
    where = project.root if command == "hand-out" else tmp_path / "away"
    assert tandem(command, where, *who, "--out", handed_in) == 2
    assert "already exists; give a new file" in capsys.readouterr().err
    assert handed_in.read_bytes() == before


def test_a_file_that_is_not_there_is_said(project, tandem, tmp_path, capsys):
    assert tandem("collect", project.root, tmp_path / "none") == 2
    assert "does not exist" in capsys.readouterr().err


def test_without_a_terminal_a_passphrase_has_to_be_in_a_file(project, tmp_path, capsys):
    out = tmp_path / "out"
    assert main(["hand-out", str(project.root), "--annotator", "ana", "--out", str(out)]) == 2
    assert "give --passphrase-file" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("learn_from", ["own", "gold"])
def test_a_model_goes_along_that_learnt_from_nobody_else(project, tandem, tmp_path, learn_from):
    for name in ("ana", "ben", "gold"):
        (project.root / "models" / name).mkdir(parents=True)
        (project.root / "models" / name / "words").write_text(name)
    settings = project.root / "tandem.toml"
    settings.write_text(settings.read_text().replace('"own"', f'"{learn_from}"'))
    tandem("hand-out", project.root, "--annotator", "ana", "--out", tmp_path / "out")
    tandem("open", tmp_path / "out", tmp_path / "away")
    there = [path.name for path in (tmp_path / "away").glob("models/*")]
    assert there == (["ana"] if learn_from == "own" else [])


def test_the_files_are_their_owners_only(handed_in, tmp_path):
    assert [path.stat().st_mode & 0o077 for path in (handed_in, tmp_path / "out")] == [0, 0]
