"""What a model learns from: one's own finished patients or the gold standard, and nothing else."""

import errno
import json
import multiprocessing.process
import os
import signal
import sys
import time

import pytest

from annotator.recognizers import Recognizers, trained_folder
from annotator.training import PatientTrainer, finished_records
from shared.errors import StorageError
from shared.formats.base import Record
from shared.model import Document, Layer, MergedView, PhiType, Span, Tag
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.assignments import State
from shared.project.project import Project
from shared.project.settings import LearnFrom, Policy, SuggestionPolicy
from shared.recognition.model_folder import new_model_folder
from shared.recognition.recognizer import Example
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS

DOCTOR, PROFESSION = PhiType("NAME", "DOCTOR"), PhiType("PROFESSION", "PROFESSION")
TEXT = "Seen by Tarkan Velo in the ward.\nZimbler was told. The ward was told by Tarkan Velo.\n" * 3


@pytest.fixture
def project(tmp_path):
    records = [Record(Document(f"{n}-01", str(n), TEXT)) for n in range(1, 5)]
    return Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)


def finish(project, annotator, patient_id, phrase, phi_type):
    """Tag every place of a phrase, and say that the patient is done."""
    (document,) = project.patient(patient_id).documents
    starts = [at for at in range(len(TEXT)) if TEXT.startswith(phrase, at)]
    tags = [Tag(Span(at, at + len(phrase)), phi_type) for at in starts]
    layer = Layer.of(document.record_id, annotator, tags)
    project.write_layer(annotator, document, layer, None)
    if annotator != "gold":
        project.set_state(patient_id, annotator, State.DONE)


def both_finish(project, patients=("1", "2")):
    for patient_id in patients:
        finish(project, "ana", patient_id, "Tarkan Velo", DOCTOR)
        finish(project, "ben", patient_id, "Zimbler", PROFESSION)


def ended(learner, seconds=60):
    until = time.monotonic() + seconds
    while True:
        state = learner.look()
        if not state.running:
            return state
        assert time.monotonic() < until
        time.sleep(0.02)


def paths(project, annotator):
    return sorted(
        str(each.path.relative_to(project.root)) for each in finished_records(project, annotator)
    )


def test_one_learns_from_ones_own_finished_patients(project):
    both_finish(project)
    project.set_state("3", "ana", State.BEGUN)
    assert paths(project, "ana") == ["layers/ana/1-01.xml", "layers/ana/2-01.xml"]
    assert paths(project, "ben") == ["layers/ben/1-01.xml", "layers/ben/2-01.xml"]


def test_a_patient_that_is_begun_again_is_not_learnt_from(project):
    both_finish(project)
    project.set_state("1", "ana", State.BEGUN)
    assert paths(project, "ana") == ["layers/ana/2-01.xml"]


def test_with_the_gold_standard_one_learns_from_that_of_finished_patients(project):
    project.set_suggestions(SuggestionPolicy(learn_from=LearnFrom.GOLD))
    both_finish(project)
    finish(project, "gold", "1", "Tarkan Velo", DOCTOR)
    finish(project, "gold", "3", "Tarkan Velo", DOCTOR)
    assert paths(project, "ana") == ["gold/1-01.xml"]
    assert trained_folder(project, "ana").name == "gold"


def test_nothing_is_trained_where_suggestions_are_off_or_nothing_is_done(project):
    assert not PatientTrainer(project, "ana").start()
    both_finish(project)
    project.set_suggestions(SuggestionPolicy({"ana": Policy.RULES}))
    assert not PatientTrainer(project, "ana").start()


class Watch:
    """The files that this process opens while it looks."""

    def __init__(self):
        self.looking = False
        self.seen = []
        sys.addaudithook(self.note)  # for as long as the process lives

    def note(self, event, arguments):
        if self.looking and event in {"open", "os.listdir", "os.scandir"}:
            self.seen.append(str(arguments[0]))


@pytest.fixture
def watch():
    made = Watch()
    yield made
    made.looking = False


