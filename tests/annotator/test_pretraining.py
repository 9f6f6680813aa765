"""The model of fabricated patients: made once, for whoever has no other."""

import os
import shutil
import sys
import time

import pytest

from annotator.pretraining import (
    SHIPPED_MODELS,
    Pretraining,
    SyntheticTrainingData,
    _edition,
    build_shipped_model,
    pretrained_folder,
)
from annotator.recognizers import Recognizers, trained_folder
from annotator.training_lock import lock_of
from shared.errors import StorageError
from shared.formats.base import Record
from shared.model import MergedView
from shared.model.i2b2_2014 import I2B2_2014
from shared.project.lock import acquire_lock
from shared.project.project import Project
from shared.project.settings import Policy, SuggestionPolicy
from shared.recognition.model_card import model_version, read_card
from shared.synthetic.letters import fabricate_letters, letter_languages, sets_to_learn
from tests.annotator.pretraining import SOON, make_project, one_type

FEW = {"data": (SyntheticTrainingData(4),), "settings": SOON}


class OnFullDisk(SyntheticTrainingData):
    """What is learnt by a process that has room for no model."""

    def __call__(self):
        from resource import RLIMIT_FSIZE, getrlimit, setrlimit

        setrlimit(RLIMIT_FSIZE, (20_000, getrlimit(RLIMIT_FSIZE)[1]))
        return SyntheticTrainingData.__call__(self)


@pytest.fixture
def project(tmp_path):
    return make_project(tmp_path / "p")


@pytest.fixture
def folder(tmp_path):
    return pretrained_folder(tmp_path / "cache")


@pytest.fixture(scope="module")
def learnt(tmp_path_factory):
    """Where a model of fabricated patients lies that a window has had made."""
    root = tmp_path_factory.mktemp("learnt")
    folder = pretrained_folder(root / "cache")
    trained(make_project(root / "p"), folder)
    return folder


def ended(pretraining):
    while (state := pretraining.look()).running:
        time.sleep(0.05)
    return state


def found(project, folder, policy=Policy.ON):
    view = MergedView(project.patient("1"))
    *_, last = Recognizers(project, "ana", folder).suggest(view, policy)
    return last


def test_it_suggests_until_there_is_another_model(project, folder):
    pretraining = Pretraining(project, "ana", folder, **FEW)

    assert pretraining.is_wanted()
    assert pretraining.start()
    assert pretraining.running
    assert ended(pretraining).problem == ""
    assert found(project, folder).by == "the rules and a model of fabricated patients"
    assert {each.recognizer for each in found(project, folder).suggestions} >= {"token"}
    assert not pretraining.is_wanted()
    assert not Pretraining(make_project(folder.parent / "second"), "ben", folder, **FEW).start()


def test_a_few_patients_are_learnt_first_and_then_all(project, folder):
    pretraining = Pretraining(
        project,
        "ana",
        folder,
        (SyntheticTrainingData(3), SyntheticTrainingData(5)),
        SOON,
    )
    pretraining.start()
    assert ended(pretraining).problem == ""
    assert (pretraining.patients(), pretraining.is_complete()) == (3, False)
    assert found(project, folder).by == "the rules and a model of fabricated patients"

    first = model_version(folder)
    assert pretraining.start()
    assert ended(pretraining).problem == ""
    assert (pretraining.patients(), pretraining.is_complete()) == (5, True)
    assert model_version(folder) != first
    assert not pretraining.start()


def test_what_was_learnt_first_stays_where_the_rest_is_stopped(project, folder):
    pretraining = Pretraining(
        project,
        "ana",
        folder,
        (SyntheticTrainingData(3), SyntheticTrainingData(60)),
        SOON,
    )
    pretraining.start()
    ended(pretraining)
    pretraining.start()
    pretraining.cancel()
    assert pretraining.patients() == 3
    assert found(project, folder).by == "the rules and a model of fabricated patients"


def test_only_its_owner_can_read_it(learnt):
    assert learnt.stat().st_mode & 0o077 == 0
    assert [each.name for each in learnt.iterdir() if each.stat().st_mode & 0o077] == []


def test_what_is_learnt_from_ones_own_patients_goes_first(project, folder, learnt):
    shutil.copytree(learnt, trained_folder(project, "ana"))

    assert found(project, folder).by == "the rules and a model of 4 patients of yours"


