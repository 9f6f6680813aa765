import json
import os
import signal
import sys
import time
from dataclasses import replace

import pytest

from shared.formats.i2b2_xml import format_record
from shared.model import Layer
from shared.recognition.model_card import CARD, read_card
from shared.recognition.model_folder import load_model, remove_incomplete
from shared.recognition.training.background import (
    BackgroundTraining,
    RecordPath,
    XmlExamples,
    train_in_process,
)
from shared.recognition.training_settings import SETTINGS

QUICK = SETTINGS["token"]
SLOW = replace(QUICK, crfs=tuple(replace(QUICK.crfs[0], name=f"crf-{n}") for n in range(999)))


@pytest.fixture
def records(examples, tmp_path):
    """The examples as XML files."""
    folder = tmp_path / "layers"
    folder.mkdir()
    paths = []
    for example in examples:
        record = example.document
        layer = Layer.of(record.record_id, "ana", example.tags)
        path = folder / f"{record.record_id}.xml"
        path.write_bytes(format_record(record.text, layer))
        paths.append(RecordPath(path, record.record_id, record.patient_id))
    return paths


def ended(training, seconds=60):
    until = time.monotonic() + seconds
    while (state := training.state).running:
        assert time.monotonic() < until
        time.sleep(0.02)
    return state


def begun(folder, seconds=60):
    until = time.monotonic() + seconds
    while not any(folder.glob(".*.partial/*")):
        assert time.monotonic() < until
        time.sleep(0.02)


def test_it_trains_while_nobody_waits(records, tmp_path):
    target = tmp_path / "model"
    training = BackgroundTraining(XmlExamples(records), QUICK, target, schema="i2b2-2014")

    assert training.state.running
    assert ended(training).problem == ""
    training.clear()
    assert read_card(target).schema == "i2b2-2014"
    assert load_model(target).name == "token"
    assert {path.name for path in tmp_path.iterdir()} == {"layers", "model"}


def test_it_is_cancelled_and_the_older_model_stays(records, tmp_path):
    target = tmp_path / "model"
    ended(BackgroundTraining(XmlExamples(records), QUICK, target, schema="x"))
    before = (target / CARD).read_bytes()
    training = BackgroundTraining(XmlExamples(records), SLOW, target, schema="x")
    begun(tmp_path)
    training.cancel()

    assert training.state == replace(training.state, running=False, problem="")
    assert (target / CARD).read_bytes() == before
    assert {path.name for path in tmp_path.iterdir()} == {"layers", "model"}


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_trainer_that_dies_is_said_and_can_be_started_again(records, tmp_path):
    target = tmp_path / "model"
    training = BackgroundTraining(XmlExamples(records), SLOW, target, schema="x")
    begun(tmp_path)
    os.kill(training._process.pid, signal.SIGKILL)

    assert "start it again" in ended(training).problem
    again = BackgroundTraining(XmlExamples(records), QUICK, target, schema="x")
    assert ended(again).problem == ""
    assert load_model(target)


def test_what_cannot_be_read_is_said_in_one_sentence(records, tmp_path):
    records[3].path.write_bytes(b"<not xml")
    state = ended(BackgroundTraining(XmlExamples(records), QUICK, tmp_path / "model", schema="x"))

    assert records[3].path.name in state.problem
    assert not (tmp_path / "model").exists()


def test_the_problem_is_told_through_the_progress_file(tmp_path, monkeypatch):
    monkeypatch.setattr("os.nice", lambda _more: 0)  # or all later tests here would come last
    progress = tmp_path / "progress.json"
    with pytest.raises(SystemExit):
        train_in_process(XmlExamples([]), QUICK, tmp_path / "model", "x", progress)

    assert "nothing to train on" in json.loads(progress.read_text())[1]


def test_remains_of_a_model_are_removed_and_those_of_a_like_name_are_not(tmp_path):
    for name in (".ana.7.partial", ".ana.7.old", ".ana.b.7.partial", ".ana.b.7.old", "ana"):
        (tmp_path / name).mkdir()
    remove_incomplete(tmp_path / "ana")

    assert {path.name for path in tmp_path.iterdir()} == {".ana.b.7.partial", ".ana.b.7.old", "ana"}


def test_a_model_that_was_moved_aside_when_the_trainer_was_killed_comes_back(tmp_path):
    (tmp_path / ".ana.7.old").mkdir()
    remove_incomplete(tmp_path / "ana")

    assert [path.name for path in tmp_path.iterdir()] == ["ana"]
