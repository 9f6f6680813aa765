"""How far an annotator is follows from the journal, whatever the list of states says."""

import json
import shutil

import pytest

from annotator.session import AnnotationSession
from shared.model import Span
from shared.project.annotation_state import JournalledStates, write_state
from shared.project.assignments import State
from shared.project.project import Project
from tests.adjudicator.projects import make_project
from tests.builders import phi


def lines(*entries):
    return "".join(f"{json.dumps(each, separators=(',', ':'))}\n" for each in entries)


EDIT, DONE, SEEN = {"op": "edit", "number": 1}, {"op": "done"}, {"op": "seen"}
NOTE = {"op": "reject", "text": '"op":"done"', "more": {"said": 'x "op":"begun" y'}}


@pytest.mark.parametrize(
    ("text", "listed", "expected"),
    [
        ("", State.TO_DO, State.TO_DO),
        ("", State.DONE, State.DONE),
        (lines(SEEN), State.TO_DO, State.BEGUN),
        (lines(EDIT), State.DONE, State.DONE),  # of an earlier version
        (lines(EDIT, DONE), State.TO_DO, State.DONE),
        (lines(EDIT, DONE, SEEN), State.BEGUN, State.DONE),
        (lines(EDIT, DONE, EDIT), State.DONE, State.BEGUN),
        (lines(DONE, {"op": "undo"}), State.DONE, State.BEGUN),
        (lines(DONE, {"op": "redo"}, DONE), State.TO_DO, State.DONE),
        (lines(DONE, {"op": "begun"}), State.DONE, State.BEGUN),
        (lines(DONE, {"op": "to do"}), State.DONE, State.TO_DO),
        (lines(EDIT, NOTE), State.TO_DO, State.BEGUN),  # words in a text are none
        (lines(EDIT) + '{"op":"done"', State.TO_DO, State.BEGUN),  # torn
    ],
)
def test_what_a_journal_says(tmp_path, text, listed, expected):
    path = tmp_path / "110.jsonl"
    path.write_text(text)
    assert JournalledStates().state(path, listed) is expected


def test_without_a_journal_the_list_says_it(tmp_path):
    assert JournalledStates().state(tmp_path / "none.jsonl", State.DONE) is State.DONE


def test_a_journal_that_has_changed_is_read_again(tmp_path):
    states, path = JournalledStates(), tmp_path / "110.jsonl"
    path.write_text(lines(EDIT, DONE))
    assert states.state(path, State.TO_DO) is State.DONE
    write_state(path, "ana", State.BEGUN)
    assert states.state(path, State.TO_DO) is State.BEGUN


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path, state=State.TO_DO)


def states(project):
    return {each.annotator: each.state for each in Project.open(project.root).assignments()}


def finish(project, name):
    with AnnotationSession(project, name, "110") as session:
        session.tag(Span(0, 4), phi("PATIENT"))
        session.finish()


def test_a_copy_with_older_states_laid_over_it_undoes_no_finished_patient(project, tmp_path):
    shutil.copytree(project.root, tmp_path / "clone")
    finish(Project.open(tmp_path / "clone"), "ana")  # at home
    finish(project, "ben")  # meanwhile
    shutil.copytree(tmp_path / "clone", project.root, dirs_exist_ok=True)
    assert states(project) == {"ana": State.DONE, "ben": State.DONE}


def test_work_that_is_copied_comes_with_its_state(project, tmp_path):
    shutil.copytree(project.root, tmp_path / "clone")
    finish(Project.open(tmp_path / "clone"), "ben")
    for each in ("layers", "journal"):
        shutil.copytree(tmp_path / "clone" / each / "ben", project.root / each / "ben",
                        dirs_exist_ok=True)  # fmt: skip
    assert states(project) == {"ana": State.TO_DO, "ben": State.DONE}


def test_an_edit_after_done_counts_where_the_program_dies_before_the_list_is_written(
    project, monkeypatch
):
    finish(project, "ana")
    session = AnnotationSession(project, "ana", "110")
    monkeypatch.setattr(project, "list_state", lambda *_: None)  # as if it had died there
    session.tag(Span(5, 7), phi("DOCTOR"))
    assert states(project)["ana"] is State.BEGUN
    session.close()


def test_done_holds_once_it_is_said_again(project):
    finish(project, "ana")
    with AnnotationSession(project, "ana", "110") as session:
        session.tag(Span(5, 7), phi("DOCTOR"))
        assert states(project)["ana"] is State.BEGUN
        session.finish()
    assert states(project)["ana"] is State.DONE
