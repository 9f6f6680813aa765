"""What a release says where its files are not those that somebody has called done."""

import pytest

from adjudicator.decisions import DecisionChoice
from adjudicator.release.session import ReleaseSession
from adjudicator.release.source import Source, SurrogateOptions
from adjudicator.session import AdjudicationSession
from shared.commands.main import main
from shared.errors import FileError, RequestError
from shared.project.project import Project
from tests.adjudicator.projects import make_project
from tests.adjudicator.release.sessions import SOURCES, make, out, reviewed


@pytest.fixture
def done(tmp_path) -> Project:
    project = make_project(tmp_path)
    with AdjudicationSession(project, "110", "carol") as session:
        for each in list(session.queue):
            session.queue.decide(each, DecisionChoice.FIRST)
        session.finish()
    return project


def problem(project: Project) -> str:
    problems = Source.read(project, SurrogateOptions()).problems
    assert all(isinstance(each, FileError) for each in problems.values())
    return "".join(map(str, problems.values()))


def test_what_is_done_and_was_not_touched_has_no_problem(done):
    assert problem(done) == ""


def test_a_gold_standard_that_is_gone_is_none_without_tags(done):
    done.layer_path("gold", "110-03").unlink()
    assert "110-03.xml: is missing" in problem(done)


def test_a_tag_that_somebody_takes_out_of_the_file_is_told(done):
    path = done.layer_path("gold", "110-02")
    data = path.read_bytes()
    kept = [line for line in data.splitlines(keepends=True) if b"<NAME " not in line]
    path.write_bytes(b"".join(kept))
    assert path.read_bytes() != data
    assert "110-02.xml: was changed outside of Tandem" in problem(done)


def test_what_was_changed_outside_goes_out_once_it_is_done_again(done):
    path = done.layer_path("gold", "110-03")
    path.write_bytes(path.read_bytes() + b"<!-- by hand -->")
    assert problem(done)
    with AdjudicationSession(done, "110", "carol") as session:
        session.reopen()
        session.finish()
    assert problem(done) == ""


@pytest.mark.parametrize("inside", [".", "release", "gold/release", "records/../x"])
def test_a_release_never_lies_among_the_originals(tmp_path, inside):
    session = reviewed(ReleaseSession(make(tmp_path, SOURCES)))
    root = session.project.root
    before = sorted(root.rglob("*"))
    with pytest.raises(RequestError, match="where the originals are"):
        session.release(out(root / inside / "y"))
    assert sorted(root.rglob("*")) == before
    session.release(out(tmp_path))


def test_an_unattended_release_neither(tmp_path, capsys):
    (tmp_path / "a.xml").write_text("")
    status = main(
        ["surrogate", str(tmp_path), "--doubtful", "mask", "--out", str(tmp_path / "release")]
    )
    assert status == 2
    assert not (tmp_path / "release").exists()