def test_it_is_made_until_much_was_learnt(project, folder, monkeypatch):
    pretraining = Pretraining(project, "ana", trained_folder(project, "ana"), **FEW)
    pretraining.start()
    ended(pretraining)

    assert Pretraining(project, "ana", folder, **FEW).is_wanted()
    monkeypatch.setattr("shared.recognition.training_settings.MANY_RECORDS", 4)
    assert not Pretraining(project, "ana", folder, **FEW).is_wanted()


def test_what_was_learnt_and_cannot_be_read_leaves_it_alone_and_that_is_said(project, learnt):
    broken = trained_folder(project, "ana")
    broken.mkdir(parents=True)
    (broken / "card.json").write_text("{")

    last = found(project, learnt)
    assert last.by == "the rules and a model of fabricated patients"
    assert "is not the card of a Tandem model" in last.problem
    assert last.suggestions


def test_a_model_of_another_schema_is_said_and_fabricated_patients_serve(learnt, tmp_path):
    other = make_project(tmp_path / "other", one_type("DATE", "DATE"))
    shutil.copytree(learnt, trained_folder(other, "ana"))

    last = found(other, learnt)
    assert last.by == "the rules and a model of fabricated patients"
    assert "trained for another schema" in last.problem


def test_it_is_not_made_where_suggestions_are_off(project, folder):
    project.set_suggestions(SuggestionPolicy({"ana": Policy.OFF}))

    assert not Pretraining(project, "ana", folder, **FEW).start()
    assert not folder.exists()


def test_two_windows_make_it_once(project, folder):
    first, second = (Pretraining(project, name, folder, **FEW) for name in ("ana", "ben"))

    assert first.start()
    assert not second.start()
    assert second.is_trained_elsewhere
    first.cancel()
    assert not folder.exists()
    assert second.start()
    assert not second.is_trained_elsewhere
    second.cancel()


def older_edition(folder, name="fabricated-0123456789ab"):
    older = folder.with_name(name)
    older.mkdir(parents=True)
    for each in ("card.json", "term_counts.json", "general.crfsuite"):
        (older / each).write_text("{}")
    return older


def trained(project, folder):
    pretraining = Pretraining(project, "ana", folder, **FEW)
    pretraining.start()
    assert ended(pretraining).problem == ""


def test_models_of_older_editions_go_once_a_new_one_is_there(project, folder):
    older = older_edition(folder)
    trained(project, folder)
    assert folder.is_dir()
    assert not older.exists()


def test_an_older_edition_stays_where_there_is_no_new_one(project, folder):
    older = older_edition(folder)
    pretraining = Pretraining(project, "ana", folder, **FEW)
    pretraining.start()
    pretraining.cancel()
    assert len(list(older.iterdir())) == 3


def test_of_an_older_edition_only_the_files_of_a_model_go(project, folder, tmp_path):
    older, outside = older_edition(folder), tmp_path / "outside.json"
    outside.write_text("mine")
    (older / "notes.txt").write_text("mine")
    (older / "link.json").symlink_to(outside)
    trained(project, folder)
    assert sorted(each.name for each in older.iterdir()) == ["link.json", "notes.txt"]
    assert outside.read_text() == "mine"


def test_folders_of_other_names_are_left_alone(project, folder):
    names = ("fabricated-mine", "fabricated-0123456789abc", "other")
    others = [older_edition(folder, name) for name in names]
    trained(project, folder)
    assert [len(list(each.iterdir())) for each in others] == [3, 3, 3]


def test_a_link_in_place_of_an_older_edition_is_not_followed(project, folder, tmp_path):
    elsewhere = older_edition(tmp_path / "elsewhere" / "any")
    folder.parent.mkdir(parents=True)
    folder.with_name("fabricated-0123456789ab").symlink_to(elsewhere)
    trained(project, folder)
    assert len(list(elsewhere.iterdir())) == 3


def test_an_edition_that_another_tandem_trains_is_left_alone(project, folder):
    older = older_edition(folder)
    with acquire_lock(lock_of(older), "ben"):
        trained(project, folder)
    assert len(list(older.iterdir())) == 3


def test_of_its_suggestions_those_stay_that_the_schema_has(tmp_path, learnt):
    other = make_project(tmp_path / "other", one_type("DATE", "DATE"))

    suggested = found(other, learnt).suggestions
    assert {each.phi_type.name for each in suggested} == {"DATE"}


def test_a_schema_without_its_types_has_none_and_that_is_said(tmp_path, folder):
    schema = one_type("COLOUR", "RED")
    pretraining = Pretraining(make_project(tmp_path / "other", schema), "ana", folder, **FEW)

    assert not pretraining.start()
    assert "The schema small shares no type" in pretraining.why_not()


