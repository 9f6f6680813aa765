import json
import sys
from dataclasses import replace

import pytest

from shared.errors import FileFormatError, RequestError
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.ensemble_weights import CompanionRecognizers
from shared.recognition.evaluation import above, strict_scores
from shared.recognition.features.sets import FEATURE_SETS
from shared.recognition.linear_recognizer import train_linear
from shared.recognition.model_card import read_card
from shared.recognition.model_folder import LINEAR_MODEL, load_model, new_model_folder
from shared.recognition.registry import RecognizerSpec, open_recognizer
from shared.recognition.training.train import train
from shared.recognition.training_settings import SETTINGS
from tests.builders import document

NAMES = ("stat-deid", "snow")


def trained(examples, target, settings):
    with new_model_folder(target) as partial:
        train(examples, settings, partial)
    return target


@pytest.fixture(scope="module", params=NAMES)
def folder(request, examples, tmp_path_factory):
    target = tmp_path_factory.mktemp("models") / request.param
    return trained(examples, target, SETTINGS[request.param])


def opened(folder, **options):
    return open_recognizer(RecognizerSpec((str(folder),), **options))


def test_it_finds_what_patients_it_never_saw_have(folder, unseen):
    found = opened(folder).suggest([each.document for each in unseen])

    assert strict_scores(unseen, above(found, 0.0))["all"].f1 > 0.8
    assert all(0 < each.confidence < 1 for of_one in found for each in of_one)
    assert all(each.recognizer == folder.name for of_one in found for each in of_one)
    assert read_card(folder).settings == SETTINGS[folder.name]


def test_its_folder_has_no_pickle_and_does_not_depend_on_the_order(folder, examples, tmp_path):
    again = trained(examples[::-1], tmp_path / "m", SETTINGS[folder.name])

    assert {each.name for each in folder.iterdir()} == {
        "card.json",
        "dictionaries.json",
        LINEAR_MODEL,
    }
    assert (again / LINEAR_MODEL).read_bytes() == (folder / LINEAR_MODEL).read_bytes()
    assert all(each.stat().st_mode & 0o077 == 0 for each in folder.iterdir())


@pytest.mark.parametrize("text", ["", "\n\n", " \t", "\0\ud800", "x" * 50_000, "a 1 " * 12_000])
def test_any_text_is_read(folder, text):
    (found,) = opened(folder).suggest([document(text)])

    assert all(each.end <= len(text) for each in found)


@pytest.mark.parametrize(
    "damage", [{"classes": ["O", "NAME:OTHER"]}, {"values": "1"}, {"features": 7}, {"curve": "x"}]
)
def test_a_damaged_model_is_named(folder, tmp_path, damage):
    table = json.loads((folder / LINEAR_MODEL).read_text())
    for each in folder.iterdir():
        (tmp_path / each.name).write_bytes(each.read_bytes())
    (tmp_path / LINEAR_MODEL).write_text(json.dumps({**table, **damage}))

    with pytest.raises(FileFormatError, match=r"linear_model.*train the model again"):
        opened(tmp_path)


def test_what_it_cannot_do_is_refused(folder, examples, tmp_path):
    settings = SETTINGS[folder.name]
    with pytest.raises(RequestError, match="no recall mode"):
        opened(folder, recall=True)
    with pytest.raises(RequestError, match="has no CRFs"):
        load_model(folder)
    with pytest.raises(RequestError, match="weighs no recognizers"):
        train(examples, settings, tmp_path, companions=CompanionRecognizers(()))
    with pytest.raises(RequestError, match=rf"100 types; {settings.name} learns 99"):
        train_linear(examples, settings, [f"OTHER:{at}" for at in range(100)], Dictionaries())


def test_nothing_of_scikit_learn_is_needed_to_suggest(folder, unseen, monkeypatch):
    for name in ("sklearn", "sklearn.svm", "scipy", "scipy.sparse"):
        monkeypatch.setitem(sys.modules, name, None)

    assert any(opened(folder).suggest([each.document for each in unseen]))


def test_one_patient_is_enough(examples, tmp_path):
    only = [each for each in examples if each.document.patient_id == "0"]
    target = trained(only, tmp_path / "m", SETTINGS["stat-deid"])

    assert opened(target).suggest([only[0].document])[0]


def test_without_features_less_is_found(examples, unseen, tmp_path):
    part = replace(
        SETTINGS["stat-deid"], features=replace(FEATURE_SETS["stat-deid"], groups=("orthographic",))
    )
    target = trained(examples, tmp_path / "m", part)
    found = opened(target).suggest([each.document for each in unseen])

    assert strict_scores(unseen, found)["all"].f1 < 0.5


def test_crfd_is_a_crf_of_the_same_words(examples, unseen, tmp_path):
    target = trained(examples, tmp_path / "crfd", SETTINGS["crfd"])
    found = load_model(target).suggest([each.document for each in unseen])

    assert strict_scores(unseen, above(found, 0.47))["all"].f1 > 0.8
    with pytest.raises(RequestError, match="labels words; choose features of these"):
        replace(SETTINGS["crfd"].crfs[0], features=FEATURE_SETS["he"])
    with pytest.raises(RequestError, match="labels tokens; choose features of these"):
        replace(SETTINGS["he"].crfs[0], features=FEATURE_SETS["stat-deid"])