def test_suggesting_and_learning_open_no_file_of_the_other_annotator(project, watch):
    both_finish(project)
    watch.looking = True
    learner = PatientTrainer(project, "ana")
    assert learner.is_behind()
    for record in finished_records(project, "ana"):
        record.path.read_bytes()
    view = MergedView(project.patient("3"))
    list(Recognizers(project, "ana").suggest(view, Policy.ON))
    watch.looking = False
    assert any("layers/ana" in path for path in watch.seen)
    assert [each for each in watch.seen if "ben" in each.removeprefix(str(project.root))] == []


def test_what_the_other_annotator_tagged_is_in_no_file_of_the_model(project):
    both_finish(project)
    learner = PatientTrainer(project, "ana")
    assert learner.start()
    assert ended(learner).problem == ""
    folder = project.root / "models" / "ana"
    lesson = json.loads((folder / "term_counts.json").read_text())
    assert "tarkan velo" in lesson["phrases"]
    assert "PROFESSION" not in (folder / "term_counts.json").read_text()
    assert json.loads((folder / "card.json").read_text())["types"] == ["NAME:DOCTOR"]
    view = MergedView(project.patient("3"))
    *_, found = Recognizers(project, "ana").suggest(view, Policy.ON)
    texts = {
        (each.span.text_in(view.text), each.phi_type.name)
        for each in found.suggestions
        if each.recognizer == "growing"
    }
    assert texts == {("Tarkan Velo", "DOCTOR")}


def test_a_rule_that_was_always_wrong_in_finished_patients_is_hidden(project):
    locales = project.root / "models" / "locales"
    locales.mkdir(parents=True)
    (locales / "own.toml").write_text(
        "[[pattern]]\ntypes = ['PROFESSION']\nfind = 'ward'\nconfidence = 0.95\n"
    )
    both_finish(project)
    learner = PatientTrainer(project, "ana")
    learner.start()
    ended(learner)
    view = MergedView(project.patient("3"))
    first, last = Recognizers(project, "ana").suggest(view, Policy.ON)
    of_rules = [each for found in (first, last) for each in found.suggestions]
    wards = [each.confidence for each in of_rules if each.span.text_in(view.text) == "ward"]
    assert len(wards) == 12
    assert max(wards) < 0.5


def test_the_other_annotators_model_is_not_used(project):
    both_finish(project)
    learner = PatientTrainer(project, "ben")
    learner.start()
    ended(learner)
    view = MergedView(project.patient("3"))
    *_, found = Recognizers(project, "ana").suggest(view, Policy.ON)
    assert "model" not in found.by


@pytest.fixture
def pretrained(tmp_path):
    """A model of two patients who were treated elsewhere, as that of fabricated ones would be."""
    folder = tmp_path / "cache" / "models" / "fabricated-0123456789ab"
    folder.parent.mkdir(parents=True)
    tags = [
        Tag(Span(at, at + 4), PROFESSION) for at in range(len(TEXT)) if TEXT.startswith("ward", at)
    ]
    examples = [Example(Document(f"{n}-01", n, TEXT), tags) for n in ("8", "9")]
    with new_model_folder(folder) as partial:
        train(examples, SETTINGS["token"], partial)
    return folder


def suggested(project, pretrained):
    view = MergedView(project.patient("4"))
    *_, found = Recognizers(project, "ana", pretrained).suggest(view, Policy.ON)
    shown = [each for each in found.suggestions if each.confidence >= 0.5]
    return found.by, {(each.span.text_in(view.text), each.recognizer) for each in shown}


def learn(project, pretrained):
    learner = PatientTrainer(project, "ana", pretrained)
    assert learner.start()
    assert ended(learner).problem == ""


def test_fabricated_patients_are_believed_as_far_as_finished_ones_bear_them_out(
    project, pretrained
):
    by, found = suggested(project, pretrained)
    assert by == "the rules and a model of fabricated patients"
    assert ("ward", "token") in found

    both_finish(project, ["1"])
    learn(project, pretrained)
    by, found = suggested(project, pretrained)
    fabricated = "the rules and a model of fabricated patients"
    assert by == f"{fabricated}, calibrated on 1 patient of yours, not proven yet"
    assert ("ward", "token") in found  # a single patient lowers nothing

    both_finish(project, ["2", "3"])
    learn(project, pretrained)
    by, found = suggested(project, pretrained)
    assert by == "the rules, a model of 3 patients of yours and a model of fabricated patients"
    assert ("Tarkan Velo", "growing") in found
    assert ("ward", "token") not in found


