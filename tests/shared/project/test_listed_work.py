import os

import pytest

from adjudicator.project_status import ProjectStatus
from adjudicator.worklist import Stage, WorklistReader
from shared.formats.base import Record
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.listed_work import ListedWork
from shared.project.project import Project
from tests.builders import document, layer

SOURCE = "Seen by [Dr. Lee|DOCTOR] on [3/4|DATE]."


@pytest.fixture
def record():
    return document(SOURCE, "110-01")


@pytest.fixture
def project(tmp_path, record):
    """A patient on whom nobody has worked."""
    return Project.create(tmp_path / "project", "T", I2B2_2014, [Record(record)], ["ana", "ben"], 0)


def problems(project):
    return [str(each) for each in ProjectStatus.of(project, timed=False).problems]


@pytest.mark.parametrize("name", ["ana", "gold"])
def test_nothing_is_there_of_who_has_done_nothing(project, name):
    assert ListedWork(project).is_none(name, "110")
    assert problems(project) == []


def test_a_layer_without_a_journal_is_work(project, record):
    project.write_layer("ana", record, layer(SOURCE, "110-01"), None)
    assert not ListedWork(project).is_none("ana", "110")
    assert ListedWork(project).is_none("ben", "110")
    assert ProjectStatus.of(project, timed=False).tags["110", "ana"] == 2


@pytest.mark.parametrize("suffix", [".jsonl", ".head"])
def test_a_journal_or_what_is_left_of_it_is_work(project, suffix):
    path = project.journal_path("gold", "110").with_suffix(suffix)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"no entry\n")
    assert not ListedWork(project).is_none("gold", "110")
    assert WorklistReader(project).read().works[0].stage is Stage.BROKEN
    assert problems(project)


def test_a_link_in_place_of_a_layer_is_told(project):
    path = project.layer_path("ana", "110-01")
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(project.root / "nowhere")
    assert any("110-01.xml" in each for each in problems(project))


def test_a_record_of_nobodys_work_that_was_altered_is_told(project):
    (project.root / "records" / "110" / "110-01.txt").write_text("Seen by Dr. Kay.", "utf-8")
    assert any("is not the text that was imported" in each for each in problems(project))


def test_where_nobody_may_look_each_file_is_asked_for(project, monkeypatch):
    def listdir(_):
        raise PermissionError

    monkeypatch.setattr(os, "listdir", listdir)
    assert not ListedWork(project).is_none("ana", "110")
    assert problems(project) == []