def test_a_folder_that_cannot_be_made_is_said(project, tmp_path):
    (tmp_path / "cache").write_text("in the way")

    with pytest.raises(StorageError):
        Pretraining(project, "ana", pretrained_folder(tmp_path / "cache"), **FEW).start()


@pytest.mark.skipif(sys.platform == "win32", reason="has no such limit")
def test_a_full_disk_is_said_and_nothing_is_left_behind(project, folder):
    pretraining = Pretraining(project, "ana", folder, (OnFullDisk(4),), SOON)
    pretraining.start()

    assert "make room on the disk" in ended(pretraining).problem
    assert list(folder.parent.iterdir()) == []


def test_nothing_but_the_model_stays_in_the_cache(learnt):
    assert list(learnt.parent.iterdir()) == [learnt]


def test_the_lessons_are_the_same_every_time():
    assert SyntheticTrainingData(2, 5)() == SyntheticTrainingData(2, 5)()
    assert SyntheticTrainingData(2, 5)() != SyntheticTrainingData(2, 6)()


@pytest.mark.skipif(os.name == "nt", reason="has other modes")
def test_the_folder_names_what_the_model_is_made_of(tmp_path):
    assert pretrained_folder(tmp_path).parent == tmp_path / "models"
    assert pretrained_folder(tmp_path).name.startswith("fabricated-")


def test_other_lists_of_words_make_another_edition(tmp_path, monkeypatch):
    before = pretrained_folder(tmp_path)
    monkeypatch.setattr("shared.recognition.dictionaries.digest_of_locales", lambda: "others")
    _edition.cache_clear()
    try:
        assert pretrained_folder(tmp_path) != before
    finally:
        _edition.cache_clear()


FEW_WITH_LETTERS = SyntheticTrainingData(3, letters=1)


def built(folder):
    """What `make model` would put into a wheel, of few patients and the first sets of letters."""
    with pytest.MonkeyPatch.context() as patch:
        few = {each: sets_to_learn(each)[:2] for each in letter_languages()}
        patch.setattr("shared.synthetic.letters.sets_to_learn", few.get)
        return build_shipped_model(folder, FEW_WITH_LETTERS, SOON)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory):
    return built(tmp_path_factory.mktemp("shipped"))


def test_what_ships_is_the_same_bytes_each_time_and_says_what_it_is_made_from(shipped, tmp_path):
    again = built(tmp_path)
    assert again.name == shipped.name
    assert contents(again) == contents(shipped)
    assert "fabricated patients" in read_card(shipped).notice
    assert read_card(shipped).trained.startswith("1970")


def contents(folder):
    return {each.name: each.read_bytes() for each in folder.iterdir()}


def test_a_model_that_came_with_tandem_serves_at_once_and_none_is_made(
    project, shipped, tmp_path, monkeypatch
):
    monkeypatch.setattr("annotator.pretraining.SHIPPED_MODELS", shipped.parent)
    folder = pretrained_folder(tmp_path / "cache")
    assert folder == shipped
    data = (SyntheticTrainingData(3),)
    assert not Pretraining(project, "ana", folder, data, SOON).is_wanted()
    assert found(project, folder).by == "the rules and a model of fabricated patients"


def test_a_shipped_model_of_other_lists_or_notes_is_passed_over(shipped, tmp_path, monkeypatch):
    shutil.copytree(shipped, tmp_path / "shipped" / "fabricated-0123456789ab")
    monkeypatch.setattr("annotator.pretraining.SHIPPED_MODELS", tmp_path / "shipped")
    folder = pretrained_folder(tmp_path / "cache")
    assert folder.parent == tmp_path / "cache" / "models"


def test_what_lies_in_the_wheel_is_of_the_edition_that_this_build_makes():
    names = [each.name for each in SHIPPED_MODELS.glob("fabricated-*")]
    assert names in ([], [f"fabricated-{_edition()}"])


def test_a_model_that_learnt_german_letters_is_at_home_in_german(tmp_path, shipped):
    (letters,) = fabricate_letters("de", 1, 8, letters="held-out")
    records = [Record(each) for each in letters.patient.documents]
    german = Project.create(tmp_path / "p", "p", I2B2_2014, records, ["ana", "ben"], 1)
    view = MergedView(german.patient(letters.patient.id))
    *_, last = Recognizers(german, "ana", shipped).suggest(view, Policy.ON)
    assert last.by == "the rules and a model of fabricated patients"