def test_is_behind_until_it_is_known_what_fabricated_patients_are_worth(project, pretrained):
    assert not PatientTrainer(project, "ana", pretrained).is_behind()
    both_finish(project)
    learn(project, None)
    assert not PatientTrainer(project, "ana").is_behind()
    assert PatientTrainer(project, "ana", pretrained).is_behind()
    learn(project, pretrained)
    assert not PatientTrainer(project, "ana", pretrained).is_behind()
    other = pretrained.rename(pretrained.with_name("fabricated-ba9876543210"))
    assert PatientTrainer(project, "ana", other).is_behind()


def test_a_broken_model_of_fabricated_patients_does_not_keep_from_learning(project, pretrained):
    (pretrained / "term_counts.json").write_text("{")
    both_finish(project)
    learn(project, pretrained)
    assert suggested(project, pretrained)[0] == "the rules and a model of 2 patients of yours"


def test_is_behind_until_it_has_learnt(project):
    both_finish(project)
    learner = PatientTrainer(project, "ana")
    assert learner.is_behind()
    learner.start()
    ended(learner)
    assert not learner.is_behind()
    finish(project, "ana", "3", "Tarkan Velo", DOCTOR)
    assert learner.is_behind()


def test_a_patient_finished_meanwhile_is_learnt_from_afterwards(project):
    both_finish(project, ["1"])
    learner = PatientTrainer(project, "ana")
    learner.start()
    both_finish(project, ["2"])
    assert learner.start()
    ended(learner)
    assert learner.go_on()
    ended(learner)
    assert learner.card().patients == 2
    assert not learner.go_on()


def test_cancelling_leaves_what_was_there(project):
    both_finish(project)
    learner = PatientTrainer(project, "ana")
    learner.start()
    ended(learner)
    before = (project.root / "models/ana/card.json").read_bytes()
    learner.start()
    learner.cancel()
    assert not learner.running
    assert (project.root / "models/ana/card.json").read_bytes() == before
    assert {each.name for each in (project.root / "models").iterdir()} == {"ana"}


@pytest.mark.skipif(sys.platform == "win32", reason="no such signal there")
def test_a_trainer_that_dies_is_said_and_can_be_started_again(project):
    both_finish(project)
    learner = PatientTrainer(project, "ana")
    learner.start()
    os.kill(learner._training._process.pid, signal.SIGKILL)
    assert "start it again" in ended(learner).problem
    assert not learner.running
    assert learner.start()
    assert ended(learner).problem == ""


def test_two_windows_do_not_train_the_same_model_at_once(project):
    both_finish(project)
    first, second = PatientTrainer(project, "ana"), PatientTrainer(project, "ana")
    assert first.start()
    assert not second.start()
    first.cancel()
    assert second.start()
    second.cancel()


def test_patients_without_a_tag_teach_nothing_and_that_is_said(project):
    finish(project, "ana", "1", "nowhere", DOCTOR)
    learner = PatientTrainer(project, "ana")
    assert learner.start()
    assert "nothing to train on" in ended(learner).problem


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_cannot_be_made_is_said(project):
    both_finish(project)
    project.root.chmod(0o500)
    try:
        with pytest.raises(StorageError):
            PatientTrainer(project, "ana").start()
    finally:
        project.root.chmod(0o700)


def test_models_are_their_owners_only(project):
    both_finish(project)
    learner = PatientTrainer(project, "ana")
    learner.start()
    ended(learner)
    files = [*(project.root / "models").rglob("*"), project.root / "models"]
    assert {each.stat().st_mode & 0o077 for each in files} == {0}


def test_a_training_without_a_process_says_so_and_is_begun_later(project, monkeypatch):
    both_finish(project)
    learner = PatientTrainer(project, "ana")

    def no_process(_self):
        raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN))

    with monkeypatch.context() as patch:
        patch.setattr(multiprocessing.process.BaseProcess, "start", no_process)
        with pytest.raises(StorageError, match="unavailable"):
            learner.start()
    assert not learner.running
    assert learner.start()
    learner.cancel()
