"""A model as a folder: what lies in it, and what is said where something is wrong with one."""

import errno
import json
import stat
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from shared.errors import FileError, FileFormatError, NewerVersionError, RequestError, StorageError
from shared.model.i2b2_2014 import I2B2_2014
from shared.model.schema import Schema, SchemaCategory, SchemaType
from shared.recognition.dictionaries import Dictionaries
from shared.recognition.features import extractor
from shared.recognition.model_card import CARD, read_card
from shared.recognition.model_folder import (
    CONFIDENCE_MODEL,
    DICTIONARIES,
    TERM_COUNTS,
    load_model,
    new_model_folder,
)
from shared.recognition.training.train import train
from shared.recognition.training_settings import (
    SETTINGS,
)
from tests.builders import phi

QUICK = SETTINGS["token"]
STACKED = replace(QUICK, folds=3)


def trained(examples, settings, target, **more):
    with new_model_folder(target) as folder:
        return train(examples, settings, folder, **more)


@pytest.fixture(scope="module")
def folder(examples, tmp_path_factory):
    """A token CRF with its judge, trained."""
    target = tmp_path_factory.mktemp("models") / "first"
    trained(examples, STACKED, target)
    return target


@pytest.mark.skipif(sys.platform == "win32", reason="no file modes there")
def test_a_model_is_readable_by_its_owner_only(folder):
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}


def test_a_model_is_the_card_what_it_knows_and_crfsuite_files(folder):
    assert {path.name for path in folder.iterdir()} == {
        CARD,
        TERM_COUNTS,
        DICTIONARIES,
        "quick.crfsuite",
        "confidence_model.json",
    }


def test_a_model_is_replaced_by_a_newer_one_only_when_that_is_whole(examples, folder, tmp_path):
    target = tmp_path / "m"
    trained(examples, QUICK, target)
    before = (target / CARD).read_bytes()

    with pytest.raises(RequestError):
        trained([replace(examples[0], tags=())], QUICK, target)
    assert (target / CARD).read_bytes() == before
    trained(examples, STACKED, target)
    assert read_card(target).has_confidence_model
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_the_older_model_stays_where_no_newer_takes_its_place(examples, tmp_path, monkeypatch):
    target = tmp_path / "m"
    trained(examples, QUICK, target)
    before = {path.name: path.read_bytes() for path in target.iterdir()}
    rename = Path.rename

    def refuse(path, to):
        if path.name.endswith(".partial"):
            raise OSError(errno.ENOSPC, "No space left on device")
        return rename(path, to)

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(StorageError, match="no space left"):
        trained(examples, QUICK, target)
    assert {path.name: path.read_bytes() for path in target.iterdir()} == before
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_what_is_no_model_is_not_replaced(tmp_path):
    (tmp_path / "m").mkdir()
    (tmp_path / "m" / "thesis.txt").write_text("years of work")

    with pytest.raises(FileError, match="is not a model"), new_model_folder(tmp_path / "m"):
        pass
    assert (tmp_path / "m" / "thesis.txt").read_text() == "years of work"


def damaged(folder, target, name, content):
    target.mkdir()
    for path in folder.iterdir():
        (target / path.name).write_bytes(path.read_bytes())
    if content is None:
        (target / name).unlink()
    else:
        (target / name).write_bytes(content)
    return target


@pytest.mark.parametrize(
    "name", [CARD, TERM_COUNTS, DICTIONARIES, "quick.crfsuite", "confidence_model.json"]
)
@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[" * 100_000, b"lCRF" + b"\xff" * 60, b"null"], ids=range(5)
)
def test_a_damaged_model_is_named(folder, tmp_path, name, content):
    with pytest.raises(FileFormatError, match=name.replace(".", r"\.")):
        load_model(damaged(folder, tmp_path / "m", name, content))


def test_a_folder_without_a_card_holds_no_model(folder, tmp_path):
    (tmp_path / "note.txt").write_text("a note")
    for path in (tmp_path, tmp_path / "note.txt", damaged(folder, tmp_path / "m", CARD, None)):
        with pytest.raises(StorageError, match=f"{path}: holds no model; give a folder"):
            load_model(path)


