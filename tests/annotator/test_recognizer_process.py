"""Recognizers in a process of their own."""

import os
import signal
import sys

import pytest

from annotator.recognizer_process import RecognizerProcess
from annotator.recognizers import Recognizers
from shared.errors import RequestError
from shared.formats.base import Record
from shared.model import Document, MergedView
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.project import Project
from shared.project.settings import Policy

TEXT = "Seen by Dr. Lee on 05/09/2007, phone (617) 555-0134.\n"
RULES, OFF = Policy.RULES, Policy.OFF


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", n, TEXT * times)) for n, times in (("1", 2), ("2", 900))]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


@pytest.fixture
def process(project):
    made = RecognizerProcess(project.root, "ana")
    yield made
    made.close()


@pytest.fixture
def views(project):
    return {each: MergedView(project.patient(each)) for each in ("1", "2")}


def test_it_finds_what_is_found_without_it(process, project, views):
    for policy in (RULES, OFF, Policy.ON):
        here = list(Recognizers(project, "ana").suggest(views["1"], policy))
        assert list(process.suggest(views["1"], policy)) == here


@pytest.mark.parametrize(("code", "found"), [("de", {"Gerhard"}), ("en", {"Travis"})])
def test_lists_of_names_are_of_the_language_of_the_project(tmp_path, code, found):
    text = "was seen for Gerhard, Travis\n"
    records = [Record(Document("1-01", "1", text))]
    names = ["ana", "ben"]
    made = Project.create(tmp_path / "l", "l", I2B2_2014, records, names, 1, language=code)
    *_, last = Recognizers(made, "ana").suggest(MergedView(made.patient("1")), Policy.ON)
    assert {text[each.start : each.end] for each in last.suggestions} == found


def test_many_suggestions_come_whole(process, project, views):
    (found,) = process.suggest(views["2"], RULES)
    (here,) = Recognizers(project, "ana").suggest(views["2"], RULES)
    assert len(found.suggestions) > 2000
    assert found == here


def test_a_patient_asked_for_meanwhile_comes_first(process, views):
    left = process.suggest(views["2"], RULES)
    (found,) = process.suggest(views["1"], RULES)
    assert {each.record_id for each in found.suggestions} == {"1-01"}
    with pytest.raises(RequestError):
        list(left)


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_process_that_dies_is_said_and_the_next_serves(process, views):
    list(process.suggest(views["1"], RULES))
    os.kill(process._process._running[0].pid, signal.SIGKILL)
    process._process._running[0].join()
    (found,) = process.suggest(views["1"], RULES)
    assert found.suggestions
    finding = process.suggest(views["2"], RULES)
    os.kill(process._process._running[0].pid, signal.SIGKILL)
    with pytest.raises(RequestError, match="ended unexpectedly"):
        list(finding)
    assert list(process.suggest(views["1"], RULES))


def test_a_project_that_cannot_be_read_is_said_in_a_sentence(process, project, views):
    (project.root / "tandem.toml").write_text("nonsense")
    with pytest.raises(RequestError, match=r"tandem\.toml"):
        list(process.suggest(views["1"], RULES))


def test_it_ends_when_it_is_closed(process, views):
    list(process.suggest(views["1"], RULES))
    running = process._process._running[0]
    process.close()
    assert not running.is_alive()
    process.close()