@pytest.mark.parametrize("name", [TERM_COUNTS, "quick.crfsuite", "confidence_model.json"])
def test_a_missing_part_is_named(folder, tmp_path, name):
    with pytest.raises(StorageError, match=name.replace(".", r"\.")):
        load_model(damaged(folder, tmp_path / "m", name, None))


def test_a_model_looks_up_what_it_did_when_it_learnt(folder, unseen, tmp_path, monkeypatch):
    documents = [example.document for example in unseen]
    expected = load_model(folder).suggest(documents)
    without = damaged(folder, tmp_path / "m", DICTIONARIES, None)

    monkeypatch.setattr(extractor, "dictionaries_of", lambda _: Dictionaries())
    assert load_model(folder).suggest(documents) == expected
    assert load_model(without).suggest(documents) != expected
    monkeypatch.undo()
    assert load_model(without).suggest(documents) == expected


@pytest.mark.parametrize("name", ["liu", "character"])
def test_what_looks_nothing_up_keeps_no_dictionaries(examples, tmp_path, name):
    brief = tuple(replace(crf, iterations=2) for crf in SETTINGS[name].crfs)
    trained(examples[:4], replace(SETTINGS[name], crfs=brief), tmp_path / "m")

    assert not (tmp_path / "m" / DICTIONARIES).exists()


def test_a_model_of_a_later_tandem_is_refused(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    content = json.dumps({**card, "tandem_model": 99}).encode()

    with pytest.raises(NewerVersionError, match="update Tandem"):
        load_model(damaged(folder, tmp_path / "m", CARD, content))


def test_a_model_of_an_earlier_version_is_to_be_trained_again(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    content = json.dumps({**card, "tandem_model": 1}).encode()

    with pytest.raises(FileFormatError, match="older version of models; train it again"):
        load_model(damaged(folder, tmp_path / "m", CARD, content))


def test_a_pass_that_there_is_not_is_refused(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    card["settings"]["postprocessing"] = ["years"]

    with pytest.raises(RequestError, match="no pass years"):
        load_model(damaged(folder, tmp_path / "m", CARD, json.dumps(card).encode()))


@pytest.mark.parametrize("number", ["NaN", "1e999", '"one"', "null", "[]"])
@pytest.mark.parametrize("key", ["threshold", "feature", "left", "value", "roots"])
def test_a_confidence_model_holds_numbers(folder, tmp_path, key, number):
    table = json.loads((folder / CONFIDENCE_MODEL).read_text())
    table["trees"][key][0] = "HERE"
    content = json.dumps(table).replace('"HERE"', number).encode()

    with pytest.raises(FileFormatError, match=r"confidence_model\.json"):
        load_model(damaged(folder, tmp_path / "m", CONFIDENCE_MODEL, content))


def test_nothing_of_scikit_learn_is_needed_to_suggest(folder, unseen, monkeypatch):
    for name in ("sklearn", "sklearn.ensemble", "sklearn.model_selection"):
        monkeypatch.setitem(sys.modules, name, None)

    assert any(load_model(folder).suggest([each.document for each in unseen]))


def test_a_crf_file_cannot_lead_out_of_the_folder(folder, tmp_path):
    card = json.loads((folder / CARD).read_text())
    card["settings"]["crfs"][0]["name"] = "../first/quick"
    content = json.dumps(card).encode()

    with pytest.raises(FileFormatError, match=r"card\.json"):
        load_model(damaged(folder, tmp_path / "m", CARD, content))


def test_a_model_fits_the_schema_that_it_was_trained_for(folder):
    assert load_model(folder, I2B2_2014).name == "token"


def test_a_model_of_another_schema_is_refused(folder):
    dates = Schema("dates", (SchemaCategory("DATE", (SchemaType(phi("DATE")),)),))

    with pytest.raises(RequestError, match="another schema"):
        load_model(folder, dates)
